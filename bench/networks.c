/* Messages per second on the networks, and on SimGrid's engine in place of `fluid`, side by side: the same programs on
 * icluster with all metrics on, the networks in turns so that all see the same computer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "base/memory.h"
#include "metrics/metrics.h"
#include "os/host_use.h"
#include "sim/kernel/kernel.h"
#include "sim/platform/platform.h"
#include "sim/scenario/scenario.h"
#include "tests/sim/network/simgrid_fluid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPEATS = 7 };

/* --- an application with one message under way at a time --- */

static const char *const no_names[] = {NULL}, *const scopes[] = {"", "ping", NULL};
static const struct param_spec ping_params[] = {
    {"rounds", PARAM_COUNT, "1", .min = 1, .max = INT64_C(1000000000), .summary = "how often to and fro"},
    {"bytes", PARAM_SIZE, "1KiB", .max = INT64_C(1) << 40, .summary = "length of each message"}};

static int ping_setup(struct program *program, const int64_t *values, const struct placement *placement,
                      struct sim_error *error)
{
    (void)error;
    int64_t *config = xmalloc(3 * sizeof *config);
    config[0] = values[0];
    config[1] = placement->n_ranks;
    config[2] = values[1];
    program->config = config;
    return 0;
}

static bool ping_emit(const void *data, int rank, int64_t step, struct op_list *list)
{
    const int64_t *config = data;
    if (step >= config[0] || rank > 1 || config[1] < 2)
        return false;
    for (int i = 0; i < 2; i++) {
        struct op *op = op_list_add(list, i == rank ? OP_SEND : OP_RECV, 1);
        op->peer = 1 - rank;
        op->bytes = config[2];
    }
    return true;
}

static const struct app_spec app_ping = {
    .name = "ping",
    .summary = "to and fro between two ranks",
    .params = ping_params,
    .n_params = sizeof ping_params / sizeof ping_params[0],
    .scopes = scopes,
    .kernels = no_names,
    .setup = ping_setup,
    .emit = ping_emit,
};

/* --- measuring --- */

/* A rank waits for a message above the eager limit to be asked for. Shorter ones are handed over at once, so that those
 * of all rounds of the broadcast are under way together. */
static const struct {
    const char *name, *application;
    int ranks, rounds;
    const char *bytes;
} programs[] = {
    {"ping-pong, 2 ranks", "ping", 2, 10000, "1KiB"},
    {"ring, 8 ranks", "ring", 8, 2500, "1KiB"},
    {"ring, 128 ranks", "ring", 128, 150, "1KiB"},
    {"broadcast, 128 ranks, one at a time", "broadcast", 128, 64, "65KiB"},
    {"broadcast, 128 ranks, 16 at once", "broadcast", 128, 16, "1KiB"},
    {"broadcast, 128 ranks, 64 at once", "broadcast", 128, 64, "1KiB"},
};

/* CORES: fifo with a core_bandwidth, so that every message takes a port at both ends. */
enum { QUIET, FIFO, CORES, FLUID, SIMGRID, N_NETWORKS };
static const char *const networks[N_NETWORKS] = {"quiet", "fifo", "cores", "fluid", "SimGrid"};
static const struct network_spec *const specs[N_NETWORKS] = {&network_quiet, &network_fifo, &network_fifo,
                                                             &network_fluid, NULL};

static void fail(const struct sim_error *error)
{
    fprintf(stderr, "bench: %s\n", error->message);
    exit(1);
}

static void load(struct scenario *scenario, int program)
{
    static const struct app_spec *apps[3];
    struct sim_error error;
    apps[0] = &app_ping;
    apps[1] = app_find(app_specs, programs[program].application);
    char *text = xformat("<scenario name='bench'><platform file='" SOURCE_DIR "/platforms/icluster.xml'/>"
                         "<application name='%s'/><param name='ranks' value='%d'/><param name='rounds' value='%d'/>"
                         "<param name='bytes' value='%s'/></scenario>",
                         programs[program].application, programs[program].ranks, programs[program].rounds,
                         programs[program].bytes);
    if (scenario_load_text(scenario, text, strlen(text), "bench", apps, &error) != 0)
        fail(&error);
    free(text);
}

