/* Wait states by hand: for what and whom a rank waits, in which function; several waits of one call; polls, probes,
 * sends that wait for a receiver that computes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"
#include "tests/testing.h"
#include "tests/trace/fake_trace.h"
#include "trace/analysis/analysis.h"

#include <CUnit/Basic.h>

enum { SEND = 1, RECV, WAIT, TEST, PROBE, ALLREDUCE, N_FUNCTIONS };
static char names[N_FUNCTIONS][16] = {"", "send", "recv", "wait", "test", "probe", "allreduce"};
static char *functions[N_FUNCTIONS] = {names[0],    names[SEND],  names[RECV],     names[WAIT],
                                       names[TEST], names[PROBE], names[ALLREDUCE]};

static struct record message(int kind, int64_t from, int64_t to, int function, int peer)
{
    struct record record = fake_span(kind, from, to, function);
    record.peer = peer;
    record.bytes = 100;
    return record;
}

static struct record request(int kind, int64_t from, int64_t to, int function, int peer, uint32_t number)
{
    struct record record = message(kind, from, to, function, peer);
    record.request = number;
    return record;
}

static struct record work(int64_t from, int64_t to)
{
    return fake_span(RECORD_COMPUTE, from, to, 0);
}

/* True if it is a wait before the rank's first or after its last record. */
static bool is_at_end(const char *wait)
{
    return strcmp(wait, wait_state_names[WAIT_START]) == 0 || strcmp(wait, wait_state_names[WAIT_END]) == 0;
}

/* Analyze, and compare the waits: "late sender in recv: 2, 30 ps, 20 for 1" a line, but for those at the ends. */
static void expect_waits(struct fake_trace *trace, const char *expected)
{
    struct record_reader reader = fake_reader(trace);
    struct analysis_scopes scopes;
    struct analysis_stats stats;
    struct metrics metrics;
    struct result result;
    struct sim_error error = {0};
    char *text = NULL;
    size_t size = 0;
    reader.info.functions = functions;
    reader.info.n_functions = N_FUNCTIONS;
    analysis_scopes_init(&scopes, &reader.info);
    metrics_open(&metrics, &(struct interval_setup){.n_ranks = trace->n_ranks,
                                                    .n_locations = trace->n_ranks,
                                                    .scopes = scopes.names,
                                                    .n_scopes = scopes.count,
                                                    .functions = (const char *const *)functions,
                                                    .n_functions = N_FUNCTIONS,
                                                    .is_traced = true});
    int status = analysis_run(&stats, &reader, "x.fake", &scopes, metrics.sinks, metrics.count, &error);
    if (status != 0)
        fprintf(stderr, "%s\n", error.message);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    result_init(&result);
    metrics_report(&metrics, &(struct metrics_totals){stats.end_ps, -1}, &result);
    FILE *out = open_memstream(&text, &size);
    size_t n_rows;
    const struct function_waits_row *rows = result_function_waits(&result, &n_rows);
    for (size_t row = 0; row < n_rows; row++) {
        const char *wait = wait_state_names[rows[row].wait];
        if (!is_at_end(wait))
            fprintf(out, "%s in %s: %d, %d ps, %d for %d\n", wait, rows[row].function, (int)rows[row].waits,
                    (int)rows[row].time_ps, (int)rows[row].for_rank_ps, rows[row].for_rank);
    }
    fclose(out);
    if (strcmp(text, expected) != 0)
        fprintf(stderr, "%s", text);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
    result_dispose(&result);
    metrics_close(&metrics);
    analysis_scopes_dispose(&scopes);
    fake_dispose(trace);
}

static void add(struct fake_trace *trace, int rank, struct record record)
{
    fake_add(trace, rank, record);
}

/* A long send waits until its receiver, which has posted, comes back to the library. One to a receiver that is in the
 * library anyway does not, nor does one that ends before. */
static void test_receivers(void)
{
    struct fake_trace trace;
    fake_init(&trace, 2);
    add(&trace, 0, work(0, 10));
    add(&trace, 0, message(RECORD_SEND, 10, 60, SEND, 1)); /* rank 1 computes until 50 */
    add(&trace, 0, message(RECORD_SEND, 60, 80, SEND, 1)); /* it is there */
    add(&trace, 0, message(RECORD_SEND, 80, 82, SEND, 1)); /* and is not: eager */
    add(&trace, 0, work(82, 200));
    add(&trace, 1, request(RECORD_IRECV, 0, 5, RECV, 0, 1));
    add(&trace, 1, work(5, 50));
    add(&trace, 1, request(RECORD_WAIT, 50, 60, WAIT, 0, 1));
    add(&trace, 1, message(RECORD_RECV, 60, 80, RECV, 0));
    add(&trace, 1, work(80, 150));
    add(&trace, 1, message(RECORD_RECV, 150, 151, RECV, 0));
    expect_waits(&trace, "late receiver in send: 1, 40 ps, 40 for 1\n");
}

