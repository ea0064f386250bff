/* The critical path by hand: what an interval adds, what an end that followed another rank takes over, and what a
 * departure keeps. Rows have three numbers: communication, anything else, and how often something was added.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/critical_path.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>

enum { COMMUNICATION, ELSE, N_PARTS, ADDED = N_PARTS, N_NUMBERS };

static void add_interval(void *self, const struct interval *interval, int64_t length_ps)
{
    critical_path_add(self, interval->location, interval->kind == INTERVAL_COMMUNICATE ? COMMUNICATION : ELSE,
                      length_ps);
    critical_path_add(self, interval->location, ADDED, 1);
}

struct expected {
    int64_t communication, other, added;
};

static void expect(const struct critical_path *path, const int64_t *row, struct expected expected)
{
    CU_ASSERT_EQUAL(critical_path_number(path, row, COMMUNICATION), expected.communication);
    CU_ASSERT_EQUAL(critical_path_number(path, row, ELSE), expected.other);
    CU_ASSERT_EQUAL(critical_path_number(path, row, ADDED), expected.added);
}

static void expect_longest(const struct critical_path *path, struct expected expected)
{
    const int64_t *longest = critical_path_longest(path);
    CU_ASSERT_EQUAL(longest[COMMUNICATION], expected.communication);
    CU_ASSERT_EQUAL(longest[ELSE], expected.other);
    CU_ASSERT_EQUAL(longest[ADDED], expected.added);
}

/* An interval, and the rank's row after it. */
struct step {
    struct interval interval;
    struct expected row;
};

static void play(struct critical_path *path, const struct step *steps, size_t n_steps)
{
    for (size_t i = 0; i < n_steps; i++) {
        critical_path_take(path, &steps[i].interval, add_interval, path);
        expect(path, critical_path_row(path, steps[i].interval.location), steps[i].row);
    }
}

typedef void path_init(struct critical_path *path, int n_ranks, int n_parts, int n_more);
static path_init *const inits[] = {critical_path_init, critical_path_init_narrow};
enum { N_INITS = sizeof inits / sizeof inits[0] };

#define PLAY(path, steps) play((path), (steps), sizeof(steps) / sizeof *(steps))
#define WORK .kind = INTERVAL_COMPUTE, .state = STATE_USEFUL
#define SEND .kind = INTERVAL_COMMUNICATE, .state = STATE_SEND
#define RECEIVE .kind = INTERVAL_COMMUNICATE, .state = STATE_RECEIVE
#define IDLE .kind = INTERVAL_COMMUNICATE, .state = STATE_IDLE

/* Idle time, no time and controllers add nothing. */
static void test_own(void)
{
    static const struct step steps[] = {
        {{WORK, .end_ps = 10}, {0, 10, 1}},
        {{SEND, .start_ps = 10, .end_ps = 10}, {0, 10, 1}},
        {{SEND, .start_ps = 10, .end_ps = 14}, {4, 10, 2}},
        {{IDLE, .start_ps = 14, .end_ps = 99}, {4, 10, 2}},
    };
    for (int i = 0; i < N_INITS; i++) {
        struct critical_path path;
        inits[i](&path, 2, N_PARTS, N_NUMBERS - N_PARTS);
        PLAY(&path, steps);
        const struct interval of_controller = {WORK, .location = 2, .end_ps = 500, .is_checkpoint = 1};
        critical_path_take(&path, &of_controller, add_interval, &path);
        expect(&path, critical_path_row(&path, 1), (struct expected){0, 0, 0});
        CU_ASSERT_EQUAL(path.n_checkpoints, 0);
        critical_path_dispose(&path);
    }
}

/* Rank 1 waits for rank 0: its own past has had slack. */
static void test_peer(void)
{
    static const struct step steps[] = {
        {{WORK, .location = 1, .end_ps = 3}, {0, 3, 1}},
        {{WORK, .location = 0, .end_ps = 20}, {0, 20, 1}},
        {{IDLE, .location = 1, .start_ps = 3, .end_ps = 20}, {0, 3, 1}},
        {{RECEIVE, .location = 1, .peer = 0, .cause = CAUSE_PEER, .origin_ps = 20, .start_ps = 20, .end_ps = 27},
         {7, 20, 2}},
        /* an idle interval that has followed somebody counts */
        {{IDLE, .location = 0, .peer = 1, .cause = CAUSE_PEER, .origin_ps = 27, .start_ps = 20, .end_ps = 30},
         {10, 20, 3}},
    };
    for (int i = 0; i < N_INITS; i++) {
        struct critical_path path;
        inits[i](&path, 2, N_PARTS, N_NUMBERS - N_PARTS);
        PLAY(&path, steps);
        critical_path_dispose(&path);
    }
}

/* A departure is as of the interval's end, whatever the interval is; what its rank does later is not in it. */
static void test_departures(void)
{
    static const struct step steps[] = {
        {{WORK, .location = 0, .end_ps = 20}, {0, 20, 1}},
        {{SEND, .location = 0, .start_ps = 20, .end_ps = 25, .is_checkpoint = 1, .message = 1000}, {5, 20, 2}},
        {{WORK, .location = 0, .start_ps = 25, .end_ps = 90}, {5, 85, 3}},
        {{RECEIVE, .location = 1, .cause = CAUSE_CHECKPOINT, .message = 1000, .origin_ps = 25, .start_ps = 0,
          .end_ps = 31, .is_checkpoint = 1},
         {11, 20, 3}},
        {{WORK, .location = 1, .start_ps = 31, .end_ps = 32}, {11, 21, 4}},
        {{IDLE, .location = 2, .end_ps = 12, .is_checkpoint = 1, .message = 7}, {0, 0, 0}},
        {{RECEIVE, .location = 2, .cause = CAUSE_CHECKPOINT, .message = 1000, .origin_ps = 31, .start_ps = 12,
          .end_ps = 40},
         {20, 20, 4}},
    };
    for (int i = 0; i < N_INITS; i++) {
        struct critical_path path;
        inits[i](&path, 3, N_PARTS, N_NUMBERS - N_PARTS);
        PLAY(&path, steps);
        expect(&path, critical_path_checkpoint(&path, 7), (struct expected){0, 0, 0});
        expect(&path, critical_path_checkpoint(&path, 1000), (struct expected){11, 20, 3});
        critical_path_dispose(&path);
    }
}

