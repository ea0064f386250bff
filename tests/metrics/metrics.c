/* The metrics' identities, to the picosecond, for every run of every scenario; the critical path against a walk back
 * through the whole trace; the lost-cycle figures against the example of Lemeire07 worked by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"
#include "apps/replay/list.h"
#include "base/memory.h"
#include "experiment/run.h"
#include "sim/kernel/kernel.h"
#include "sim/platform/platform.h"
#include "sim/scenario/scenario.h"
#include "sim/simulate.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static wide_int number(const struct result *result, const char *group, const char *name)
{
    const struct measure *measure = result_find(result, group, name);
    return measure != NULL ? measure_number(measure) : 0;
}

static double ratio(const struct result *result, const char *group, const char *name)
{
    const struct measure *measure = result_find(result, group, name);
    return measure != NULL ? measure_value(measure) : (double)NAN;
}

/* --- identities --- */

static bool states_close(const struct result *result)
{
    wide_int time = number(result, "", "time_s"), all = 0, by_scope = 0;
    bool good = true;
    for (int rank = 0; rank < result->n_processors; rank++) {
        int64_t sum = 0;
        for (int s = 0; s < N_LOCATION_STATES; s++)
            sum += result->state_ps[rank][s];
        good = good && sum == time;
    }
    for (int s = 0; s < N_LOCATION_STATES; s++)
        all += number(result, "state_s", location_state_names[s]);
    for (size_t i = 0; i < result->n_measures; i++)
        if (strcmp(result->measures[i].of->group, "scope_state_s") == 0)
            by_scope += measure_number(&result->measures[i]);
    return good && all == result->n_processors * time && by_scope == all;
}

/* p T_par - T_seq is the sum of the overheads, and the speedup follows from their ratios. */
static bool overheads_close(const struct result *result)
{
    static const char *const classes[] = {"control", "communication", "idle", "anomaly"};
    wide_int time = number(result, "", "time_s"), sequential = number(result, "", "sequential_time_s");
    wide_int anomaly = number(result, "state_s", "useful") - sequential;
    wide_int lost = number(result, "state_s", "control") + number(result, "state_s", "send") +
                    number(result, "state_s", "receive") + number(result, "state_s", "idle") + anomaly;
    double sum = 0;
    if (sequential == 0) /* a program that does nothing on one rank has no ratios */
        return lost == result->n_processors * time;
    for (int c = 0; c < 4; c++)
        sum += ratio(result, "overhead_ratio", classes[c]);
    double speedup = ratio(result, "", "speedup");
    return lost == result->n_processors * time - sequential &&
           fabs(result->n_processors / (1 + sum) / speedup - 1) < 1e-12 &&
           fabs(ratio(result, "", "efficiency") * result->n_processors / speedup - 1) < 1e-12;
}

static bool path_closes(const struct result *result)
{
    static const char *const groups[] = {"processing", "memory", "communication", "io"};
    wide_int time = number(result, "", "time_s"), all = 0;
    bool good = true;
    for (int g = 0; g < 4; g++) {
        wide_int group = number(result, "critical_path_s", groups[g]), parts = 0;
        size_t length = strlen(groups[g]);
        for (size_t i = 0; i < result->n_measures; i++) {
            const struct measure *measure = &result->measures[i];
            if (strcmp(measure->of->group, "critical_path_s") == 0 &&
                strncmp(measure->of->name, groups[g], length) == 0 && measure->of->name[length] == '.')
                parts += measure_number(measure);
        }
        good = good && parts == group;
        all += group;
    }
    return good && all == time;
}

/* The largest scenarios are smaller here. */
static const struct {
    const char *scenario, *setting;
} smaller[] = {{"gj-scaling", "n=128"},   {"hpl-icluster", "n=800"},     {"ncp2-16", "program=em3d"},
               {"gj-topologies", "n=32"}, {"gj-topologies", "ranks=32"}, {"broadcast-crossover", "bytes=64,64KiB"}};

