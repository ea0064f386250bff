/* Figures of the metrics by hand, of a few intervals each: which of equal paths and causes is named, what belongs to a
 * ratio, in which column a wait is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/attribution.h"
#include "metrics/metrics.h"
#include "metrics/paths.h"
#include "tests/metrics/cells.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <string.h>

static const char *const scopes[] = {"", "first", "second"};
enum { N_SCOPES = 3 };

/* --- intervals --- */

struct watch {
    struct metrics metrics;
    struct result result;
};

static void watch_begin(struct watch *watch, int n_ranks, int n_locations, bool has_categories, bool is_traced)
{
    const struct interval_setup setup = {.n_ranks = n_ranks,
                                         .n_locations = n_locations,
                                         .scopes = scopes,
                                         .n_scopes = N_SCOPES,
                                         .has_categories = has_categories,
                                         .is_traced = is_traced};
    metrics_open(&watch->metrics, &setup);
    result_init(&watch->result);
}

static void watch_take(struct watch *watch, struct interval interval)
{
    for (int i = 0; i < watch->metrics.count; i++)
        watch->metrics.sinks[i].take(watch->metrics.sinks[i].self, &interval);
}

static void watch_end(struct watch *watch, int64_t end_ps, int64_t sequential_ps)
{
    metrics_report(&watch->metrics, &(struct metrics_totals){end_ps, sequential_ps}, &watch->result);
    metrics_close(&watch->metrics);
}

static struct interval compute(int location, enum location_state state, int64_t start_ps, int64_t end_ps,
                               const int64_t *work_ps)
{
    return (struct interval){.start_ps = start_ps,
                             .end_ps = end_ps,
                             .operations = 7,
                             .work_ps = work_ps,
                             .location = location,
                             .state = (uint8_t)state,
                             .kind = INTERVAL_COMPUTE,
                             .scope = 1};
}

static struct interval communicate(int location, enum location_state state, int64_t start_ps, int64_t end_ps)
{
    return (struct interval){.start_ps = start_ps,
                             .end_ps = end_ps,
                             .location = location,
                             .state = (uint8_t)state,
                             .kind = INTERVAL_COMMUNICATE,
                             .scope = 2};
}

