/* Analysis of traces: accounts and critical paths worked by hand; random programs against a walk over all of their
 * records, which knows what belongs together because it has made them; what does not fit together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/analysis.h"
#include "metrics/metrics.h"
#include "tests/metrics/cells.h"
#include "tests/metrics/detail_sums.h"
#include "tests/testing.h"
#include "tests/trace/fake_trace.h"

#include <CUnit/Basic.h>
#include <stdint.h>

/* --- what the sinks see --- */

enum { MOST_CHECKPOINTS = 4096 };

/* Checks the contract of interval/interval.h interval by interval. */
struct watch {
    int64_t now_ps[FAKE_RANKS];
    int64_t checkpoints_ps[MOST_CHECKPOINTS]; /* when each checkpoint was made; -1: never */
    int64_t receipts, messages, receipt_bytes;
    int64_t input_bytes, output_bytes, other_bytes;
    uint32_t largest_checkpoint;
    bool good;
};

static void watch_take(void *self, const struct interval *interval)
{
    struct watch *watch = self;
    int64_t work_ps = 0;
    watch->good &= interval->start_ps == watch->now_ps[interval->location] && interval->end_ps >= interval->start_ps;
    watch->now_ps[interval->location] = interval->end_ps;
    watch->receipts += interval->is_receipt;
    watch->receipt_bytes += interval->is_receipt ? interval->bytes : 0;
    watch->messages += interval->is_message;
    *(interval->kind == INTERVAL_INPUT    ? &watch->input_bytes
      : interval->kind == INTERVAL_OUTPUT ? &watch->output_bytes
                                          : &watch->other_bytes) += interval->bytes;
    if (interval->is_checkpoint) {
        watch->largest_checkpoint =
            interval->message > watch->largest_checkpoint ? interval->message : watch->largest_checkpoint;
        watch->checkpoints_ps[interval->message % MOST_CHECKPOINTS] = interval->end_ps;
    }
    if (interval->cause == CAUSE_CHECKPOINT)
        watch->good &= watch->checkpoints_ps[interval->message % MOST_CHECKPOINTS] == interval->origin_ps &&
                       interval->origin_ps <= interval->end_ps;
    if (interval->cause == CAUSE_PEER)
        watch->good &= interval->origin_ps == interval->end_ps && watch->now_ps[interval->peer] == interval->origin_ps;
    for (int c = 0; interval->kind == INTERVAL_COMPUTE && c < N_WORK_COMPONENTS; c++)
        work_ps += interval->work_ps[c];
    watch->good &= interval->kind != INTERVAL_COMPUTE || work_ps == interval->end_ps - interval->start_ps;
}

/* --- one analysis --- */

struct outcome {
    int status;
    struct sim_error error;
    struct analysis_stats stats;
    struct result result;
    struct watch watch;
};

/* Calls that the next trace says it lacks. */
static int64_t n_unrecorded;

static void analyse(struct outcome *outcome, struct fake_trace *trace, bool is_cut, int64_t sequential_ps)
{
    struct record_reader reader = fake_reader(trace);
    struct analysis_scopes scopes;
    struct metrics metrics;
    struct interval_sink sinks[METRICS_MAX + 1];
    *outcome = (struct outcome){.watch = {.good = true}};
    memset(outcome->watch.checkpoints_ps, -1, sizeof outcome->watch.checkpoints_ps);
    reader.info.is_cut = is_cut;
    reader.info.n_unrecorded = n_unrecorded;
    analysis_scopes_init(&scopes, &reader.info);
    metrics_open(&metrics, &(struct interval_setup){.n_ranks = trace->n_ranks,
                                                    .n_locations = trace->n_ranks,
                                                    .scopes = scopes.names,
                                                    .n_scopes = scopes.count,
                                                    .is_traced = true,
                                                    .details = DETAILS_ALL,
                                                    .nests = scopes.nests});
    memcpy(sinks, metrics.sinks, sizeof metrics.sinks);
    sinks[metrics.count] = (struct interval_sink){.take = watch_take, .self = &outcome->watch};
    outcome->status =
        analysis_run(&outcome->stats, &reader, "x.fake", &scopes, sinks, metrics.count + 1, &outcome->error);
    result_init(&outcome->result);
    if (outcome->status == 0)
        metrics_report(&metrics, &(struct metrics_totals){outcome->stats.end_ps, sequential_ps}, &outcome->result);
    const char *fault = outcome->status == 0 ? sums_fault(&outcome->result) : NULL;
    if (fault != NULL)
        fprintf(stderr, "%s\n", fault);
    outcome->watch.good &= fault == NULL;
    metrics_close(&metrics);
    analysis_scopes_dispose(&scopes);
    for (int rank = 0; outcome->status == 0 && rank < trace->n_ranks; rank++)
        outcome->watch.good &= outcome->watch.now_ps[rank] == outcome->stats.end_ps;
}

static int64_t number(const struct outcome *outcome, const char *group, const char *name)
{
    const struct measure *measure = result_find(&outcome->result, group, name);
    return measure != NULL ? (int64_t)measure_number(measure) : -1;
}

/* A state that no rank was in may have no measure. */
static int64_t time_in(const struct outcome *outcome, int state)
{
    const struct measure *measure = result_find(&outcome->result, "state_s", location_state_names[state]);
    return measure != NULL ? (int64_t)measure_number(measure) : 0;
}

/* --- by hand --- */

#define SPAN(from, to) .start_ps = (from), .end_ps = (to), .idle_ps = -1
static struct record work(int64_t from, int64_t to)
{
    return (struct record){SPAN(from, to), .kind = RECORD_COMPUTE};
}

static struct record message(int kind, int64_t from, int64_t to, int peer, int64_t bytes)
{
    return (struct record){SPAN(from, to), .kind = (uint8_t)kind, .peer = peer, .bytes = bytes, .tag = 7};
}

static struct record post(int kind, int64_t from, int64_t to, int peer, uint32_t request)
{
    struct record record = message(kind, from, to, peer, 64);
    record.request = request;
    return record;
}

static struct record collective(int kind, int64_t from, int64_t to, int root)
{
    return (struct record){SPAN(from, to), .kind = RECORD_COLLECTIVE, .collective = (uint8_t)kind, .peer = root,
                           .bytes = 100};
}

/* Non-blocking: the call that starts it, and where it is waited for. */
static struct record start(int64_t from, int64_t to)
{
    return (struct record){SPAN(from, to), .kind = RECORD_CALL, .call = RECORD_CALL_OTHER, .request = 1};
}

static struct record end(int kind, int64_t from, int64_t to)
{
    struct record record = collective(kind, from, to, -1);
    record.was_begun = true;
    record.request = 1;
    return record;
}

static struct record with_idle(struct record record, int64_t idle_ps)
{
    record.idle_ps = idle_ps;
    return record;
}

static struct record synchronous(struct record record)
{
    record.synchronous = true;
    return record;
}

enum { CASE_RANKS = 3, CASE_RECORDS = 6 };

/* The states of a case, in its order. */
enum { CASE_USEFUL, CASE_CONTROL, CASE_SEND, CASE_RECEIVE, CASE_IDLE, N_CASE_STATES };
static const uint8_t case_states[N_CASE_STATES] = {STATE_USEFUL, STATE_CONTROL, STATE_SEND, STATE_RECEIVE, STATE_IDLE};

/* Records of up to three ranks (kind COMPUTE from 0 to 0 ends them), each rank's states in the order useful control
 * send receive idle, and what the critical path has of computation and communication. */
