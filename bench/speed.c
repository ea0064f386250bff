/* Messages per second of the kernel with all metrics on, beside what a bare heap does on the same computer in the same
 * run; the memory of a million ranks; the time of a whole scenario. Ratios are comparable between computers, absolute
 * figures are not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "base/memory.h"
#include "experiment/run.h"
#include "experiment/sweep.h"
#include "metrics/detail.h"
#include "os/host_use.h"
#include "sim/platform/platform.h"
#include "sim/scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 128, REPEATS = 5 };

/* --- the limit: a textbook binary heap of 16-byte entries, two intervals per message, nothing else --- */

struct entry {
    int64_t at;
    uint32_t kind, rank;
};

struct heap {
    struct entry entries[2 * RANKS];
    int count;
};

static void heap_push(struct heap *heap, struct entry entry)
{
    int hole = heap->count++;
    for (; hole > 0 && heap->entries[(hole - 1) / 2].at > entry.at; hole = (hole - 1) / 2)
        heap->entries[hole] = heap->entries[(hole - 1) / 2];
    heap->entries[hole] = entry;
}

static struct entry heap_pop(struct heap *heap)
{
    struct entry top = heap->entries[0], last = heap->entries[--heap->count];
    int hole = 0;
    for (int child = 1; child < heap->count; child = 2 * hole + 1) {
        if (child + 1 < heap->count && heap->entries[child + 1].at < heap->entries[child].at)
            child++;
        if (last.at <= heap->entries[child].at)
            break;
        heap->entries[hole] = heap->entries[child];
        hole = child;
    }
    heap->entries[hole] = last;
    return top;
}

/* Every rank has one message under way: it is sent, it arrives, the next is sent. */
static double bare_heap_rate(int64_t messages)
{
    struct heap heap = {.count = 0};
    uint64_t state = 1, sum = 0;
    double start = host_clock_s();
    for (uint32_t rank = 0; rank < RANKS; rank++)
        heap_push(&heap, (struct entry){rank, 0, rank});
    for (int64_t sent = 0; sent < messages;) {
        struct entry interval = heap_pop(&heap);
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        interval.at += (int64_t)(state >> 54) + 1000;
        interval.rank = interval.kind != 0 ? (interval.rank + 1) % RANKS : interval.rank;
        interval.kind = !interval.kind;
        sent += interval.kind;
        sum += (uint64_t)interval.at;
        heap_push(&heap, interval);
    }
    double rate = (double)messages / (host_clock_s() - start);
    return sum != 0 ? rate : 0;
}

/* --- simulations --- */

static void fail(const struct sim_error *error)
{
    fprintf(stderr, "bench: %s\n", error->message);
    exit(1);
}

static void load(struct scenario *scenario, const char *platform, const char *body)
{
    struct sim_error error;
    char *text = xformat("<scenario name='bench'><platform file='" SOURCE_DIR "/platforms/%s.xml'/>%s</scenario>",
                         platform, body);
    if (scenario_load_text(scenario, text, strlen(text), "bench", app_specs, &error) != 0)
        fail(&error);
    free(text);
}

static void simulate(struct study_run *run, struct machine *machine, const struct scenario *scenario, uint32_t details)
{
    struct sim_error error;
    struct run_context context = {
        .scenario = scenario, .machine = machine, .sequential = sequential_times_new(), .details = details};
    int64_t *values = xcalloc((size_t)scenario->n_params, sizeof *values);
    scenario_run_values(scenario, 0, values);
    if (run_simulate(run, &context, values, &error) != 0)
        fail(&error);
    sequential_times_free(context.sequential);
    free(values);
}

static const struct {
    const char *name, *body;
} programs[] = {
    {"ring, 1000 rounds", "<application name='ring'/><param name='rounds' value='1000'/>"},
    {"flat broadcast, 256 times",
     "<application name='broadcast'/><param name='broadcast' value='flat'/><param name='rounds' value='256'/>"},
    {"binomial broadcast, 256 times", "<application name='broadcast'/><param name='rounds' value='256'/>"},
};
static const char *const networks[] = {"quiet", "fifo"};

static void load_program(struct scenario *scenario, int program, const char *network)
{
    struct sim_error error;
    load(scenario, "t800-mesh", programs[program].body);
    char *setting = xformat("network=%s", network);
    if (scenario_set(scenario, setting, &error) != 0 || scenario_set(scenario, "ranks=128", &error) != 0)
        fail(&error);
    free(setting);
}

/* The best of several runs, each interleaved with a run of the bare heap, so that both see the same computer. */
static void compare(struct machine *machine, int program, const char *network)
{
    struct scenario scenario;
    double best = 0, limit = 0;
    load_program(&scenario, program, network);
    for (int i = 0; i < REPEATS; i++) {
        struct study_run run = {0};
        simulate(&run, machine, &scenario, 0);
        double rate = measure_value(result_find(&run.result, "", "messages")) / run.wall_s;
        best = rate > best ? rate : best;
        rate = bare_heap_rate(200000);
        limit = rate > limit ? rate : limit;
        result_dispose(&run.result);
    }
    printf("  %-30s %-6s %6.2f M/s   limit %6.2f M/s   ratio %.2f%s\n", programs[program].name, network, best / 1e6,
           limit / 1e6, best / limit, best / limit < 0.25 ? "   BELOW 0.25" : "");
    scenario_dispose(&scenario);
}

/* --- many hops with contention --- */