static double ratio(const struct watch *watch, const char *group, const char *name)
{
    const struct measure *measure = result_find(&watch->result, group, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(measure);
    return measure->ratio;
}

static int64_t number(const struct watch *watch, const char *group, const char *name)
{
    const struct measure *measure = result_find(&watch->result, group, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(measure);
    return (int64_t)measure_number(measure);
}

static int64_t cell(const struct result_table *table, size_t row, const char *column)
{
    return (int64_t)cells_at(table, row, column).number;
}

static double real(const struct result_table *table, size_t row, const char *column)
{
    return cells_at(table, row, column).ratio;
}

/* --- paths --- */

/* Two locations end at the same time: the path is that of the first. */
static void test_equal_paths(void)
{
    static const int64_t first[] = {100, 0, 0, 0}, second[] = {0, 100, 0, 0};
    struct watch watch;
    struct attribution attribution;
    watch_begin(&watch, 2, 2, false, false);
    attribution_init(&attribution, 2, 1, N_SCOPES, false);
    const struct interval intervals[] = {compute(0, STATE_USEFUL, 0, 100, first),
                                         compute(1, STATE_USEFUL, 0, 100, second)};
    for (int i = 0; i < 2; i++) {
        watch_take(&watch, intervals[i]);
        attribution_take(&attribution, &intervals[i]);
    }
    watch_end(&watch, 100, 200);
    const int64_t *path = attribution_path(&attribution);
    CU_ASSERT_EQUAL(number(&watch, "critical_path_s", "processing.cpu"), 100);
    CU_ASSERT_EQUAL(number(&watch, "critical_path_s", "processing.fpu"), 0);
    CU_ASSERT_EQUAL(path[PART_CPU * N_SCOPES + 1], 100);
    CU_ASSERT_EQUAL(path[PART_FPU * N_SCOPES + 1], 0);
    attribution_dispose(&attribution);
    result_dispose(&watch.result);
}

/* Input is useful work, but no computation. */
static void test_loads(void)
{
    static const int64_t work[] = {30, 0, 0, 0};
    struct attribution attribution;
    attribution_init(&attribution, 2, 1, N_SCOPES, false);
    struct interval input = communicate(0, STATE_USEFUL, 0, 50), control = compute(1, STATE_CONTROL, 30, 60, work);
    input.kind = INTERVAL_INPUT;
    const struct interval computation = compute(1, STATE_USEFUL, 0, 30, work);
    attribution_take(&attribution, &input);
    attribution_take(&attribution, &computation);
    attribution_take(&attribution, &control);
    int64_t mean_ps = 0;
    CU_ASSERT_EQUAL(attribution_largest(&attribution), 50);
    CU_ASSERT_EQUAL(attribution_sum(&attribution), 80);
    CU_ASSERT_EQUAL(attribution_imbalance(&attribution, &mean_ps), 15);
    CU_ASSERT_EQUAL(mean_ps, 15);
    attribution_dispose(&attribution);
}

/* --- ratios --- */

/* Location 0: 40 useful, 30 control, 20 send, 10 idle. Location 1: 50 useful, 50 receive. T_seq 80. */
static void test_ratios(void)
{
    static const int64_t useful[] = {10, 10, 15, 5}, control[] = {30, 0, 0, 0}, second[] = {20, 15, 10, 5};
    struct watch watch;
    watch_begin(&watch, 2, 2, false, false);
    watch_take(&watch, compute(0, STATE_USEFUL, 0, 40, useful));
    watch_take(&watch, compute(0, STATE_CONTROL, 40, 70, control));
    struct interval send = communicate(0, STATE_SEND, 70, 90);
    send.is_message = 1;
    send.bytes = 4;
    watch_take(&watch, send);
    watch_take(&watch, communicate(0, STATE_IDLE, 90, 100));
    watch_take(&watch, compute(1, STATE_USEFUL, 0, 50, second));
    watch_take(&watch, communicate(1, STATE_RECEIVE, 50, 100));
    watch_end(&watch, 100, 80);
    static const struct {
        const char *group, *name;
        double value;
    } rows[] = {
        {"", "granularity", 80.0 / 70},
        {"", "software_granularity", 14.0 / 4},
        {"", "utilisation", 120.0 / 200},
        {"overhead_ratio", "control", 30.0 / 80},
        {"overhead_ratio", "communication", 70.0 / 80},
        {"overhead_ratio", "idle", 10.0 / 80},
        {"overhead_ratio", "anomaly", 10.0 / 80},
        {"aims_index", "control", 30.0 / 200},
        {"aims_index", "idle", 10.0 / 200},
        {"aims_index", "anomaly", 10.0 / 200},
        {"b_ratio", "processing", 35.0 / 65}, /* location 1 has the path */
        {"b_ratio", "memory", 15.0 / 85},
        {"b_ratio", "communication", 50.0 / 50},
        {"", "communication_computation_ratio", 50.0 / 50},
        {"", "memory_processing_ratio", 15.0 / 35},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CU_ASSERT_DOUBLE_EQUAL(ratio(&watch, rows[i].group, rows[i].name), rows[i].value, 1e-15);
    CU_ASSERT_EQUAL(number(&watch, "", "operations"), 14);
    result_dispose(&watch.result);
}

/* --- waits --- */

static const char *const columns[] = {"CPLWait_s", "CPLComp_s", "CPCComm_s", "CPRWait_s",
                                      "CPRComp_s", "PPRWait_s", "PPRComp_s", "PPLWait_s"};
enum { N_COLUMNS = 8 };

/* The columns of a row, as bits of the intervals 2^0 ... 2^12 ps. */
static void expect_columns(const struct result_table *waits, size_t row, const int64_t expected_ps[N_COLUMNS])
{
    for (int c = 0; c < N_COLUMNS; c++)
        CU_ASSERT_EQUAL(cell(waits, row, columns[c]), expected_ps[c]);
}

/* A rank's wait has interval i in 2^(i-1) ps. Its controller's is in interval 6. */
static void test_waits(void)
{
#define INTERVAL(i) (INT64_C(1) << ((i)-1))
    static const int64_t all = (1 << N_WAIT_INTERVALS) - 1,
                         rank_ps[N_COLUMNS] = {INTERVAL(1) + INTERVAL(11),
                                               INTERVAL(2) + INTERVAL(12),
                                               INTERVAL(3) + INTERVAL(10),
                                               INTERVAL(4) + INTERVAL(8),
                                               INTERVAL(5) + INTERVAL(9),
                                               INTERVAL(6),
                                               INTERVAL(7),
                                               INTERVAL(13)},
                         controller_ps[N_COLUMNS] = {0, 0, 0, 0, 0, 500, 0, 0};
    int64_t intervals_ps[N_WAIT_INTERVALS];
    struct watch watch;
    for (int i = 0; i < N_WAIT_INTERVALS; i++)
        intervals_ps[i] = INTERVAL(i + 1);
    watch_begin(&watch, 1, 2, true, false);
    struct interval wait = communicate(0, STATE_RECEIVE, 0, all), queue = communicate(1, STATE_IDLE, 0, 500),
                    idle = queue;
    wait.category = CATEGORY_WAIT;
    wait.operation = OPERATION_PAGE;
    wait.wait_ps = intervals_ps;
    queue.category = CATEGORY_CPWAIT;
    queue.operation = OPERATION_LOCK;
    idle.category = CATEGORY_CPIDLE;
    idle.start_ps = 500;
    idle.end_ps = all;
    watch_take(&watch, wait);
    watch_take(&watch, queue);
    watch_take(&watch, idle);
    watch_end(&watch, all, 0);
    const struct result_table *waits = result_find_table(&watch.result, TABLE_WAITS);
    CU_ASSERT_EQUAL_FATAL(waits->n_rows, 2);
    expect_columns(waits, 0, rank_ps);
    expect_columns(waits, 1, controller_ps);
    CU_ASSERT(cell(waits, 0, "busy_s") == 0 && cell(waits, 1, "count") == 1);
    result_dispose(&watch.result);
}

/* --- causes --- */

/* Rank 1 waits at a barrier from 0 on for rank 0, which computes in three scopes one after the other. */
struct late {
    int64_t first_ps, second_ps, third_ps; /* in scopes 1, 0 and 2 */
};

static struct interval step(int64_t start_ps, int64_t end_ps, int scope)
{
    struct interval interval = compute(0, STATE_USEFUL, start_ps, end_ps, NULL);
    static int64_t work[N_WORK_COMPONENTS];
    work[WORK_CPU] = end_ps - start_ps;
    interval.work_ps = work;
    interval.category = CATEGORY_COMP;
    interval.scope = (uint8_t)scope;
    return interval;
}

static void watch_late(struct watch *watch, const struct late *late)
{
    int64_t second = late->first_ps, third = second + late->second_ps, end = third + late->third_ps;
    int64_t intervals_ps[N_WAIT_INTERVALS] = {[12] = end};
    struct interval begins = communicate(1, STATE_IDLE, 0, 0), departs = communicate(0, STATE_CONTROL, end, end);
    struct interval wait = communicate(1, STATE_IDLE, 0, end);
    watch_begin(watch, 2, 2, true, false);
    begins.category = departs.category = wait.category = CATEGORY_WAIT;
    begins.is_checkpoint = departs.is_checkpoint = 1;
    begins.message = 1;
    departs.message = 2;
    wait.operation = OPERATION_BARRIER;
    wait.cause = CAUSE_CHECKPOINT;
    wait.message = 2;
    wait.origin_ps = end;
    wait.wait_ps = intervals_ps;
    watch_take(watch, begins);
    watch_take(watch, step(0, second, 1));
    watch_take(watch, step(second, third, 0));
    watch_take(watch, step(third, end, 2));
    watch_take(watch, departs);
    watch_take(watch, wait);
    watch_end(watch, end, 0);
}

/* The longest first, of equal ones that of the first scope; pruned from 95 % of the wait on. */
static void test_causes(void)
{
    static const struct {
        struct late late;
        const char *scopes[3];
        int64_t pruned[3];
    } rows[] = {
        {{30, 30, 40}, {"second", "end", "first"}, {0, 0, 0}},
        {{5, 40, 55}, {"second", "end", "first"}, {0, 0, 1}},
        {{6, 40, 54}, {"second", "end", "first"}, {0, 0, 0}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct watch watch;
        watch_late(&watch, &rows[r].late);
        const struct result_table *causes = result_find_table(&watch.result, TABLE_CAUSES);
        CU_ASSERT_EQUAL_FATAL(causes->n_rows, 4); /* the last is the answer */
        for (size_t i = 0; i < 3; i++) {
            const char *scope = cells_at(causes, i, "cause_scope").text;
            CU_ASSERT_STRING_EQUAL(scope, rows[r].scopes[i]);
            CU_ASSERT_EQUAL(cell(causes, i, "pruned"), rows[r].pruned[i]);
        }
        result_dispose(&watch.result);
    }
}

/* A wait goes to the path that it is most like, of equal ones to the first; with half of the shares apart it is none of
 * them. */
static void test_alike(void)
{
    static const struct step here[] = {{0, 100}}, there[] = {{1, 100}}, between[] = {{0, 60}, {1, 60}, {2, 0}},
                             quarter[] = {{0, 75}, {2, 25}}, third[] = {{0, 76}, {2, 24}};
    struct paths paths;
    paths_init(&paths, 3, 1);
    paths_add(&paths, here, 1, 0, 0);
    paths_add(&paths, third, 2, 0, 0); /* 0.48 away */
    CU_ASSERT_EQUAL(paths.count, 1);
    paths_dispose(&paths);
    paths_init(&paths, 3, 1);
    paths_add(&paths, here, 1, 0, 0);
    paths_add(&paths, quarter, 2, 0, 0); /* 0.5 away */
    CU_ASSERT_EQUAL(paths.count, 2);
    paths_dispose(&paths);
    paths_init(&paths, MAX_PATHS + 2, 1);
    paths_add(&paths, here, 1, 0, 0);
    paths_add(&paths, there, 1, 0, 0);
    for (int i = 2; i < MAX_PATHS; i++)
        paths_add(&paths, &(struct step){i + 1, 100}, 1, 0, 0);
    paths_add(&paths, between, 2, 0, 0); /* as far from the first as from the second, and no place for another */
    CU_ASSERT_EQUAL(paths.count, MAX_PATHS);
    CU_ASSERT_EQUAL(paths.paths[0].count, 2);
    paths_dispose(&paths);
}

/* --- scopes --- */

/* Time outside of all scopes is exclusive to the whole program. */
static void test_scopes(void)
{
    struct watch watch;
    watch_begin(&watch, 1, 1, true, false);
    watch_take(&watch, step(0, 30, 1));
    watch_take(&watch, step(30, 40, 0));
    watch_end(&watch, 40, 0);
    const struct result_table *table = result_find_table(&watch.result, TABLE_PROFILE_SCOPES);
    CU_ASSERT_EQUAL_FATAL(table->n_rows, 2);
    CU_ASSERT(cell(table, 0, "inclusive_s") == 40 && cell(table, 0, "exclusive_s") == 10);
    CU_ASSERT(cell(table, 1, "inclusive_s") == 30 && cell(table, 1, "exclusive_s") == 30);
    result_dispose(&watch.result);
}

/* --- sizes of messages --- */

/* Classes of 0, 1, 2 to 3, 4 to 7 bytes ..., two messages in each; the time since a message is that of the next. */
static void test_message_sizes(void)
{
    static const struct {
        int64_t bytes, from, to;
    } rows[] = {{0, 0, 0}, {1, 1, 1}, {3, 2, 3}, {4, 4, 7}, {1000, 512, 1023}};
    enum { N_ROWS = sizeof rows / sizeof rows[0] };
    struct watch watch;
    int64_t now = 0;
    watch_begin(&watch, 2, 2, false, true);
    for (int i = 0; i < 2 * N_ROWS; i++) {
        watch_take(&watch, communicate(0, STATE_IDLE, now, now + 1000));
        watch_take(&watch, communicate(0, STATE_RECEIVE, now + 1000, now + 1100));
        struct interval send = communicate(0, STATE_SEND, now + 1100, now + 1110 + i / 2);
        send.is_message = 1;
        send.bytes = rows[i / 2].bytes;
        watch_take(&watch, send);
        now = send.end_ps;
    }
    watch_take(&watch, communicate(1, STATE_RECEIVE, 0, now)); /* of no message; the critical path */
    watch_end(&watch, now, -1);
    const struct result_table *table = result_find_table(&watch.result, TABLE_MESSAGE_SIZES);
    CU_ASSERT_PTR_NOT_NULL_FATAL(table);
    CU_ASSERT_EQUAL_FATAL(table->n_rows, N_ROWS);
    for (size_t i = 0; i < N_ROWS; i++) {
        CU_ASSERT(cell(table, i, "from_bytes") == rows[i].from && cell(table, i, "to_bytes") == rows[i].to);
        double each_s = (110 + (double)i) / 1e12;
        CU_ASSERT(cell(table, i, "messages") == 2 && cell(table, i, "bytes") == 2 * rows[i].bytes);
        CU_ASSERT(cell(table, i, "receive_s") == 200 && cell(table, i, "send_s") == 20 + 2 * (int64_t)i);
        CU_ASSERT_EQUAL(cell(table, i, "idle_s"), 2000);
        CU_ASSERT_DOUBLE_EQUAL(real(table, i, "mean_s"), each_s, 1e-12 * each_s);
        CU_ASSERT_DOUBLE_EQUAL(real(table, i, "bandwidth_Bps") * each_s, (double)rows[i].bytes,
                               1e-12 * (double)rows[i].bytes);
    }
    result_dispose(&watch.result);
}

int main(void)
{
    static const struct test tests[] = {
        {"of equal paths the first", test_equal_paths},
        {"useful work and computation", test_loads},
        {"what belongs to a ratio", test_ratios},
        {"columns of waits", test_waits},
        {"order and pruning of causes", test_causes},
        {"paths that are alike", test_alike},
        {"time in no scope", test_scopes},
        {"classes of messages", test_message_sizes},
        {NULL, NULL},
    };
    return testing_run("metric_figures", tests);
}
