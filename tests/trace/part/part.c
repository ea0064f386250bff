/* Parts of a trace: three ranks by hand, cut at moments, at occurrences of a scope, to ranks; and random cuts, which
 * add up to the whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/testing.h"
#include "tests/trace/fake_trace.h"
#include "trace/analysis/analysis.h"
#include "trace/part/cut.h"
#include "trace/part/within.h"

#include <CUnit/Basic.h>

enum { RANKS = 3, ROUNDS = 3, ROUND = 100, END = ROUNDS * ROUND + 10 };

static struct record message(int kind, int64_t from, int64_t to, int peer, int tag)
{
    struct record record = fake_span(kind, from, to, 0);
    record.peer = peer;
    record.tag = tag;
    record.bytes = 8;
    return record;
}

static struct record scope(int kind, int64_t at)
{
    struct record record = fake_span(kind, at, at, 0);
    record.scope = 1; /* solve */
    return record;
}

/* Three times 100 ps: rank 0 sends to rank 1 at 60, which is there from 40 on and receives up to 70; a barrier, which
 * rank 2 begins at 80, and which ends at 90. Rank 1 has a request that is begun at 95 and waited for in the next
 * round. 10 ps later, the run ends. */
static void make(struct fake_trace *trace)
{
    fake_init(trace, RANKS);
    for (int round = 0; round < ROUNDS; round++) {
        int64_t at = (int64_t)round * ROUND;
        for (int rank = 0; rank < RANKS; rank++)
            fake_add(trace, rank, scope(RECORD_ENTER, at));
        fake_add(trace, 0, message(RECORD_SEND, at + 60, at + 62, 1, 5));
        if (round > 0) {
            fake_add(trace, 1, message(RECORD_WAIT, at + 10, at + 12, 2, 0));
            trace->records[1][trace->counts[1] - 1].request = 7;
            fake_add(trace, 2, message(RECORD_SEND, at + 5, at + 6, 1, 6));
        }
        fake_add(trace, 1, message(RECORD_RECV, at + 40, at + 70, 0, 5));
        for (int rank = 0; rank < RANKS; rank++) {
            struct record barrier = fake_span(RECORD_COLLECTIVE, rank == 2 ? at + 80 : at + 70 + rank, at + 90, 0);
            barrier.collective = RECORD_BARRIER;
            fake_add(trace, rank, barrier);
        }
        if (round < ROUNDS - 1) {
            fake_add(trace, 1, message(RECORD_IRECV, at + 95, at + 95, 2, 6));
            trace->records[1][trace->counts[1] - 1].request = 7;
        }
        for (int rank = 0; rank < RANKS; rank++)
            fake_add(trace, rank, scope(RECORD_LEAVE, at + 98));
    }
    for (int rank = 0; rank < RANKS; rank++)
        fake_add(trace, rank, fake_span(RECORD_COMPUTE, END - 10, END, 0));
}

/* --- the account --- */

struct account {
    int64_t state_ps[RANKS][N_LOCATION_STATES], end_ps[RANKS];
    int64_t n_messages, n_receipts, n_collectives;
    bool is_continuous;
};

static void take(void *data, const struct interval *interval)
{
    struct account *self = data;
    self->is_continuous &= interval->start_ps == self->end_ps[interval->location] &&
                           interval->end_ps >= interval->start_ps && interval->peer < RANKS;
    self->end_ps[interval->location] = interval->end_ps;
    self->state_ps[interval->location][interval->state] += interval->end_ps - interval->start_ps;
    self->n_messages += interval->is_message;
    self->n_receipts += interval->is_receipt;
    self->n_collectives += interval->is_collective;
}

/* The account of a part, or the error. */
static int analyse(struct account *account, struct part_counts *counts, const struct part_request *request,
                   struct sim_error *error)
{
    struct fake_trace trace;
    struct part part;
    struct analysis_scopes scopes;
    struct analysis_stats stats;
    *account = (struct account){.is_continuous = true};
    make(&trace);
    struct record_reader reader = fake_reader(&trace);
    int status = part_find(&part, &reader, request, error);
    if (status == 0) {
        const struct interval_sink sink = {.take = take, .self = account};
        struct part_cut *cut = part_cut_new(&part, RANKS, &sink, 1);
        const struct interval_sink cuts = {.take = part_cut_take, .self = cut};
        analysis_scopes_init(&scopes, &reader.info);
        CU_ASSERT_EQUAL_FATAL(analysis_run(&stats, &reader, "x.fake", &scopes, &cuts, 1, error), 0);
        *counts = part_cut_end(cut, stats.end_ps);
        analysis_scopes_dispose(&scopes);
        part_cut_free(cut);
        part_dispose(&part);
    }
    fake_dispose(&trace);
    return status;
}

