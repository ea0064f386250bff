/* The writer of OTF2 archives: its requests, and archives read back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "tests/testing.h"
#include "trace/formats.h"
#include "trace/record/record.h"
#include "trace/record/requests.h"
#include "trace/trace.h"

#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* --- requests --- */

enum { SOME = 400 };

/* Pending requests in the order of their beginning, searched from either end. */
struct list {
    struct request pending[SOME];
    int count;
};

/* Take out the latest of a number, or the first send (number -1); false if there is none. */
static bool list_end(struct list *list, struct request *ended, int number, bool receives, bool collective)
{
    int i = number < 0 ? 0 : list->count - 1, step = number < 0 ? 1 : -1;
    for (; i >= 0 && i < list->count; i += step) {
        const struct request *request = &list->pending[i];
        if (request->receives == receives && request->collective == collective &&
            (number < 0 || request->number == (uint32_t)number))
            break;
    }
    if (i < 0 || i >= list->count)
        return false;
    *ended = list->pending[i];
    for (list->count--; i < list->count; i++)
        list->pending[i] = list->pending[i + 1];
    return true;
}

/* Requests with few numbers, which so come again while they are pending, are begun and ended at random. */
static void test_requests(void)
{
    struct requests requests = {0};
    struct list list = {.count = 0};
    uint64_t state = 1, n_begun = 0;
    for (int i = 0; i < 20000; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t number = 1 + (uint32_t)(state >> 40) % 20;
        bool receives = state >> 63, collective = (state >> 62 & 1) != 0;
        struct request ended = {0}, wanted = {0};
        if (list.count < SOME && (state >> 56) % 64 < (i / 2000 % 2 == 0 ? 24U : 8U)) {
            CU_ASSERT_EQUAL(requests_begin(&requests, number, receives, collective), 2 * n_begun);
            list.pending[list.count++] = (struct request){2 * n_begun++, number, receives, collective};
            continue;
        }
        bool is_first = (state >> 32) % 8 == 0;
        bool found = is_first ? requests_end_send(&requests, &ended, collective)
                              : requests_end(&requests, &ended, number, receives, collective);
        bool there = is_first ? list_end(&list, &wanted, -1, false, collective)
                              : list_end(&list, &wanted, (int)number, receives, collective);
        CU_ASSERT_FATAL(found == there && ended.id == wanted.id && ended.receives == wanted.receives);
    }
    CU_ASSERT(requests.n_slots <= SOME + 3);
    requests_dispose(&requests);
}

/* Sends without a number come after those with one, and only a wait for any send means them. */
static void test_requests_plain(void)
{
    struct requests requests = {0};
    struct request ended;
    CU_ASSERT_FALSE(requests_end(&requests, &ended, 1, true, false));
    CU_ASSERT_FALSE(requests_end_send(&requests, &ended, false));
    CU_ASSERT_EQUAL(requests_begin(&requests, 0, false, false), 1);
    CU_ASSERT_EQUAL(requests_begin(&requests, 9, false, true), 0);
    CU_ASSERT_EQUAL(requests_begin(&requests, 7, true, false), 2);
    static const uint64_t ids[] = {0, 1};
    for (int i = 0; i < 2; i++)
        CU_ASSERT(requests_end_send(&requests, &ended, i == 0) && ended.id == ids[i]);
    CU_ASSERT_FALSE(requests_end_send(&requests, &ended, false));
    CU_ASSERT_FALSE(requests_end(&requests, &ended, 7, false, false));
    CU_ASSERT(requests_end(&requests, &ended, 7, true, false) && ended.id == 2);
    requests_dispose(&requests);
}

/* --- an archive, read back --- */

#define US INT64_C(1000000)

static void write_intervals(const char *file, const struct interval *intervals, size_t n_intervals)
{
    static const char *const scopes[] = {"", "first", "second", NULL};
    struct sim_error error = {0};
    struct trace trace;
    CU_ASSERT_EQUAL_FATAL(trace_open(&trace, file, &error), 0);
    trace_begin(&trace, &(struct interval_setup){.n_ranks = 2, .n_locations = 2, .scopes = scopes, .n_scopes = 3});
    for (size_t i = 0; i < n_intervals; i++)
        trace_take(&trace, &intervals[i]);
    CU_ASSERT_EQUAL_FATAL(trace_close(&trace, &error), 0);
}

/* Rank 0 computes, sends with a wait for its receiver in between, writes a file. Rank 1, whose events come first, waits
 * and receives; its last picosecond is control. */
static const struct interval intervals[] = {
    {.end_ps = 3 * US + 1, .location = 1, .peer = 0, .state = STATE_IDLE, .kind = INTERVAL_COMMUNICATE, .scope = 2},
    {.start_ps = 3 * US + 1,
     .end_ps = 5 * US,
     .location = 1,
     .peer = 0,
     .tag = 42,
     .bytes = INT64_C(5000000000),
     .state = STATE_RECEIVE,
     .kind = INTERVAL_COMMUNICATE,
     .scope = 2,
     .is_receipt = 1},
    {.end_ps = 2 * US,
     .location = 0,
     .peer = -1,
     .operations = 99,
     .state = STATE_USEFUL,
     .kind = INTERVAL_COMPUTE,
     .scope = 1},
    {.start_ps = 2 * US,
     .end_ps = 3 * US,
     .location = 0,
     .peer = 1,
     .state = STATE_SEND,
     .kind = INTERVAL_COMMUNICATE,
     .scope = 1},
    {.start_ps = 3 * US,
     .end_ps = 3 * US + 1,
     .location = 0,
     .peer = 1,
     .state = STATE_IDLE,
     .kind = INTERVAL_COMMUNICATE,
     .scope = 1},
    {.start_ps = 3 * US + 1,
     .end_ps = 5 * US,
     .location = 0,
     .peer = 1,
     .tag = 42,
     .bytes = INT64_C(5000000000),
     .state = STATE_SEND,
     .kind = INTERVAL_COMMUNICATE,
     .scope = 1,
     .is_message = 1},
    {.start_ps = 5 * US,
     .end_ps = 6 * US,
     .location = 0,
     .peer = -1,
     .bytes = 7,
     .state = STATE_USEFUL,
     .kind = INTERVAL_OUTPUT},
    {.start_ps = 5 * US,
     .end_ps = 5 * US + 1,
     .location = 1,
     .peer = -1,
     .state = STATE_CONTROL,
     .kind = INTERVAL_COMPUTE},
    {.start_ps = 5 * US + 1,
     .end_ps = 6 * US,
     .location = 1,
     .peer = -1,
     .state = STATE_IDLE,
     .kind = INTERVAL_COMMUNICATE},
};

