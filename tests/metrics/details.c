/* Details: their names; pairs, segments and scopes by hand; what adds up, and what becomes of very many segments.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/detail.h"
#include "metrics/metrics.h"
#include "tests/metrics/detail_sums.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>

static void test_names(void)
{
    char why[240];
    uint32_t details = 7;
    uint32_t named = DETAIL_BIT(DETAIL_MESSAGES) | DETAIL_BIT(DETAIL_LINKS) | DETAIL_BIT(DETAIL_PATH) |
                     DETAIL_BIT(DETAIL_SCOPES) | DETAIL_BIT(DETAIL_DELAYS) | DETAIL_BIT(DETAIL_COUNTERS) |
                     DETAIL_BIT(DETAIL_SOURCE);
    CU_ASSERT_EQUAL(detail_parse(&details, "path,messages,path", why, sizeof why), 0);
    CU_ASSERT_EQUAL(details, DETAIL_BIT(DETAIL_MESSAGES) | DETAIL_BIT(DETAIL_PATH));
    CU_ASSERT_EQUAL(detail_parse(&details, "all", why, sizeof why), 0);
    CU_ASSERT_EQUAL(details, named);
    static const char *const bad[] = {
        "",    "links,",         "path,timeline",
        "All", "messages links", "a name that is longer than any name that there might be"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_EQUAL(detail_parse(&details, bad[i], why, sizeof why), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(why, "unknown detail '"));
        CU_ASSERT_PTR_NOT_NULL(strstr(why, "known: messages links path scopes delays counters source all"));
        CU_ASSERT_EQUAL(details, named);
    }
}

/* --- intervals by hand --- */

static const char *const scopes[] = {"", "first", "second"};
enum { N_SCOPES = 3 };

static void watch(struct metrics *metrics, int n_ranks, uint32_t details, int (*host_of)(const void *, int))
{
    const struct interval_setup setup = {.n_ranks = n_ranks,
                                         .n_locations = n_ranks,
                                         .scopes = scopes,
                                         .n_scopes = N_SCOPES,
                                         .details = details,
                                         .host_of = host_of};
    metrics_open(metrics, &setup);
}

static void play(struct metrics *metrics, struct interval interval)
{
    static const int64_t no_work[N_WORK_COMPONENTS] = {0};
    int64_t work_ps[N_WORK_COMPONENTS] = {0};
    work_ps[WORK_CPU] = (interval.end_ps - interval.start_ps) / 4;
    work_ps[WORK_INTERNAL] = interval.end_ps - interval.start_ps - work_ps[WORK_CPU];
    interval.work_ps = interval.kind == INTERVAL_COMPUTE ? work_ps : no_work;
    for (int i = 0; i < metrics->count; i++)
        metrics->sinks[i].take(metrics->sinks[i].self, &interval);
}

static void end(struct metrics *metrics, struct result *result, int64_t end_ps)
{
    result_init(result);
    metrics_report(metrics, &(struct metrics_totals){end_ps, -1}, result);
    metrics_close(metrics);
}

#define WORK .kind = INTERVAL_COMPUTE, .state = STATE_USEFUL, .peer = -1
#define SEND .kind = INTERVAL_COMMUNICATE, .state = STATE_SEND
#define RECEIVE .kind = INTERVAL_COMMUNICATE, .state = STATE_RECEIVE
#define IDLE .kind = INTERVAL_COMMUNICATE, .state = STATE_IDLE

