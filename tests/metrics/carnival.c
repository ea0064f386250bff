/* The account of programs that share memory: profiles and waits close to the picosecond; the causes of waits in
 * programs where they are known, and against a walk back through the whole trace in random ones.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/metrics/cells.h"
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

#include "metrics/chains.h"
#include "sim/program/dsm_options.h"
#include "sim/simulate.h"

enum { N_LOCKS = 3, PAGE_BYTES = 64, N_PAGES = 8, N_SCOPES = 3, N_VARIANTS = 6 };

static const char *const carnival_scopes[] = {"", "first", "second", NULL};
enum { FIRST = 1, SECOND };
static const struct app_spec carnival_app = {
    .name = "carnival", .scopes = carnival_scopes, .kernels = script_kernels, .emit_shared = NULL};

static bool emit_shared(const void *config, int rank, int64_t step, int64_t seen, struct op_list *list)
{
    (void)seen;
    return script_emit(config, rank, step, list);
}

static struct dsm_options variant(int which)
{
    const int64_t values[] = {which, INT64_C(1) << 40, 0, DSM_PREFETCH_INVALIDATED};
    return dsm_options(values, N_PAGES * PAGE_BYTES, N_LOCKS, 0);
}

/* Run with sinks; 1 if that failed. */
static int run_shared(const struct script *script, const struct dsm_options *options, const struct interval_sink *sinks,
                      int n_sinks, struct kernel_stats *stats)
{
    struct sim_error error;
    struct placement placement;
    struct app_spec app = carnival_app;
    app.emit_shared = emit_shared;
    const struct placement_request request = {.n_ranks = script->n_ranks, .ranks_per_host = 1};
    const struct program program = {.app = &app, .config = (void *)(uintptr_t)script, .dsm = *options};
    const struct kernel_run run = {.program = &program,
                                   .machine = &machine,
                                   .placement = &placement,
                                   .network = network_named("fifo"),
                                   .sinks = sinks,
                                   .n_sinks = n_sinks};
    if (placement_init(&placement, &request, &machine, &error) == 0 && simulate_run(stats, &run, &error) == 0)
        return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}

/* The result of a run; to be disposed of. */
static int measure_shared(struct result *result, const struct script *script, const struct dsm_options *options)
{
    struct metrics metrics;
    struct kernel_stats stats = {0};
    int n_locations = script->n_ranks * (options->controller ? 2 : 1);
    metrics_open(&metrics, &(struct interval_setup){.n_ranks = script->n_ranks,
                                                    .n_locations = n_locations,
                                                    .scopes = carnival_scopes,
                                                    .n_scopes = N_SCOPES,
                                                    .has_categories = true});
    int status = run_shared(script, options, metrics.sinks, metrics.count, &stats);
    result_init(result);
    if (status == 0)
        metrics_report(&metrics, &(struct metrics_totals){stats.end_ps, 0}, result);
    metrics_close(&metrics);
    return status;
}

static struct op *add_in(struct script *script, int rank, enum op_kind kind, int scope)
{
    struct op *op = add(script, rank, kind, -1, 0);
    op->scope = (uint8_t)scope;
    return op;
}

static void add_work_in(struct script *script, int rank, int64_t ps, int scope)
{
    add_in(script, rank, OP_COMPUTE, scope)->times = ps;
}

static void add_page(struct script *script, int rank, enum op_kind kind, int page, int scope)
{
    struct op *op = add_in(script, rank, kind, scope);
    op->address = (int64_t)page * PAGE_BYTES;
    op->bytes = 4;
}

/* --- planted causes --- */

static wide_int cell(const struct result_table *table, size_t row, const char *column)
{
    return cells_at(table, row, column).number;
}

static bool says(const struct result_table *table, size_t row, const char *column, const char *text)
{
    return strcmp(cells_at(table, row, column).text, text) == 0;
}

/* Time in the table for waits of these ranks for this operation and cause; -1: there is no row. */
static wide_int cause_ps(const struct result *result, const char *operation, const char *ranks, int rank,
                         const char *scope, const char *category)
{
    const struct result_table *causes = result_find_table(result, TABLE_CAUSES);
    for (size_t row = 0; row < causes->n_rows; row++)
        if (says(causes, row, "operation", operation) && says(causes, row, "ranks", ranks) &&
            cell(causes, row, "cause_rank") == rank && says(causes, row, "cause_scope", scope) &&
            says(causes, row, "cause_category", category))
            return cell(causes, row, "time_s");
    return -1;
}

