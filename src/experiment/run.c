/* Makes one run: placement, program, T_seq, the simulation with its metrics and trace, and what is derived from it. */
#include "experiment/run.h"

#include "base/memory.h"
#include "base/units.h"
#include "experiment/forecast.h"
#include "experiment/memory.h"
#include "experiment/notes.h"
#include "experiment/ti_write.h"
#include "experiment/what_if/what_if.h"
#include "metrics/chains.h"
#include "metrics/metrics.h"
#include "os/host_use.h"
#include "sim/dsm/dsm.h"
#include "sim/kernel/autotune.h"
#include "sim/kernel/extent.h"
#include "sim/kernel/kernel.h"
#include "sim/network/network.h"
#include "sim/program/placement.h"
#include "sim/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the kernel needs for one simulation, made of parameter values. */
struct setup {
    struct placement placement;
    struct program program;
    const struct network_spec *network; /* NULL: there is none that could be used */
    struct machine *machine;            /* NULL: there is none */
};

/* The network that the parameter names; for auto the machine's own, or the first. */
static int find_network(const struct network_spec **network, const struct machine *machine, int64_t value,
                        struct sim_error *error)
{
    char known[160] = "";
    *network = network_specs[value > 0 ? value - 1 : 0];
    if ((*network)->needs_wires && machine->costs.n_message_rows > 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'network': '%s' shares the bandwidth of wires, but %s has a formula for its "
                             "messages (prop message.1)",
                             (*network)->name, machine->name);
    if (value > 0 || machine->default_network == NULL)
        return 0;
    for (int i = 0; network_specs[i] != NULL; i++) {
        *network = network_specs[i];
        if (strcmp(network_specs[i]->name, machine->default_network) == 0)
            return 0;
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", network_specs[i]->name);
    }
    return sim_error_set(error, SIM_BAD_INPUT, machine->file, 0, "prop network: unknown network '%.60s'; known:%s",
                         machine->default_network, known);
}

int run_find_machine(struct machine **machine, const struct run_context *context, const int64_t *values,
                     struct sim_error *error)
{
    *machine = context->machine;
    return context->machines == NULL ? 0 : machines_find(machine, context->machines, values, error);
}

/* Programs that share memory are bounded by their pages, and by what explains their waits. */
static int check_shared(const struct kernel_run *run, struct sim_error *error)
{
    static const double most_bytes = 4e9;
    int n_ranks = run->placement->n_ranks;
    double bytes = chains_footprint(n_ranks, names_count(run->program->app->scopes));
    if (dsm_check_run(run, error) != 0)
        return -1;
    if (bytes <= most_bytes)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "parameter 'ranks': to say what %d ranks that share memory wait for would take %.1f GB of "
                         "memory; at most %.1f GB are allowed",
                         n_ranks, bytes / 1e9, most_bytes / 1e9);
}

static int setup_init(struct setup *setup, const struct run_context *context, const int64_t *values, bool sequential,
                      struct sim_error *error)
{
    const struct placement_request request = {
        .n_ranks = sequential ? 1 : (int)values[COMMON_RANKS],
        .ranks_per_host = sequential ? 1 : (int)values[COMMON_RANKS_PER_HOST],
        .width = sequential ? 0 : PARAM_MESH_WIDTH(values[COMMON_MESH]),
        .height = sequential ? 0 : PARAM_MESH_HEIGHT(values[COMMON_MESH]),
        .layout = (enum layout)values[COMMON_LAYOUT],
        .root = (enum root_place)values[COMMON_ROOT],
    };
    const struct network_spec *network;
    setup->network = NULL;
    setup->machine = NULL;
    if (find_network(&network, context->machine, values[COMMON_NETWORK], error) != 0)
        return -1;
    setup->network = network;
    struct machine *machine;
    if (run_find_machine(&machine, context, values, error) != 0)
        return -1;
    setup->machine = machine;
    if (placement_init(&setup->placement, &request, machine, error) != 0)
        return -1;
    if (program_init_from(&setup->program, context->scenario->app, context->scenario->input, values + N_COMMON_PARAMS,
                          &setup->placement, error) != 0)
        return -1;
    const struct kernel_run run = {
        .program = &setup->program, .machine = machine, .placement = &setup->placement, .network = setup->network};
    bool shared = setup->program.app->emit_shared != NULL;
    if ((shared ? check_shared(&run, error) : extent_check(&run, error)) == 0)
        return 0;
    program_dispose(&setup->program);
    return -1;
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
    memcpy(message, error->message, sizeof message);
    return sim_error_set(error, error->status, context->scenario->file, blamed_line(context->scenario, message),
                         "%.900s", message);
}