/* Rank 0 works and sends to rank 1, which waits for it; rank 1 sends to rank 2, which lets it wait. */
static void play_three(struct metrics *metrics)
{
    play(metrics, (struct interval){WORK, .location = 0, .end_ps = 20, .scope = 1});
    play(metrics, (struct interval){IDLE, .location = 1, .end_ps = 20, .scope = 1});
    play(metrics, (struct interval){RECEIVE, .location = 1, .start_ps = 20, .end_ps = 30, .scope = 1,
                                    .cause = CAUSE_PEER, .origin_ps = 20, .is_receipt = 1, .bytes = 100});
    play(metrics, (struct interval){SEND, .location = 0, .peer = 1, .start_ps = 20, .end_ps = 30, .scope = 1,
                                    .is_message = 1, .bytes = 100});
    play(metrics, (struct interval){WORK, .location = 2, .end_ps = 50, .scope = 2});
    play(metrics, (struct interval){SEND, .location = 1, .peer = 2, .start_ps = 30, .end_ps = 31, .scope = 2});
    play(metrics, (struct interval){IDLE, .location = 1, .peer = 2, .start_ps = 31, .end_ps = 50, .scope = 2});
    play(metrics, (struct interval){SEND, .location = 1, .peer = 2, .start_ps = 50, .end_ps = 57, .scope = 2,
                                    .cause = CAUSE_PEER, .origin_ps = 50, .is_message = 1, .bytes = 3});
    play(metrics, (struct interval){RECEIVE, .location = 2, .peer = 1, .start_ps = 50, .end_ps = 57, .scope = 2,
                                    .is_receipt = 1, .bytes = 3});
    for (int rank = 0; rank < 2; rank++)
        play(metrics, (struct interval){.kind = INTERVAL_COMMUNICATE,
                                        .state = STATE_IDLE,
                                        .peer = -1,
                                        .location = rank,
                                        .start_ps = rank == 0 ? 30 : 57,
                                        .end_ps = 57});
}

static void expect_row(const struct result_table *table, size_t row, const int64_t *numbers, size_t n_numbers)
{
    for (size_t c = 0; c < n_numbers; c++)
        CU_ASSERT_EQUAL((int64_t)result_cell(table, row, c).number, numbers[c]);
}

static void test_three(void)
{
    static const int64_t pairs[][7] = {{0, 1, 1, 100, 20, 0, 20}, {1, 2, 1, 3, 19, 19, 0}};
    static const int64_t segments[][4] = {{2, 0, 0, 12}, {2, 0, 12, 50}, {1, 0, 50, 57}};
    struct metrics metrics;
    struct result result;
    watch(&metrics, 3, DETAILS_ALL, NULL);
    play_three(&metrics);
    end(&metrics, &result, 57);
    CU_ASSERT_PTR_NULL(sums_fault(&result));
    const struct result_table *matrix = result_find_table(&result, TABLE_COMMUNICATION_MATRIX),
                              *path = result_find_table(&result, TABLE_CRITICAL_PATH_SEGMENTS),
                              *of = result_find_table(&result, TABLE_COMMUNICATION_MATRIX_OF);
    CU_ASSERT_EQUAL_FATAL(matrix->n_rows, 2);
    CU_ASSERT_EQUAL_FATAL(path->n_rows, 3);
    for (size_t row = 0; row < 2; row++)
        expect_row(matrix, row, pairs[row], 7);
    for (size_t row = 0; row < 3; row++)
        expect_row(path, row, segments[row], 4);
    CU_ASSERT_STRING_EQUAL(result_cell(path, 0, 4).text, "processing");
    CU_ASSERT_STRING_EQUAL(result_cell(path, 1, 4).text, "memory");
    CU_ASSERT_STRING_EQUAL(result_cell(path, 2, 4).text, "communication");
    CU_ASSERT_STRING_EQUAL(result_cell(path, 2, 5).text, "second");
    CU_ASSERT_STRING_EQUAL(result_cell(of, 0, 0).text, "rank");
    CU_ASSERT_EQUAL((int64_t)sums_cell(of, 0, "other_wait_s"), 27);
    CU_ASSERT_EQUAL(result_find_table(&result, TABLE_SCOPE_STATES)->n_rows, 5);
    CU_ASSERT_PTR_NULL(result_find_table(&result, TABLE_SCOPES));
    result_dispose(&result);
}