struct hand_case {
    const char *name;
    struct record records[CASE_RANKS][CASE_RECORDS];
    int64_t states[CASE_RANKS][N_CASE_STATES];
    int64_t computation_ps, communication_ps, clock_errors, off_ps;
};

static void add_cases(struct hand_case *cases, int *count)
{
    int n = 0;
    cases[n++] =
        (struct hand_case){"late sender",
                           {{work(0, 10), message(RECORD_SEND, 10, 12, 1, 64)}, {message(RECORD_RECV, 0, 15, 0, 64)}},
                           {{10, 0, 2, 0, 3}, {0, 0, 0, 5, 10}, {0, 0, 0, 0, 15}},
                           10,
                           5,
                           0,
                           0};
    cases[n++] =
        (struct hand_case){"late receiver",
                           {{message(RECORD_SEND, 0, 3, 1, 64)}, {work(0, 8), message(RECORD_RECV, 8, 11, 0, 64)}},
                           {{0, 0, 3, 0, 8}, {8, 0, 0, 3, 0}, {0, 0, 0, 0, 11}},
                           8,
                           3,
                           0,
                           0};
    cases[n++] = (struct hand_case){"synchronous send to a late receiver",
                                    {{synchronous(message(RECORD_SEND, 0, 9, 1, 64)), work(9, 20)},
                                     {work(0, 6), message(RECORD_RECV, 6, 10, 0, 64)}},
                                    {{11, 0, 3, 0, 6}, {6, 0, 0, 4, 10}, {0, 0, 0, 0, 20}},
                                    17,
                                    3,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"what the trace says of waiting comes first",
                                    {{with_idle(message(RECORD_SEND, 0, 9, 1, 64), 4), work(9, 20)},
                                     {work(0, 6), with_idle(message(RECORD_RECV, 6, 10, 0, 64), 1)}},
                                    {{11, 0, 5, 0, 4}, {6, 0, 0, 3, 11}, {0, 0, 0, 0, 20}},
                                    17,
                                    3,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"isend, irecv, waits",
                                    {{post(RECORD_ISEND, 0, 1, 1, 5), work(1, 4), post(RECORD_WAIT, 4, 6, -1, 5)},
                                     {post(RECORD_IRECV, 0, 1, 0, 9), post(RECORD_WAIT, 1, 8, -1, 9)}},
                                    {{3, 0, 3, 0, 2}, {0, 0, 0, 8, 0}, {0, 0, 0, 0, 8}},
                                    0,
                                    8,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"synchronous isend",
                                    {{synchronous(post(RECORD_ISEND, 0, 1, 1, 5)), post(RECORD_WAIT, 1, 9, -1, 5)},
                                     {work(0, 5), message(RECORD_RECV, 5, 8, 0, 64)}},
                                    {{0, 0, 5, 0, 4}, {5, 0, 0, 3, 1}, {0, 0, 0, 0, 9}},
                                    5,
                                    4,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"barrier",
                                    {{work(0, 2), collective(RECORD_BARRIER, 2, 11, -1)},
                                     {work(0, 9), collective(RECORD_BARRIER, 9, 12, -1)},
                                     {work(0, 5), collective(RECORD_BARRIER, 5, 13, -1)}},
                                    {{2, 0, 0, 2, 9}, {9, 0, 0, 3, 1}, {5, 0, 0, 4, 4}},
                                    9,
                                    4,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"who ends before the last one waits needs only its start",
                                    {{work(0, 1), start(1, 2), end(RECORD_ALLREDUCE, 2, 6), work(6, 20)},
                                     {work(0, 4), start(4, 5), work(5, 10), end(RECORD_ALLREDUCE, 10, 11)},
                                     {start(0, 1), end(RECORD_ALLREDUCE, 1, 7)}},
                                    {{15, 0, 1, 2, 2}, {9, 0, 1, 1, 9}, {0, 0, 1, 3, 16}},
                                    18,
                                    2,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"who ends later may have waited until it came back to the library",
                                    {{work(0, 1), start(1, 2), end(RECORD_ALLREDUCE, 2, 12)},
                                     {work(0, 4), start(4, 5), work(5, 10), end(RECORD_ALLREDUCE, 10, 11)},
                                     {start(0, 1), end(RECORD_ALLREDUCE, 1, 12)}},
                                    {{1, 0, 1, 2, 8}, {9, 0, 1, 1, 1}, {0, 0, 1, 2, 9}},
                                    9,
                                    3,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"fence",
                                    {{work(0, 2), collective(RECORD_FENCE, 2, 10, -1), work(10, 12)},
                                     {work(0, 9), collective(RECORD_FENCE, 9, 11, -1), work(11, 12)},
                                     {work(0, 5), collective(RECORD_FENCE, 5, 13, -1)}},
                                    {{4, 0, 1, 0, 8}, {10, 0, 2, 0, 1}, {5, 0, 4, 0, 4}},
                                    9,
                                    4,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"broadcast from 1",
                                    {{collective(RECORD_BROADCAST, 0, 8, 1), work(8, 9)},
                                     {work(0, 6), collective(RECORD_BROADCAST, 6, 7, 1)},
                                     {work(0, 10), collective(RECORD_BROADCAST, 10, 12, 1)}},
                                    {{1, 0, 0, 2, 9}, {6, 0, 1, 0, 5}, {10, 0, 0, 2, 0}},
                                    10,
                                    2,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"reduce to 0",
                                    {{collective(RECORD_REDUCE, 0, 9, 0)},
                                     {work(0, 6), collective(RECORD_REDUCE, 6, 7, 0)},
                                     {collective(RECORD_REDUCE, 0, 1, 0)}},
                                    {{0, 0, 0, 3, 6}, {6, 0, 1, 0, 2}, {0, 0, 1, 0, 8}},
                                    6,
                                    3,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"scan: only the lower ranks count",
                                    {{work(0, 4), collective(RECORD_SCAN, 4, 5, -1)},
                                     {collective(RECORD_SCAN, 0, 6, -1)},
                                     {work(0, 8), collective(RECORD_SCAN, 8, 9, -1)}},
                                    {{4, 0, 1, 0, 4}, {0, 0, 0, 2, 7}, {8, 0, 0, 1, 0}},
                                    8,
                                    1,
                                    0,
                                    0};
    cases[n - 1].states[0][CASE_SEND] = 0; /* its first member takes in nothing, but is in it */
    cases[n - 1].states[0][CASE_RECEIVE] = 1;
    cases[n++] = (struct hand_case){"a clock that is wrong",
                                    {{work(0, 10), message(RECORD_SEND, 10, 12, 1, 64)},
                                     {work(0, 2), message(RECORD_RECV, 2, 7, 0, 64), work(7, 20)}},
                                    {{10, 0, 2, 0, 8}, {15, 0, 0, 0, 5}, {0, 0, 0, 0, 20}},
                                    15,
                                    5,
                                    1,
                                    0};
    cases[n++] = (struct hand_case){"sleep, calls, gaps, a late start",
                                    {{{SPAN(3, 5), .kind = RECORD_SLEEP},
                                      {SPAN(6, 8), .kind = RECORD_CALL},
                                      {SPAN(8, 12), .kind = RECORD_CALL, .call = RECORD_CALL_INPUT, .bytes = 9},
                                      {SPAN(12, 13), .kind = RECORD_CALL, .call = RECORD_CALL_RECEIVE}}},
                                    {{5, 0, 2, 1, 5}, {0, 0, 0, 0, 13}, {0, 0, 0, 0, 13}},
                                    5,
                                    8,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"what a rank sleeps through at its end is nobody's path",
                                    {{work(0, 2), {SPAN(2, 5), .kind = RECORD_SLEEP}, work(5, 9)},
                                     {work(0, 1), {SPAN(1, 9), .kind = RECORD_SLEEP}}},
                                    {{6, 0, 0, 0, 3}, {1, 0, 0, 0, 8}, {0, 0, 0, 0, 9}},
                                    6,
                                    3,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){
        "but all is, if the run ends with it",
        {{work(0, 2), {SPAN(2, 7), .kind = RECORD_SLEEP}}, {work(0, 3), {SPAN(3, 9), .kind = RECORD_SLEEP}}},
        {{2, 0, 0, 0, 7}, {3, 0, 0, 0, 6}, {0, 0, 0, 0, 9}},
        3,
        6,
        0,
        0};
    *count = n;
}