/* All runs of one scenario, or one in so many; the number of those that break an identity. */
static int check_scenario(const char *file)
{
    struct scenario scenario;
    struct machine *machine;
    struct machines *machines;
    struct sim_error error;
    int failures = 0;
    if (scenario_load_file(&scenario, file, app_specs, &error) != 0 ||
        machines_open(&machines, &machine, &scenario, &error) != 0) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (size_t i = 0; i < sizeof smaller / sizeof smaller[0]; i++)
        if (strstr(file, smaller[i].scenario) != NULL && scenario_set(&scenario, smaller[i].setting, &error) != 0)
            return 1;
    struct run_context context = {
        .scenario = &scenario, .machine = machine, .machines = machines, .sequential = sequential_times_new()};
    int64_t *values = xcalloc((size_t)scenario.n_params, sizeof *values);
    for (int64_t i = 0; i < scenario_run_count(&scenario); i += testing_one_in()) {
        struct study_run run = {0};
        scenario_run_values(&scenario, i, values);
        bool good = run_simulate(&run, &context, values, &error) == 0;
        if (good && !run_is_discarded(&run))
            good = states_close(&run.result) && overheads_close(&run.result) && path_closes(&run.result);
        if (!good)
            fprintf(stderr, "%s, run %lld: an account does not close\n", file, (long long)i);
        failures += !good;
        result_dispose(&run.result);
    }
    free(values);
    sequential_times_free(context.sequential);
    machines_close(machines);
    scenario_dispose(&scenario);
    return failures;
}

static void test_every_scenario(void)
{
    glob_t files;
    CU_ASSERT_EQUAL_FATAL(glob(SOURCE_DIR "/scenarios/*.xml", 0, NULL, &files), 0);
    size_t step = testing_one_in() > 10 ? 3 : 1; /* where few runs are tried, few scenarios are, too */
    for (size_t i = 0; i < files.gl_pathc; i += step) {
        fflush(NULL);
        pid_t child = fork(); /* one platform a process */
        if (child == 0)
            _exit(check_scenario(files.gl_pathv[i]) == 0 ? 0 : 1);
        int status = -1;
        CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
        CU_ASSERT_EQUAL(status, 0);
    }
    globfree(&files);
}

/* --- the critical path, once more, from the whole trace --- */

struct trail {
    struct interval *intervals;
    int64_t (*work_ps)[N_WORK_COMPONENTS];
    size_t count, capacity, work_capacity;
};

static void trail_take(void *self, const struct interval *interval)
{
    struct trail *trail = self;
    trail->intervals = xgrow(trail->intervals, trail->count, &trail->capacity, sizeof *trail->intervals);
    trail->work_ps = xgrow(trail->work_ps, trail->count, &trail->work_capacity, sizeof *trail->work_ps);
    trail->intervals[trail->count] = *interval;
    memset(trail->work_ps[trail->count], 0, sizeof trail->work_ps[0]);
    if (interval->work_ps != NULL)
        memcpy(trail->work_ps[trail->count], interval->work_ps, sizeof trail->work_ps[0]);
    trail->count++;
}

/* The interval of the location that ends at the time, and is longer than nothing. */
static size_t ending_at(const struct trail *trail, int location, int64_t time)
{
    for (size_t i = trail->count; i-- > 0;)
        if (trail->intervals[i].location == location && trail->intervals[i].end_ps == time &&
            trail->intervals[i].start_ps < time)
            return i;
    return trail->count;
}

enum { SUM_PROCESSING, SUM_MEMORY, SUM_COMMUNICATION, SUM_IO, N_SUMS };

static bool walk_back(const struct trail *trail, int location, int64_t time, int64_t sums[N_SUMS])
{
    while (time > 0) {
        size_t i = ending_at(trail, location, time);
        if (i == trail->count)
            return false;
        const struct interval *interval = &trail->intervals[i];
        if (interval->cause == CAUSE_PEER) {
            sums[SUM_COMMUNICATION] += time - interval->origin_ps;
            location = interval->peer;
            time = interval->origin_ps;
            continue;
        }
        if (interval->state == STATE_IDLE)
            return false; /* a critical path does not idle */
        const int64_t *work = trail->work_ps[i];
        sums[SUM_PROCESSING] += work[WORK_CPU] + work[WORK_FPU];
        sums[SUM_MEMORY] += work[WORK_EXTERNAL] + work[WORK_INTERNAL];
        if (interval->kind == INTERVAL_COMMUNICATE)
            sums[SUM_COMMUNICATION] += interval->end_ps - interval->start_ps;
        if (interval->kind == INTERVAL_INPUT || interval->kind == INTERVAL_OUTPUT)
            sums[SUM_IO] += interval->end_ps - interval->start_ps;
        time = interval->start_ps;
    }
    return true;
}

