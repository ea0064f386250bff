/* Makes one run: placement, program, T_seq, the simulation with its metrics and trace, and what is derived from it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/run.h"

#include "base/memory.h"
#include "base/units.h"
#include "core/cost_band.h"
#include "core/forecast.h"
#include "core/memory.h"
#include "core/simulation.h"
#include "core/what_if/what_if.h"
#include "experiment/notes.h"
#include "experiment/program_export.h"
#include "experiment/trace_links.h"
#include "metrics/detail.h"
#include "os/host_use.h"
#include "sim/kernel/autotune.h"
#include "sim/kernel/extent.h"
#include "sim/network/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int run_find_machine(struct machine **machine, const struct run_context *context, const int64_t *values,
                     struct sim_error *error)
{
    *machine = context->machine;
    return context->machines == NULL ? 0 : machines_find(machine, context->machines, values, error);
}

/* Open the simulation of a run. Its network and machine are NULL as long as there is none that could be used. */
static int open_simulation(struct simulation *simulation, const struct run_context *context, const int64_t *values,
                           bool is_sequential, struct sim_error *error)
{
    const struct scenario *scenario = context->scenario;
    *simulation = (struct simulation){.network = NULL};
    if (simulation_network(&simulation->network, context->machine, values[COMMON_NETWORK], error) != 0 ||
        run_find_machine(&simulation->machine, context, values, error) != 0)
        return -1;
    const struct program_input input = {scenario->input, scenario->own};
    return simulation_init(simulation, simulation->machine, simulation->network, scenario->app, &input, values,
                           is_sequential, error);
}

/* The line where the parameter is set that a message begins with; 0 where there is none. */
static long blamed_line(const struct scenario *scenario, const char *message)
{
    char name[80];
    for (int i = 0; sscanf(message, "parameter '%79[^']'", name) == 1 && i < scenario->n_params; i++)
        if (strcmp(scenario->params[i].spec->name, name) == 0)
            return scenario->params[i].line;
    return 0;
}

/* Put the scenario's name in front of a message that has no place of its own. */
static int blame_scenario(const struct run_context *context, struct sim_error *error)
{
    char message[sizeof error->message];
    const char *own = context->scenario->own_file, *file = context->scenario->file;
    if (own != NULL && strncmp(error->message, own, strlen(own)) == 0)
        return -1;
    if (strncmp(error->message, file, strlen(file)) == 0 && error->message[strlen(file)] == ':')
        return -1;
    memcpy(message, error->message, sizeof message);
    return sim_error_set(error, error->status, context->scenario->file, blamed_line(context->scenario, message),
                         "%.900s", message);
}

/* --- the sequential time --- */

struct sequential_times {
    int64_t *values; /* the application's parameters, one row a problem */
    int64_t *times;
    size_t count, capacity;
};

struct sequential_times *sequential_times_new(void)
{
    return xcalloc(1, sizeof(struct sequential_times));
}

void sequential_times_free(struct sequential_times *times)
{
    free(times->values);
    free(times->times);
    free(times);
}

static int find_sequential(int64_t *time_ps, const struct run_context *context, const int64_t *values,
                           struct sim_error *error)
{
    struct sequential_times *known = context->sequential;
    if (context->scenario->app->parallel_only) {
        *time_ps = context->sequential_ps;
        return 0;
    }
    size_t row = (size_t)context->scenario->app->n_params;
    const int64_t *problem = values + N_COMMON_PARAMS;
    for (size_t i = 0; i < known->count; i++)
        if (memcmp(&known->values[i * row], problem, row * sizeof *problem) == 0) {
            *time_ps = known->times[i];
            return 0;
        }
    const struct network_spec *network;
    struct machine *machine;
    if (simulation_network(&network, context->machine, values[COMMON_NETWORK], error) != 0 ||
        run_find_machine(&machine, context, values, error) != 0 ||
        simulation_sequential_time(time_ps, machine, network, context->scenario->app, values, error) != 0)
        return -1;
    known->times = xgrow(known->times, known->count, &known->capacity, sizeof *known->times);
    known->values = xrealloc(known->values, (known->count + 1) * row * sizeof *known->values);
    memcpy(&known->values[known->count * row], problem, row * sizeof *problem);
    known->times[known->count++] = *time_ps;
    return 0;
}

/* --- one run --- */

/* A name that lasts as long as the context. */
static const char *platform_name(const struct run_context *context, const struct machine *machine)
{
    if (context->machines == NULL || machine == NULL)
        return context->machine->name;
    return machines_name(context->machines, machine);
}

/* In a decision: whether the run is discarded, and why. `status` is that of open_simulation(); the simulation of a run
 * that is discarded is disposed of. */
