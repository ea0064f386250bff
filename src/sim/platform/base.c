/* A platform whose hosts and wires are to be put together otherwise.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include <string.h>

static int find_wire(struct platform_facts *facts, struct machine *machine)
{
    const struct route *route = machine->net->n_hosts > 1 ? machine_route(machine, 0, 1) : NULL;
    facts->n_hosts = machine->net->n_hosts;
    facts->cores = machine->cores;
    facts->style.speed_flopps = machine_host_speed(machine, 0);
    if (route == NULL || route->hops == 0)
        return sim_error_set(&facts->error, SIM_BAD_INPUT, machine->file, 0,
                             "has no wire between host 0 and host 1 of which a topology could be made");
    machine_link_speed(machine, route->links[0], &facts->style.bandwidth_Bps, &facts->style.latency_s);
    return 0;
}

void platform_find_facts(struct platform_facts *facts, const char *file)
{
    struct machine machine;
    memset(facts, 0, sizeof *facts);
    facts->status = machine_load(&machine, file, &facts->error);
    if (facts->status == 0)
        facts->status = find_wire(facts, &machine);
}

int machine_load_base(struct machine *machine, const char *file, struct sim_error *error)
{
    struct platform_facts facts;
    if (platform_ask_facts(&facts, file, error) != 0 || machine_load_props(machine, file, error) != 0)
        return -1;
    machine->net->n_hosts = facts.n_hosts;
    struct topology_style *style = &machine->net->style;
    style->speed_flopps = facts.style.speed_flopps;
    style->bandwidth_Bps = facts.style.bandwidth_Bps;
    style->latency_s = facts.style.latency_s;
    machine->cores = facts.cores;
    return 0;
}