static const char *const shapes[] = {"mesh 32x32", "torus 16x8x8", "fat_tree 16x16x4"};

/* An all-to-all of 1 KiB among 1,024 ranks on a machine of its own. */
static void all_to_all(const struct machine *base, const char *shape)
{
    struct topology topology;
    struct machine machine;
    struct scenario scenario;
    double best = 0, limit = 0;
    char why[200];
    if (topology_parse(&topology, shape, why, sizeof why) != 0)
        exit(1);
    machine_derive(&machine, base, &topology);
    load(&scenario, "t800-mesh",
         "<application name='collective'/><param name='collective' value='alltoall'/><param name='ranks' value='1024'/>"
         "<param name='bytes' value='1KiB'/><param name='network' value='fifo'/>");
    for (int i = 0; i < 3; i++) {
        struct study_run run = {0};
        simulate(&run, &machine, &scenario, 0);
        best = fmax(best, measure_value(result_find(&run.result, "", "messages")) / run.wall_s);
        limit = fmax(limit, bare_heap_rate(1000000));
        result_dispose(&run.result);
    }
    printf("  all-to-all, 1024 ranks, %-17s %6.2f M/s   limit %6.2f M/s   ratio %.3f\n", shape, best / 1e6, limit / 1e6,
           best / limit);
    scenario_dispose(&scenario);
    machine_dispose(&machine);
}

static double processor_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Processor time of each detail, and of all that have names: the best of runs with and without, in turn. These programs
 * do nothing but send messages, in a few ms. bench/details.sh measures the cost of details in scenarios. */
static void compare_details(struct machine *machine, int program, const char *network)
{
    struct scenario scenario;
    double best[N_DETAILS + 2];
    uint32_t named = DETAILS_ALL & ~DETAIL_BIT(DETAIL_TIMELINE);
    load_program(&scenario, program, network);
    for (int d = 0; d < N_DETAILS + 2; d++)
        best[d] = 1e9;
    for (int i = 0; i < 3 * REPEATS; i++)
        for (int d = 0; d < N_DETAILS + 2; d++) {
            struct study_run run = {0};
            double start_s = processor_s();
            simulate(&run, machine, &scenario, d == 0 ? 0 : d <= N_DETAILS ? DETAIL_BIT(d - 1) : named);
            best[d] = fmin(best[d], processor_s() - start_s);
            result_dispose(&run.result);
        }
    printf("  %-30s %-6s details:", programs[program].name, network);
    for (int d = 0; d < N_DETAILS; d++)
        printf("  %s %+.1f %%", detail_specs[d].name != NULL ? detail_specs[d].name : "(drawing)",
               100 * (best[d + 1] / best[0] - 1));
    double all = best[N_DETAILS + 1] / best[0] - 1;
    printf("  all that have names %+.1f %%%s\n", 100 * all, all > 0.1 ? "   ABOVE 10 %" : "");
    scenario_dispose(&scenario);
}

/* Its memory is not to be that of others before: a process of its own. bench/width.sh has more and other ranks. */
static void million_ranks(void)
{
    fflush(stdout);
    if (fork() == 0) {
        struct machine base, machine;
        struct topology topology;
        struct scenario scenario;
        struct sim_error error;
        struct study_run run = {0};
        char why[200];
        load(&scenario, "t800-mesh",
             "<application name='broadcast'/><param name='ranks' value='1048576'/><param name='ranks_per_host' "
             "value='1024'/><param name='network' value='quiet'/>");
        if (machine_load(&base, scenario.platform_file, &error) != 0)
            fail(&error);
        if (topology_parse(&topology, "mesh 32x32", why, sizeof why) != 0)
            exit(1);
        machine_derive(&machine, &base, &topology);
        simulate(&run, &machine, &scenario, 0);
        printf("  one binomial broadcast, 1,048,576 ranks, 1,024 to a host: %.2f s, %.0f MB at most\n", run.wall_s,
               (double)run.peak_rss_bytes / 1e6);
        exit(0);
    }
    wait(NULL);
}

static void whole_scenario(struct machine *machine)
{
    struct scenario scenario;
    struct sim_error error;
    struct study report = {0};
    if (scenario_load_file(&scenario, SOURCE_DIR "/scenarios/gj256.xml", app_specs, &error) != 0)
        fail(&error);
    struct run_context context = {.scenario = &scenario, .machine = machine, .sequential = sequential_times_new()};
    double start = host_clock_s();
    if (sweep_simulate(&report, &context, 1, false, &error) != 0)
        fail(&error);
    printf("  scenarios/gj256.xml, all %d runs: %.3f s\n", report.n_runs, host_clock_s() - start);
    sequential_times_free(context.sequential);
    sweep_dispose(&report);
    scenario_dispose(&scenario);
}

int main(void)
{
    struct machine machine;
    struct sim_error error;
    puts("Speed: messages per second, 128 ranks, 1 KiB, all metrics on; limit: a bare heap, two events per message");
    million_ranks();
    if (machine_load(&machine, SOURCE_DIR "/platforms/t800-mesh.xml", &error) != 0)
        fail(&error);
    for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++)
        for (size_t n = 0; n < sizeof networks / sizeof networks[0]; n++)
            compare(&machine, (int)p, networks[n]);
    for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++)
        for (size_t n = 0; n < sizeof networks / sizeof networks[0]; n++)
            compare_details(&machine, (int)p, networks[n]);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        all_to_all(&machine, shapes[s]);
    whole_scenario(&machine);
    machine_dispose(&machine);
    return 0;
}