/* The number of causes of those waits, all but the protocol and those that are pruned. */
static int n_causes(const struct result *result, const char *operation, const char *ranks)
{
    const struct result_table *causes = result_find_table(result, TABLE_CAUSES);
    int count = 0;
    for (size_t row = 0; row < causes->n_rows; row++)
        count += says(causes, row, "operation", operation) && says(causes, row, "ranks", ranks) &&
                 !says(causes, row, "cause_category", "answer") && cell(causes, row, "pruned") == 0;
    return count;
}

static int expect(const char *what, bool good)
{
    if (!good)
        fprintf(stderr, "%s\n", what);
    return !good;
}

/* Rank 0 computes 10 ms more in scope first than rank 1; both as long in scope second. */
static int check_late(const void *argument)
{
    (void)argument;
    struct script script = {.n_ranks = 2};
    struct result result;
    struct dsm_options options = variant(0);
    for (int rank = 0; rank < 2; rank++) {
        add_work_in(&script, rank, (30 - 10 * rank) * MS, FIRST);
        add_work_in(&script, rank, 5 * MS, SECOND);
        add_in(&script, rank, OP_BARRIER, SECOND);
    }
    int failures = measure_shared(&result, &script, &options);
    failures += expect("late: the cause", cause_ps(&result, "barrier", "1", 0, "first", "Comp") == 10 * MS);
    failures += expect("late: the only one", n_causes(&result, "barrier", "1") == 1);
    result_dispose(&result);
    return failures;
}

/* Rank 0 computes with the lock; rank 1 waits for it, and rank 2 for rank 1. */
static int check_chain(const void *argument)
{
    (void)argument;
    struct script script = {.n_ranks = 3};
    struct result result;
    struct dsm_options options = variant(0);
    for (int rank = 0; rank < 3; rank++) {
        add_work_in(&script, rank, (1 + rank) * MS, FIRST);
        add_in(&script, rank, OP_ACQUIRE, SECOND)->lock = 0;
        add_work_in(&script, rank, rank == 0 ? 20 * MS : 0, SECOND);
        add_in(&script, rank, OP_RELEASE, SECOND)->lock = 0;
    }
    int failures = measure_shared(&result, &script, &options);
    const struct result_table *causes = result_find_table(&result, TABLE_CAUSES);
    /* Rank 1 waits 20 ms less the 1 ms that it computed more in scope first; rank 2 is 2 ms later than rank 0. The
     * paths are alike and are one. */
    wide_int late = cause_ps(&result, "lock", "1-2", 0, "second", "Comp");
    failures += expect("chain: rank 0's computation", late == 40 * MS);
    failures += expect("chain: less what rank 2 did before; what rank 1 did is among the lesser causes",
                       cause_ps(&result, "lock", "1-2", 2, "first", "Comp") == -2 * MS &&
                           n_causes(&result, "lock", "1-2") == 2);
    for (size_t row = 0; row < causes->n_rows; row++)
        failures += expect("chain: nothing is left to rank 1", !says(causes, row, "cause_category", "Comp") ||
                                                                   cell(causes, row, "cause_rank") != 1 ||
                                                                   cell(causes, row, "time_s") < 0);
    result_dispose(&result);
    return failures;
}

/* The wait for a page, of rank 2, makes rank 1 wait at the barrier. */
static int check_fetch(const void *argument)
{
    (void)argument;
    struct script script = {.n_ranks = 3};
    struct result result;
    struct dsm_options options = variant(0);
    for (int rank = 0; rank < 3; rank++) {
        if (rank == 2)
            add_page(&script, rank, OP_PAGE_READ, 0, FIRST);
        add_in(&script, rank, OP_BARRIER, SECOND);
    }
    int failures = measure_shared(&result, &script, &options);
    const struct result_table *waits = result_find_table(&result, TABLE_WAITS);
    wide_int fetch_ps = 0, busy_ps = 0;
    for (size_t row = 0; row < waits->n_rows; row++)
        if (says(waits, row, "operation", "page")) {
            fetch_ps = cell(waits, row, "total_s");
            busy_ps = cell(waits, row, "busy_s");
        }
    failures += expect("fetch: there is a wait", fetch_ps > busy_ps);
    wide_int by_one = cause_ps(&result, "barrier", "1", 2, "first", "Wait"),
             by_both = cause_ps(&result, "barrier", "0-1", 2, "first", "Wait");
    failures +=
        expect("fetch: it makes the others wait", by_one == fetch_ps - busy_ps || by_both == 2 * (fetch_ps - busy_ps));
    result_dispose(&result);
    return failures;
}