/* Two ranks compute while a message is sent by itself: it is one of the run, and takes none of the ranks' time. */
static void test_progress(void)
{
    static const int64_t pair[] = {0, 1, 1, 100, 0, 0, 0};
    const struct interval_setup setup = {.n_ranks = 2,
                                         .n_locations = 4,
                                         .has_progress = true,
                                         .scopes = scopes,
                                         .n_scopes = N_SCOPES,
                                         .details = DETAILS_ALL};
    struct metrics metrics;
    struct result result;
    metrics_open(&metrics, &setup);
    play(&metrics, (struct interval){IDLE, .location = 3, .peer = 0, .end_ps = 12, .scope = 1});
    play(&metrics, (struct interval){RECEIVE, .location = 3, .start_ps = 12, .end_ps = 20, .scope = 1, .is_receipt = 1,
                                     .bytes = 100});
    play(&metrics,
         (struct interval){SEND, .location = 2, .peer = 1, .end_ps = 20, .scope = 1, .is_message = 1, .bytes = 100});
    for (int rank = 0; rank < 2; rank++)
        play(&metrics, (struct interval){WORK, .location = rank, .end_ps = 50, .scope = 1});
    end(&metrics, &result, 50);
    CU_ASSERT_PTR_NULL(sums_fault(&result));
    const struct result_table *matrix = result_find_table(&result, TABLE_COMMUNICATION_MATRIX);
    CU_ASSERT_EQUAL_FATAL(matrix->n_rows, 1);
    expect_row(matrix, 0, pair, 7);
    CU_ASSERT_EQUAL((int64_t)sums_measure(&result, "", "messages"), 1);
    CU_ASSERT_EQUAL((int64_t)sums_measure(&result, "state_s", "send"), 0);
    result_dispose(&result);
}

/* Only what is asked for is there, and it says so. */
static void test_asked(void)
{
    static const char *const tables[] = {"communication_matrix", NULL, "critical_path_segments", "scope_states"};
    for (int asked = -1; asked <= DETAIL_SCOPES; asked++) {
        struct metrics metrics;
        struct result result;
        watch(&metrics, 3, asked < 0 ? 0 : DETAIL_BIT(asked), NULL);
        play_three(&metrics);
        end(&metrics, &result, 57);
        for (int i = 0; i <= DETAIL_SCOPES; i++) {
            const struct result_table *table = tables[i] != NULL ? cells_table(&result, tables[i]) : NULL;
            CU_ASSERT_EQUAL(table != NULL, i == asked && tables[i] != NULL);
            CU_ASSERT_TRUE(table == NULL || table->of_detail);
        }
        result_dispose(&result);
    }
}

static int host_of(const void *placement, int rank)
{
    (void)placement;
    return rank / 2;
}

/* 1200 ranks on 600 hosts, three hosts to a row: each rank sends to the next but six. */
static void test_hosts(void)
{
    enum { N_RANKS = 1200, END_PS = 10 };
    struct metrics metrics;
    struct result result;
    watch(&metrics, N_RANKS, DETAIL_BIT(DETAIL_MESSAGES), host_of);
    for (int rank = 0; rank < N_RANKS; rank++)
        play(&metrics, (struct interval){SEND, .location = rank, .peer = (rank + 6) % N_RANKS, .end_ps = END_PS,
                                         .is_message = 1, .bytes = 5});
    end(&metrics, &result, END_PS);
    CU_ASSERT_PTR_NULL(sums_fault_of_messages(&result));
    const struct result_table *matrix = result_find_table(&result, TABLE_COMMUNICATION_MATRIX),
                              *of = result_find_table(&result, TABLE_COMMUNICATION_MATRIX_OF);
    CU_ASSERT_EQUAL_FATAL(matrix->n_rows, 200);
    for (int row = 0; row < 200; row++) {
        const int64_t numbers[] = {3 * row, 3 * (row + 1) % 600, 6, 30};
        expect_row(matrix, (size_t)row, numbers, 4);
    }
    CU_ASSERT_STRING_EQUAL(result_cell(of, 0, 0).text, "host");
    CU_ASSERT_EQUAL((int64_t)sums_cell(of, 0, "each"), 3);
    result_dispose(&result);
}

