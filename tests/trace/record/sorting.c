/* Building blocks of trace writers. The test trace_otf2.c reads archives back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "tests/testing.h"
#include "trace/formats.h"
#include "trace/record/call.h"
#include "trace/record/matcher.h"
#include "trace/record/sorter.h"
#include "trace/trace.h"

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- sorter --- */

struct item {
    int64_t number, rank;
};

/* Enough records to be spooled several times, in an order that has nothing to do with that of their times. */
static void test_sorter(void)
{
    enum { N = 1000000 };
    struct sorter *sorter = sorter_new(NULL);
    uint64_t state = 1, sum = 0, read_sum = 0;
    for (int64_t i = 0; i < N; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const struct item item = {i, (int64_t)(state >> 62)};
        sorter_add(sorter, (int64_t)(state >> 50) - 5000, (int)item.rank, &item, sizeof item);
        sum += state >> 50;
    }
    struct item last = {-1, -1};
    int64_t n = 0, at, last_at = INT64_MIN;
    bool ordered = true;
    for (const struct item *item; (item = sorter_next(sorter, &at)) != NULL; n++) {
        ordered &=
            at > last_at ||
            (at == last_at && (item->rank > last.rank || (item->rank == last.rank && item->number > last.number)));
        last = *item;
        last_at = at;
        read_sum += (uint64_t)(at + 5000);
    }
    CU_ASSERT_EQUAL(n, N);
    CU_ASSERT_TRUE(ordered);
    CU_ASSERT_EQUAL(read_sum, sum);
    CU_ASSERT_EQUAL(sorter_status(sorter), 0);
    CU_ASSERT_PTR_NULL(sorter_next(sorter, &at));
    sorter_free(sorter);
}

/* Records of different lengths, far apart in time, in pairs at the same moment: nothing is lost where buffers end. */
static void test_sorter_lengths(void)
{
    enum { N = 120000, MOST_WORDS = SORTER_LONGEST / 8 };
    static int64_t record[MOST_WORDS];
    struct sorter *sorter = sorter_new(NULL);
    int64_t at, n = 0;
    bool right = true;
    for (int64_t i = 0; i < N; i++) {
        int64_t number = i * 7919 % N;
        for (int k = 0; k < MOST_WORDS; k++)
            record[k] = number;
        size_t bytes = (size_t)(1 + number % MOST_WORDS) * 8;
        sorter_add(sorter, (number / 2 - N / 4) * (INT64_MAX / N), (int)(number % 2), record, bytes);
    }
    for (const int64_t *got; (got = sorter_next(sorter, &at)) != NULL; n++)
        for (int k = 0; k < 1 + n % MOST_WORDS; k++)
            right &= got[k] == n && at == (n / 2 - N / 4) * (INT64_MAX / N);
    CU_ASSERT_EQUAL(n, N);
    CU_ASSERT_TRUE(right);
    CU_ASSERT_EQUAL(sorter_status(sorter), 0);
    sorter_free(sorter);
}

static void test_sorter_small(void)
{
    int64_t at;
    struct sorter *sorter = sorter_new("no/such/folder/file");
    CU_ASSERT_PTR_NULL(sorter_next(sorter, &at));
    CU_ASSERT_EQUAL(sorter_status(sorter), 0);
    sorter_free(sorter);
    sorter = sorter_new("no/such/folder/file"); /* only spooling needs the folder */
    const struct item item = {7, 0};
    for (int i = 0; i < 500000; i++)
        sorter_add(sorter, -i, 0, &item, sizeof item);
    CU_ASSERT_PTR_NULL(sorter_next(sorter, &at));
    CU_ASSERT_NOT_EQUAL(sorter_status(sorter), 0);
    sorter_free(sorter);
}

/* --- matcher --- */