static const struct {
    int rank;
    int kind;
    int64_t start_ps, end_ps, bytes, idle_ps, operations;
    int peer, tag;
} wanted[] = {
    {0, RECORD_COMPUTE, 0, 2 * US, 0, 0, 99, -1, 0},
    {0, RECORD_SEND, 2 * US, 5 * US, INT64_C(5000000000), 1, 0, 1, 42},
    {0, RECORD_CALL, 5 * US, 6 * US, 7, 0, 0, -1, 0},
    {1, RECORD_RECV, 0, 5 * US, INT64_C(5000000000), 3 * US + 1, 0, 0, 42},
    {1, RECORD_COMPUTE, 5 * US, 5 * US + 1, 0, 0, 0, -1, 0},
    {1, RECORD_SLEEP, 5 * US + 1, 6 * US, 0, 0, 0, -1, 0},
};
enum { N_WANTED = sizeof wanted / sizeof wanted[0] };

static int check_record(const struct record *record, int rank, int at)
{
    bool message = record->kind == RECORD_SEND || record->kind == RECORD_RECV;
    CU_ASSERT_TRUE_FATAL(at < N_WANTED);
    bool good = wanted[at].rank == rank && wanted[at].kind == record->kind && wanted[at].start_ps == record->start_ps &&
                wanted[at].end_ps == record->end_ps &&
                (!message || (wanted[at].bytes == record->bytes && wanted[at].peer == record->peer &&
                              wanted[at].tag == record->tag && wanted[at].idle_ps == record->idle_ps)) &&
                (record->kind != RECORD_COMPUTE || wanted[at].operations == record->operations);
    CU_ASSERT_TRUE(good);
    if (!good)
        printf("record %d: rank %d kind %d, %lld-%lld ps\n", at, rank, record->kind, (long long)record->start_ps,
               (long long)record->end_ps);
    return at + 1;
}

static void test_otf2_back(void)
{
    char folder[] = P_tmpdir "/test-trace-XXXXXX";
    struct sim_error error = {0};
    struct record_reader reader;
    struct record record;
    int at = 0, n_scopes = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    char *file = xformat("%s/x.otf2", folder), *clean = xformat("rm -rf %s", folder);
    write_intervals(file, intervals, sizeof intervals / sizeof intervals[0]);
    int status = record_open(&reader, file, &error);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    CU_ASSERT_EQUAL(reader.info.n_ranks, 2);
    CU_ASSERT_EQUAL(reader.info.end_ps, 6 * US);
    for (int rank = 0; rank < 2; rank++)
        while ((status = record_next(&reader, rank, &record, &error)) == 1) {
            bool is_scope = record.kind == RECORD_ENTER || record.kind == RECORD_LEAVE;
            n_scopes += record.kind == RECORD_ENTER;
            if (!is_scope)
                at = check_record(&record, rank, at);
        }
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(at, N_WANTED);
    CU_ASSERT_TRUE(n_scopes >= 2);
    record_close(&reader);
    CU_ASSERT_EQUAL(system(clean), 0);
    free(clean);
    free(file);
}

/* Messages that are begun at time 0 and take no time, more than the library writes at once. */
static void test_otf2_crowd(void)
{
    enum { N = 12000 };
    char folder[] = P_tmpdir "/test-trace-XXXXXX";
    struct sim_error error = {0};
    struct record_reader reader;
    struct record record;
    int n = 0, status;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    char *file = xformat("%s/x.otf2", folder), *clean = xformat("rm -rf %s", folder);
    struct interval *crowd = xcalloc(N, sizeof *crowd);
    for (int i = 0; i < N; i++)
        crowd[i] = (struct interval){.peer = 1,
                                     .tag = i,
                                     .request = (uint32_t)i + 1,
                                     .state = STATE_SEND,
                                     .kind = INTERVAL_COMMUNICATE,
                                     .call = CALL_BEGUN,
                                     .is_message = 1};
    write_intervals(file, crowd, N);
    CU_ASSERT_EQUAL_FATAL(record_open(&reader, file, &error), 0);
    while ((status = record_next(&reader, 0, &record, &error)) == 1)
        n += record.kind == RECORD_ISEND && record.start_ps == 0 && record.end_ps == 0 && record.tag == n;
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(n, N);
    record_close(&reader);
    CU_ASSERT_EQUAL(system(clean), 0);
    free(crowd);
    free(clean);
    free(file);
}

int main(void)
{
    static const struct test tests[] = {
        {"requests as in a list", test_requests},
        {"requests without a number", test_requests_plain},
        {"an archive read back", test_otf2_back},
        {"many events at time 0", test_otf2_crowd},
        {NULL, NULL},
    };
    return testing_run("trace_otf2", tests);
}