static const char path_scenario[] =
    "<scenario name='path'><platform file='" SOURCE_DIR "/platforms/t800-mesh.xml'/><application name='gauss-jordan'/>"
    "<param name='n' value='24'/></scenario>";
static const char *const path_settings[] = {
    "ranks=1,2,7,16",
    "network=quiet,fifo",
    "ranks_per_host=1,3",
    "rows=block,cyclic",
    "broadcast=flat,neighbour,binomial,chain,chain_segmented",
    "broadcast_mode=standard,synchronous",
};

/* The measures of one run with the walk back through its trace. */
static bool path_agrees(const struct scenario *scenario, struct machine *machine, const int64_t *values)
{
    struct sim_error error;
    struct placement placement;
    struct program program;
    struct placement_request request = {.n_ranks = (int)values[COMMON_RANKS],
                                        .ranks_per_host = (int)values[COMMON_RANKS_PER_HOST]};
    struct interval_setup setup = {
        .n_ranks = request.n_ranks, .n_locations = request.n_ranks, .scopes = scenario->app->scopes};
    while (scenario->app->scopes[setup.n_scopes] != NULL)
        setup.n_scopes++;
    struct metrics metrics;
    struct trail trail = {0};
    struct kernel_stats stats;
    if (placement_init(&placement, &request, machine, &error) != 0 ||
        program_init(&program, scenario->app, values + N_COMMON_PARAMS, &placement, &error) != 0)
        return false;
    metrics_open(&metrics, &setup);
    struct interval_sink sinks[METRICS_MAX + 1];
    memcpy(sinks, metrics.sinks, sizeof metrics.sinks);
    sinks[metrics.count] = (struct interval_sink){.take = trail_take, .self = &trail};
    const struct kernel_run run = {.program = &program,
                                   .machine = machine,
                                   .placement = &placement,
                                   .network = network_specs[values[COMMON_NETWORK] - 1],
                                   .sinks = sinks,
                                   .n_sinks = metrics.count + 1};
    bool good = simulate_run(&stats, &run, &error) == 0;
    struct result result;
    result_init(&result);
    if (good)
        metrics_report(&metrics, &(struct metrics_totals){stats.end_ps, stats.end_ps}, &result);
    int64_t sums[N_SUMS] = {0};
    bool found = false;
    for (int location = 0; good && location < request.n_ranks && !found; location++) {
        size_t last = ending_at(&trail, location, stats.end_ps);
        found = last < trail.count && trail.intervals[last].state != STATE_IDLE &&
                walk_back(&trail, location, stats.end_ps, sums);
    }
    good = found && sums[SUM_PROCESSING] == number(&result, "critical_path_s", "processing") &&
           sums[SUM_MEMORY] == number(&result, "critical_path_s", "memory") &&
           sums[SUM_COMMUNICATION] == number(&result, "critical_path_s", "communication") &&
           sums[SUM_IO] == number(&result, "critical_path_s", "io");
    result_dispose(&result);
    metrics_close(&metrics);
    program_dispose(&program);
    free(trail.intervals);
    free(trail.work_ps);
    return good;
}

static void test_path_by_walking_back(void)
{
    struct scenario scenario;
    struct machine machine;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(
        scenario_load_text(&scenario, path_scenario, strlen(path_scenario), "path", app_specs, &error), 0);
    for (size_t i = 0; i < sizeof path_settings / sizeof path_settings[0]; i++)
        CU_ASSERT_EQUAL_FATAL(scenario_set(&scenario, path_settings[i], &error), 0);
    CU_ASSERT_EQUAL_FATAL(machine_load(&machine, scenario.platform_file, &error), 0);
    int64_t *values = xcalloc((size_t)scenario.n_params, sizeof *values);
    for (int64_t i = 0; i < scenario_run_count(&scenario); i++) {
        scenario_run_values(&scenario, i, values);
        bool good = path_agrees(&scenario, &machine, values);
        if (!good)
            fprintf(stderr, "run %lld: the critical path differs from the walk back\n", (long long)i);
        CU_ASSERT_TRUE(good);
    }
    free(values);
    machine_dispose(&machine);
    scenario_dispose(&scenario);
}

