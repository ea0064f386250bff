/* Cost of simulating shared memory: messages per second of the protocol beside those of a message-passing ring of as
 * many ranks on the same machine in the same run, the cost of profiles, waits and causes, and the speed relative to the
 * simulated machine.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "base/memory.h"
#include "base/units.h"
#include "metrics/metrics.h"
#include "sim/kernel/kernel.h"
#include "sim/platform/platform.h"
#include "sim/scenario/scenario.h"
#include "sim/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 7 };

static void fail(const struct sim_error *error)
{
    fprintf(stderr, "bench: %s\n", error->message);
    exit(1);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One run of a scenario's first values, with or without metrics. */
struct timed {
    double wall_s, simulated_s;
    int64_t messages;
};

static struct timed simulate(struct machine *machine, const struct scenario *scenario, bool with_metrics)
{
    struct sim_error error;
    struct placement placement;
    struct program program;
    struct metrics metrics = {0};
    struct kernel_stats stats;
    int64_t *values = xcalloc((size_t)scenario->n_params, sizeof *values);
    scenario_run_values(scenario, 0, values);
    const struct placement_request request = {.n_ranks = (int)values[COMMON_RANKS], .ranks_per_host = 1};
    if (placement_init(&placement, &request, machine, &error) != 0 ||
        program_init(&program, scenario->app, values + N_COMMON_PARAMS, &placement, &error) != 0)
        fail(&error);
    int n = placement.n_ranks, n_scopes = names_count(program.app->scopes);
    bool shared = program.app->emit_shared != NULL;
    if (with_metrics)
        metrics_open(&metrics, &(struct interval_setup){.n_ranks = n,
                                                        .n_locations = program.dsm.controller ? 2 * n : n,
                                                        .scopes = program.app->scopes,
                                                        .n_scopes = n_scopes,
                                                        .has_categories = shared});
    const struct kernel_run run = {.program = &program,
                                   .machine = machine,
                                   .placement = &placement,
                                   .network = network_specs[1],
                                   .sinks = metrics.sinks,
                                   .n_sinks = metrics.count};
    double start_s = now_s();
    if (simulate_run(&stats, &run, &error) != 0)
        fail(&error);
    struct timed timed = {now_s() - start_s, units_seconds(stats.end_ps), stats.messages};
    metrics_close(&metrics);
    program_dispose(&program);
    free(values);
    return timed;
}

/* The fastest of several runs. */
static struct timed best_of(struct machine *machine, const char *application, const char *params, int ranks,
                            bool with_metrics)
{
    struct sim_error error;
    struct scenario scenario;
    char *text = xformat("<scenario name='bench'><platform file='" SOURCE_DIR "/platforms/ncp2-myrinet.xml'/>"
                         "<application name='%s'/><param name='ranks' value='%d'/>%s</scenario>",
                         application, ranks, params);
    if (scenario_load_text(&scenario, text, strlen(text), "bench", app_specs, &error) != 0)
        fail(&error);
    struct timed best = simulate(machine, &scenario, with_metrics);
    for (int i = 1; i < REPEATS; i++) {
        struct timed timed = simulate(machine, &scenario, with_metrics);
        best = timed.wall_s < best.wall_s ? timed : best;
    }
    scenario_dispose(&scenario);
    free(text);
    return best;
}

static const struct {
    const char *name, *application, *params;
    int ranks;
} programs[] = {
    {"water, 8 nodes, treadmarks", "water", "", 8},
    {"water, 8 nodes, I+P+D", "water", "<param name='variant' value='I+P+D'/>", 8},
    {"water, 16 nodes, I+P+D", "water", "<param name='variant' value='I+P+D'/>", 16},
    {"water, 8 nodes, every read checked", "water", "<param name='check' value='yes'/>", 8},
    {"quicksort, 8 nodes, treadmarks", "quicksort", "", 8},
    {"jacobi, 8 nodes, treadmarks", "jacobi", "", 8},
};

int main(void)
{
    struct machine machine;
    struct sim_error error;
    if (machine_load(&machine, SOURCE_DIR "/platforms/ncp2-myrinet.xml", &error) != 0)
        fail(&error);
    puts("Shared memory: thousand messages per second on ncp2-myrinet, fifo, best of 7");
    printf("  %-36s %10s %12s  %6s  %17s\n", "", "all metrics", "no metrics", "/ ring", "faster than real");
    struct timed ring = best_of(&machine, "ring", "<param name='rounds' value='5000'/>", 8, true);
    printf("  %-36s %10.0f\n", "ring, 8 ranks, messages", (double)ring.messages / ring.wall_s / 1e3);
    for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++) {
        struct timed full = best_of(&machine, programs[p].application, programs[p].params, programs[p].ranks, true);
        struct timed bare = best_of(&machine, programs[p].application, programs[p].params, programs[p].ranks, false);
        double rate = (double)full.messages / full.wall_s;
        printf("  %-36s %10.0f %12.0f  %6.2f  %16.0fx\n", programs[p].name, rate / 1e3,
               (double)bare.messages / bare.wall_s / 1e3, rate / ((double)ring.messages / ring.wall_s),
               full.simulated_s / full.wall_s);
        fflush(stdout);
    }
    machine_dispose(&machine);
    return 0;
}