static bool discard(struct study_run *run, const struct run_context *context, struct simulation *simulation, int status,
                    const struct sim_error *error)
{
    struct memory_use use;
    if (context->scenario->decision == NULL || simulation->network == NULL)
        return false;
    char why[DISCARDED_SIZE];
    if (status != 0)
        run_discard(run, error->message);
    else if (memory_find_most(&use, &simulation->program, &simulation->placement) == 0 &&
             memory_exceeds(why, sizeof why, &use, context->machine)) {
        run_discard(run, why);
        simulation_dispose(simulation);
    }
    run->network = simulation->network->name;
    run->platform = platform_name(context, simulation->machine);
    return run_is_discarded(run);
}

int run_check(const struct run_context *context, const int64_t *values, bool *discarded, double *messages,
              struct sim_error *error)
{
    struct simulation simulation;
    struct study_run run = {0};
    const struct app_spec *app = context->scenario->app;
    *messages = 0;
    int opened = open_simulation(&simulation, context, values, false, error);
    *discarded = discard(&run, context, &simulation, opened, error);
    if (!*discarded) {
        if (opened != 0)
            return blame_scenario(context, error);
        const struct kernel_run kernel_run = simulation_kernel_run(&simulation);
        app = simulation.program.app;
        *messages = extent_messages(&kernel_run);
        simulation_dispose(&simulation);
    }
    int n_kernels = names_count(app->kernels);
    struct kernel_cost *costs = xcalloc((size_t)n_kernels, sizeof *costs);
    int status = machine_bind_kernels(context->machine, app->kernels, n_kernels, 1, costs, error);
    free(costs);
    return status;
}

/* A run that is under way. */
struct run_state {
    const struct run_context *context;
    const int64_t *values; /* of all parameters */
    struct simulation simulation;
    struct autotune autotune; /* of algorithms, where `fastest` is one */
    struct kernel_stats stats;
};

/* The bytes that the data of the program take on one rank; 0 where it does not say. */
static int64_t sequential_bytes(const struct run_context *context, const int64_t *values)
{
    struct simulation simulation;
    struct sim_error ignored;
    struct memory_use use = {.bytes = 0};
    if (open_simulation(&simulation, context, values, true, &ignored) != 0)
        return 0;
    memory_find_most(&use, &simulation.program, &simulation.placement);
    simulation_dispose(&simulation);
    return use.bytes;
}

/* The memory that the data take, and what else should be known of the run. */
static void add_notes(struct study_run *run, const struct run_state *state)
{
    const struct simulation *simulation = &state->simulation;
    struct memory_use use;
    if (memory_find_most(&use, &simulation->program, &simulation->placement) == 0) {
        result_add_count(&run->result, "", "memory_bytes", use.bytes);
        notes_on_memory(run, &use, sequential_bytes(state->context, state->values), state->context->machine);
    }
    notes_on_machine(run, simulation, state->values[COMMON_DIMENSIONS] == 0);
    notes_on_links(run, simulation);
    notes_on_local(run, simulation->machine, &state->stats);
    notes_on_range(run, &state->stats);
    notes_on_replay(run, &simulation->program, &state->stats);
    notes_on_collectives(run, simulation, &state->stats.algorithms);
}

static bool may_discard(const struct run_context *context, const struct sim_error *error)
{
    return context->scenario->decision != NULL && error->status == SIM_UNFINISHED;
}

/* The parameters of the run that its trace is to say, without the ranks, which it says anyway: names and values in
 * turns; the array is to be freed. */
static const char **list_parameters(const struct study_run *run)
{
    const char **list = xcalloc(2 * (size_t)run->n_parameters + 1, sizeof(const char *));
    size_t count = 0;
    for (int i = 0; i < run->n_parameters; i++) {
        const struct study_parameter *parameter = &run->parameters[i];
        if (parameter->subject == SUBJECT_RANKS || parameter->is_unused || parameter->text[0] == '\0')
            continue;
        list[count++] = parameter->name;
        list[count++] = parameter->text;
    }
    return list;
}