/* --- random programs --- */

static uint64_t seed;

static int random_below(int n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((seed >> 33) % (uint64_t)n);
}

/* With races: what is read does not matter. */
static void make_random(struct script *script, int n_ranks)
{
    *script = (struct script){.n_ranks = n_ranks};
    for (int phase = 1 + random_below(4); phase > 0; phase--)
        for (int rank = 0; rank < n_ranks; rank++) {
            for (int i = random_below(8); i > 0; i--) {
                int kind = random_below(4), scope = 1 + random_below(2), lock = random_below(N_LOCKS);
                if (kind == 0)
                    add_in(script, rank, OP_ACQUIRE, scope)->lock = lock;
                if (kind <= 1)
                    add_work_in(script, rank, random_below(5000) * US, scope);
                if (kind <= 2)
                    add_page(script, rank, OP_PAGE_WRITE, random_below(N_PAGES), scope);
                if (kind == 3)
                    add_page(script, rank, OP_PAGE_READ, random_below(N_PAGES), scope);
                if (kind == 0)
                    add_in(script, rank, OP_RELEASE, scope)->lock = lock;
            }
            add_in(script, rank, OP_BARRIER, 1 + random_below(2));
        }
}

/* Every interval of a run, and for those that end a wait what chains.c says of it. */
struct trail {
    struct chains *chains;
    struct interval *intervals;
    int64_t **differences; /* NULL where there is none */
    int64_t *waited_ps;
    size_t count, capacity, differences_capacity, waited_capacity;
};

static void trail_take(void *self, const struct interval *interval)
{
    struct trail *trail = self;
    trail->intervals = xgrow(trail->intervals, trail->count, &trail->capacity, sizeof *trail->intervals);
    trail->differences = xgrow(trail->differences, trail->count, &trail->differences_capacity, sizeof(int64_t *));
    trail->waited_ps = xgrow(trail->waited_ps, trail->count, &trail->waited_capacity, sizeof(int64_t));
    size_t i = trail->count++, size = (size_t)chains_n_steps(trail->chains) * sizeof(int64_t);
    const int64_t *difference = chains_take(trail->chains, interval);
    trail->intervals[i] = *interval;
    trail->differences[i] = NULL;
    trail->waited_ps[i] = 0;
    for (int w = 0; interval->wait_ps != NULL && w < N_WAIT_INTERVALS; w++)
        trail->waited_ps[i] += interval->wait_ps[w];
    if (difference != NULL)
        trail->differences[i] = memcpy(xmalloc(size), difference, size);
}

/* The location's interval before number `before` that ends at the time and is longer than nothing, or took another
 * chain over. */
static size_t ending_at(const struct trail *trail, size_t before, int location, int64_t time)
{
    for (size_t i = before; i-- > 0;)
        if (trail->intervals[i].location == location && trail->intervals[i].end_ps == time &&
            (trail->intervals[i].start_ps < time || trail->intervals[i].cause == CAUSE_CHECKPOINT))
            return i;
    return SIZE_MAX;
}

static size_t departure_of(const struct trail *trail, size_t before, uint32_t message)
{
    for (size_t i = before; i-- > 0;)
        if (trail->intervals[i].is_checkpoint && trail->intervals[i].message == message)
            return i;
    return SIZE_MAX;
}

