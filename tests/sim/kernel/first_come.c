/* Matching of receives from any source by the clock, against a search through all messages in the order of arrival,
 * each of which takes the first receive that it suits, in any order of postings and messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/first_come.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdbool.h>

enum { N = 12, N_SENDERS = 3, N_TAGS = 2, CASES = 2000, NOBODY = 0 };

struct side {
    int sender, tag;
    bool from_any;
};

/* How many receives get a message of another rank than their own, and the first of these. */
static int count_others(int *first, int *sender, const struct side *receives, const struct side *messages)
{
    int got[N] = {NOBODY}, count = 0;
    for (int m = 0; m < N; m++)
        for (int r = 0; r < N; r++) {
            bool suits = receives[r].tag == messages[m].tag &&
                         (receives[r].from_any || receives[r].sender == messages[m].sender);
            if (got[r] == NOBODY && suits) {
                got[r] = messages[m].sender;
                break;
            }
        }
    for (int r = N - 1; r >= 0; r--)
        if (got[r] != NOBODY && got[r] != receives[r].sender) {
            count++;
            *first = r;
            *sender = got[r];
        }
    return count;
}

/* The numbers of senders begin with 1. */
static void make_side(struct side *side, bool is_receive)
{
    side->sender = testing_random_to(N_SENDERS);
    side->tag = testing_random_to(N_TAGS);
    side->from_any = is_receive && testing_random_to(2) == 1;
}

static void post(struct first_come *self, struct first_come_stats *stats, const struct side *receive, int number)
{
    const struct op op = {
        .kind = OP_IRECV, .peer = receive->sender, .tag = receive->tag, .from_any = receive->from_any ? number + 1 : 0};
    first_come_post(self, stats, 0, &op, number);
}

static void try_case(void)
{
    struct side receives[N], messages[N];
    struct first_come_stats stats = {0};
    struct first_come *self = first_come_new(1);
    int posted = 0, come = 0, first = -1, sender = NOBODY, n_any = 0;
    for (int i = 0; i < N; i++) {
        make_side(&receives[i], true);
        make_side(&messages[i], false);
        n_any += receives[i].from_any;
    }
    while (posted < N || come < N)
        if (come == N || (posted < N && testing_random_to(2) == 1)) {
            post(self, &stats, &receives[posted], posted);
            posted++;
        } else {
            first_come_arrive(self, &stats, 0, messages[come].sender, messages[come].tag, come, -1);
            come++;
        }
    int others = count_others(&first, &sender, receives, messages);
    CU_ASSERT_EQUAL(stats.n_receives, n_any);
    CU_ASSERT_EQUAL(stats.n_others, others);
    if (others > 0) {
        CU_ASSERT_EQUAL(stats.position, first + 1);
        CU_ASSERT_EQUAL(stats.first, sender);
        CU_ASSERT_EQUAL(stats.traced, receives[first].sender);
    }
    first_come_free(self);
}

static void test_cases(void)
{
    for (int i = 0; i < CASES; i++)
        try_case();
}

/* Rank 0 is blocked in a receive from rank 1 from 5 on; rank 2's message comes at `other`, rank 1's at 20. */
static int64_t wait_for(int64_t other)
{
    struct first_come_stats stats = {0};
    struct first_come *self = first_come_new(1);
    const struct op op = {.kind = OP_RECV, .peer = 1, .tag = 3, .from_any = 1};
    if (other < 5)
        first_come_arrive(self, &stats, 0, 2, 3, other, -1);
    first_come_post(self, &stats, 0, &op, 5);
    if (other >= 5 && other < 20)
        first_come_arrive(self, &stats, 0, 2, 3, other, -1);
    first_come_arrive(self, &stats, 0, 1, 3, 20, 5);
    first_come_free(self);
    return (int64_t)stats.waits_ps;
}

static void test_waits(void)
{
    CU_ASSERT_EQUAL(wait_for(2), 15);
    CU_ASSERT_EQUAL(wait_for(12), 8);
    CU_ASSERT_EQUAL(wait_for(30), 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"against a search", test_cases},
        {"waiting for the traced message", test_waits},
        {NULL, NULL},
    };
    return testing_run("first_come", tests);
}
