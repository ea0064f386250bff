/* Delay costs: cases whose costs are known in closed form, and random programs against a walk back through all that
 * happened, moment by moment.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <string.h>

static const char *const scopes[] = {"", "first", "second"};
enum { N_SCOPES = 3, MOST_RANKS = 5, MOST_EVENTS = 400 };
enum { STEP_PS = 1000000 }; /* of random times, so that what is rounded does not matter */

/* --- a program of work and messages, which take no time --- */

/* The activity of a rank up to a moment: worked in a scope, or waited for another one (scope 0). */
struct event {
    int64_t start_ps, end_ps;
    int scope, peer;
    double shares[MOST_RANKS * N_SCOPES]; /* of a wait, by the walk back */
};

struct program {
    int n_ranks;
    struct metrics metrics;
    struct event events[MOST_RANKS][MOST_EVENTS];
    int n_events[MOST_RANKS];
    double direct[MOST_RANKS * N_SCOPES], passed_on[MOST_RANKS * N_SCOPES];
};

static void begin(struct program *program, int n_ranks)
{
    memset(program, 0, sizeof *program);
    program->n_ranks = n_ranks;
    const struct interval_setup setup = {.n_ranks = n_ranks,
                                         .n_locations = n_ranks,
                                         .scopes = scopes,
                                         .n_scopes = N_SCOPES,
                                         .details = DETAIL_BIT(DETAIL_DELAYS)};
    metrics_open(&program->metrics, &setup);
}

static int64_t now(const struct program *program, int rank)
{
    int n = program->n_events[rank];
    return n == 0 ? 0 : program->events[rank][n - 1].end_ps;
}

static void take(struct program *program, const struct interval *interval)
{
    for (int i = 0; i < program->metrics.count; i++)
        program->metrics.sinks[i].take(program->metrics.sinks[i].self, interval);
}

static struct event *happen(struct program *program, int rank, int64_t ps, int scope, int peer)
{
    int64_t start_ps = now(program, rank);
    struct event *event = &program->events[rank][program->n_events[rank]++];
    *event = (struct event){.start_ps = start_ps, .end_ps = start_ps + ps, .scope = scope, .peer = peer};
    return event;
}

static void work(struct program *program, int rank, int scope, int64_t ps)
{
    const int64_t work_ps[N_WORK_COMPONENTS] = {ps};
    const struct event *event = happen(program, rank, ps, scope, -1);
    take(program, &(struct interval){.kind = INTERVAL_COMPUTE,
                                     .state = STATE_USEFUL,
                                     .peer = -1,
                                     .location = rank,
                                     .start_ps = event->start_ps,
                                     .end_ps = event->end_ps,
                                     .scope = (uint8_t)scope,
                                     .work_ps = work_ps});
}

/* --- the walk back --- */

/* The rank over which what led to a rank's moment ran just before an earlier one: through whom it last waited for. */
static int chain_at(const struct program *program, int rank, int64_t from_ps, int64_t at_ps)
{
    for (int i = program->n_events[rank] - 1; i >= 0; i--) {
        const struct event *event = &program->events[rank][i];
        if (event->scope != 0 || event->end_ps > from_ps)
            continue;
        return event->end_ps < at_ps ? rank : chain_at(program, event->peer, event->end_ps, at_ps);
    }
    return rank;
}

/* The last moment at which both were on one chain, or one waited for the other. The one waits since `own_ps`. */
static int64_t synchronized(const struct program *program, int late, int64_t late_ps, int own, int64_t own_ps)
{
    int64_t at_ps = own_ps < late_ps ? own_ps : late_ps;
    while (at_ps > 0 && chain_at(program, late, late_ps, at_ps) != chain_at(program, own, own_ps, at_ps))
        at_ps -= at_ps % STEP_PS == 0 ? STEP_PS : 1;
    for (int side = 0; side < 2; side++) {
        int rank = side == 0 ? late : own, other = side == 0 ? own : late;
        for (int i = 0; i < program->n_events[rank]; i++) {
            const struct event *event = &program->events[rank][i];
            if (event->scope == 0 && event->peer == other && event->end_ps > at_ps &&
                event->end_ps <= (side == 0 ? late_ps : own_ps))
                at_ps = event->end_ps;
        }
    }
    return at_ps;
}