static double simulate(struct machine *machine, const struct scenario *scenario, int network)
{
    struct sim_error error;
    struct kernel_stats stats;
    struct placement placement;
    struct program program;
    struct metrics metrics;
    int64_t *values = xcalloc((size_t)scenario->n_params, sizeof *values);
    scenario_run_values(scenario, 0, values);
    int n_ranks = (int)values[COMMON_RANKS];
    const struct placement_request request = {.n_ranks = n_ranks, .ranks_per_host = 1};
    const char *const *names = scenario->app->scopes;
    if (placement_init(&placement, &request, machine, &error) != 0 ||
        program_init(&program, scenario->app, values + N_COMMON_PARAMS, &placement, &error) != 0)
        fail(&error);
    const struct interval_setup setup = {
        .n_ranks = n_ranks, .n_locations = n_ranks, .scopes = names, .n_scopes = names_count(names)};
    metrics_open(&metrics, &setup);
    const struct kernel_run run = {.program = &program,
                                   .machine = machine,
                                   .placement = &placement,
                                   .network = specs[network],
                                   .sinks = metrics.sinks,
                                   .n_sinks = metrics.count,
                                   .without_receipts = true};
    machine->net->style.core_bandwidth_Bps = network == CORES ? 1e9 : 0;
    double start_s = host_clock_s();
    if ((network == SIMGRID ? simgrid_fluid_run : kernel_run)(&stats, &run, &error) != 0)
        fail(&error);
    double rate = (double)stats.messages / (host_clock_s() - start_s);
    metrics_close(&metrics);
    program_dispose(&program);
    free(values);
    return rate;
}

/* Messages per second of one run in a process of its own, as in a sweep; 0 when it fails. */
static double rate_of(struct machine *machine, const struct scenario *scenario, int network)
{
    int ends[2];
    double rate = 0;
    if (pipe(ends) != 0)
        return 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        rate = simulate(machine, scenario, network);
        _exit(write(ends[1], &rate, sizeof rate) == sizeof rate ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &rate, sizeof rate) != sizeof rate)
        rate = 0;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return rate;
}

/* A row of the table: the best of several runs on each network. */
static void compare(struct machine *machine, int program)
{
    double best[N_NETWORKS] = {0};
    struct scenario scenario;
    load(&scenario, program);
    for (int i = 0; i < REPEATS * N_NETWORKS; i++) {
        double rate = rate_of(machine, &scenario, i % N_NETWORKS);
        best[i % N_NETWORKS] = rate > best[i % N_NETWORKS] ? rate : best[i % N_NETWORKS];
    }
    printf("  %-36s", programs[program].name);
    for (int n = 0; n < N_NETWORKS; n++)
        printf(" %9.0f", best[n] / 1e3);
    printf("  %13.2f %13.2f %14.2f %16.1f\n", best[FIFO] / best[QUIET], best[CORES] / best[FIFO],
           best[FLUID] / best[QUIET], best[FLUID] / best[SIMGRID]);
    fflush(stdout);
    scenario_dispose(&scenario);
}

int main(void)
{
    struct machine machine;
    struct sim_error error;
    simgrid_fluid_prepare();
    if (machine_load(&machine, SOURCE_DIR "/platforms/icluster.xml", &error) != 0)
        fail(&error);
    puts("Networks: thousand messages per second on icluster, all metrics on, best of 7");
    printf("  %-36s", "");
    for (int n = 0; n < N_NETWORKS; n++)
        printf(" %9s", networks[n]);
    printf("  %13s %13s %14s %16s\n", "fifo / quiet", "cores / fifo", "fluid / quiet", "fluid / SimGrid");
    for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++)
        compare(&machine, (int)p);
    machine_dispose(&machine);
    return 0;
}
