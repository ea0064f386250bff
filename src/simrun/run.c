#include "simrun/run.h"

#include "base/memory.h"
#include "base/units.h"
#include "metrics/metrics.h"
#include "sim/kernel.h"
#include "sim/network.h"
#include "sim/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* What the kernel needs for one simulation, made of parameter values. */
struct setup {
    struct placement placement;
    struct program program;
    const struct network_spec *network;
};

/* The network that the parameter names; for auto the machine's own, or the first. */
static int find_network(const struct network_spec **network, const struct machine *machine, int64_t value,
                        struct sim_error *error)
{
    char known[160] = "";
    *network = network_specs[value > 0 ? value - 1 : 0];
    if ((*network)->needs_wires && machine->n_message_rows > 0)
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

bool run_needs_process(const struct run_context *context, const int64_t *values)
{
    const struct network_spec *network;
    struct sim_error error;
    return find_network(&network, context->machine, values[COMMON_NETWORK], &error) == 0 && network->host != NULL;
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
    if (find_network(&setup->network, context->machine, values[COMMON_NETWORK], error) != 0)
        return -1;
    if (placement_init(&setup->placement, &request, context->machine, error) != 0)
        return -1;
    return program_init(&setup->program, context->scenario->app, values + N_COMMON_PARAMS, &setup->placement, error);
}

/* Put the scenario's name in front of a message that has no place of its own. */
static int blame_scenario(const struct run_context *context, struct sim_error *error)
{
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return sim_error_set(error, error->status, context->scenario->file, 0, "%.900s", message);
}

static int simulate(struct kernel_stats *stats, const struct setup *setup, struct machine *machine,
                    const struct event_sink *sinks, int n_sinks, struct sim_error *error)
{
    const struct kernel_run run = {.program = &setup->program,
                                   .machine = machine,
                                   .placement = &setup->placement,
                                   .network = setup->network,
                                   .sinks = sinks,
                                   .n_sinks = n_sinks};
    return kernel_run(stats, &run, error);
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
    int status = simulate(&stats, &setup, context->machine, NULL, 0, error);
    program_dispose(&setup.program);
    if (status != 0)
        return -1;
    known->times = xgrow(known->times, known->count, &known->capacity, sizeof *known->times);
    known->values = xrealloc(known->values, (known->count + 1) * row * sizeof *known->values);
    memcpy(&known->values[known->count * row], problem, row * sizeof *problem);
    known->times[known->count++] = stats.end_ps;
    *time_ps = stats.end_ps;
    return 0;
}

/* --- one run --- */

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int64_t peak_rss_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (int64_t)usage.ru_maxrss * 1024;
}

int run_check(const struct run_context *context, const int64_t *values, struct sim_error *error)
{
    struct setup setup;
    if (setup_init(&setup, context, values, false, error) != 0)
        return blame_scenario(context, error);
    const struct app_spec *app = setup.program.app;
    program_dispose(&setup.program);
    int n_kernels = names_count(app->kernels);
    struct kernel_cost *costs = xcalloc((size_t)n_kernels, sizeof *costs);
    int status = machine_bind_kernels(context->machine, app->kernels, n_kernels, costs, error);
    free(costs);
    return status;
}

static int measure(struct report_run *run, const struct run_context *context, const struct setup *setup,
                   struct metrics *metrics, struct kernel_stats *stats, struct sim_error *error)
{
    struct event_sink sinks[METRICS_MAX + 1];
    int n_sinks = metrics->count;
    memcpy(sinks, metrics->sinks, (size_t)n_sinks * sizeof *sinks);
    if (context->trace != NULL)
        sinks[n_sinks++] = (struct event_sink){trace_take, context->trace};
    run->network = setup->network->name;
    run->platform = context->machine->name;
    run->ranks = setup->placement.n_ranks;
    return simulate(stats, setup, context->machine, sinks, n_sinks, error);
}

/* The application's own formula, with the machine's costs between its first two hosts. */
static void add_forecast(struct report_run *run, const struct run_context *context, const struct setup *setup)
{
    const struct app_spec *app = setup->program.app;
    const struct route *route = machine_route(context->machine, 0, context->machine->n_hosts > 1);
    struct sim_error error;
    if (app->forecast == NULL || context->machine->n_message_rows > 0 || route == NULL)
        return;
    int n_kernels = names_count(app->kernels);
    struct kernel_cost *kernels = xcalloc((size_t)n_kernels, sizeof *kernels);
    if (machine_bind_kernels(context->machine, app->kernels, n_kernels, kernels, &error) == 0) {
        const struct forecast_costs costs = {kernels, units_seconds(route->latency_ps), route->byte_ps / 1e12};
        struct forecast forecast = app->forecast(setup->program.config, &costs);
        double forecast_s = forecast.computation_s + forecast.communication_s;
        result_add_ratio(&run->result, "", "forecast_s", forecast_s);
        if (forecast_s > 0)
            result_add_ratio(&run->result, "", "forecast_error",
                             measure_value(result_find(&run->result, "", "time_s")) / forecast_s - 1);
    }
    free(kernels);
}

int run_simulate(struct report_run *run, const struct run_context *context, const int64_t *values,
                 struct sim_error *error)
{
    double start_s = now_s();
    struct setup setup;
    if (setup_init(&setup, context, values, false, error) != 0)
        return blame_scenario(context, error);
    const char *const *scopes = setup.program.app->scopes;
    int n_ranks = setup.placement.n_ranks, n_lanes = setup.program.dsm.controller ? 2 * n_ranks : n_ranks;
    bool shared = setup.program.app->emit_shared != NULL;
    const struct metrics_setup metrics_setup = {n_ranks, n_lanes, scopes, names_count(scopes), shared};
    struct metrics metrics;
    struct kernel_stats stats = {0};
    struct metrics_totals totals = {0};
    metrics_open(&metrics, &metrics_setup);
    if (context->trace != NULL)
        trace_begin(context->trace, &(struct trace_setup){n_ranks, n_lanes, scopes, names_count(scopes), shared});
    int status = measure(run, context, &setup, &metrics, &stats, error);
    totals.end_ps = stats.end_ps;
    if (status == 0)
        status = find_sequential(&totals.sequential_ps, context, values, error);
    result_init(&run->result);
    if (status == 0)
        metrics_report(&metrics, &totals, &run->result);
    if (status == 0)
        add_forecast(run, context, &setup);
    metrics_close(&metrics);
    program_dispose(&setup.program);
    run->events = stats.events;
    run->wall_s = now_s() - start_s;
    run->peak_rss_bytes = peak_rss_bytes();
    return status == 0 ? 0 : blame_scenario(context, error);
}