/* The longest of the sums of parts, of equal ones the first; what is behind the parts does not count. */
static void test_longest(void)
{
    static const struct step steps[] = {
        {{WORK, .location = 0, .end_ps = 9}, {0, 9, 1}},
        {{WORK, .location = 1, .end_ps = 10}, {0, 10, 1}},
        {{SEND, .location = 2, .end_ps = 10}, {10, 0, 1}},
        {{WORK, .location = 3, .end_ps = 4}, {0, 4, 1}},
        {{WORK, .location = 3, .start_ps = 4, .end_ps = 8}, {0, 8, 2}},
        {{WORK, .location = 3, .start_ps = 8, .end_ps = 10}, {0, 10, 3}},
    };
    for (int i = 0; i < N_INITS; i++) {
        struct critical_path path;
        inits[i](&path, 4, N_PARTS, N_NUMBERS - N_PARTS);
        expect_longest(&path, (struct expected){0, 0, 0});
        PLAY(&path, steps);
        expect_longest(&path, (struct expected){0, 10, 1});
        CU_ASSERT_EQUAL(critical_path_length(&path, critical_path_row(&path, 3)), 10);
        critical_path_dispose(&path);
    }
}

/* --- narrow rows --- */

enum { MANY = 40, RANKS = 6, MESSAGES = 9 };

static void add_to_scope(void *self, const struct interval *interval, int64_t length_ps)
{
    critical_path_add(self, interval->location, interval->scope, length_ps);
}

static bool is_same_row(const struct critical_path *a, const int64_t *row_a, const struct critical_path *b,
                        const int64_t *row_b)
{
    bool same = true;
    for (int number = 0; number < MANY; number++)
        same = same && critical_path_number(a, row_a, number) == critical_path_number(b, row_b, number);
    return same;
}

static bool is_same(const struct critical_path *a, const struct critical_path *b)
{
    bool same = a->n_checkpoints == b->n_checkpoints;
    for (int rank = 0; rank < RANKS; rank++)
        same = same && is_same_row(a, critical_path_row(a, rank), b, critical_path_row(b, rank));
    for (uint32_t message = 0; same && message < a->n_checkpoints; message++)
        same = is_same_row(a, critical_path_checkpoint(a, message), b, critical_path_checkpoint(b, message));
    return same;
}

static struct interval random_interval(unsigned *state, unsigned n_scopes)
{
    unsigned draws[6];
    for (int i = 0; i < 6; i++)
        draws[i] = (*state = *state * 1103515245 + 12345) >> 16;
    return (struct interval){.location = (int32_t)(draws[0] % RANKS),
                             .peer = (int32_t)(draws[1] % RANKS),
                             .message = draws[2] % MESSAGES,
                             .scope = (uint8_t)(draws[3] % n_scopes),
                             .end_ps = draws[4] % 3,
                             .cause = draws[5] % 4 == 0 ? CAUSE_PEER : CAUSE_SELF,
                             .is_checkpoint = (uint8_t)(draws[5] / 4 % 3)};
}

/* Rows that only numbers above 0 make wider are as those in which all numbers are from the beginning on. */
static void test_narrow(void)
{
    struct critical_path wide, narrow;
    unsigned state = 3;
    bool same = true;
    critical_path_init(&wide, RANKS, MANY, 0);
    critical_path_init_narrow(&narrow, RANKS, MANY, 0);
    for (unsigned i = 0; i < 4000; i++) {
        struct interval interval = random_interval(&state, 1 + i / 100);
        if (i % 7 == 0 && interval.message < wide.n_checkpoints)
            interval.cause = CAUSE_CHECKPOINT;
        critical_path_take(&wide, &interval, add_to_scope, &wide);
        critical_path_take(&narrow, &interval, add_to_scope, &narrow);
        same = same && is_same(&wide, &narrow) && narrow.width <= 1 + 3 * narrow.n_used / 2;
        CU_ASSERT(i != 99 || narrow.width == 1);
    }
    CU_ASSERT(same);
    CU_ASSERT_EQUAL(memcmp(critical_path_longest(&wide), critical_path_longest(&narrow), MANY * sizeof(int64_t)), 0);
    CU_ASSERT_EQUAL(narrow.n_used, MANY);
    CU_ASSERT_EQUAL(critical_path_sum(&narrow, critical_path_longest(&narrow)),
                    critical_path_sum(&wide, critical_path_longest(&wide)));
    critical_path_dispose(&wide);
    critical_path_dispose(&narrow);
}

int main(void)
{
    static const struct test tests[] = {
        {"on its own", test_own},        {"waiting for another rank", test_peer},
        {"departures", test_departures}, {"the longest", test_longest},
        {"narrow rows", test_narrow},    {NULL, NULL},
    };
    return testing_run("critical path", tests);
}
