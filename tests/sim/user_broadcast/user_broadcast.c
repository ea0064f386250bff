/* Broadcasts of one's own: what is wrong in lines is told with the line; what is right is what was meant, compared with
 * algorithms that are built in and with random ones of which it is known what they send.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/user_broadcast/user_broadcast.h"
#include "sim/collective/collective.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read and carry out; the message of what is wrong, or "". */
static const char *outcome(struct user_broadcast_messages **messages, const char *text, int n_ranks)
{
    static struct sim_error error;
    struct user_broadcast_lines *lines;
    struct user_broadcast_messages *made = NULL;
    error.message[0] = '\0';
    if (user_broadcast_lines_read(&lines, text, strlen(text), "x", &error) != 0)
        return error.message;
    user_broadcast_messages_make(&made, lines, n_ranks, &error);
    user_broadcast_lines_free(lines);
    if (messages != NULL)
        *messages = made;
    else
        user_broadcast_messages_free(made);
    return error.message;
}

static void expect_wrong(const char *text, int n_ranks, const char *message)
{
    const char *found = outcome(NULL, text, n_ranks);
    if (strcmp(found, message) != 0) {
        fprintf(stderr, "%s\n  says '%s'\n  not  '%s'\n", text, found, message);
        CU_FAIL("the message");
    }
}