static struct record for_processor(int64_t from, int64_t to, int peer)
{
    return (struct record){SPAN(from, to), .kind = RECORD_SLEEP, .peer = peer, .sleep = SLEEP_PROCESSOR};
}

/* Waiting for a processor that another rank has; for a message that had been sent long before. */
static void add_cases_of_waiting(struct hand_case *cases, int *count)
{
    int n = *count;
    cases[n++] = (struct hand_case){"a processor after another rank's work",
                                    {{message(RECORD_SEND, 0, 3, 1, 64), work(3, 10)},
                                     {message(RECORD_RECV, 0, 4, 0, 64), for_processor(4, 10, 0), work(10, 15)},
                                     {work(0, 2), for_processor(2, 15, 1), work(15, 16)}},
                                    {{7, 0, 3, 0, 6}, {5, 0, 0, 4, 7}, {3, 0, 0, 0, 13}},
                                    13,
                                    3,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"a processor that is free within a call",
                                    {{work(0, 1), {SPAN(1, 10), .kind = RECORD_CALL}},
                                     {work(0, 2), for_processor(2, 6, 0), work(6, 20)},
                                     {work(0, 3), for_processor(3, 9, 0), work(9, 11)}},
                                    {{1, 0, 9, 0, 10}, {16, 0, 0, 0, 4}, {5, 0, 0, 0, 15}},
                                    16,
                                    0,
                                    0,
                                    4};
    cases[n++] = (struct hand_case){"a processor for which a rank waits that has ended, or waits as well",
                                    {{work(0, 3)},
                                     {work(0, 2), for_processor(2, 6, 0), work(6, 7)},
                                     {work(0, 1), for_processor(1, 8, 1), work(8, 9)}},
                                    {{3, 0, 0, 0, 6}, {3, 0, 0, 0, 6}, {2, 0, 0, 0, 7}},
                                    2,
                                    0,
                                    0,
                                    7};
    cases[n++] = (struct hand_case){
        "two that wait for each other's processor",
        {{work(0, 2), for_processor(2, 5, 1), work(5, 7)}, {work(0, 3), for_processor(3, 5, 0), work(5, 9)}},
        {{4, 0, 0, 0, 5}, {7, 0, 0, 0, 2}, {0, 0, 0, 0, 9}},
        7,
        0,
        0,
        2};
    cases[n++] =
        (struct hand_case){"two that wait for a processor until different moments",
                           {{message(RECORD_RECV, 0, 3, 2, 64), work(3, 6), work(6, 10)},
                            {work(0, 1), for_processor(1, 6, 0), work(6, 8)},
                            {work(0, 1), message(RECORD_SEND, 1, 2, 0, 64), for_processor(2, 10, 0), work(10, 12)}},
                           {{7, 0, 0, 2, 3}, {3, 0, 0, 0, 9}, {3, 0, 1, 0, 8}},
                           10,
                           2,
                           0,
                           0};
    cases[n++] = (struct hand_case){"a processor that is free within a call that comes later",
                                    {{message(RECORD_RECV, 0, 3, 2, 64), {SPAN(3, 10), .kind = RECORD_CALL}},
                                     {work(0, 1), for_processor(1, 6, 0), work(6, 12)},
                                     {work(0, 1), message(RECORD_SEND, 1, 2, 0, 64)}},
                                    {{0, 0, 7, 2, 3}, {7, 0, 0, 0, 5}, {1, 0, 1, 0, 10}},
                                    7,
                                    0,
                                    0,
                                    5};
    cases[n++] = (struct hand_case){"sent before, but not there yet",
                                    {{work(0, 2), message(RECORD_SEND, 2, 3, 1, 64)},
                                     {work(0, 5), with_idle(message(RECORD_RECV, 5, 12, 0, 64), 0)}},
                                    {{2, 0, 1, 0, 9}, {5, 0, 0, 7, 0}, {0, 0, 0, 0, 12}},
                                    2,
                                    10,
                                    0,
                                    0};
    cases[n++] = (struct hand_case){"setting up links, and what an abort cut off",
                                    {{{SPAN(0, 4), .kind = RECORD_CALL, .call = RECORD_CALL_CONTROL},
                                      {SPAN(4, 9), .kind = RECORD_CALL, .call = RECORD_CALL_CUT}}},
                                    {{0, 4, 0, 0, 5}, {0, 0, 0, 0, 9}, {0, 0, 0, 0, 9}},
                                    0,
                                    9,
                                    0,
                                    0};
    *count = n;
}

static int64_t path_computes(const struct outcome *outcome)
{
    return number(outcome, "critical_path_s", "processing") + number(outcome, "critical_path_s", "io");
}

/* A path that has none of it has no measure. */
static int64_t off_path(const struct outcome *outcome)
{
    int64_t off_ps = number(outcome, "critical_path_s", "off_processor");
    return off_ps < 0 ? 0 : off_ps;
}

static bool is_nothing(const struct record *record)
{
    return record->kind == RECORD_COMPUTE && record->end_ps == 0;
}

static bool agrees(const struct hand_case *expected)
{
    struct fake_trace trace;
    struct outcome outcome;
    fake_init(&trace, CASE_RANKS);
    for (int rank = 0; rank < CASE_RANKS; rank++)
        for (int i = 0; i < CASE_RECORDS && !is_nothing(&expected->records[rank][i]); i++)
            fake_add(&trace, rank, expected->records[rank][i]);
    analyse(&outcome, &trace, false, -1);
    bool good = outcome.status == 0 && outcome.watch.good;
    for (int rank = 0; good && rank < CASE_RANKS; rank++)
        for (int s = 0; s < N_CASE_STATES; s++)
            if (outcome.result.state_ps[rank][case_states[s]] != expected->states[rank][s]) {
                fprintf(stderr, "%s: rank %d %s %lld, expected %lld\n", expected->name, rank,
                        location_state_names[case_states[s]], (long long)outcome.result.state_ps[rank][case_states[s]],
                        (long long)expected->states[rank][s]);
                good = false;
            }
    good = good && path_computes(&outcome) == expected->computation_ps &&
           number(&outcome, "critical_path_s", "communication") == expected->communication_ps &&
           off_path(&outcome) == expected->off_ps && outcome.stats.clock_errors == expected->clock_errors;
    if (!good)
        fprintf(stderr, "%s: status %d %s; path %lld + %lld, clock errors %lld\n", expected->name, outcome.status,
                outcome.error.message, (long long)path_computes(&outcome),
                (long long)number(&outcome, "critical_path_s", "communication"), (long long)outcome.stats.clock_errors);
    result_dispose(&outcome.result);
    fake_dispose(&trace);
    return good;
}