/* Add the chain that led to the location at the time, as known before interval `at`, with the sign. */
static bool walk_back(const struct trail *trail, size_t at, int location, int64_t time, int sign, int64_t *sums)
{
    while (time > 0) {
        size_t i = ending_at(trail, at, location, time);
        if (i == SIZE_MAX)
            return false;
        const struct interval *interval = &trail->intervals[i];
        int64_t from = interval->cause == CAUSE_CHECKPOINT ? interval->origin_ps : interval->start_ps;
        if (interval->cause == CAUSE_SELF && interval->state == STATE_IDLE)
            return false;
        sums[chains_step(trail->chains, location, interval->scope, (enum category)interval->category)] +=
            sign * (time - from);
        at = i;
        if (interval->cause == CAUSE_CHECKPOINT) {
            at = departure_of(trail, i, interval->message);
            if (at == SIZE_MAX || trail->intervals[at].end_ps != from)
                return false;
            location = trail->intervals[at].location;
        }
        time = from;
    }
    return true;
}

static bool agrees(const struct trail *trail, size_t i, int64_t *sums)
{
    int n_steps = chains_n_steps(trail->chains);
    const struct interval *interval = &trail->intervals[i];
    int64_t begin_ps = interval->end_ps - trail->waited_ps[i], sum = 0;
    size_t departure = departure_of(trail, i, interval->message), began = i;
    while (began > 0 &&
           !(trail->intervals[began].location == interval->location && trail->intervals[began].is_checkpoint))
        began--;
    memset(sums, 0, (size_t)n_steps * sizeof *sums);
    bool good = departure != SIZE_MAX && trail->intervals[began].end_ps == begin_ps &&
                walk_back(trail, departure, trail->intervals[departure].location, interval->origin_ps, 1, sums) &&
                walk_back(trail, began, interval->location, begin_ps, -1, sums);
    for (int s = 0; s < n_steps; s++) {
        sum += sums[s];
        good = good && sums[s] == trail->differences[i][s];
    }
    return good && sum == interval->origin_ps - begin_ps;
}

/* How many waits were explained, or -1 if one of them differs from the walk back. */
static int check_walk(const struct script *script, const struct dsm_options *options)
{
    struct trail trail = {.chains = chains_new(script->n_ranks, N_SCOPES)};
    struct kernel_stats stats = {0};
    struct interval_sink sink = {.take = trail_take, .self = &trail};
    int64_t *sums = xcalloc((size_t)chains_n_steps(trail.chains), sizeof *sums);
    int explained = run_shared(script, options, &sink, 1, &stats) == 0 ? 0 : -1;
    for (size_t i = 0; i < trail.count; i++) {
        if (trail.differences[i] != NULL && explained >= 0)
            explained = agrees(&trail, i, sums) ? explained + 1 : -1;
        free(trail.differences[i]);
    }
    chains_free(trail.chains);
    free(trail.intervals);
    free(trail.differences);
    free(trail.waited_ps);
    free(sums);
    return explained;
}

/* The time of a wait's row in the table of intervals, which has a row for each interval that took time. */
static wide_int intervals_of(const struct result *result, const struct result_table *waits, size_t wait)
{
    static const char *const keys[] = {"scope", "category", "operation"};
    const struct result_table *intervals = result_find_table(result, TABLE_WAIT_INTERVALS);
    wide_int sum = 0;
    for (size_t row = 0; row < intervals->n_rows; row++) {
        bool same = true;
        for (int k = 0; k < 3; k++)
            same = same && says(intervals, row, keys[k], cells_at(waits, wait, keys[k]).text);
        if (same)
            sum += cell(intervals, row, "time_s");
    }
    return sum;
}

/* The eight add up to the wait, and so do the 13; the scopes to the program, the profile to each location's time, the
 * causes to the waits. */