static void test_words(void)
{
    static const char *const rows[][2] = {
        {"hello", "x:1: something else found; must be a name that has been set above, 'ranks' or 'segments'"},
        {"1", "x:1: the end of the line found; must be '->', 'sends to' or 'receives from'"},
        {"0 -> ", "x:1: the end of the line found; must be a number, a name or a bracket"},
        {"0 -> 1 2", "x:1: '2' found; must be the end of the line"},
        {"0 sends 1\n0 -> 1", "x:1: '1' found; must be to"},
        {"0 sends secret", "x:1: something else found; must be to"},
        {"(0 -> 1", "x:1: '->' found; must be )"},
        {"min(1 2) -> 0", "x:1: '2' found; must be ,"},
        {"x = 1\nstep = 2\n0 -> 1",
         "x:2: 'step' found; must be a name that is not a keyword, such as for, step or segments"},
        {"99999999999999 -> 0", "x:1: '99999999999999' found; must be a whole number up to 1000000000000"},
        {"1a -> 0", "x:1: '1a' found; must be a whole number up to 1000000000000"},
        {"\xc3\xa4 -> 0", "x:1: a character outside ASCII found; must be a number, a name or a bracket"},
        {"for r = 0\nend", "x:1: the end of the line found; must be to"},
        {"# one\nfor r = 0 to 1\n", "x:2: no 'end' for what begins here"},
        {"end", "x:1: 'end' without 'for', 'while' or 'if'"},
        {"while 1\nelse\nend", "x:2: 'else' without 'if'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_wrong(rows[i][0], 4, rows[i][1]);
}

static void test_messages(void)
{
    static const char *const rows[][2] = {
        {"", "x: 3 of 4 ranks never get the message, such as rank 1"},
        {"for r = 1 to 2\n0 -> r\nend", "x: rank 3 never gets the message"},
        {"0 -> 4", "x:1: rank 4; of 4 ranks they are 0 to 3"},
        {"0 -> 0 - 1", "x:1: rank -1; of 4 ranks they are 0 to 3"},
        {"0 -> 0", "x:1: rank 0 sends to itself"},
        {"1 -> 2", "x:1: rank 1 sends to rank 2 what it does not have yet"},
        {"0 -> 1\n0 sends to 2", "x:2: rank 0 sends to rank 2, which does not receive that"},
        {"0 -> 1\n2 receives from 1", "x:2: rank 2 receives from rank 1, which does not send that"},
        {"segments 4\n0 -> 1 : 4", "x:2: segment 4; of 4 segments they are 0 to 3"},
        {"segments 4\n0 -> 1 : 2 to 1", "x:2: segments 2 to 1; the first must be the smaller one"},
        {"segments 4\n0 -> 1 : 0\n1 -> 2 : 1", "x:3: rank 1 sends to rank 2 segment 1, which it does not have yet"},
        {"segments 2\n0 sends to 1 : 0\n1 receives from 0 : 1",
         "x:3: rank 1 receives segments 1 to 1 from rank 0, which sends 0 to 0 (line 2) as the next"},
        {"segments 2\nfor r = 1 to 3\n0 -> r : 0\nend",
         "x: 3 of 4 ranks never get all segments; rank 1, for example, not segment 1"},
        {"0 -> 1\nsegments 2", "x:2: 'segments' after a message; it must come before the first"},
        {"segments 0", "x:1: 0 segments; must be 1 to 65536"},
        {"x = 1 / 0", "x:1: a number is divided by 0"},
        {"x = 5 % (ranks - 4)", "x:1: a number is divided by 0"},
        {"x = 1000000000000 * 1000000000000", "x:1: a number is larger than 2^63"},
        {"for r = 1 to 9 step 0\nend", "x:1: step 0: the loop would not end"},
        {"while 1\nend", "x:1: the lines have not ended after 20000000 steps; is there an endless loop?"},
        {"while 1\n0 -> 1\nend", "x:2: more than 1000000 messages"},
        {"while 1\n1 receives from 0\nend", "x:2: more than 1000000 messages"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_wrong(rows[i][0], 4, rows[i][1]);
    expect_wrong("segments 65536", 5000,
                 "x: 5000 ranks with 65536 segments each; together at most 268435456 are allowed");
}

/* Lines that are no end of brackets, of loops, of names, or too long, are told, too. */
static void test_limits(void)
{
    char text[USER_BROADCAST_MAX_BYTES + 2];
    memset(text, '(', 100);
    strcpy(text + 100, "1 -> 0");
    expect_wrong(text, 4, "x:1: '(' found; must be an expression with at most 64 nested brackets");
    memset(text, '-', 100);
    expect_wrong(text, 4, "x:1: '-' found; must be an expression with at most 64 nested brackets");
    memset(text, '1', 501);
    text[501] = '\0';
    expect_wrong(text, 4, "x:1: the line is longer than 500 characters");
    text[0] = '\0';
    for (int i = 0; i < 65; i++)
        strcat(text, "while 1\n");
    expect_wrong(text, 4, "x:65: too many nested loops; at most 64 are allowed");
    text[0] = '\0';
    for (int i = 0; i < 200; i++)
        sprintf(text + strlen(text), "x%d = 1\n", i);
    expect_wrong(text, 4, "x:199: too many names and loops; at most 200 are allowed");
    expect_wrong("abcdefghijklmnopqrstuvwxyzabcdefgh = 1", 4, "x:1: a name has at most 31 letters");
    memset(text, '\n', USER_BROADCAST_MAX_BYTES + 1);
    text[USER_BROADCAST_MAX_BYTES + 1] = '\0';
    expect_wrong(text, 4, "x: the file is larger than 64 KiB, the most that a broadcast may have");
}

/* Values of expressions: `segments E` shows them. */
static void test_expressions(void)
{
    static const struct {
        const char *text;
        int value;
    } rows[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"7 / 2", 3},
        {"7 % 4", 3},
        {"10 - 4 - 3", 3},
        {"xor(5, 3)", 6},
        {"min(4, max(2, 3))", 3},
        {"1 + (2 < 3)", 2},
        {"1 + (2 >= 3)", 1},
        {"1 + (3 == 3 and not 0)", 2},
        {"1 + (0 or 2 != 2)", 1},
        {"--3", 3},
        {"ranks", 4},
        {"1 + (2 > 1)", 2},
        {"1 + (2 <= 1)", 1},
        {"5 - -2", 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[200];
        struct user_broadcast_messages *messages = NULL;
        snprintf(text, sizeof text, "segments %s\nfor r = 1 to 3\n0 -> r\nend\n", rows[i].text);
        const char *found = outcome(&messages, text, 4);
        CU_ASSERT_STRING_EQUAL(found, "");
        CU_ASSERT_PTR_NOT_NULL_FATAL(messages);
        if (messages->n_segments != rows[i].value)
            fprintf(stderr, "%s is %d, not %d\n", rows[i].text, messages->n_segments, rows[i].value);
        CU_ASSERT_EQUAL(messages->n_segments, rows[i].value);
        user_broadcast_messages_free(messages);
    }
}

/* --- the same as what is built in --- */

/* The next message that is sent or has come; one that is built in may post receives before it waits for them. */
static bool next_message(const struct coll_spec *spec, const struct coll_call *call, int rank, int64_t *i,
                         struct op *op)
{
    do
        if (!spec->next(call, rank, (*i)++, op))
            return false;
    while (op->kind == OP_IRECV);
    if (op->kind == OP_WAIT)
        op->kind = OP_RECV;
    return true;
}

static void compare(const char *text, const struct coll_spec *built, int p, int64_t bytes, int64_t segment)
{
    struct user_broadcast_messages *messages = NULL;
    const char *found = outcome(&messages, text, p);
    CU_ASSERT_STRING_EQUAL(found, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(messages);
    const struct coll_options options = {.own = messages, .order = ORDER_UPWARD, .segment_bytes = segment};
    for (int root = 0; root < p; root++)
        for (int rank = 0; rank < p; rank++) {
            const struct coll_call call = {.options = &options, .n_ranks = p, .root = root, .bytes = bytes};
            struct op a = {.tag = 0}, b = {.tag = 0};
            bool is_same = true, more = true;
            for (int64_t i = 0, j = 0; is_same && more;) {
                more = next_message(built, &call, rank, &i, &a);
                is_same = next_message(&coll_own, &call, rank, &j, &b) == more &&
                          (!more || (a.kind == b.kind && a.peer == b.peer && a.bytes == b.bytes &&
                                     (a.kind != OP_SEND || a.offset == b.offset)));
            }
            CU_ASSERT(is_same);
        }
    user_broadcast_messages_free(messages);
}

static void test_built_in(void)
{
    for (int p = 2; p <= 17; p++) {
        compare("for r = 1 to ranks - 1\n0 -> r\nend", &coll_flat, p, 1000, 1);
        compare("for r = 1 to ranks - 1\nr - 1 -> r\nend", &coll_chain, p, 1000, 1);
        compare("segments 5\nfor s = 0 to 4\nfor r = 1 to ranks - 1\nr - 1 -> r : s\nend\nend", &coll_chain_segmented,
                p, 1000, 200);
        compare("d = 1\nwhile d < ranks\nd = 2 * d\nend\nwhile d > 1\nd = d / 2\nfor r = 0 to ranks - 1 step 2 * d\n"
                "if r + d < ranks\nr -> r + d\nend\nend\nend",
                &coll_binomial, p, 1000, 1);
    }
}

/* --- random ones --- */

enum { MOST_RANKS = 12, MOST_SEGMENTS = 9, MOST_LINES = 400 };

struct random {
    bool has[MOST_RANKS][MOST_SEGMENTS];
    char lines[MOST_LINES][40];
    int n_lines, n_ranks, n_segments;
};

/* Somebody who has a segment gives it to somebody who lacks it, until nobody lacks any. */
static void make_random(struct random *random)
{
    *random = (struct random){.n_ranks = 1 + testing_random_to(MOST_RANKS - 1),
                              .n_segments = testing_random_to(MOST_SEGMENTS)};
    int missing = (random->n_ranks - 1) * random->n_segments;
    for (int s = 0; s < random->n_segments; s++)
        random->has[0][s] = true;
    while (missing > 0) {
        int from = testing_random_to(random->n_ranks) - 1, to = testing_random_to(random->n_ranks) - 1,
            s = testing_random_to(random->n_segments) - 1;
        if (!random->has[from][s] || random->has[to][s])
            continue;
        random->has[to][s] = true;
        missing--;
        sprintf(random->lines[random->n_lines++], "%d -> %d : %d\n", from, to, s);
    }
}

/* Without the line `left`; none of them is too much. */
static void write_random(char *text, const struct random *random, int left)
{
    sprintf(text, "segments %d\n", random->n_segments);
    for (int i = 0; i < random->n_lines; i++)
        if (i != left)
            strcat(text, random->lines[i]);
}

static void test_random(void)
{
    static char text[MOST_LINES * 40];
    for (int n = 0; n < 300; n++) {
        struct random random;
        struct user_broadcast_messages *messages = NULL;
        make_random(&random);
        write_random(text, &random, -1);
        const char *found = outcome(&messages, text, random.n_ranks);
        CU_ASSERT_STRING_EQUAL(found, "");
        CU_ASSERT_PTR_NOT_NULL_FATAL(messages);
        CU_ASSERT_EQUAL(messages->starts[random.n_ranks], 2 * random.n_lines);
        user_broadcast_messages_free(messages);
        write_random(text, &random, testing_random_to(random.n_lines) - 1);
        CU_ASSERT_STRING_NOT_EQUAL(outcome(NULL, text, random.n_ranks), "");
    }
}

/* Ranks that wait for each other are the simulation's affair. */
static void test_deadlock(void)
{
    CU_ASSERT_STRING_EQUAL(outcome(NULL, "1 receives from 2\n2 receives from 1\n2 sends to 1\n1 sends to 2\n0 -> 1", 3),
                           "");
}

int main(void)
{
    static const struct test tests[] = {
        {"words", test_words},          {"messages", test_messages},
        {"limits", test_limits},        {"expressions", test_expressions},
        {"as built in", test_built_in}, {"random", test_random},
        {"deadlock", test_deadlock},    {NULL, NULL},
    };
    return testing_run("own", tests);
}