static void test_by_hand(void)
{
    static struct hand_case cases[32];
    int count;
    add_cases(cases, &count);
    add_cases_of_waiting(cases, &count);
    for (int i = 0; i < count; i++)
        CU_ASSERT_TRUE(agrees(&cases[i]));
}

/* Only calls on files have bytes of their own, in any library; each another power of ten. */
static void test_files(void)
{
    static const struct {
        uint8_t call;
        int64_t bytes;
    } rows[] = {{RECORD_CALL_READ, 1},      {RECORD_CALL_INPUT, 10},    {RECORD_CALL_WRITE, 100},
                {RECORD_CALL_OUTPUT, 1000}, {RECORD_CALL_OTHER, 10000}, {RECORD_CALL_SEND, 100000}};
    struct fake_trace trace;
    struct outcome outcome;
    fake_init(&trace, 1);
    for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++)
        fake_add(&trace, 0,
                 (struct record){SPAN(i, i + 1), .kind = RECORD_CALL, .call = rows[i].call, .bytes = rows[i].bytes});
    analyse(&outcome, &trace, false, -1);
    CU_ASSERT_EQUAL_FATAL(outcome.status, 0);
    CU_ASSERT_EQUAL(outcome.watch.input_bytes, 11);
    CU_ASSERT_EQUAL(outcome.watch.output_bytes, 1100);
    CU_ASSERT_EQUAL(outcome.watch.other_bytes, 0);
    result_dispose(&outcome.result);
    fake_dispose(&trace);
}

/* Scopes nest, equal names are one, and what is outside of all is the program; operations and quantums add up; T_seq
 * that nobody knows leaves out what needs it. */
static void test_scopes_and_counts(void)
{
    struct fake_trace trace;
    struct outcome outcome;
    fake_init(&trace, 2);
    fake_add(&trace, 0, work(0, 1));
    fake_add(&trace, 0, (struct record){SPAN(1, 1), .kind = RECORD_ENTER, .scope = 1});
    fake_add(&trace, 0, (struct record){SPAN(1, 4), .kind = RECORD_COMPUTE, .operations = 5, .quantums = 2});
    fake_add(&trace, 0, (struct record){SPAN(4, 4), .kind = RECORD_ENTER, .scope = 2});
    fake_add(&trace, 0, message(RECORD_SEND, 4, 6, 1, 64));
    fake_add(&trace, 0, (struct record){SPAN(6, 6), .kind = RECORD_LEAVE});
    fake_add(&trace, 0, (struct record){SPAN(6, 8), .kind = RECORD_COMPUTE, .control = true, .operations = 3});
    fake_add(&trace, 0, (struct record){SPAN(8, 8), .kind = RECORD_LEAVE});
    fake_add(&trace, 0, (struct record){SPAN(8, 8), .kind = RECORD_ENTER, .scope = 3});
    fake_add(&trace, 0, work(8, 9));
    fake_add(&trace, 1, message(RECORD_RECV, 0, 7, 0, 64));
    analyse(&outcome, &trace, false, -1);
    CU_ASSERT_EQUAL_FATAL(outcome.status, 0);
    CU_ASSERT_TRUE(outcome.watch.good);
    CU_ASSERT_EQUAL(number(&outcome, "scope_state_s", "program.useful"), 1);
    CU_ASSERT_EQUAL(number(&outcome, "scope_state_s", "solve.useful"), 4);
    CU_ASSERT_EQUAL(number(&outcome, "scope_state_s", "solve.control"), 2);
    CU_ASSERT_EQUAL(number(&outcome, "scope_state_s", "exchange.send"), 2);
    CU_ASSERT_EQUAL(number(&outcome, "scope_state_s", "end.idle"), 2);
    CU_ASSERT_EQUAL(number(&outcome, "critical_path_s", "communication.exchange"), 2);
    CU_ASSERT_EQUAL(number(&outcome, "", "operations"), 5);
    CU_ASSERT_EQUAL(outcome.stats.quantums, 2);
    CU_ASSERT_EQUAL(number(&outcome, "", "messages"), 1);
    CU_ASSERT_EQUAL(number(&outcome, "", "bytes"), 64);
    CU_ASSERT_EQUAL(outcome.watch.receipts, 1);
    CU_ASSERT_PTR_NULL(result_find(&outcome.result, "", "speedup"));
    CU_ASSERT_PTR_NULL(result_find(&outcome.result, "", "sequential_time_s"));
    CU_ASSERT_PTR_NULL(result_find(&outcome.result, "overhead_ratio", "anomaly"));
    const struct measure *control = result_find(&outcome.result, "overhead_ratio", "control");
    CU_ASSERT_PTR_NOT_NULL_FATAL(control);
    CU_ASSERT_DOUBLE_EQUAL(control->ratio, 2.0 / 5, 1e-15);
    result_dispose(&outcome.result);
    analyse(&outcome, &trace, false, 4);
    CU_ASSERT_DOUBLE_EQUAL(result_find(&outcome.result, "", "speedup")->ratio, 4.0 / 9, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(result_find(&outcome.result, "overhead_ratio", "anomaly")->ratio, 1.0 / 4, 1e-15);
    result_dispose(&outcome.result);
    fake_dispose(&trace);
}

/* Messages of 0, 1, 64 ... 127 bytes fall into their classes, with the time of both ends. */
static void test_sizes(void)
{
    static const int64_t sizes[] = {0, 1, 64, 127, 128};
    static const int64_t rows[][3] = {{0, 0, 1}, {1, 1, 1}, {64, 127, 2}, {128, 255, 1}};
    struct fake_trace trace;
    struct outcome outcome;
    fake_init(&trace, 2);
    for (int i = 0; i < 5; i++) {
        fake_add(&trace, 0, message(RECORD_SEND, 10 * i, 10 * i + 2, 1, sizes[i]));
        fake_add(&trace, 1, message(RECORD_RECV, 10 * i, 10 * i + 5, 0, sizes[i]));
    }
    fake_add(&trace, 0, collective(RECORD_BARRIER, 60, 70, -1));
    fake_add(&trace, 1, collective(RECORD_BARRIER, 50, 70, -1));
    analyse(&outcome, &trace, false, -1);
    CU_ASSERT_EQUAL_FATAL(outcome.status, 0);
    const struct result_table *table = result_find_table(&outcome.result, TABLE_MESSAGE_SIZES);
    CU_ASSERT_PTR_NOT_NULL_FATAL(table);
    CU_ASSERT_EQUAL_FATAL(table->n_rows, 4);
    for (size_t r = 0; r < 4; r++) {
        CU_ASSERT_EQUAL(cells_at(table, r, "from_bytes").number, rows[r][0]);
        CU_ASSERT_EQUAL(cells_at(table, r, "to_bytes").number, rows[r][1]);
        CU_ASSERT_EQUAL(cells_at(table, r, "messages").number, rows[r][2]);
        CU_ASSERT_EQUAL(cells_at(table, r, "send_s").number, 2 * rows[r][2]);
        CU_ASSERT_EQUAL(cells_at(table, r, "receive_s").number, 5 * rows[r][2]);
    }
    CU_ASSERT_EQUAL(cells_at(table, 2, "bytes").number, 64 + 127);
    CU_ASSERT_DOUBLE_EQUAL(cells_at(table, 2, "mean_s").ratio, 7e-12, 1e-20);
    CU_ASSERT_DOUBLE_EQUAL(cells_at(table, 2, "bandwidth_Bps").ratio, 191 / 14e-12, 1);
    table = result_find_table(&outcome.result, TABLE_COLLECTIVE_SIZES);
    CU_ASSERT_PTR_NOT_NULL_FATAL(table);
    CU_ASSERT_EQUAL(cells_at(table, 0, "calls").number, 2);
    CU_ASSERT_EQUAL(cells_at(table, 0, "idle_s").number, 10);
    result_dispose(&outcome.result);
    fake_dispose(&trace);
}

/* --- random programs --- */

static uint64_t random_state;

static int64_t random_below(int64_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int64_t)(random_state % (uint64_t)limit);
}

