/* Loads the platforms of a scenario, derives the machines of topologies, and finds that of each run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/machines.h"
#include "sim/platform/platform.h"

#include "base/memory.h"
#include "os/output.h"
#include "study/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct machines {
    const struct allocation *allocation; /* borrowed */
    struct machine platform;             /* without routes where any run has a topology */
    bool is_base;
    bool loaded;
    struct machine own; /* the platform with its routes, if `loaded` */
    struct machine derived;
    struct topology topology; /* of `derived`; spec NULL: there is none yet */
    struct texts names;
};

static bool any_has_topology(const struct scenario *scenario)
{
    const struct scenario_param *param = &scenario->params[COMMON_TOPOLOGY];
    for (int i = 0; i < param->n_values; i++)
        if (param->values[i] != 0)
            return true;
    return false;
}

int machines_open(struct machines **machines, struct machine **platform, const struct scenario *scenario,
                  struct sim_error *error)
{
    if (scenario->platform_line > 0 && access(scenario->platform_file, R_OK) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, scenario->platform_line,
                             "<platform> file: cannot read '%.200s': %s", scenario->platform_file, strerror(errno));
    struct machines *opened = xcalloc(1, sizeof *opened);
    opened->is_base = any_has_topology(scenario);
    int status =
        (opened->is_base ? machine_load_base : machine_load)(&opened->platform, scenario->platform_file, error);
    if (status != 0) {
        free(opened);
        opened = NULL;
    } else
        opened->platform.allocation = opened->allocation = scenario->allocation;
    *machines = opened;
    *platform = opened == NULL ? NULL : &opened->platform;
    return status;
}

void machines_close(struct machines *machines)
{
    if (machines == NULL)
        return;
    if (machines->topology.spec != NULL)
        machine_dispose(&machines->derived);
    if (machines->loaded)
        machine_dispose(&machines->own);
    machine_dispose(&machines->platform);
    texts_dispose(&machines->names);
    free(machines);
}

const char *machines_name(struct machines *machines, const struct machine *machine)
{
    return texts_intern(&machines->names, machine->name);
}

static void derive(struct machines *machines, const struct topology *topology)
{
    if (topology->spec == machines->topology.spec && topology->routing == machines->topology.routing &&
        topology->seed == machines->topology.seed &&
        memcmp(&topology->dimensions, &machines->topology.dimensions, sizeof topology->dimensions) == 0)
        return;
    if (machines->topology.spec != NULL)
        machine_dispose(&machines->derived);
    machines->topology = *topology;
    machine_derive(&machines->derived, &machines->platform, topology);
}

int machines_find(struct machine **machine, struct machines *machines, const int64_t *values, struct sim_error *error)
{
    struct topology topology;
    if (settings_topology(&topology, values, error) != 0)
        return -1;
    if (topology.spec != NULL)
        derive(machines, &topology);
    *machine = topology.spec != NULL ? &machines->derived : machines->loaded ? &machines->own : &machines->platform;
    machines_name(machines, *machine);
    return 0;
}

int machines_prepare(struct machines *machines, const int64_t *values, struct sim_error *error)
{
    if (values[COMMON_TOPOLOGY] != 0 || !machines->is_base || machines->loaded)
        return 0;
    if (machine_load(&machines->own, machines->platform.file, error) != 0)
        return -1;
    machines->own.allocation = machines->allocation;
    machines->loaded = true;
    return 0;
}

/* --- writing --- */

/* The machine of all runs; NULL and the error where it is not one. */
static struct machine *only_machine(struct machines *machines, const struct scenario *scenario, struct sim_error *error)
{
    struct machine *machine = NULL;
    const char *name = NULL;
    int64_t *values = xmalloc((size_t)scenario->n_params * sizeof *values);
    int status = 0;
    for (int64_t i = 0; status == 0 && i < scenario_run_count(scenario); i++) {
        scenario_run_values(scenario, i, values);
        status = machines_find(&machine, machines, values, error);
        if (status == 0 && name != NULL && name != machines_name(machines, machine))
            status = sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0,
                                   "the runs have several machines, such as '%s' and '%s'; pick one with --set", name,
                                   machine->name);
        name = status == 0 ? machines_name(machines, machine) : NULL;
    }
    free(values);
    return status == 0 ? machine : NULL;
}

int machines_write(struct machines *machines, const struct scenario *scenario, const char *file, bool as_text,
                   struct sim_error *error)
{
    struct output output;
    struct machine *machine = only_machine(machines, scenario, error);
    if (machine == NULL)
        return -1;
    if (!as_text && machine->net->topology == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, scenario->file, 0,
                             "the machine is the unchanged platform; to write another one, use --set topology=NAME "
                             "(simrun list topologies)");
    if (output_open(&output, file, error) != 0)
        return -1;
    int status = as_text ? machine_write_text(machine, output.stream, error)
                         : machine_write_platform(machine, output.stream, error);
    if (status != 0)
        output_abandon(&output);
    else
        status = output_close(&output, error);
    return status;
}
