/* Pairs of ranks that measure messages, against closed forms.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/simrun.h"
#include "metrics/metrics.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdio.h>

/* Two wires are between hosts. 100 kB take 1 ms at their rate, besides two latencies. */
#define STAR                                                                                                           \
    "hosts star 6 1Gf 100MBps 10us\nsend_overhead start=3us\nreceive_overhead start=4us\nsend_completes buffered\n"

#define US INT64_C(1000000) /* in picoseconds */
enum { ROUNDS = 3, WINDOW = 8, SEND_US = 3, WAY_US = 20, RECEIVE_US = 4, LENGTH_US = 1000 };

static const int64_t message_ps = (SEND_US + WAY_US + LENGTH_US + RECEIVE_US) * US,
                     empty_ps = (SEND_US + WAY_US + RECEIVE_US) * US;

/* On fifo the lengths of a window follow each other. On quiet a message comes every 3 us, and is taken in every 4. */
static const int64_t window_fifo_ps = (SEND_US + WAY_US + WINDOW * LENGTH_US + RECEIVE_US) * US,
                     window_quiet_ps = (SEND_US + WAY_US + LENGTH_US + WINDOW * RECEIVE_US) * US;

static const struct row {
    const char *pattern, *network;
    int messages; /* of a pair and a round */
    int64_t round_ps;
} rows[] = {
    {"pingpong", "quiet", 2, 2 * message_ps},
    {"pingpong", "fifo", 2, 2 * message_ps},
    {"pingpong", "fluid", 2, 2 * message_ps},
    {"window", "quiet", WINDOW + 1, window_quiet_ps + empty_ps},
    {"window", "fifo", WINDOW + 1, window_fifo_ps + empty_ps},
    {"both", "fifo", 2 * WINDOW + 1, window_fifo_ps + empty_ps},
};

static void expect(const struct row *row, int ranks, const char *what, int64_t found, int64_t expected)
{
    if (found != expected)
        fprintf(stderr, "%s on %s, %d ranks: %s is %" PRId64 ", not %" PRId64 "\n", row->pattern, row->network, ranks,
                what, found, expected);
    CU_ASSERT_EQUAL(found, expected);
}

static void check_run(struct machine *machine, const struct row *row, int ranks)
{
    char pattern[40], network[40], count[40];
    snprintf(pattern, sizeof pattern, "pattern=%s", row->pattern);
    snprintf(network, sizeof network, "network=%s", row->network);
    snprintf(count, sizeof count, "ranks=%d", ranks);
    const char *const settings[] = {pattern, network, count, "bytes=100kB", "rounds=3", "window=8", NULL};
    struct simrun *simulation;
    struct sim_error error;
    struct result result;
    result_init(&result);
    CU_ASSERT_EQUAL_FATAL(simrun_open(&simulation, machine, "pairs", settings, &error), 0);
    CU_ASSERT_EQUAL_FATAL(simrun_run(&result, simulation, NULL, &error), 0);
    expect(row, ranks, "the time in ps", (int64_t)measure_number(result_find(&result, "", "time_s")),
           ranks < 2 ? 0 : ROUNDS * row->round_ps);
    expect(row, ranks, "the number of messages", (int64_t)measure_number(result_find(&result, "", "messages")),
           (int64_t)ranks / 2 * ROUNDS * row->messages);
    result_dispose(&result);
    simrun_close(simulation);
}

/* Pairs do not disturb each other on a star; a rank without a partner has nothing to do. */
static void test_times(void)
{
    struct machine *machine = NULL;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(simrun_read_machine(&machine, "star", STAR, &error), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int ranks = 1; ranks <= 6; ranks++)
            check_run(machine, &rows[i], ranks);
    simrun_free_machine(machine);
}

int main(void)
{
    return testing_run("message pairs", (const struct test[]){{"times and messages", test_times}, {NULL, NULL}});
}