/* One step of a rank as the walk back sees it. */
struct link {
    int64_t start_ps, end_ps, origin_ps;
    int origin; /* the rank that the end depends on, from origin_ps on; -1: on its own beginning */
    bool computes;
};

struct pending {
    uint32_t request;
    bool receive, synchronous;
    int other;
    int64_t sent_ps, posted_ps;
};

struct random_run {
    struct fake_trace trace;
    int64_t clock_ps[FAKE_RANKS], idle_ps[FAKE_RANKS], states[N_LOCATION_STATES];
    struct link *links[FAKE_RANKS];
    size_t n_links[FAKE_RANKS], capacities[FAKE_RANKS];
    struct pending pending[FAKE_RANKS][8];
    int n_pending[FAKE_RANKS];
    /* Sends, and waits for sends, that may have waited for the receiver to come to the library. */
    struct held {
        int rank, to;
        size_t link;
        int64_t sent_ps, posted_ps;
    } held[2000];
    size_t n_held;
    uint32_t n_requests;
    int64_t messages, bytes, bytes_received;
};

static void add_link(struct random_run *run, int rank, int64_t end_ps, bool computes, int origin, int64_t origin_ps)
{
    run->links[rank] = xgrow(run->links[rank], run->n_links[rank], &run->capacities[rank], sizeof(struct link));
    run->links[rank][run->n_links[rank]++] = (struct link){run->clock_ps[rank], end_ps, origin_ps, origin, computes};
    run->clock_ps[rank] = end_ps;
}

static void compute(struct random_run *run, int rank)
{
    int64_t start_ps = run->clock_ps[rank], end_ps = start_ps + 1 + random_below(1000000);
    bool control = random_below(4) == 0;
    fake_add(&run->trace, rank, (struct record){SPAN(start_ps, end_ps), .kind = RECORD_COMPUTE, .control = control});
    run->states[control ? STATE_CONTROL : STATE_USEFUL] += end_ps - start_ps;
    add_link(run, rank, end_ps, true, -1, 0);
}

/* Account for a wait from the rank's present to end_ps, of which what is before begun_ps is idle, by rank `other`. */
static void wait_for(struct random_run *run, int rank, int64_t end_ps, int state, int other, int64_t begun_ps)
{
    int64_t start_ps = run->clock_ps[rank], idle_ps = begun_ps > start_ps ? begun_ps - start_ps : 0;
    run->states[STATE_IDLE] += idle_ps;
    run->states[state] += end_ps - start_ps - idle_ps;
    add_link(run, rank, end_ps, false, begun_ps > start_ps ? other : -1, begun_ps);
}

static int64_t later_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void hold(struct random_run *run, int rank, int to, int64_t sent_ps, int64_t posted_ps)
{
    run->held[run->n_held++] = (struct held){rank, to, run->n_links[rank] - 1, sent_ps, posted_ps};
}

/* The first moment from `from_ps` on in which the rank is in the library. */
static int64_t first_inside(const struct random_run *run, int rank, int64_t from_ps)
{
    for (size_t i = 0; i < run->trace.counts[rank]; i++) {
        const struct record *record = &run->trace.records[rank][i];
        if (record->kind != RECORD_COMPUTE && (record->end_ps > from_ps || record->start_ps >= from_ps))
            return later_of(record->start_ps, from_ps);
    }
    return INT64_MAX;
}

/* By the definition, once all records are there. */
static void account_held(struct random_run *run)
{
    for (size_t i = 0; i < run->n_held; i++) {
        const struct held *held = &run->held[i];
        struct link *link = &run->links[held->rank][held->link];
        int64_t both_ps = later_of(held->sent_ps, held->posted_ps);
        int64_t ready_ps = both_ps == held->posted_ps ? both_ps : first_inside(run, held->to, both_ps);
        if (ready_ps <= link->start_ps || ready_ps >= link->end_ps)
            continue;
        run->states[STATE_IDLE] += ready_ps - link->start_ps;
        run->states[STATE_SEND] -= ready_ps - link->start_ps;
        link->origin = held->to;
        link->origin_ps = ready_ps;
    }
}

/* A message; either end may be non-blocking. The receive is posted first or last, as the clocks have it. */
static void exchange(struct random_run *run, int from, int to)
{
    bool isend = random_below(2) == 0 && run->n_pending[from] < 8;
    bool irecv = (random_below(2) == 0 || from == to) && run->n_pending[to] < 8;
    bool together = random_below(3) == 0;
    int64_t bytes = random_below(5000);
    if (from == to && (!irecv || !isend || run->n_pending[from] > 6))
        return;
    struct record send = message(isend ? RECORD_ISEND : RECORD_SEND, run->clock_ps[from], 0, to, bytes);
    struct record receive = message(irecv ? RECORD_IRECV : RECORD_RECV, 0, 0, from, bytes);
    send.synchronous = together;
    send.tag = receive.tag = (int32_t)random_below(2);
    send.request = ++run->n_requests;
    receive.request = ++run->n_requests;
    if (irecv) { /* before the send, which of one rank to itself is needed */
        receive.start_ps = run->clock_ps[to];
        receive.end_ps = receive.start_ps + random_below(50);
        run->states[STATE_RECEIVE] += receive.end_ps - receive.start_ps;
        fake_add(&run->trace, to, receive);
        add_link(run, to, receive.end_ps, false, -1, 0);
    } else
        receive.start_ps = run->clock_ps[to];
    send.start_ps = run->clock_ps[from];
    if (isend || !together) {
        bool is_long = !isend && !irecv && random_below(2) == 0;
        send.end_ps = (is_long ? later_of(send.start_ps, receive.start_ps) : send.start_ps) + random_below(1000);
        run->states[STATE_SEND] += send.end_ps - send.start_ps;
        add_link(run, from, send.end_ps, false, -1, 0);
        if (!isend)
            hold(run, from, to, send.start_ps, receive.start_ps);
    } else {
        send.end_ps = later_of(send.start_ps, receive.start_ps) + random_below(1000);
        wait_for(run, from, send.end_ps, STATE_SEND, to, receive.start_ps);
    }
    fake_add(&run->trace, from, send);
    if (!irecv) {
        receive.end_ps = later_of(receive.start_ps, send.start_ps) + random_below(1000);
        fake_add(&run->trace, to, receive);
        wait_for(run, to, receive.end_ps, STATE_RECEIVE, from, send.start_ps);
    }
    if (isend)
        run->pending[from][run->n_pending[from]++] =
            (struct pending){send.request, false, together, to, send.start_ps, receive.start_ps};
    if (irecv)
        run->pending[to][run->n_pending[to]++] =
            (struct pending){receive.request, true, together, from, send.start_ps, receive.start_ps};
    run->messages++;
    run->bytes += bytes;
}