static bool closes(const struct result *result, int n_ranks)
{
    static const char *const names[] = {"CPLWait_s", "CPLComp_s", "CPCComm_s", "CPRWait_s",
                                        "CPRComp_s", "PPRWait_s", "PPRComp_s", "PPLWait_s"};
    const struct result_table *waits = result_find_table(result, TABLE_WAITS),
                              *profile = result_find_table(result, TABLE_PROFILE),
                              *scopes = result_find_table(result, TABLE_PROFILE_SCOPES),
                              *causes = result_find_table(result, TABLE_CAUSES);
    wide_int end = measure_number(result_find(result, "", "time_s")), main_ps = 0, controllers_ps = 0, inside = 0;
    wide_int explained = 0, synchronised = 0;
    bool good = true;
    for (size_t row = 0; row < waits->n_rows; row++) {
        wide_int sum = 0;
        for (int p = 0; p < 8; p++)
            sum += cell(waits, row, names[p]);
        good = good && sum == cell(waits, row, "total_s") && cell(waits, row, "busy_s") >= 0;
        good = good && sum == intervals_of(result, waits, row);
        if (says(waits, row, "category", "Wait") &&
            (says(waits, row, "operation", "lock") || says(waits, row, "operation", "barrier")))
            synchronised += sum;
    }
    for (size_t row = 0; row < profile->n_rows; row++) {
        bool controller = cells_at(profile, row, "category").text[0] == 'C' && !says(profile, row, "category", "Comp");
        *(controller ? &controllers_ps : &main_ps) += cell(profile, row, "time_s");
    }
    for (size_t row = 1; row < scopes->n_rows; row++)
        inside += cell(scopes, row, "exclusive_s");
    for (size_t row = 0; row < causes->n_rows; row++)
        explained += cell(causes, row, "time_s");
    return good && main_ps == n_ranks * end && (controllers_ps == 0 || controllers_ps == n_ranks * end) &&
           cell(scopes, 0, "inclusive_s") == main_ps && cell(scopes, 0, "exclusive_s") + inside == main_ps &&
           explained == synchronised;
}

static int check_random(const void *argument)
{
    static struct script script;
    int failures = 0, explained = 0;
    (void)argument;
    for (int number = 0; number < 600 && failures < 5; number++) {
        struct result result;
        struct dsm_options options = variant(number % N_VARIANTS);
        seed = (uint64_t)number * 7919 + 1;
        make_random(&script, 2 + random_below(7));
        int n = check_walk(&script, &options);
        bool good = measure_shared(&result, &script, &options) == 0 && closes(&result, script.n_ranks);
        result_dispose(&result);
        if (n < 0 || !good) {
            fprintf(stderr, "program %d, variant %s: %s\n", number, dsm_variant_names[number % N_VARIANTS],
                    n < 0 ? "a wait's explanation differs from the walk back" : "an account does not close");
            failures++;
        }
        explained += n;
    }
    return failures + expect("random: waits are explained", explained > 1000);
}

/* --- two platforms: nothing but messages takes time; everything does --- */

#define FREE_PROPS "<prop id='dsm.page' value='64B'/><prop id='dsm.header' value='32B'/>"

static int on_machine(const char *props, int (*check)(const void *argument))
{
    return on_platform(star_platform(props, 8, (struct wire_row){12.5e6, 10000}), check, NULL);
}

static void test_late(void)
{
    CU_ASSERT_EQUAL(on_machine(FREE_PROPS, check_late), 0);
}

static void test_chain(void)
{
    CU_ASSERT_EQUAL(on_machine(FREE_PROPS, check_chain), 0);
}

static void test_fetch(void)
{
    CU_ASSERT_EQUAL(on_machine(FREE_PROPS, check_fetch), 0);
}

static void test_random(void)
{
    CU_ASSERT_EQUAL(on_machine(TESTING_DSM_PROPS("64B"), check_random), 0);
}

/* Nothing is said of programs that exchange messages. */
static void test_messages(void)
{
    struct metrics metrics;
    metrics_open(&metrics, &(struct interval_setup){
                               .n_ranks = 2, .n_locations = 2, .scopes = carnival_scopes, .n_scopes = N_SCOPES});
    for (int i = 0; i < metrics.count; i++) {
        const char *name = metrics.specs[i]->name;
        CU_ASSERT(strcmp(name, "message_sizes") != 0 && strcmp(name, "profile") != 0 && strcmp(name, "waits") != 0 &&
                  strcmp(name, "causes") != 0);
    }
    metrics_close(&metrics);
}

int main(void)
{
    static const struct test tests[] = {
        {"who computes more makes wait", test_late},        {"a chain of waits for a lock", test_chain},
        {"a wait for a page makes wait", test_fetch},       {"random programs, by walking back", test_random},
        {"programs that exchange messages", test_messages}, {NULL, NULL},
    };
    return testing_run("carnival", tests);
}
