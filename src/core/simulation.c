/* Puts a simulation together, runs it, and has the metrics look at it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/simulation.h"

#include "base/range.h"
#include "core/links.h"
#include "core/source_lines.h"
#include "metrics/chains.h"
#include "metrics/detail.h"
#include "metrics/metrics.h"
#include "sim/dsm/dsm.h"
#include "sim/kernel/extent.h"
#include "sim/network/network.h"
#include "sim/simulate.h"

#include <stdio.h>
#include <string.h>

/* A machine that names no network shares its wires, as its platform does in SimGrid. A formula for messages has no
 * wires to share. */
static const struct network_spec *unnamed_network(const struct machine *machine)
{
    return machine->costs.message.count > 0 ? &network_quiet : &network_fluid;
}

/* The network that the platform names, if it names one. */
static int named_network(const struct network_spec **network, const struct machine *machine, struct sim_error *error)
{
    char known[160] = "";
    if (machine->default_network == NULL)
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

int simulation_network(const struct network_spec **network, const struct machine *machine, int64_t value,
                       struct sim_error *error)
{
    const struct network_spec *asked = value > 0 ? network_specs[value - 1] : unnamed_network(machine);
    if (asked->needs_wires && machine->costs.message.count > 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "parameter 'network': '%s' shares the bandwidth of wires, but %s has a formula for its "
                             "messages (prop message.1)",
                             asked->name, machine->name);
    if (value == 0 && named_network(&asked, machine, error) != 0)
        return -1;
    *network = asked;
    return 0;
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
                         "parameter 'ranks': recording what %d ranks that share memory wait for would take %.1f GB of "
                         "memory; at most %.1f GB are allowed",
                         n_ranks, bytes / 1e9, most_bytes / 1e9);
}

/* Routes that adapt need to know when links are free. */
static int check_routing(const struct network_spec *network, const struct machine *machine, struct sim_error *error)
{
    const struct topology *topology = machine->net->topology;
    if (topology == NULL || !topology->adapts || !network->lists_routes)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "parameter 'routing': '%s' goes by the queues of links, and the network '%s' has none; it "
                         "needs fifo, or a network on which no link has a queue and it is minimal: quiet, loggp",
                         routing_names[topology->routing], network->name);
}

static struct placement_request placement_asked(const int64_t *values)
{
    return (struct placement_request){
        .n_ranks = (int)values[COMMON_RANKS],
        .ranks_per_host = (int)values[COMMON_RANKS_PER_HOST],
        .width = PARAM_MESH_WIDTH(values[COMMON_MESH]),
        .height = PARAM_MESH_HEIGHT(values[COMMON_MESH]),
        .layout = (enum layout)values[COMMON_LAYOUT],
        .root = (enum root_place)values[COMMON_ROOT],
        .order = values[COMMON_PLACEMENT],
    };
}

int simulation_init(struct simulation *simulation, struct machine *machine, const struct network_spec *network,
                    const struct app_spec *app, const struct program_input *input, const int64_t *values,
                    bool is_sequential, struct sim_error *error)
{
    struct placement_request request = placement_asked(values);
    struct simulation made = {.machine = machine, .network = network};
    if (is_sequential) {
        request.n_ranks = request.ranks_per_host = 1;
        request.width = request.height = 0;
    }
    if (check_routing(network, machine, error) != 0 || placement_init(&made.placement, &request, machine, error) != 0)
        return -1;
    if (program_init_from(&made.program, app, input, values + N_COMMON_PARAMS, &made.placement, error) != 0) {
        placement_dispose(&made.placement);
        return -1;
    }
    made.program.by_loggops = network->is_loggp && made.program.n_scheduled > 0;
    if (made.program.by_loggops)
        made.program.n_processors = made.program.n_scheduled;
    const struct kernel_run run = simulation_kernel_run(&made);
    bool is_shared = made.program.app->emit_shared != NULL;
    if ((is_shared ? check_shared(&run, error) : extent_check(&run, error)) != 0) {
        simulation_dispose(&made);
        return -1;
    }
    *simulation = made;
    return 0;
}

void simulation_dispose(struct simulation *simulation)
{
    program_dispose(&simulation->program);
    placement_dispose(&simulation->placement);
}

struct kernel_run simulation_kernel_run(const struct simulation *simulation)
{
    return (struct kernel_run){.program = &simulation->program,
                               .machine = simulation->machine,
                               .placement = &simulation->placement,
                               .network = simulation->network};
}

static int host_of(const void *placement, int rank)
{
    return placement_host(placement, rank);
}

struct interval_setup simulation_events(const struct simulation *simulation)
{
    const struct program *program = &simulation->program;
    int n_ranks = simulation->placement.n_ranks, n_processors = program->n_processors - program->has_progress;
    return (struct interval_setup){.n_ranks = n_ranks,
                                   .n_locations =
                                       n_ranks * int_max(program->n_processors, program->dsm.controller ? 2 : 1),
                                   .n_more_processors = int_max(n_processors - 1, 0),
                                   .processor_names = program->processor_names,
                                   .has_progress = program->has_progress,
                                   .scopes = program->app->scopes,
                                   .n_scopes = names_count(program->app->scopes),
                                   .has_categories = program->app->emit_shared != NULL,
                                   .is_traced = program->traced != NULL,
                                   .details = simulation->details,
                                   .flops = program->app->flops != NULL ? program->app->flops(program->config) : 0,
                                   .host_of = host_of,
                                   .placement = &simulation->placement};
}

