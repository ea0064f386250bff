/* The life of a machine; and what a message takes where both its costs and its route count.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/machine.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

const char *const machine_basis_names[N_BASES] = {"", "measured", "unmeasured", "hypothetical"};

static void release_routines(struct routines *routines)
{
    if (--routines->n_machines > 0)
        return;
    for (int i = 0; i < routines->n_kernels; i++)
        law_free((struct kernel_law *)(uintptr_t)routines->kernels[i].law);
    free(routines->kernels);
    free(routines->needs);
    free(routines->sharings);
    free(routines);
}

void machine_init(struct machine *machine, const char *name, const char *file)
{
    *machine = (struct machine){.name = xstrdup(name), .file = xstrdup(file), .cores = 1, .hosts_per_computer = 1};
    machine->routines = xcalloc(1, sizeof *machine->routines);
    machine->routines->n_machines = 1;
    machine->net = interconnect_new();
}

void machine_copy(struct machine *copy, const struct machine *machine)
{
    *copy = (struct machine){.name = xstrdup(machine->name),
                             .file = xstrdup(machine->file),
                             .costs = machine->costs,
                             .routines = machine->routines,
                             .net = machine->net,
                             .links_per_host = machine->links_per_host,
                             .cores = machine->cores,
                             .hosts_per_computer = machine->hosts_per_computer,
                             .allocation = machine->allocation};
    if (machine->default_network != NULL)
        copy->default_network = xstrdup(machine->default_network);
    if (machine->passed_over != NULL)
        copy->passed_over = xstrdup(machine->passed_over);
    copy->about = (struct machine_about){.year = machine->about.year, .basis = machine->about.basis};
    if (machine->about.what != NULL)
        copy->about.what = xstrdup(machine->about.what);
    if (machine->about.error != NULL)
        copy->about.error = xstrdup(machine->about.error);
    if (machine->about.wires != NULL)
        copy->about.wires = xstrdup(machine->about.wires);
    copy->routines->n_machines++;
    copy->net->n_machines++;
}

void machine_derive(struct machine *machine, const struct machine *base, const struct topology *topology)
{
    char shape[200];
    struct machine derived;
    topology_format(shape, sizeof shape, topology);
    machine_copy(&derived, base);
    free(derived.name);
    derived.name = xformat("%s as %s", base->name, shape);
    if (base->about.basis != BASIS_UNKNOWN &&
        (base->about.wires == NULL || strcmp(base->about.wires, topology->spec->name) != 0))
        derived.about.basis = BASIS_HYPOTHETICAL;
    interconnect_release(derived.net);
    derived.net = interconnect_of(topology, &base->net->style);
    derived.base_hosts = base->net->n_hosts;
    derived.hosts_per_computer = 1;
    *machine = derived;
}

void machine_dispose(struct machine *machine)
{
    if (machine->memo.data != NULL)
        machine->memo.free(machine->memo.data);
    if (machine->routines != NULL)
        release_routines(machine->routines);
    if (machine->net != NULL)
        interconnect_release(machine->net);
    free(machine->default_network);
    free(machine->passed_over);
    free(machine->about.what);
    free(machine->about.error);
    free(machine->about.wires);
    free(machine->name);
    free(machine->file);
    *machine = (struct machine){.name = NULL};
}

int64_t machine_alone_ps(const struct machine *machine, const struct route *route, int64_t bytes, bool exchanges,
                         int64_t *latency_ps)
{
    const struct cost_model *costs = &machine->costs;
    if (cost_model_has_formula(costs, route->hops)) {
        int64_t all_ps = cost_model_message_ps(costs, bytes, route->hops, exchanges);
        int64_t empty_ps = cost_model_message_ps(costs, 0, route->hops, exchanges);
        *latency_ps = int64_min(empty_ps, all_ps);
        return all_ps;
    }
    bool between = route->from != route->to;
    int64_t ends_ps = between ? cost_model_endpoint_ps(costs, bytes, exchanges) : 0;
    int64_t empty_ps = between ? cost_model_endpoint_ps(costs, 0, exchanges) : 0;
    wide_int way_ps = costs->free_latency ? 0 : route->latency_ps;
    *latency_ps = units_clamp(way_ps + int64_min(empty_ps, ends_ps));
    return units_clamp(way_ps + ends_ps + (wide_int)(costs->free_length ? 0 : (double)bytes * route->byte_ps + 0.5));
}
