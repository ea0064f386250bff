/* Looking for a message: when it is found, that it is taken in once, and what the last look does.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/network/wires.h"
#include "tests/testing.h"

#define EAGER "<prop id='send_completes' value='buffered'/>"
#define RENDEZVOUS EAGER "<prop id='eager_limit' value='0B'/>"

static const struct wire_row wire = {1e6, 500000}; /* 1 us a byte; 500 us a wire, two of them */
enum { LATENCY_US = 1000, BYTES = 100, CHUNK_US = 300, MOST_CHUNKS = 6 };

static void add_probe(struct script *script, enum probe_mode mode)
{
    struct op *probe = add(script, 1, OP_PROBE, 0, 0);
    probe->mode = (uint8_t)mode;
    probe->guarded = 2;
    add(script, 1, OP_RECV, 0, BYTES);
    add(script, 1, OP_DELAY, -1, 0)->delay_ps = US; /* what is done with it */
}

/* Rank 0 sends after `sent_us`; rank 1 looks at once and after each chunk, and at the end. */
static void make(struct script *script, int sent_us, int chunks)
{
    *script = (struct script){.n_ranks = 2, .chunk = 1};
    script->chunk = OP_LIST_MAX;
    add(script, 0, OP_DELAY, -1, 0)->delay_ps = sent_us * US;
    add(script, 0, OP_SEND, 1, BYTES);
    add_probe(script, PROBE_FIRST);
    for (int i = 0; i < chunks; i++) {
        add(script, 1, OP_DELAY, -1, 0)->delay_ps = CHUNK_US * US;
        add_probe(script, PROBE_AGAIN);
    }
    while (script->count[1] % OP_LIST_MAX + 3 > OP_LIST_MAX) /* guarded ops are in the list of their probe */
        add(script, 1, OP_DELAY, -1, 0)->delay_ps = 0;
    add_probe(script, PROBE_LAST);
}

/* When rank 1 ends: chunks, and what is done with the message, once; where that has not come, waiting for it. A message
 * that has to be asked for is found as soon as its request is there, and then comes in the time of two more ways. */
static int64_t expected_ps(int sent_us, int chunks, bool asks)
{
    int64_t found = (sent_us + LATENCY_US + (asks ? 0 : BYTES)) * US, at = 0;
    int64_t takes = asks ? (2 * LATENCY_US + BYTES) * US : 0;
    bool done = false;
    for (int i = 0; i <= chunks + 1; i++) {
        bool last = i > chunks, has_come = at >= found;
        if (!done && (has_come || last)) {
            at = max64(at, found) + takes + US;
            done = true;
        }
        at += i < chunks ? CHUNK_US * US : 0;
    }
    return at;
}

static int check(const void *argument)
{
    bool asks = argument != NULL;
    int failures = 0;
    for (int chunks = 0; chunks <= 3; chunks++)
        for (int sent_us = 0; sent_us < 1500; sent_us += 70) {
            struct script script;
            make(&script, sent_us, chunks);
            struct outcome outcome = run_script(&script, "quiet");
            int64_t expected = expected_ps(sent_us, chunks, asks);
            failures += outcome.status != 0 || outcome.stats.messages != 1 || outcome.stats.end_ps != expected;
            if (outcome.stats.end_ps != expected)
                fprintf(stderr, "sent at %d us, %d chunks: %" PRId64 " instead of %" PRId64 " ps\n", sent_us, chunks,
                        outcome.stats.end_ps, expected);
        }
    return failures;
}

static void test_eager(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform(EAGER, 2, wire), check, NULL), 0);
}

static void test_rendezvous(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform(RENDEZVOUS, 2, wire), check, &wire), 0);
}

/* A message that has been found is not looked for again, though another one from there has come; a first look is for
 * another one. */
static int check_two(const void *argument)
{
    (void)argument;
    static const enum probe_mode modes[] = {PROBE_FIRST, PROBE_AGAIN, PROBE_LAST, PROBE_FIRST};
    int failures = 0;
    for (int messages = 1; messages <= 2; messages++) { /* with one, a look too many waits for ever */
        struct script script = {.n_ranks = 2, .chunk = OP_LIST_MAX};
        for (int i = 0; i < messages; i++)
            add(&script, 0, OP_SEND, 1, BYTES);
        add(&script, 1, OP_DELAY, -1, 0)->delay_ps = 5000 * US;
        for (int i = 0; i < 4; i++)
            add_probe(&script, modes[i]);
        struct outcome outcome = run_script(&script, "quiet");
        failures +=
            outcome.status != 0 || outcome.stats.messages != messages || outcome.stats.end_ps != (5000 + messages) * US;
    }
    return failures;
}

static void test_two(void)
{
    CU_ASSERT_EQUAL(on_platform(star_platform(EAGER, 2, wire), check_two, NULL), 0);
}

/* Without a clock, the list goes from op to op. */
static void test_order(void)
{
    struct op_list list = {.count = 0};
    for (int i = 0; i < 4; i++)
        op_list_add(&list, i % 2 == 0 ? OP_PROBE : OP_RECV, 0)->guarded = i % 2 == 0;
    list.ops[2].mode = PROBE_LAST;
    CU_ASSERT_EQUAL(op_list_after(&list, 0), 2);
    CU_ASSERT_EQUAL(op_list_after(&list, 2), 3);
    CU_ASSERT_EQUAL(op_list_after(&list, 3), 4);
}

int main(void)
{
    static const struct test tests[] = {{"messages that are there", test_eager},
                                        {"messages that are asked for", test_rendezvous},
                                        {"two messages", test_two},
                                        {"without a clock", test_order},
                                        {NULL, NULL}};
    return testing_run("probes", tests);
}