static int simulate(struct kernel_stats *stats, const struct setup *setup, const struct event_sink *sinks, int n_sinks,
                    bool without_receipts, struct sim_error *error)
{
    const struct kernel_run run = {.program = &setup->program,
                                   .machine = setup->machine,
                                   .placement = &setup->placement,
                                   .network = setup->network,
                                   .sinks = sinks,
                                   .n_sinks = n_sinks,
                                   .without_receipts = without_receipts};
    return simulate_run(stats, &run, error);
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

/* Say in a message that it is not of the run itself. */
static int blame_sequential(const int64_t *values, struct sim_error *error)
{
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return values[COMMON_RANKS] == 1 ? -1
                                     : sim_error_set(error, error->status, NULL, 0,
                                                     "T_seq, the time on one rank, is not known: %.900s", message);
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
    struct setup setup;
    struct kernel_stats stats;
    if (setup_init(&setup, context, values, true, error) != 0)
        return -1;
    int status = simulate(&stats, &setup, NULL, 0, true, error);
    program_dispose(&setup.program);
    if (status != 0)
        return blame_sequential(values, error);
    known->times = xgrow(known->times, known->count, &known->capacity, sizeof *known->times);
    known->values = xrealloc(known->values, (known->count + 1) * row * sizeof *known->values);
    memcpy(&known->values[known->count * row], problem, row * sizeof *problem);
    known->times[known->count++] = stats.end_ps;
    *time_ps = stats.end_ps;
    return 0;
}

/* --- one run --- */

/* A name that lasts as long as the context. */
static const char *platform_name(const struct run_context *context, const struct setup *setup)
{
    if (context->machines == NULL || setup->machine == NULL)
        return context->machine->name;
    return machines_name(context->machines, setup->machine);
}

/* In a decision: whether the run is discarded, and why. `status` is that of setup_init(); of a run that is discarded
 * the program is disposed of. */
static bool discard(struct study_run *run, const struct run_context *context, struct setup *setup, int status,
                    const struct sim_error *error)
{
    struct memory_use use;
    if (context->scenario->decision == NULL || setup->network == NULL)
        return false;
    if (status != 0)
        snprintf(run->discarded, sizeof run->discarded, "%.199s", error->message);
    else if (memory_find_most(&use, &setup->program, &setup->placement) == 0 &&
             memory_exceeds(run->discarded, sizeof run->discarded, &use, context->machine))
        program_dispose(&setup->program);
    run->network = setup->network->name;
    run->platform = platform_name(context, setup);
    return run->discarded[0] != '\0';
}

int run_check(const struct run_context *context, const int64_t *values, bool *discarded, double *messages,
              struct sim_error *error)
{
    struct setup setup;
    struct study_run run = {0};
    const struct app_spec *app = context->scenario->app;
    *messages = 0;
    int setup_status = setup_init(&setup, context, values, false, error);
    *discarded = discard(&run, context, &setup, setup_status, error);
    if (!*discarded) {
        if (setup_status != 0)
            return blame_scenario(context, error);
        app = setup.program.app;
        *messages = extent_messages(
            &(struct kernel_run){.program = &setup.program, .machine = setup.machine, .placement = &setup.placement});
        program_dispose(&setup.program);
    }
    int n_kernels = names_count(app->kernels);
    struct kernel_cost *costs = xcalloc((size_t)n_kernels, sizeof *costs);
    int status = machine_bind_kernels(context->machine, app->kernels, n_kernels, costs, error);
    free(costs);
    return status;
}

/* A run that is under way. */
struct making {
    const struct run_context *context;
    const int64_t *values; /* of all parameters */
    struct setup setup;
    struct autotune autotune; /* of algorithms, where `fastest` is one */
    struct metrics metrics;
    struct kernel_stats stats;
    struct metrics_totals totals;
};

static struct event_setup describe_events(const struct setup *setup)
{
    const struct program *program = &setup->program;
    int n_ranks = setup->placement.n_ranks;
    return (struct event_setup){.n_ranks = n_ranks,
                                .n_locations = program->dsm.controller ? 2 * n_ranks : n_ranks,
                                .scopes = program->app->scopes,
                                .n_scopes = names_count(program->app->scopes),
                                .has_categories = program->app->emit_shared != NULL,
                                .is_traced = program->traced != NULL};
}

/* Simulate for the metrics and the trace. */
static int simulate_parallel(struct study_run *run, struct making *making, struct sim_error *error)
{
    const struct run_context *context = making->context;
    const struct setup *setup = &making->setup;
    struct event_sink sinks[METRICS_MAX + 1];
    int n_sinks = making->metrics.count;
    memcpy(sinks, making->metrics.sinks, (size_t)n_sinks * sizeof *sinks);
    if (context->trace != NULL)
        sinks[n_sinks++] = (struct event_sink){trace_take, context->trace};
    run->network = setup->network->name;
    run->platform = platform_name(context, setup);
    bool writes_ti = ti_is_wanted(context->trace);
    if (writes_ti && ti_check(&setup->program, error) != 0)
        return -1;
    int status = simulate(&making->stats, setup, sinks, n_sinks, context->trace == NULL, error);
    if (status != 0 || !writes_ti)
        return status;
    return ti_write(context->trace, &setup->program, setup->machine, &setup->placement, error);
}

/* The measures of the same run without contention. */
static int measure_quiet(struct result *result, const struct setup *original, struct sim_error *error)
{
    const struct event_setup events = describe_events(original);
    struct setup setup = *original;
    struct metrics metrics;
    struct kernel_stats stats = {0};
    setup.network = &network_quiet;
    setup.program.collectives.autotune = NULL; /* they are of the other network */
    metrics_open(&metrics, &events);
    int status = simulate(&stats, &setup, metrics.sinks, metrics.count, true, error);
    if (status == 0)
        metrics_report(&metrics, &(struct metrics_totals){.end_ps = stats.end_ps}, result);
    metrics_close(&metrics);
    return status;
}

static int add_forecast(struct result *result, const struct setup *setup, struct sim_error *error)
{
    struct forecast forecast;
    struct result quiet;
    int status = 0;
    if (!forecast_make(&forecast, &setup->program, &setup->placement, setup->machine))
        return 0;
    result_init(&quiet);
    if (setup->network != &network_quiet)
        status = measure_quiet(&quiet, setup, error);
    if (status == 0)
        forecast_compare(result, &forecast, setup->network == &network_quiet ? result : &quiet);
    result_dispose(&quiet);
    return status;
}

static int add_what_if(struct result *result, const struct run_context *context, const struct setup *setup,
                       struct sim_error *error)
{
    const struct kernel_run run = {.program = &setup->program,
                                   .machine = setup->machine,
                                   .placement = &setup->placement,
                                   .network = setup->network};
    return context->what_if == 0 ? 0 : what_if_measure(result, &run, context->what_if, error);
}

/* What the data of the program on one rank take; 0 where it does not say. */
static int64_t sequential_bytes(const struct run_context *context, const int64_t *values)
{
    struct setup setup;
    struct sim_error ignored;
    struct memory_use use = {.bytes = 0};
    if (setup_init(&setup, context, values, true, &ignored) != 0)
        return 0;
    memory_find_most(&use, &setup.program, &setup.placement);
    program_dispose(&setup.program);
    return use.bytes;
}

static void note_sequential(struct study_run *run, const struct metrics_totals *totals)
{
    if (totals->sequential_ps < 0)
        snprintf(run->notes[NOTE_SEQUENTIAL_UNKNOWN], NOTE_SIZE, "%s", NOTE_TEXT_SEQUENTIAL_UNKNOWN);
}

/* The memory that the data take, and what else should be known of the run. */
static void add_notes(struct study_run *run, const struct run_context *context, const struct setup *setup,
                      const int64_t *values, const struct kernel_stats *stats)
{
    struct memory_use use;
    if (memory_find_most(&use, &setup->program, &setup->placement) == 0) {
        result_add_count(&run->result, "", "memory_bytes", use.bytes);
        notes_on_memory(run, &use, sequential_bytes(context, values), context->machine);
    }
    notes_on_hosts(run, &setup->placement, setup->machine);
    notes_on_range(run, stats);
    notes_on_replay(run, setup->program.traced, stats);
}

/* What the algorithm `fastest` stood for. */
static void add_autotuned(struct result *result, const struct autotune *autotune)
{
    static const struct result_column columns[] = {
        {"collective", MEASURE_TEXT}, {"ranks", MEASURE_COUNT},    {"from_bytes", MEASURE_COUNT},
        {"to_bytes", MEASURE_COUNT},  {"bytes", MEASURE_COUNT},    {"algorithm", MEASURE_TEXT},
        {"time_s", MEASURE_TIME},     {"slowest_s", MEASURE_TIME},
    };
    if (autotune->count == 0)
        return;
    struct result_table *table = result_add_table(result, "fastest", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < autotune->count; i++) {
        const struct autotune_decision *decision = &autotune->items[i];
        union result_cell *row = result_add_row(table);
        snprintf(row[0].text, sizeof row[0].text, "%s", coll_families[decision->family].name);
        row[1].number = decision->n_ranks;
        row[2].number = decision->from_bytes;
        row[3].number = decision->to_bytes;
        row[4].number = decision->bytes;
        snprintf(row[5].text, sizeof row[5].text, "%s", decision->spec->name);
        row[6].number = decision->time_ps;
        row[7].number = decision->slowest_ps;
    }
}

static bool may_discard(const struct run_context *context, const struct sim_error *error)
{
    return context->scenario->decision != NULL && error->status == SIM_UNFINISHED;
}

/* The run and T_seq, which is first: it is soon known, and may be longer than the clock. A candidate of
 * which only T_seq does not end counts. */
static int simulate_both(struct study_run *run, struct making *making, struct sim_error *error)
{
    const struct run_context *context = making->context;
    int64_t *sequential_ps = &making->totals.sequential_ps;
    struct sim_error fault;
    bool known = find_sequential(sequential_ps, context, making->values, &fault) == 0;
    if (!known && fault.status == SIM_UNFINISHED && !may_discard(context, &fault)) {
        *error = fault;
        return -1;
    }
    if (simulate_parallel(run, making, error) != 0)
        return -1;
    if (!known && find_sequential(sequential_ps, context, making->values, error) != 0 && !may_discard(context, error))
        return -1;
    return 0;
}

/* What the events say. */
static int measure(struct study_run *run, struct making *making, struct sim_error *error)
{
    const struct event_setup events = describe_events(&making->setup);
    making->setup.program.collectives.autotune = &making->autotune;
    metrics_open(&making->metrics, &events);
    if (making->context->trace != NULL)
        trace_begin(making->context->trace, &events);
    machine_forget_routes(making->setup.machine);
    int status = simulate_both(run, making, error);
    making->totals.end_ps = making->stats.end_ps;
    if (status == 0)
        metrics_report(&making->metrics, &making->totals, &run->result);
    metrics_close(&making->metrics);
    note_sequential(run, &making->totals);
    return status;
}

/* What follows from that, and from other runs. */
static int derive(struct study_run *run, const struct making *making, struct sim_error *error)
{
    if (add_forecast(&run->result, &making->setup, error) != 0 ||
        add_what_if(&run->result, making->context, &making->setup, error) != 0)
        return -1;
    add_notes(run, making->context, &making->setup, making->values, &making->stats);
    add_autotuned(&run->result, &making->autotune);
    return 0;
}

/* A candidate that does not come to its end; what has been measured of it does not count. */
static int discard_unfinished(struct study_run *run, const struct sim_error *error)
{
    snprintf(run->discarded, sizeof run->discarded, "%.199s", error->message);
    result_dispose(&run->result);
    result_init(&run->result);
    return 0;
}

int run_simulate(struct study_run *run, const struct run_context *context, const int64_t *values,
                 struct sim_error *error)
{
    double start_s = host_clock_s();
    struct making making = {.context = context, .values = values};
    if (context->machines != NULL && machines_prepare(context->machines, values, error) != 0)
        return blame_scenario(context, error);
    int status = setup_init(&making.setup, context, values, false, error);
    run->ranks = (int)values[COMMON_RANKS];
    if (discard(run, context, &making.setup, status, error))
        return 0;
    if (status != 0)
        return blame_scenario(context, error);
    result_init(&run->result);
    status = measure(run, &making, error);
    if (status == 0)
        status = derive(run, &making, error);
    autotune_dispose(&making.autotune);
    program_dispose(&making.setup.program);
    run->events = making.stats.events;
    run->wall_s = host_clock_s() - start_s;
    run->peak_rss_bytes = host_peak_rss_bytes();
    if (status != 0 && may_discard(context, error))
        return discard_unfinished(run, error);
    return status == 0 ? 0 : blame_scenario(context, error);
}