/* Several waits of one call: idle until the last of them can go on, whatever their order. */
static void test_together(void)
{
    for (int order = 0; order < 2; order++) {
        struct fake_trace trace;
        fake_init(&trace, 3);
        add(&trace, 0, request(RECORD_IRECV, 0, 0, RECV, 1, 1));
        add(&trace, 0, request(RECORD_IRECV, 0, 0, RECV, 2, 2));
        struct record first = request(RECORD_WAIT, 0, 100, WAIT, order == 0 ? 1 : 2, order == 0 ? 1 : 2);
        struct record second = request(RECORD_WAIT, 100, 100, WAIT, order == 0 ? 2 : 1, order == 0 ? 2 : 1);
        first.goes_on = true;
        second.n_calls = 0;
        add(&trace, 0, first);
        add(&trace, 0, second);
        add(&trace, 1, work(0, 20));
        add(&trace, 1, message(RECORD_SEND, 20, 21, SEND, 0));
        add(&trace, 2, work(0, 90));
        add(&trace, 2, message(RECORD_SEND, 90, 91, SEND, 0));
        expect_waits(&trace, "late sender in wait: 1, 90 ps, 90 for 2\n");
    }
}

/* A probe waits for what it finds; polls wait for what ends them, or in vain; a poll for a send comes back at once. */
static void test_polls(void)
{
    struct fake_trace trace;
    struct record polls = fake_span(RECORD_CALL, 0, 10, TEST), tests;
    fake_init(&trace, 2);
    polls.call = RECORD_CALL_POLL;
    polls.n_calls = 7;
    add(&trace, 0, polls);
    add(&trace, 0, message(RECORD_PROBE, 10, 50, PROBE, 1));
    add(&trace, 0, message(RECORD_RECV, 50, 52, RECV, 1));
    add(&trace, 0, request(RECORD_ISEND, 52, 53, SEND, 1, 1));
    tests = request(RECORD_WAIT, 53, 63, TEST, -1, 1);
    tests.n_calls = 10;
    add(&trace, 0, tests);
    add(&trace, 0, request(RECORD_IRECV, 63, 63, RECV, 1, 2));
    tests = request(RECORD_WAIT, 63, 100, TEST, 1, 2);
    tests.n_calls = 100;
    add(&trace, 0, tests);
    add(&trace, 1, work(0, 45));
    add(&trace, 1, message(RECORD_SEND, 45, 46, SEND, 0));
    add(&trace, 1, message(RECORD_RECV, 46, 60, RECV, 0));
    add(&trace, 1, work(60, 95));
    add(&trace, 1, message(RECORD_SEND, 95, 96, SEND, 0));
    expect_waits(&trace, "late sender in recv: 1, 6 ps, 6 for 0\nlate sender in test: 1, 32 ps, 32 for 1\n"
                         "late sender in probe: 1, 35 ps, 35 for 1\nlate receiver in test: 1, 9 ps, 9 for 1\n"
                         "polls in vain in test: 1, 10 ps, 0 for -1\n");
}

/* The last one in a collective is waited for; waiting for a processor is none of a function, nor is sleeping. */
static void test_collectives(void)
{
    struct fake_trace trace;
    fake_init(&trace, 3);
    for (int rank = 0; rank < 3; rank++) {
        int64_t at_ps = rank == 1 ? 80 : 10 * rank;
        struct record all = fake_span(RECORD_COLLECTIVE, at_ps, 100, ALLREDUCE),
                      sleep = fake_span(RECORD_SLEEP, 0, at_ps / 2, 0);
        all.collective = RECORD_ALLREDUCE;
        sleep.sleep = SLEEP_PROCESSOR;
        sleep.peer = -1;
        if (at_ps > 0) {
            add(&trace, rank, sleep);
            add(&trace, rank, work(at_ps / 2, at_ps));
        }
        add(&trace, rank, all);
    }
    expect_waits(&trace, "wait at N x N in allreduce: 2, 140 ps, 140 for 1\nno processor in : 2, 50 ps, 0 for -1\n");
}

/* Time that a rank lacks outside of the library is what the trace says. */
static void test_sleeping(void)
{
    struct fake_trace trace;
    fake_init(&trace, 1);
    for (int i = 0; i < N_RECORD_SLEEPS; i++) {
        struct record sleep = fake_span(RECORD_SLEEP, 100 * i, 100 * i + 20 - i, 0);
        sleep.sleep = (uint8_t)i;
        sleep.peer = -1;
        add(&trace, 0, sleep);
        add(&trace, 0, work(100 * i + 20 - i, 100 * i + 100));
    }
    expect_waits(&trace, "no processor in : 1, 19 ps, 0 for -1\nother programs in : 1, 18 ps, 0 for -1\n"
                         "asleep in : 1, 17 ps, 0 for -1\noff the processor in : 1, 16 ps, 0 for -1\n"
                         "not recorded in : 1, 14 ps, 0 for -1\nwait for launch in : 1, 15 ps, 0 for -1\n"
                         "serial part in : 1, 13 ps, 0 for -1\nwait for team in : 1, 12 ps, 0 for -1\n"
                         "lock of threads in : 1, 11 ps, 0 for -1\n"
                         "other waiting in : 1, 20 ps, 0 for -1\n");
}

int main(void)
{
    static const struct test tests[] = {
        {"sends wait for receivers", test_receivers},
        {"several waits of one call", test_together},
        {"polls and probes", test_polls},
        {"collectives, processors", test_collectives},
        {"sleeping", test_sleeping},
        {NULL, NULL},
    };
    return testing_run("wait states of traces", tests);
}