/* --- figures by hand --- */

static void take(struct metrics *metrics, struct interval interval)
{
    for (int i = 0; i < metrics->count; i++)
        metrics->sinks[i].take(metrics->sinks[i].self, &interval);
}

/* Two locations of 100 ps each: T_seq = 120; location 0 works 70 and sends 30; location 1 idles 10, receives 30 and
 * works 60. */
static void test_by_hand(void)
{
    static const char *const scopes[] = {"", "phase"};
    static const int64_t first[] = {40, 10, 15, 5}, second[] = {30, 10, 15, 5};
    struct interval_setup setup = {.n_ranks = 2, .n_locations = 2, .scopes = scopes, .n_scopes = 2};
    struct metrics metrics;
    struct result result;
    metrics_open(&metrics, &setup);
    take(&metrics, (struct interval){.start_ps = 0,
                                     .end_ps = 70,
                                     .location = 0,
                                     .state = STATE_USEFUL,
                                     .operations = 14,
                                     .work_ps = first,
                                     .scope = 1});
    take(&metrics, (struct interval){.start_ps = 0,
                                     .end_ps = 70,
                                     .location = 1,
                                     .peer = 0,
                                     .state = STATE_IDLE,
                                     .kind = INTERVAL_COMMUNICATE,
                                     .scope = 1});
    take(&metrics, (struct interval){.start_ps = 70,
                                     .end_ps = 100,
                                     .origin_ps = 70,
                                     .location = 1,
                                     .peer = 0,
                                     .state = STATE_RECEIVE,
                                     .kind = INTERVAL_COMMUNICATE,
                                     .cause = CAUSE_PEER,
                                     .scope = 1});
    take(&metrics, (struct interval){.start_ps = 70,
                                     .end_ps = 100,
                                     .location = 0,
                                     .peer = 1,
                                     .state = STATE_SEND,
                                     .bytes = 7,
                                     .kind = INTERVAL_COMMUNICATE,
                                     .is_message = 1,
                                     .scope = 1});
    take(&metrics, (struct interval){.start_ps = 100,
                                     .end_ps = 160,
                                     .location = 1,
                                     .state = STATE_USEFUL,
                                     .operations = 12,
                                     .work_ps = second,
                                     .scope = 1});
    take(&metrics,
         (struct interval){
             .start_ps = 100, .end_ps = 160, .location = 0, .state = STATE_IDLE, .kind = INTERVAL_COMMUNICATE});
    result_init(&result);
    metrics_report(&metrics, &(struct metrics_totals){160, 120}, &result);
    metrics_close(&metrics);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "", "speedup"), 0.75, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "", "efficiency"), 0.375, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "overhead_ratio", "communication"), 0.5, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "overhead_ratio", "idle"), 130.0 / 120, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "overhead_ratio", "anomaly"), 10.0 / 120, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "aims_index", "communication"), 60.0 / 320, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "", "granularity"), 2.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "", "software_granularity"), 26.0 / 7, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "", "hardware_granularity"), 14.0 / 26, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "", "utilisation"), 130.0 / 320, 1e-15);
    CU_ASSERT_EQUAL(number(&result, "critical_path_s", "processing.cpu"), 70);
    CU_ASSERT_EQUAL(number(&result, "critical_path_s", "communication.phase"), 30);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "b_ratio", "communication"), 30.0 / 130, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "", "communication_computation_ratio"), 30.0 / 130, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "", "memory_processing_ratio"), 40.0 / 90, 1e-15);
    result_dispose(&result);
}

int main(void)
{
    static const struct test tests[] = {
        {"identities in every scenario", test_every_scenario},
        {"critical path by walking back", test_path_by_walking_back},
        {"figures by hand", test_by_hand},
        {NULL, NULL},
    };
    return testing_run("metrics", tests);
}