static void test_moments(void)
{
    static const struct {
        const char *from, *to, *ranks;
        int64_t end_ps, idle_ps[RANKS], useful_ps[RANKS];
        int64_t n_messages, n_receipts, n_collectives, n_crossing, n_outside;
    } rows[] = {
        /* rank 1 waits from 50 to 60 for rank 0, and from 71 to 75 at the barrier, as does rank 0 from 70 on */
        {"50ps", "75ps", NULL, 25, {5, 14, 0}, {18, 1, 25}, 1, 1, 0, 0, 0},
        /* the same to its end: 80 */
        {"50ps", "90ps", NULL, 40, {10, 19, 0}, {18, 1, 30}, 1, 1, 3, 0, 0},
        /* a message that has begun before */
        {"61ps", "65ps", NULL, 4, {0, 0, 0}, {3, 0, 4}, 0, 0, 0, 0, 0},
        /* one that is sent, and waited for later */
        {"103ps", "108ps", NULL, 5, {0, 0, 0}, {5, 5, 4}, 1, 0, 0, 1, 0},
        /* the second round: its scope is from 100 to 198 */
        {"solve:2", "solve:2", NULL, 98, {10, 29, 0}, {76, 47, 87}, 2, 2, 3, 0, 0},
        {"solve:2", "solve:2", "1", 98, {29}, {47}, 0, 0, 1, 0, 2},
        {NULL, "solve:1", "0,2", 98, {10, 0}, {76, 88}, 0, 0, 2, 0, 1},
        {"solve:3", NULL, NULL, 110, {10, 29, 0}, {88, 59, 99}, 2, 2, 3, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sim_error error = {0};
        struct account account;
        struct part_counts counts;
        const struct part_request request = {rows[i].from, rows[i].to, rows[i].ranks};
        CU_ASSERT_EQUAL_FATAL(analyse(&account, &counts, &request, &error), 0);
        struct record_part *said = &counts.said;
        bool good = account.is_continuous && said->to_ps - said->from_ps == rows[i].end_ps && said->whole_ps == END;
        for (int rank = 0; rank < said->n_ranks; rank++)
            good &= account.end_ps[rank] == rows[i].end_ps &&
                    account.state_ps[rank][STATE_IDLE] == rows[i].idle_ps[rank] &&
                    account.state_ps[rank][STATE_USEFUL] == rows[i].useful_ps[rank];
        good &= account.n_messages == rows[i].n_messages && account.n_receipts == rows[i].n_receipts &&
                account.n_collectives == rows[i].n_collectives && counts.n_collectives == rows[i].n_collectives &&
                said->n_crossing == rows[i].n_crossing && said->n_outside == rows[i].n_outside;
        for (int rank = 0; !good && rank < said->n_ranks; rank++)
            fprintf(stderr,
                    "\n  row %zu rank %d: %lld ps, idle %lld, useful %lld; messages %lld, %lld; collectives %lld; "
                    "crossing %lld, outside %lld\n",
                    i, rank, (long long)account.end_ps[rank], (long long)account.state_ps[rank][STATE_IDLE],
                    (long long)account.state_ps[rank][STATE_USEFUL], (long long)account.n_messages,
                    (long long)account.n_receipts, (long long)account.n_collectives, (long long)said->n_crossing,
                    (long long)said->n_outside);
        CU_ASSERT(good);
    }
}

/* Two parts, and the whole. */
static void test_sums(void)
{
    struct sim_error error = {0};
    struct account whole, parts[2];
    struct part_counts counts, first;
    char at[32];
    CU_ASSERT_EQUAL_FATAL(analyse(&whole, &counts, &(struct part_request){0}, &error), 0);
    CU_ASSERT_EQUAL(whole.n_messages, 2 * ROUNDS - 1);
    for (int i = 1; i < END; i++) {
        snprintf(at, sizeof at, "%dps", i);
        CU_ASSERT_EQUAL_FATAL(analyse(&parts[0], &first, &(struct part_request){.to = at}, &error), 0);
        CU_ASSERT_EQUAL_FATAL(analyse(&parts[1], &counts, &(struct part_request){.from = at}, &error), 0);
        bool good = parts[0].is_continuous && parts[1].is_continuous &&
                    parts[0].n_messages + parts[1].n_messages == whole.n_messages &&
                    parts[0].n_receipts + first.said.n_crossing + parts[1].n_receipts == whole.n_receipts &&
                    parts[0].n_collectives + parts[1].n_collectives == whole.n_collectives;
        for (int rank = 0; rank < RANKS; rank++)
            for (int state = 0; state < N_LOCATION_STATES; state++)
                good &= parts[0].state_ps[rank][state] + parts[1].state_ps[rank][state] == whole.state_ps[rank][state];
        if (!good)
            fprintf(stderr, "\n  cut at %s\n", at);
        CU_ASSERT(good);
    }
}

/* --- records --- */

static const char *const kinds[] = {
    [RECORD_COMPUTE] = "compute",       [RECORD_SEND] = "send",   [RECORD_RECV] = "recv",   [RECORD_ISEND] = "isend",
    [RECORD_IRECV] = "irecv",           [RECORD_WAIT] = "wait",   [RECORD_ENTER] = "enter", [RECORD_LEAVE] = "leave",
    [RECORD_COLLECTIVE] = "collective", [RECORD_AWAIT] = "await",
};

/* The records of a rank in the part: "send 12 1" is a send at 12 ps to rank 1. */
static void list(char *text, size_t size, struct record_reader *reader, int rank)
{
    struct sim_error error = {0};
    struct record record;
    text[0] = '\0';
    while (record_next(reader, rank, &record, &error) == 1) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s %lld %d", length > 0 ? ", " : "", kinds[record.kind],
                 (long long)record.start_ps, (int)record.peer);
    }
}