/* Rank 0's chain is longer than what is kept of it. The last departure, which rank 1 follows, lies far back. */
static void play_long(struct metrics *metrics, int n_intervals)
{
    for (int i = 0; i < n_intervals; i++) {
        struct interval interval = {SEND, .peer = -1, .start_ps = 8 * i, .end_ps = 8 * i + 8,
                                    .scope = (uint8_t)(i % 2 + 1)};
        if (i % 3 == 0)
            interval.kind = INTERVAL_COMPUTE;
        if (i == n_intervals / 2)
            interval.is_checkpoint = 1;
        play(metrics, interval);
    }
    play(metrics, (struct interval){IDLE, .location = 1, .peer = 0, .end_ps = 4 * n_intervals + 8});
    play(metrics,
         (struct interval){RECEIVE, .location = 1, .peer = 0, .start_ps = 4 * n_intervals + 8,
                           .end_ps = 8 * n_intervals, .cause = CAUSE_CHECKPOINT, .origin_ps = 4 * n_intervals + 8});
}

static void test_long(void)
{
    static const int lengths[] = {3000, 90000, 500000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct metrics metrics;
        struct result result;
        watch(&metrics, 2, DETAIL_BIT(DETAIL_PATH), NULL);
        play_long(&metrics, lengths[i]);
        end(&metrics, &result, 8 * (int64_t)lengths[i]);
        CU_ASSERT_PTR_NULL(sums_fault_of_path(&result));
        const struct result_table *path = result_find_table(&result, TABLE_CRITICAL_PATH_SEGMENTS);
        CU_ASSERT_EQUAL(strcmp(result_cell(path, 0, 4).text, "unrecorded") == 0, lengths[i] > 200000);
        CU_ASSERT(path->n_rows >= (size_t)(lengths[i] > 200000 ? 60000 : lengths[i]));
        result_dispose(&result);
    }
}

/* The chains have just as many segments as are kept, or one less, when there is no room for another. Rank 0 has them;
 * those of rank 1 take up the other room, and then are nobody's: it follows what rank 0 sent at the beginning. */
static void test_full(void)
{
    enum { N_RANKS = 2, MOST = (1 << 17) + 16 * N_RANKS, ROOM = 262018 }; /* room: doubled from 4096 on, but for one */
    for (int n_segments = MOST - 1; n_segments <= MOST; n_segments++) {
        struct metrics metrics;
        struct result result;
        int n_dead = ROOM - 1 - n_segments, i;
        watch(&metrics, N_RANKS, DETAIL_BIT(DETAIL_PATH), NULL);
        for (int k = 0; k <= n_dead; k++)
            play(&metrics,
                 (struct interval){SEND, .location = 1, .start_ps = k, .end_ps = k + 1, .scope = (uint8_t)(k % 2 + 1)});
        for (i = 0; i <= n_segments; i++)
            play(&metrics,
                 (struct interval){SEND, .peer = 1, .start_ps = i, .end_ps = i + 1, .scope = (uint8_t)(i % 2 + 1),
                                   .is_checkpoint = i == 0 ? CHECKPOINT_BEGINNING : CHECKPOINT_NONE});
        play(&metrics, (struct interval){RECEIVE, .location = 1, .peer = 0, .start_ps = n_dead + 1, .end_ps = i + 1,
                                         .scope = 1, .cause = CAUSE_CHECKPOINT});
        play(&metrics,
             (struct interval){SEND, .peer = 1, .start_ps = i, .end_ps = i + 1, .scope = (uint8_t)(i % 2 + 1)});
        end(&metrics, &result, i + 1);
        const struct result_table *path = result_find_table(&result, TABLE_CRITICAL_PATH_SEGMENTS);
        bool is_cut = strcmp(result_cell(path, 0, 4).text, "unrecorded") == 0;
        CU_ASSERT_PTR_NULL(sums_fault_of_path(&result));
        CU_ASSERT_EQUAL(is_cut, n_segments == MOST);
        CU_ASSERT(is_cut ? path->n_rows > MOST / 2 && path->n_rows < MOST : path->n_rows == MOST + 1);
        result_dispose(&result);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"names", test_names},
        {"three ranks by hand", test_three},
        {"beside the ranks", test_progress},
        {"only what is asked for", test_asked},
        {"hosts", test_hosts},
        {"a long path", test_long},
        {"as many segments as are kept", test_full},
        {NULL, NULL},
    };
    return testing_run("details", tests);
}