static double overlap(const struct event *event, int64_t from_ps, int64_t to_ps)
{
    double from = fmax((double)event->start_ps, (double)from_ps), to = fmin((double)event->end_ps, (double)to_ps);
    return fmax(0, to - from);
}

static double time_in(const struct program *program, int rank, int scope, int64_t from_ps, int64_t to_ps)
{
    double sum = 0;
    for (int i = 0; i < program->n_events[rank]; i++)
        if (program->events[rank][i].scope == scope)
            sum += overlap(&program->events[rank][i], from_ps, to_ps);
    return sum;
}

/* Divide a wait by the definitions: delays directly, the late one's own waits by what these were divided among. */
static void divide(struct program *program, int rank, struct event *wait)
{
    int late = wait->peer;
    double excess[N_SCOPES], sum = 0, length = (double)(wait->end_ps - wait->start_ps);
    int64_t since_ps = synchronized(program, late, wait->end_ps, rank, wait->start_ps);
    for (int scope = 0; scope < N_SCOPES; scope++) {
        excess[scope] = fmax(0, time_in(program, late, scope, since_ps, wait->end_ps) -
                                    time_in(program, rank, scope, since_ps, wait->start_ps));
        sum += excess[scope];
    }
    for (int scope = 1; scope < N_SCOPES; scope++) {
        wait->shares[late * N_SCOPES + scope] += length * excess[scope] / sum;
        program->direct[late * N_SCOPES + scope] += length * excess[scope] / sum;
    }
    double waited = time_in(program, late, 0, since_ps, wait->end_ps);
    for (int i = 0; i < program->n_events[late] && excess[0] > 0; i++) {
        const struct event *event = &program->events[late][i];
        if (event->scope != 0)
            continue;
        double part = length * excess[0] / sum * overlap(event, since_ps, wait->end_ps) / waited;
        for (int place = 0; place < MOST_RANKS * N_SCOPES; place++) {
            double ps = part * event->shares[place] / (double)(event->end_ps - event->start_ps);
            wait->shares[place] += ps;
            program->passed_on[place] += ps;
        }
    }
}

/* A message, which `to` waits for, if `from` is behind it. */
static void message(struct program *program, int from, int to)
{
    int64_t ps = now(program, from) - now(program, to), at_ps = now(program, from);
    if (ps <= 0)
        return;
    struct event *wait = happen(program, to, ps, 0, from);
    take(program, &(struct interval){.kind = INTERVAL_COMMUNICATE,
                                     .state = STATE_IDLE,
                                     .peer = from,
                                     .location = to,
                                     .start_ps = wait->start_ps,
                                     .end_ps = at_ps,
                                     .scope = 1});
    take(program, &(struct interval){.kind = INTERVAL_COMMUNICATE,
                                     .state = STATE_RECEIVE,
                                     .peer = from,
                                     .location = to,
                                     .start_ps = at_ps,
                                     .end_ps = at_ps,
                                     .origin_ps = at_ps,
                                     .scope = 1,
                                     .cause = CAUSE_PEER,
                                     .is_receipt = 1});
    divide(program, to, wait);
}

/* --- what comes out --- */

static struct delays_row find(const struct delays_row *rows, size_t n_rows, int rank, const char *scope)
{
    for (size_t i = 0; i < n_rows; i++)
        if (rows[i].rank == rank && strcmp(rows[i].scope, scope) == 0)
            return rows[i];
    return (struct delays_row){0};
}

static double idle_of(const struct program *program)
{
    double sum = 0;
    for (int rank = 0; rank < program->n_ranks; rank++)
        sum += time_in(program, rank, 0, 0, INT64_MAX);
    return sum;
}