static bool add_end(struct matcher *matcher, bool sent, int sender, int receiver, int tag, int64_t at,
                    struct message_ends *ends)
{
    const struct interval interval = {.location = sent ? sender : receiver,
                                      .peer = sent ? receiver : sender,
                                      .tag = tag,
                                      .is_message = sent,
                                      .is_receipt = !sent};
    const struct interval_setup setup = {.n_ranks = 1000, .n_locations = 1000};
    return matcher_add(matcher, &setup, &interval, (struct message_end){at, at, interval.location}, ends);
}

static void test_matcher(void)
{
    struct matcher *matcher = matcher_new();
    struct message_ends ends;
    CU_ASSERT_FALSE(add_end(matcher, true, 1, 2, 5, 10, &ends));
    CU_ASSERT_FALSE(add_end(matcher, true, 1, 2, 5, 11, &ends));
    CU_ASSERT_FALSE(add_end(matcher, true, 1, 2, 6, 12, &ends));
    CU_ASSERT_FALSE(add_end(matcher, false, 2, 1, 5, 13, &ends)); /* the other way: the receipt comes first */
    CU_ASSERT_TRUE(add_end(matcher, false, 1, 2, 6, 20, &ends));
    CU_ASSERT_TRUE(ends.sent.at_ps == 12 && ends.received.at_ps == 20);
    CU_ASSERT_TRUE(add_end(matcher, false, 1, 2, 5, 21, &ends));
    CU_ASSERT_TRUE(ends.sent.at_ps == 10 && ends.received.at_ps == 21);
    CU_ASSERT_TRUE(add_end(matcher, false, 1, 2, 5, 22, &ends));
    CU_ASSERT_TRUE(ends.sent.at_ps == 11 && ends.received.at_ps == 22);
    CU_ASSERT_TRUE(add_end(matcher, true, 2, 1, 5, 23, &ends));
    CU_ASSERT_TRUE(ends.sent.at_ps == 23 && ends.received.at_ps == 13);
    matcher_free(matcher);
}

/* Many keys, several messages each, so that the table grows while ends wait. */
static void test_matcher_grows(void)
{
    enum { KEYS = 3000, EACH = 3 };
    struct matcher *matcher = matcher_new();
    struct message_ends ends;
    bool early = false, right = true;
    for (int i = 0; i < KEYS * EACH; i++)
        early |= add_end(matcher, true, i % KEYS / 50, i % KEYS % 50, -1, i, &ends);
    for (int i = 0; i < KEYS * EACH; i++)
        right &= add_end(matcher, false, i % KEYS / 50, i % KEYS % 50, -1, i + 100000, &ends) && ends.sent.at_ps == i &&
                 ends.received.at_ps == i + 100000;
    CU_ASSERT_FALSE(early);
    CU_ASSERT_TRUE(right);
    matcher_free(matcher);
}

/* --- calls --- */

/* One letter an interval: s r i send, receive, idle for a message; S R with the message or its receipt; w a send that
 * was waited for, x idle for a processor, e idle at the end, u useful, m a mark. A call is shown by its first and last.
 * */
static const struct {
    char letter;
    struct interval interval;
} letters[] = {
    {'s', {.end_ps = 1, .state = STATE_SEND, .kind = INTERVAL_COMMUNICATE, .peer = -1}},
    {'r', {.end_ps = 1, .state = STATE_RECEIVE, .kind = INTERVAL_COMMUNICATE, .peer = 1}},
    {'i', {.end_ps = 1, .state = STATE_IDLE, .kind = INTERVAL_COMMUNICATE, .peer = 1}},
    {'S', {.end_ps = 1, .state = STATE_SEND, .kind = INTERVAL_COMMUNICATE, .peer = 1, .is_message = 1}},
    {'R', {.end_ps = 1, .state = STATE_RECEIVE, .kind = INTERVAL_COMMUNICATE, .peer = 1, .is_receipt = 1}},
    {'w', {.end_ps = 1, .state = STATE_SEND, .kind = INTERVAL_COMMUNICATE, .peer = 1, .cause = CAUSE_CHECKPOINT}},
    {'x', {.end_ps = 1, .state = STATE_IDLE, .kind = INTERVAL_WAIT_CPU, .peer = 1, .cause = CAUSE_PEER}},
    {'e', {.end_ps = 1, .state = STATE_IDLE, .kind = INTERVAL_COMMUNICATE, .peer = -1}},
    {'u', {.end_ps = 1, .state = STATE_USEFUL, .kind = INTERVAL_COMPUTE, .peer = -1}},
    {'m', {.state = STATE_SEND, .kind = INTERVAL_COMMUNICATE, .peer = 1, .is_checkpoint = 1}},
    {'D', {.state = STATE_USEFUL, .category = CATEGORY_COMP, .peer = 1, .is_message = 1}},
};