static void finish_one(struct random_run *run, int rank)
{
    int which = (int)random_below(run->n_pending[rank]);
    struct pending pending = run->pending[rank][which];
    run->pending[rank][which] = run->pending[rank][--run->n_pending[rank]];
    int64_t start_ps = run->clock_ps[rank];
    int64_t begun_ps = pending.receive ? pending.sent_ps : pending.synchronous ? pending.posted_ps : 0;
    int64_t end_ps = later_of(start_ps, begun_ps) + random_below(2) * random_below(1000);
    fake_add(&run->trace, rank, post(RECORD_WAIT, start_ps, end_ps, -1, pending.request));
    wait_for(run, rank, end_ps, pending.receive ? STATE_RECEIVE : STATE_SEND, pending.other, begun_ps);
    if (!pending.receive && !pending.synchronous)
        hold(run, rank, pending.other, pending.sent_ps, pending.posted_ps);
}

/* The member whose beginning the end of member `group_rank` depends on, -1 for none: the definition, member by
 * member. */
static int latest_for(const struct record_group *group, const int64_t *begun_ps, int kind, int root, int group_rank)
{
    bool is_root = group->members[group_rank] == root;
    bool from_root = kind == RECORD_BROADCAST || kind == RECORD_SCATTER;
    bool to_root = kind == RECORD_REDUCE || kind == RECORD_GATHER;
    int latest = -1;
    for (int other = 0; other < group->n_members; other++) {
        bool counts = from_root                                      ? group->members[other] == root && !is_root
                      : to_root                                      ? is_root
                      : kind == RECORD_SCAN || kind == RECORD_EXSCAN ? other < group_rank
                                                                     : true;
        if (counts && (latest < 0 || begun_ps[other] > begun_ps[latest]))
            latest = other;
    }
    return latest;
}

static void meet(struct random_run *run, int g)
{
    const struct record_group *group = &run->trace.groups[g];
    int kind = (int)random_below(N_RECORD_COLLECTIVES), root = group->members[random_below(group->n_members)];
    bool from_root = kind == RECORD_BROADCAST || kind == RECORD_SCATTER;
    bool to_root = kind == RECORD_REDUCE || kind == RECORD_GATHER;
    int64_t begun_ps[FAKE_RANKS];
    for (int group_rank = 0; group_rank < group->n_members; group_rank++)
        begun_ps[group_rank] = run->clock_ps[group->members[group_rank]];
    for (int group_rank = 0; group_rank < group->n_members; group_rank++) {
        int rank = group->members[group_rank], latest = latest_for(group, begun_ps, kind, root, group_rank);
        int64_t last_ps = latest >= 0 ? begun_ps[latest] : 0;
        int64_t end_ps = later_of(begun_ps[group_rank], last_ps) + random_below(1000);
        struct record record = collective(kind, begun_ps[group_rank], end_ps, from_root || to_root ? root : -1);
        record.group = g;
        fake_add(&run->trace, rank, record);
        bool sends = (from_root && rank == root) || (to_root && rank != root) || record_synchronises((uint8_t)kind);
        wait_for(run, rank, end_ps, sends ? STATE_SEND : STATE_RECEIVE, latest >= 0 ? group->members[latest] : -1,
                 last_ps);
    }
}

static void add_groups(struct random_run *run)
{
    struct fake_trace *trace = &run->trace;
    for (; trace->n_groups < 4; trace->n_groups++) {
        struct record_group *group = &trace->groups[trace->n_groups];
        group->members = trace->members[trace->n_groups];
        for (int rank = trace->n_ranks - 1; rank >= 0; rank--)
            if (random_below(2) == 0)
                group->members[group->n_members++] = rank;
        if (group->n_members == 0)
            group->members[group->n_members++] = 0;
    }
}

static void make_random(struct random_run *run, int n_ranks, int n_actions)
{
    *run = (struct random_run){0};
    fake_init(&run->trace, n_ranks);
    add_groups(run);
    for (int rank = 0; rank < n_ranks; rank++)
        compute(run, rank);
    for (int i = 0; i < n_actions; i++) {
        int rank = (int)random_below(n_ranks);
        int64_t action = random_below(10);
        if (action < 3)
            compute(run, rank);
        else if (action < 7)
            exchange(run, rank, (int)random_below(n_ranks));
        else if (action == 7)
            meet(run, (int)random_below(run->trace.n_groups));
        else if (run->n_pending[rank] > 0)
            finish_one(run, rank);
    }
    for (int rank = 0; rank < n_ranks; rank++)
        while (run->n_pending[rank] > 0)
            finish_one(run, rank);
    account_held(run);
}

/* Walk back from the end: what the critical path has of computation and of communication. */
static void walk_back(const struct random_run *run, int64_t *computation_ps, int64_t *communication_ps)
{
    int rank = 0;
    *computation_ps = *communication_ps = 0;
    for (int other = 1; other < run->trace.n_ranks; other++)
        rank = run->clock_ps[other] > run->clock_ps[rank] ? other : rank;
    int64_t now_ps = run->clock_ps[rank];
    while (now_ps > 0) {
        size_t i = run->n_links[rank];
        while (i > 0 && run->links[rank][i - 1].end_ps > now_ps)
            i--;
        while (i > 0 && run->links[rank][i - 1].start_ps == now_ps)
            i--; /* without length */
        const struct link *link = &run->links[rank][i - 1];
        int64_t from_ps = link->origin >= 0 ? link->origin_ps : link->start_ps;
        *(link->computes ? computation_ps : communication_ps) += now_ps - from_ps;
        rank = link->origin >= 0 ? link->origin : rank;
        now_ps = from_ps;
    }
}

static bool random_agrees(int n_ranks, int n_actions)
{
    static struct random_run run;
    struct outcome outcome;
    int64_t computation_ps, communication_ps, end_ps = 0;
    make_random(&run, n_ranks, n_actions);
    for (int rank = 0; rank < n_ranks; rank++)
        end_ps = later_of(end_ps, run.clock_ps[rank]);
    for (int rank = 0; rank < n_ranks; rank++)
        run.states[STATE_IDLE] += end_ps - run.clock_ps[rank];
    analyse(&outcome, &run.trace, false, -1);
    bool good = outcome.status == 0 && outcome.watch.good && outcome.stats.end_ps == end_ps &&
                outcome.watch.receipts == run.messages && outcome.watch.receipt_bytes == run.bytes &&
                outcome.stats.clock_errors == 0;
    for (int s = 0; good && s < N_LOCATION_STATES; s++)
        good = time_in(&outcome, s) == run.states[s];
    good = good && number(&outcome, "", "messages") == run.messages && number(&outcome, "", "bytes") == run.bytes;
    walk_back(&run, &computation_ps, &communication_ps);
    good = good && number(&outcome, "critical_path_s", "processing") == computation_ps &&
           number(&outcome, "critical_path_s", "communication") == communication_ps;
    if (!good) {
        fprintf(stderr, "%d ranks, %d actions: status %d %s, intervals %s, path %lld + %lld, expected %lld + %lld\n",
                n_ranks, n_actions, outcome.status, outcome.error.message, outcome.watch.good ? "good" : "bad",
                (long long)number(&outcome, "critical_path_s", "processing"),
                (long long)number(&outcome, "critical_path_s", "communication"), (long long)computation_ps,
                (long long)communication_ps);
        for (int s = 0; s < N_LOCATION_STATES; s++)
            fprintf(stderr, "  %s %lld, expected %lld\n", location_state_names[s], (long long)time_in(&outcome, s),
                    (long long)run.states[s]);
    }
    result_dispose(&outcome.result);
    fake_dispose(&run.trace);
    for (int rank = 0; rank < n_ranks; rank++)
        free(run.links[rank]);
    return good;
}

static void test_random(void)
{
    random_state = 88172645463325252u;
    for (int i = 0; i < 400; i++)
        CU_ASSERT_TRUE(random_agrees(1 + i % FAKE_RANKS, 10 + 2 * i));
}