static void end(struct program *program, struct result *result)
{
    int64_t end_ps = 0;
    for (int rank = 0; rank < program->n_ranks; rank++)
        end_ps = now(program, rank) > end_ps ? now(program, rank) : end_ps;
    for (int rank = 0; rank < program->n_ranks; rank++)
        take(program, &(struct interval){.kind = INTERVAL_COMMUNICATE,
                                         .state = STATE_IDLE,
                                         .peer = -1,
                                         .location = rank,
                                         .start_ps = now(program, rank),
                                         .end_ps = end_ps});
    result_init(result);
    metrics_report(&program->metrics, &(struct metrics_totals){end_ps, -1}, result);
    metrics_close(&program->metrics);
}

struct expected {
    int rank;
    const char *scope;
    int64_t direct_ps, passed_on_ps, farthest;
};

/* The costs of all places are those; with none is there a rest of waiting of known cause. */
static void expect(struct program *program, const struct expected *expected, size_t count)
{
    struct result result;
    size_t n_rows;
    double sum = 0;
    end(program, &result);
    const struct delays_row *rows = result_delays(&result, &n_rows);
    for (size_t i = 0; i < count; i++) {
        struct delays_row row = find(rows, n_rows, expected[i].rank, expected[i].scope);
        CU_ASSERT_EQUAL((int64_t)row.direct_ps, expected[i].direct_ps);
        CU_ASSERT_EQUAL((int64_t)row.passed_on_ps, expected[i].passed_on_ps);
        CU_ASSERT_EQUAL(row.farthest, expected[i].farthest);
        sum += (double)row.cost_ps;
    }
    CU_ASSERT_EQUAL(sum, idle_of(program));
    result_dispose(&result);
}

static struct program program;

/* 1 waits 8 for 0; 2 waits 12, for 1, which worked 4 longer and waited 8; 3 waits 9 for 2, which only waited. */
static void test_late_sender_chain(void)
{
    static const struct expected expected[] = {{0, "first", 8, 14, 2}, {1, "first", 4, 3, 1}};
    begin(&program, 4);
    work(&program, 0, 1, 10);
    work(&program, 1, 1, 2);
    work(&program, 2, 1, 1);
    work(&program, 3, 1, 4);
    message(&program, 0, 1);
    work(&program, 1, 1, 3);
    message(&program, 1, 2);
    message(&program, 2, 3);
    expect(&program, expected, 2);
}

/* 1 hides a delay of 6 behind that of 10: 2 waits 6 for 1 itself, and 4 that 1 has waited. */
static void test_overlap(void)
{
    static const struct expected expected[] = {{0, "first", 4, 4, 1}, {1, "second", 6, 0, 0}};
    begin(&program, 3);
    work(&program, 0, 1, 10);
    work(&program, 1, 2, 6);
    message(&program, 0, 1);
    message(&program, 1, 2);
    CU_ASSERT_EQUAL(now(&program, 2), 10);
    expect(&program, expected, 2);
}

/* All wait for the last of two barriers; what was before the first does not explain the second. */
static void test_n_to_n(void)
{
    static const struct expected expected[] = {{3, "second", 7 + 6 + 5, 0, 0}, {0, "first", 4 + 4 + 4, 0, 0}};
    begin(&program, 4);
    for (int rank = 0; rank < 4; rank++)
        work(&program, rank, 2, rank == 3 ? 8 : rank + 1);
    for (int rank = 0; rank < 3; rank++)
        message(&program, 3, rank);
    for (int rank = 0; rank < 4; rank++)
        work(&program, rank, 1, rank == 0 ? 5 : 1);
    for (int rank = 1; rank < 4; rank++)
        message(&program, 0, rank);
    expect(&program, expected, 2);
}

/* A sender waits 5 for its receiver, which was 3 longer in one scope and 2 in the other. */
static void test_late_receiver(void)
{
    static const struct expected expected[] = {{1, "first", 3, 0, 0}, {1, "second", 2, 0, 0}};
    begin(&program, 2);
    work(&program, 0, 1, 2);
    work(&program, 0, 2, 2);
    work(&program, 1, 1, 5);
    work(&program, 1, 2, 4);
    message(&program, 1, 0);
    expect(&program, expected, 2);
}