static void test_calls(void)
{
    static const struct {
        const char *intervals, *calls;
    } rows[] = {
        {"uSu", "u(S)u"},   {"sSR", "(sS)(R)"},   {"irR", "(irR)"},
        {"siSu", "(siS)u"}, {"irxRu", "(irxR)u"}, {"xuxS", "xux(S)"},
        {"wR", "(w)(R)"},   {"msSmw", "(sS)(w)"}, {"iue", "(i)ue"},
        {"ruS", "(r)u(S)"}, {"rS", "(r)(S)"},     {"eR", "e(R)"},
        {"uDu", "u(D)u"},   {"RRR", "(R)(R)(R)"}, {"iiR", "(iiR)"},
        {"iS", "(iS)"},     {"sse", "(ss)e"},     {"", ""},
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        char got[64] = "";
        struct call call = {.open = false};
        for (const char *c = rows[row].intervals; *c != '\0'; c++) {
            const struct interval *interval = NULL;
            for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
                interval = letters[i].letter == *c ? &letters[i].interval : interval;
            if (call_is_mark(interval))
                continue;
            if (call.open && !call_takes(&call, interval)) {
                strcat(got, ")");
                call.open = false;
            }
            bool taken = call_takes(&call, interval), began = taken && !call.open;
            bool ended = taken && call_add(&call, interval);
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s%c%s", began ? "(" : "", *c, ended ? ")" : "");
            call.open &= !ended;
        }
        if (call.open)
            strcat(got, ")");
        CU_ASSERT_STRING_EQUAL(got, rows[row].calls);
        if (strcmp(got, rows[row].calls) != 0)
            printf("%s: got %s, not %s\n", rows[row].intervals, got, rows[row].calls);
    }
}

/* --- writers --- */

/* A trace that is closed without having begun, and one that is abandoned, in each format. */
static void test_nothing(void)
{
    char folder[] = P_tmpdir "/test-trace-XXXXXX";
    struct sim_error error = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    for (int i = 0; trace_format_at(i) != NULL; i++) {
        struct trace trace;
        char *file = xformat("%s/x%s", folder, trace_format_at(i)->extension);
        CU_ASSERT_EQUAL(trace_open(&trace, file, &error), 0);
        trace_abandon(&trace);
        CU_ASSERT_NOT_EQUAL(access(file, F_OK), 0);
        CU_ASSERT_EQUAL(trace_open(&trace, file, &error), 0);
        CU_ASSERT_EQUAL(trace_close(&trace, &error), 0);
        CU_ASSERT_EQUAL(access(file, F_OK), 0);
        free(file);
    }
    char *clean = xformat("[ -z \"$(ls %s | grep partial)\" ] && rm -rf %s", folder, folder);
    CU_ASSERT_EQUAL(system(clean), 0);
    free(clean);
}

int main(void)
{
    static const struct test tests[] = {
        {"the sorter spools and merges", test_sorter},
        {"the sorter with records of different lengths", test_sorter_lengths},
        {"the sorter with nothing, and without a folder", test_sorter_small},
        {"both ends of a message", test_matcher},
        {"ends of many messages", test_matcher_grows},
        {"intervals of one call", test_calls},
        {"nothing written", test_nothing},
        {NULL, NULL},
    };
    return testing_run("trace", tests);
}