/* Past data is forgotten: checkpoints, and with them messages and collectives, are few however long the trace. */
static void test_memory(void)
{
    struct fake_trace trace;
    struct outcome outcome;
    fake_init(&trace, 3);
    for (int i = 0; i < 2000; i++) {
        int64_t now_ps = 100 * i;
        for (int rank = 0; rank < 3; rank++) {
            uint32_t request = (uint32_t)i * 2;
            fake_add(&trace, rank, post(RECORD_IRECV, now_ps, now_ps, (rank + 2) % 3, request));
            fake_add(&trace, rank, post(RECORD_ISEND, now_ps, now_ps + 1, (rank + 1) % 3, request + 1));
            fake_add(&trace, rank, post(RECORD_WAIT, now_ps + 1, now_ps + 5, -1, request));
            fake_add(&trace, rank, post(RECORD_WAIT, now_ps + 5, now_ps + 6, -1, request + 1));
            fake_add(&trace, rank, collective(i % RECORD_FENCE, now_ps + 10, now_ps + 20, 1));
        }
    }
    analyse(&outcome, &trace, false, -1);
    CU_ASSERT_EQUAL(outcome.status, 0);
    CU_ASSERT_TRUE(outcome.watch.good);
    CU_ASSERT_TRUE(outcome.watch.largest_checkpoint < 12);
    CU_ASSERT_EQUAL(outcome.watch.receipts, 6000);
    CU_ASSERT_EQUAL(outcome.stats.n_collectives, 6000);
    result_dispose(&outcome.result);
    fake_dispose(&trace);
}

/* Whatever is cut off at the end of any rank, an aborted run's trace is accounted for. */
static void test_cut(void)
{
    static struct random_run run;
    random_state = 362436069u;
    for (int i = 0; i < 200; i++) {
        struct outcome outcome;
        int n_ranks = 2 + i % 5;
        int64_t end_ps = 0;
        make_random(&run, n_ranks, 60);
        for (int rank = 0; rank < n_ranks; rank++) {
            run.trace.counts[rank] -= (size_t)random_below((int64_t)run.trace.counts[rank]);
            end_ps = later_of(end_ps, run.trace.records[rank][run.trace.counts[rank] - 1].end_ps);
        }
        analyse(&outcome, &run.trace, true, -1);
        CU_ASSERT_EQUAL(outcome.status, 0);
        CU_ASSERT_TRUE(outcome.watch.good);
        CU_ASSERT_EQUAL(number(&outcome, "", "time_s"), end_ps);
        CU_ASSERT_EQUAL(number(&outcome, "critical_path_s", "processing") +
                            number(&outcome, "critical_path_s", "communication"),
                        end_ps);
        result_dispose(&outcome.result);
        fake_dispose(&run.trace);
        for (int rank = 0; rank < n_ranks; rank++)
            free(run.links[rank]);
    }
}

/* The collective that most ranks hung in, those that have not come to it, and where they stand. `met`: the trace has
 * the collective's members; else the name of the call alone. */
static void expect_hang(bool met)
{
    struct fake_trace trace;
    struct outcome outcome;
    fake_init(&trace, 6);
    for (int rank = 0; rank < 3; rank++) {
        fake_add(&trace, rank, work(0, 1000 + 100 * rank));
        if (met)
            fake_add(&trace, rank, collective(RECORD_ALLREDUCE, 1000 + 100 * rank, 9000, -1));
        else
            fake_add(&trace, rank,
                     (struct record){SPAN(1000 + 100 * rank, 9000), .kind = RECORD_CALL, .call = RECORD_CALL_CUT,
                                     .peer = -1, .what = "allreduce", .of_all = true});
    }
    fake_add(&trace, 3, message(RECORD_RECV, 500, 9000, 5, 8));
    fake_add(&trace, 4, work(0, 9000));
    fake_add(&trace, 5,
             (struct record){SPAN(700, 9000), .kind = RECORD_CALL, .call = RECORD_CALL_CUT, .peer = -1,
                             .what = "MPI_Barrier", .of_all = true});
    analyse(&outcome, &trace, true, -1);
    const struct analysis_hang *hang = &outcome.stats.hang;
    CU_ASSERT_EQUAL(outcome.status, 0);
    CU_ASSERT_STRING_EQUAL_FATAL(hang->what, "allreduce");
    CU_ASSERT_EQUAL(hang->n_in, 3);
    CU_ASSERT_EQUAL(hang->n_members, 6);
    CU_ASSERT_EQUAL(hang->last_ps, 1200);
    CU_ASSERT_EQUAL_FATAL(hang->n_absent, 3);
    CU_ASSERT_EQUAL(hang->absent[0].rank, 3);
    CU_ASSERT_EQUAL(hang->absent[0].peer, 5);
    CU_ASSERT_EQUAL(hang->absent[0].from_ps, 500);
    CU_ASSERT_EQUAL(hang->absent[1].rank, 4);
    CU_ASSERT_FALSE(hang->absent[1].waits);
    CU_ASSERT_EQUAL(hang->absent[1].from_ps, 0);
    CU_ASSERT_EQUAL(hang->absent[2].rank, 5);
    CU_ASSERT_STRING_EQUAL(hang->absent[2].what, "MPI_Barrier");
    result_dispose(&outcome.result);
    fake_dispose(&trace);
}

static void test_hang(void)
{
    expect_hang(true);
    expect_hang(false);
}

/* Ranks that waited when a run was aborted, for whom and since when; and ranks without records in the end. */
static void test_cut_says(void)
{
    struct fake_trace trace;
    struct outcome outcome;
    fake_init(&trace, 4);
    fake_add(&trace, 0, work(0, 3000));
    fake_add(&trace, 0, message(RECORD_RECV, 3000, 9000, 2, 8));
    fake_add(&trace, 1, work(0, 2000));
    fake_add(&trace, 1,
             (struct record){SPAN(2000, 9000), .kind = RECORD_CALL, .call = RECORD_CALL_CUT, .peer = 3,
                             .what = "MPI_Ssend"});
    fake_add(&trace, 2, work(0, 5000));
    fake_add(&trace, 3, work(0, 8995));
    analyse(&outcome, &trace, true, -1);
    const struct analysis_stats *stats = &outcome.stats;
    CU_ASSERT_EQUAL(outcome.status, 0);
    CU_ASSERT_EQUAL(stats->n_unfinished, 2);
    CU_ASSERT_EQUAL(stats->first_unfinished.rank, 1);
    CU_ASSERT_EQUAL(stats->first_unfinished.from_ps, 2000);
    CU_ASSERT_EQUAL(stats->first_unfinished.peer, 3);
    CU_ASSERT_STRING_EQUAL(stats->first_unfinished.what, "MPI_Ssend");
    CU_ASSERT_EQUAL(stats->n_silent, 1);
    CU_ASSERT_EQUAL(stats->silent_rank, 2);
    CU_ASSERT_EQUAL(stats->silent_ps, 5000);
    CU_ASSERT_EQUAL(number(&outcome, "state_s", "useful"), 3000 + 2000 + 5000 + 8995);
    CU_ASSERT_EQUAL(number(&outcome, "state_s", "idle"), 6000 + 7000 + 4000 + 5);
    result_dispose(&outcome.result);
    trace.records[1][1].start_ps = 4000;
    analyse(&outcome, &trace, true, -1);
    CU_ASSERT_EQUAL(outcome.stats.first_unfinished.rank, 0);
    CU_ASSERT_EQUAL(outcome.stats.first_unfinished.peer, 2);
    CU_ASSERT_PTR_NULL(outcome.stats.first_unfinished.what);
    result_dispose(&outcome.result);
    fake_dispose(&trace);
}