/* Simulate for the metrics and the trace. */
static int simulate(struct study_run *run, struct run_state *state, int64_t sequential_ps, struct sim_error *error)
{
    struct trace *trace = state->context->trace;
    struct simulation *simulation = &state->simulation;
    simulation->details = state->context->details | trace_links_details(trace);
    bool is_drawn = (simulation->details & DETAIL_BIT(DETAIL_TIMELINE)) != 0;
    simulation->n_runs = is_drawn ? 1 : scenario_run_count(state->context->scenario);
    const char **parameters = list_parameters(run);
    struct interval_setup intervals = simulation_events(simulation);
    intervals.parameters = parameters;
    const struct interval_sink observer = {.take = trace_take, .self = trace};
    bool exports = export_is_wanted(trace);
    if (trace != NULL)
        trace_begin(trace, &intervals);
    free(parameters);
    if (exports && export_check(trace, &simulation->program, error) != 0)
        return -1;
    int status = simulation_measure(&run->result, &state->stats, simulation, sequential_ps,
                                    trace != NULL ? &observer : NULL, error);
    if (status == 0)
        trace_links_export(trace, &run->result, state->context->details);
    if (status == 0 && trace != NULL && !exports)
        export_remark_shared(trace, &simulation->program);
    if (status != 0 || !exports)
        return status;
    return export_write(trace, &simulation->program, simulation->machine, &simulation->placement,
                        simulation->network->is_loggp, error);
}

/* The run and T_seq, which is first: it is soon known, and may be longer than the clock. A candidate of
 * which only T_seq does not end counts. */
static int measure(struct study_run *run, struct run_state *state, struct sim_error *error)
{
    const struct run_context *context = state->context;
    int64_t sequential_ps = 0;
    struct sim_error fault;
    state->simulation.program.collectives.autotune = &state->autotune;
    machine_forget_routes(state->simulation.machine);
    bool counts = find_sequential(&sequential_ps, context, state->values, &fault) == 0 || may_discard(context, &fault);
    if (!counts && fault.status == SIM_UNFINISHED) {
        *error = fault;
        return -1;
    }
    if (simulate(run, state, sequential_ps, error) != 0)
        return -1;
    if (!counts) {
        *error = fault;
        return -1;
    }
    if (sequential_ps < 0)
        run_note(run, NOTE_SEQUENTIAL_UNKNOWN, "%s", NOTE_TEXT_SEQUENTIAL_UNKNOWN);
    return 0;
}

/* The band that its costs give the run, and T_seq. */
static int add_cost_band(struct study_run *run, const struct run_state *state, struct sim_error *error)
{
    struct simulation sequential;
    bool has_sequential = !state->context->scenario->app->parallel_only;
    if (!cost_band_is_there(&state->simulation))
        return 0;
    if (has_sequential && open_simulation(&sequential, state->context, state->values, true, error) != 0)
        return -1;
    int status = cost_band_add(&run->result, &state->simulation, has_sequential ? &sequential : NULL, error);
    if (has_sequential)
        simulation_dispose(&sequential);
    return status;
}

/* Derive measures from the run, and from other runs. */
static int derive(struct study_run *run, const struct run_state *state, struct sim_error *error)
{
    const struct kernel_run kernel_run = simulation_kernel_run(&state->simulation);
    uint32_t causes = state->context->what_if;
    if (forecast_add(&run->result, &state->simulation, error) != 0 || add_cost_band(run, state, error) != 0 ||
        (causes != 0 && what_if_measure(&run->result, &kernel_run, causes, error) != 0))
        return -1;
    add_notes(run, state);
    simulation_add_algorithms(&run->result, &state->stats.algorithms);
    simulation_add_fastest(&run->result, &state->autotune);
    return 0;
}

/* A candidate that does not come to its end; what has been measured of it does not count. */
static int discard_unfinished(struct study_run *run, const struct sim_error *error)
{
    run_discard(run, error->message);
    result_dispose(&run->result);
    result_init(&run->result);
    return 0;
}

int run_simulate(struct study_run *run, const struct run_context *context, const int64_t *values,
                 struct sim_error *error)
{
    double start_s = host_clock_s();
    struct run_state state = {.context = context, .values = values};
    if (context->machines != NULL && machines_prepare(context->machines, values, error) != 0)
        return blame_scenario(context, error);
    int status = open_simulation(&state.simulation, context, values, false, error);
    run->ranks = (int)values[COMMON_RANKS];
    if (discard(run, context, &state.simulation, status, error))
        return 0;
    if (status != 0)
        return blame_scenario(context, error);
    result_init(&run->result);
    run->network = state.simulation.network->name;
    run->platform = platform_name(context, state.simulation.machine);
    status = measure(run, &state, error);
    if (status == 0)
        status = derive(run, &state, error);
    autotune_dispose(&state.autotune);
    simulation_dispose(&state.simulation);
    run->events = state.stats.events;
    run->most_queued = state.stats.most_queued;
    run->most_messages = state.stats.most_messages;
    run->wall_s = host_clock_s() - start_s;
    run->peak_rss_bytes = host_peak_rss_bytes();
    if (status != 0 && may_discard(context, error))
        return discard_unfinished(run, error);
    return status == 0 ? 0 : blame_scenario(context, error);
}