static void compare(struct program *random)
{
    struct result result;
    size_t n_rows;
    double sum = 0;
    end(random, &result);
    const struct delays_row *rows = result_delays(&result, &n_rows);
    for (int place = 0; place < random->n_ranks * N_SCOPES; place++) {
        struct delays_row row = find(rows, n_rows, place / N_SCOPES, scopes[place % N_SCOPES]);
        double most = 1e-3 * (1000 + random->direct[place] + random->passed_on[place]);
        CU_ASSERT_DOUBLE_EQUAL((double)row.direct_ps, random->direct[place], most);
        CU_ASSERT_DOUBLE_EQUAL((double)row.passed_on_ps, random->passed_on[place], most);
        sum += (double)row.cost_ps;
    }
    CU_ASSERT_EQUAL(sum, idle_of(random));
    result_dispose(&result);
}

/* Between two of its waits a rank is in one scope. */
static void test_random(void)
{
    uint64_t random = 7;
    for (int trial = 0; trial < 60; trial++) {
        int n_ranks = 2 + trial % (MOST_RANKS - 1), n_waits[MOST_RANKS] = {0};
        begin(&program, n_ranks);
        for (int i = 0; i < 40; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            int from = (int)(random >> 33) % n_ranks, to = (from + 1 + (int)(random >> 40) % (n_ranks - 1)) % n_ranks;
            for (int side = 0; side < 2; side++) {
                int rank = side == 0 ? from : to;
                work(&program, rank, 1 + n_waits[rank] % 2, (1 + (int64_t)(random >> (20 + 7 * side)) % 97) * STEP_PS);
            }
            n_waits[to] += now(&program, from) > now(&program, to);
            message(&program, from, to);
        }
        compare(&program);
    }
}

/* The imbalance on the critical path, in closed form: 0 works 10 in the first scope, for which 1 waits after 4, and 1
 * then 6 in the second, in which 2 works 2 after 7 in the first, and 0 never does. */
static void test_path_imbalance(void)
{
    struct result result;
    size_t n_rows;
    begin(&program, 3);
    work(&program, 0, 1, 10);
    work(&program, 1, 1, 4);
    work(&program, 2, 1, 7);
    message(&program, 0, 1);
    work(&program, 1, 2, 6);
    work(&program, 2, 2, 2);
    end(&program, &result);
    const struct path_imbalance_row *rows = result_path_imbalance(&result, &n_rows);
    CU_ASSERT_EQUAL_FATAL(n_rows, 2);
    const struct path_imbalance_row expected[] = {
        {"first", 10, (10 + 4 + 7) / 3, 3, 3 * 10 - 21, 3 * 10 - 21, 0},
        {"second", 6, (6 + 2) / 3, 6 - 2, 3 * 6 - 8, 2 * 6 - 8, 6},
    };
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_STRING_EQUAL(rows[i].scope, expected[i].scope);
        CU_ASSERT_EQUAL(rows[i].path_ps, expected[i].path_ps);
        CU_ASSERT_EQUAL(rows[i].mean_ps, expected[i].mean_ps);
        CU_ASSERT_EQUAL(rows[i].imbalance_ps, expected[i].imbalance_ps);
        CU_ASSERT_EQUAL((int64_t)rows[i].impact_ps, (int64_t)expected[i].impact_ps);
        CU_ASSERT_EQUAL((int64_t)rows[i].within_ps, (int64_t)expected[i].within_ps);
        CU_ASSERT_EQUAL((int64_t)rows[i].between_ps, (int64_t)expected[i].between_ps);
    }
    result_dispose(&result);
}

int unit_delays(void)
{
    static const struct test tests[] = {
        {"a late sender, through a chain of ranks", test_late_sender_chain},
        {"two delays that overlap", test_overlap},
        {"all wait for the last", test_n_to_n},
        {"a late receiver", test_late_receiver},
        {"random programs", test_random},
        {"imbalance on the critical path", test_path_imbalance},
        {NULL, NULL},
    };
    return testing_run("delays", tests);
}