static void test_records(void)
{
    static const struct {
        const char *from, *to, *ranks, *expected[RANKS];
        int64_t n_crossing, n_outside;
    } rows[] = {
        /* the request that is begun at 95 has its message in the next round */
        {"30ps", "solve:1", NULL, {"enter 0 -1, send 30 1, collective 40 -1"}, 1, 0},
        /* the receive has begun before, and so is not in it, nor is its send */
        {"50ps",
         "85ps",
         NULL,
         {"enter 0 -1, collective 20 -1", "enter 0 -1, collective 21 -1", "enter 0 -1, collective 30 -1"},
         1,
         0},
        /* a barrier that only some begin in the part is in none */
        {"40ps", "75ps", NULL, {"enter 0 -1, send 20 1", "enter 0 -1, recv 0 0", ""}, 0, 0},
        /* the request is begun in the first round, and its message sent in the second */
        {"90ps",
         "115ps",
         "1,2",
         {"enter 0 -1, irecv 5 1, leave 8 -1, enter 10 -1, wait 20 1",
          "enter 0 -1, leave 8 -1, enter 10 -1, send 15 0"},
         0,
         0},
        {"90ps", "103ps", "1,2", {"enter 0 -1, leave 8 -1, enter 10 -1", "enter 0 -1, leave 8 -1, enter 10 -1"}, 1, 0},
        {"solve:3", NULL, "0", {"enter 0 -1, collective 70 -1, leave 98 -1, compute 100 -1"}, 0, 1},
        {"305ps", NULL, "1", {"compute 0 -1"}, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sim_error error = {0};
        struct fake_trace trace;
        make(&trace);
        struct record_reader reader = fake_reader(&trace);
        const struct part_request request = {rows[i].from, rows[i].to, rows[i].ranks};
        CU_ASSERT_EQUAL_FATAL(part_within(&reader, &request, &error), 0);
        CU_ASSERT_EQUAL(reader.info.part->n_outside, rows[i].n_outside);
        CU_ASSERT_EQUAL(reader.info.part->n_crossing, rows[i].n_crossing);
        for (int turn = 0; turn < 2; turn++) { /* again from the beginning */
            for (int rank = 0; rank < reader.info.n_ranks; rank++) {
                char text[400];
                list(text, sizeof text, &reader, rank);
                if (rows[i].expected[rank] != NULL && strcmp(text, rows[i].expected[rank]) != 0) {
                    fprintf(stderr, "\n  row %zu rank %d: %s\n", i, rank, text);
                    CU_FAIL("other records");
                }
            }
            CU_ASSERT_EQUAL(record_rewind(&reader, &error), 0);
        }
        record_close(&reader);
        fake_dispose(&trace);
    }
}

/* --- what is wrong --- */

static void test_errors(void)
{
    static const struct {
        const char *from, *to, *ranks, *message;
    } rows[] = {
        {"soon", NULL, NULL,
         "--from: 'soon' is neither a time, such as 1.5s, nor a scope's n-th occurrence, such as "
         "soon:10"},
        {"1x", NULL, NULL, "--from: unknown unit 'x' in '1x'; known: ps ns us ms s"},
        {NULL, "solve:0", NULL, "--to: 'solve:0' is not a scope's n-th occurrence, such as solve:10; n counts from 1"},
        {NULL, "solve:4", NULL, "--to: scope 'solve' occurs 3 times on a rank, not 4"},
        {"solv:2", NULL, NULL, "--from: there is no scope 'solv'; did you mean 'solve'? known: solve exchange solve"},
        {"20ps", "20ps", NULL, "--to: 0.000000000 s is not after the beginning of the part, 0.000000000 s"},
        {NULL, NULL, "0-3", "--ranks: there is no rank 3; the trace has ranks 0 ... 2"},
        {NULL, NULL, "2-1", "--ranks: '2-1' runs backwards; the lower rank comes first: 1-2"},
        {NULL, NULL, "", "--ranks: '' is not a list of ranks and ranges of them, such as 0-3,8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sim_error error = {0};
        struct account account;
        struct part_counts counts;
        const struct part_request request = {rows[i].from, rows[i].to, rows[i].ranks};
        CU_ASSERT_EQUAL(analyse(&account, &counts, &request, &error), -1);
        if (strcmp(error.message, rows[i].message) != 0) {
            fprintf(stderr, "\n  row %zu: %s\n", i, error.message);
            CU_FAIL("another message");
        }
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"moments and occurrences", test_moments},
        {"parts add up", test_sums},
        {"records of a part", test_records},
        {"mistakes", test_errors},
        {NULL, NULL},
    };
    return testing_run("part", tests);
}