int simulation_time(int64_t *end_ps, const struct simulation *simulation, struct sim_error *error)
{
    struct kernel_stats stats;
    struct kernel_run run = simulation_kernel_run(simulation);
    run.without_receipts = true;
    int status = simulate_run(&stats, &run, error);
    if (status == 0)
        *end_ps = stats.end_ps;
    return status;
}

/* Say in a message that it is not of the run itself. */
static int blame_sequential(const int64_t *values, struct sim_error *error)
{
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return values[COMMON_RANKS] == 1 ? -1
                                     : sim_error_set(error, error->status, NULL, 0,
                                                     "T_seq, the time on one rank, is unknown: %.900s", message);
}

int simulation_sequential_time(int64_t *end_ps, struct machine *machine, const struct network_spec *network,
                               const struct app_spec *app, const int64_t *values, struct sim_error *error)
{
    struct simulation simulation;
    if (simulation_init(&simulation, machine, network, app, NULL, values, true, error) != 0)
        return -1;
    int status = simulation_time(end_ps, &simulation, error);
    simulation_dispose(&simulation);
    return status == 0 ? 0 : blame_sequential(values, error);
}

/* The metrics and the observer that watch a run. */
struct watchers {
    const struct interval_setup *intervals;
    struct metrics metrics;
    struct interval_sink sinks[METRICS_MAX + 1]; /* the metrics', then the observer */
    struct source_lines *lines;                  /* NULL: not asked for */
};

static void open_watchers(struct watchers *watchers)
{
    metrics_open(&watchers->metrics, watchers->intervals);
    memcpy(watchers->sinks, watchers->metrics.sinks, sizeof watchers->metrics.sinks);
}

static void restart_watchers(void *self)
{
    struct watchers *watchers = self;
    metrics_close(&watchers->metrics);
    open_watchers(watchers);
    if (watchers->lines != NULL)
        source_lines_restart(watchers->lines);
}

int simulation_measure(struct result *result, struct kernel_stats *stats, const struct simulation *simulation,
                       int64_t sequential_ps, const struct interval_sink *observer, struct sim_error *error)
{
    static const uint32_t needs_receipts =
        DETAIL_BIT(DETAIL_TIMELINE) | DETAIL_BIT(DETAIL_MESSAGES) | DETAIL_BIT(DETAIL_SCOPES);
    const struct interval_setup intervals = simulation_events(simulation);
    struct kernel_run run = simulation_kernel_run(simulation);
    struct watchers watchers = {.intervals = &intervals};
    struct interval_sink front;
    open_watchers(&watchers);
    if (observer != NULL)
        watchers.sinks[watchers.metrics.count] = *observer;
    run.sinks = watchers.sinks;
    run.n_sinks = watchers.metrics.count + (observer != NULL);
    if ((simulation->details & DETAIL_BIT(DETAIL_SOURCE)) != 0 && simulation->program.traced == NULL) {
        watchers.lines = source_lines_new(&simulation->program, &intervals);
        front = source_lines_sink(watchers.lines, run.sinks, run.n_sinks);
        run.program = source_lines_program(watchers.lines);
        run.sinks = &front;
        run.n_sinks = 1;
    }
    if (observer == NULL) {
        run.restart = restart_watchers;
        run.restarted = &watchers;
    }
    run.without_receipts = observer == NULL && (simulation->details & needs_receipts) == 0;
    if ((simulation->details & DETAIL_BIT(DETAIL_LINKS)) != 0)
        run.loads = link_loads_new(machine_link_count(simulation->machine));
    int status = simulate_run(stats, &run, error);
    const struct metrics_totals totals = {.end_ps = stats->end_ps, .sequential_ps = sequential_ps};
    if (status == 0)
        metrics_report(&watchers.metrics, &totals, result);
    if (status == 0 && watchers.lines != NULL)
        source_lines_report(watchers.lines, result);
    if (status == 0 && run.loads != NULL)
        links_report(result, simulation, run.loads);
    link_loads_free(run.loads);
    source_lines_free(watchers.lines);
    metrics_close(&watchers.metrics);
    return status;
}

static enum subject subject_of(enum coll_family family)
{
    return (enum subject)(SUBJECT_BROADCAST + (int)family);
}

void simulation_add_algorithms(struct result *result, const struct algorithms *algorithms)
{
    if (algorithms->count == 0)
        return;
    struct result_table *table = result_add_table(result, TABLE_ALGORITHMS);
    for (int i = 0; i < algorithms->count; i++) {
        const struct algorithm_use *use = &algorithms->items[i];
        *result_add_algorithms(table) = (struct algorithms_row){.collective = subject_of(use->family),
                                                                .algorithm = result_name(use->spec->name),
                                                                .calls = use->n_calls,
                                                                .from_bytes = use->from_bytes,
                                                                .to_bytes = use->to_bytes};
    }
}

void simulation_add_fastest(struct result *result, const struct autotune *autotune)
{
    if (autotune->count == 0)
        return;
    struct result_table *table = result_add_table(result, TABLE_FASTEST);
    for (size_t i = 0; i < autotune->count; i++) {
        const struct autotune_decision *decision = &autotune->items[i];
        *result_add_fastest(table) = (struct fastest_row){.collective = subject_of(decision->family),
                                                          .ranks = decision->n_ranks,
                                                          .from_bytes = decision->from_bytes,
                                                          .to_bytes = decision->to_bytes,
                                                          .bytes = decision->bytes,
                                                          .algorithm = result_name(decision->spec->name),
                                                          .time_ps = decision->time_ps,
                                                          .slowest_ps = decision->slowest_ps};
    }
}
