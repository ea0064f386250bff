/* Messages without their other side: counted against brute force. And kinds of files: the table knows the actions that
 * the reader of TI knows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/pairs.h"

#include "src/os/kind_head.h"
#include "tests/testing.h"
#include "tests/trace/fake_trace.h"
#include "trace/ti/actions.h"

#include <CUnit/CUnit.h>

enum { RANKS = 4, TAGS = 3, MESSAGES = 60 };

static void add(struct fake_trace *trace, int rank, int kind, int peer, int tag, int64_t position)
{
    fake_add(trace, rank, (struct record){.kind = (uint8_t)kind, .peer = peer, .tag = tag, .position = position});
}

/* Unmatched messages, by adding up all pairs of ranks and tags. */
static void count(struct pairs_lone *lone, int balance[RANKS][RANKS][TAGS])
{
    for (int i = 0; i < RANKS * RANKS * TAGS; i++) {
        int value = (&balance[0][0][0])[i];
        lone->n_sends += value > 0 ? value : 0;
        lone->n_receives += value < 0 ? -value : 0;
    }
}

/* Random messages; of some only one side is there. */
static void test_random(void)
{
    for (int round = 0; round < 300; round++) {
        struct fake_trace trace;
        struct pairs_lone lone, expected = {0};
        struct sim_error error;
        int balance[RANKS][RANKS][TAGS] = {{{0}}};
        int64_t n_records, n_added = 0;
        fake_init(&trace, RANKS);
        for (int i = 0; i < MESSAGES; i++) {
            int from = testing_random_to(RANKS) - 1, to = testing_random_to(RANKS) - 1,
                tag = testing_random_to(TAGS) - 1;
            bool sends = testing_random_to(80) > round % 3, receives = testing_random_to(80) > round % 3;
            if (sends)
                add(&trace, from, i % 2 ? RECORD_SEND : RECORD_ISEND, to, tag, i);
            if (receives)
                add(&trace, to, i % 2 ? RECORD_IRECV : RECORD_RECV, from, tag, i);
            balance[from][to][tag] += sends - receives;
            n_added += sends + receives;
        }
        count(&expected, balance);
        struct record_reader reader = fake_reader(&trace);
        CU_ASSERT_EQUAL(pairs_check(&lone, &n_records, &reader, &error), 0);
        CU_ASSERT_EQUAL(n_records, n_added);
        CU_ASSERT_EQUAL(lone.n_sends, expected.n_sends);
        CU_ASSERT_EQUAL(lone.n_receives, expected.n_receives);
        if (lone.n_sends + lone.n_receives > 0) {
            int value =
                lone.receives ? balance[lone.peer][lone.rank][lone.tag] : balance[lone.rank][lone.peer][lone.tag];
            CU_ASSERT_EQUAL(lone.receives, lone.n_receives > 0);
            CU_ASSERT(lone.receives ? value < 0 : value > 0);
        }
        fake_dispose(&trace);
    }
}

/* The first that is left over is the one behind as many as the other side has. */
static void test_place(void)
{
    struct fake_trace trace;
    struct pairs_lone lone;
    struct sim_error error;
    int64_t n_records;
    fake_init(&trace, 2);
    for (int i = 0; i < 5; i++)
        add(&trace, 0, RECORD_SEND, 1, 7, 10 + i);
    for (int i = 0; i < 3; i++)
        add(&trace, 1, RECORD_RECV, 0, 7, 20 + i);
    struct record_reader reader = fake_reader(&trace);
    CU_ASSERT_EQUAL(pairs_check(&lone, &n_records, &reader, &error), 0);
    CU_ASSERT(!lone.receives && lone.rank == 0 && lone.peer == 1 && lone.tag == 7 && lone.n_sends == 2);
    CU_ASSERT_EQUAL(lone.position, 13);
    fake_dispose(&trace);
}

static void test_actions(void)
{
    for (int i = 0; file_kind_ti_actions[i] != NULL; i++) {
        char *word = xformat("%s\n", file_kind_ti_actions[i]);
        CU_ASSERT(ti_is_action(word));
        free(word);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"random messages", test_random},
        {"which is the first", test_place},
        {"actions of TI", test_actions},
        {NULL, NULL},
    };
    return testing_run("pairs", tests);
}