/* A send that nobody receives is no mistake: it is counted, and the first one described. */
static void test_unreceived(void)
{
    struct fake_trace trace;
    struct outcome outcome;
    fake_init(&trace, 3);
    fake_add(&trace, 0, message(RECORD_SEND, 5, 9, 1, 70));
    fake_add(&trace, 2, message(RECORD_SEND, 2, 4, 1, 30));
    fake_add(&trace, 2, message(RECORD_SEND, 4, 6, 1, 31));
    fake_add(&trace, 1, message(RECORD_RECV, 0, 8, 2, 30));
    analyse(&outcome, &trace, false, -1);
    const struct unreceived *first = &outcome.stats.unreceived;
    CU_ASSERT_EQUAL(outcome.status, 0);
    CU_ASSERT_TRUE(outcome.watch.good);
    CU_ASSERT_EQUAL(first->n_messages, 2);
    CU_ASSERT_TRUE(first->from == 2 && first->to == 1 && first->tag == 7 && first->bytes == 31 && first->at_ps == 4);
    CU_ASSERT_EQUAL(number(&outcome, "", "messages"), 3);
    CU_ASSERT_EQUAL(outcome.watch.receipts, 1);
    result_dispose(&outcome.result);
    fake_dispose(&trace);
}

/* --- what does not fit --- */

static void test_mistakes(void)
{
    static const struct {
        struct record records[CASE_RANKS][CASE_RECORDS];
        const char *message;
        bool fits_if_cut;
    } rows[] = {
        {{{{SPAN(0, 5), .kind = RECORD_RECV, .peer = 1, .tag = 3}}, {{SPAN(0, 2), .kind = RECORD_COMPUTE}}},
         "x.fake: rank 0, 0.000000000 s: receives from rank 1 with tag 3 what that rank does not send",
         true},
        {{{{SPAN(0, 5), .kind = RECORD_RECV, .peer = 1, .tag = 3}},
          {{SPAN(0, 9), .kind = RECORD_RECV, .peer = 2, .tag = 4}}},
         "x.fake: rank 1, 0.000000000 s: receives from rank 2 with tag 4 what that rank does not send",
         true},
        {{{{SPAN(0, 5), .kind = RECORD_SEND, .peer = 1, .tag = 3, .bytes = 70, .synchronous = true}}},
         "rank 0, 0.000000000 s: sends 70 bytes to rank 1 with tag 3 and waits for the receive, which never comes",
         true},
        {{{{SPAN(0, 5), .kind = RECORD_COLLECTIVE, .collective = RECORD_BARRIER, .peer = -1}},
          {{SPAN(0, 5), .kind = RECORD_COLLECTIVE, .collective = RECORD_BARRIER, .peer = -1}}},
         "is in barrier, number 1 of communicator 0, to which rank 2 never comes",
         true},
        {{{{SPAN(0, 5), .kind = RECORD_COLLECTIVE, .collective = RECORD_BROADCAST, .peer = 0}},
          {{SPAN(0, 5), .kind = RECORD_COLLECTIVE, .collective = RECORD_BROADCAST, .peer = 0}}},
         "rank 0 calls broadcast, number 1 of communicator 0, to which rank 2 never comes",
         true},
        {{{{SPAN(0, 5), .kind = RECORD_COLLECTIVE, .collective = RECORD_BARRIER, .peer = -1}},
          {{SPAN(1, 5), .kind = RECORD_COLLECTIVE, .collective = RECORD_ALLREDUCE, .peer = -1}}},
         "rank 1, 0.000000000 s: calls allreduce where rank 0 calls barrier: number 1 of communicator 0",
         false},
        {{{{SPAN(0, 5), .kind = RECORD_COLLECTIVE, .collective = RECORD_REDUCE, .peer = 2}},
          {{SPAN(1, 5), .kind = RECORD_COLLECTIVE, .collective = RECORD_REDUCE, .peer = 1}}},
         "calls reduce with root 1 where rank 0 has root 2",
         false},
        {{{{SPAN(0, 5), .kind = RECORD_COLLECTIVE, .collective = RECORD_REDUCE, .peer = 3}}},
         "calls reduce whose root, rank 3, is not a member of communicator 0",
         false},
        {{{{SPAN(0, 5), .kind = RECORD_COLLECTIVE, .group = 1}}}, "unknown communicator 1", false},
        {{{{SPAN(0, 5), .kind = RECORD_COLLECTIVE, .collective = 99}}}, "unknown kind 99", false},
        {{{{SPAN(0, 5), .kind = RECORD_SEND, .peer = 3}}}, "has a message with rank 3, and there are 3", false},
        {{{{SPAN(0, 5), .kind = RECORD_SEND, .peer = 1, .bytes = -1}}}, "has a message of -1 bytes", false},
        {{{{SPAN(0, 5), .kind = RECORD_WAIT, .request = 8}}}, "waits for request 8, which it has not begun", false},
        {{{{SPAN(2, 5), .kind = RECORD_COMPUTE}, {SPAN(4, 6), .kind = RECORD_COMPUTE}}}, "rank 0, ", false},
        {{{{SPAN(5, 4), .kind = RECORD_COMPUTE}}}, "what begins here ends at", false},
        {{{{SPAN(-5, 4), .kind = RECORD_COMPUTE}}}, "what begins here ends at", false},
        {{{{SPAN(0, INT64_MAX), .kind = RECORD_COMPUTE}}}, "what begins here ends at", false},
        {{{{SPAN(1, 1), .kind = RECORD_LEAVE}}}, "leaves a scope without being in one", false},
        {{{{SPAN(1, 1), .kind = RECORD_ENTER, .scope = 4}}}, "enters the unknown scope 4", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int cut = 0; cut < 3; cut++) { /* 2: not cut off, but calls are missing */
            struct fake_trace trace;
            struct outcome outcome;
            fake_init(&trace, CASE_RANKS);
            for (int rank = 0; rank < CASE_RANKS; rank++)
                for (int r = 0; r < CASE_RECORDS && !is_nothing(&rows[i].records[rank][r]); r++)
                    fake_add(&trace, rank, rows[i].records[rank][r]);
            n_unrecorded = cut == 2;
            analyse(&outcome, &trace, cut == 1, -1);
            n_unrecorded = 0;
            bool expected = cut > 0 && rows[i].fits_if_cut;
            bool good = expected ? outcome.status == 0 && outcome.watch.good
                                 : outcome.status == -1 && outcome.error.status == SIM_BAD_INPUT &&
                                       strstr(outcome.error.message, rows[i].message) != NULL;
            if (!good)
                fprintf(stderr, "row %zu, %d: status %d, %s\n", i, cut, outcome.status, outcome.error.message);
            CU_ASSERT_TRUE(good);
            result_dispose(&outcome.result);
            fake_dispose(&trace);
        }
}

int main(void)
{
    static const struct test tests[] = {
        {"accounts and paths by hand", test_by_hand},
        {"calls of files", test_files},
        {"scopes, counts, T_seq", test_scopes_and_counts},
        {"sizes of messages", test_sizes},
        {"random programs", test_random},
        {"memory", test_memory},
        {"aborted runs", test_cut},
        {"who is missing in a collective", test_hang},
        {"who waited when a run was aborted", test_cut_says},
        {"messages that nobody receives", test_unreceived},
        {"what does not fit", test_mistakes},
        {NULL, NULL},
    };
    return testing_run("analysis", tests);
}
