/* Calls that move no message, by hand: the beginning and the end of the library, files, other calls; what is the
 * program's of the time, and who is late with what.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"
#include "tests/metrics/cells.h"
#include "tests/testing.h"
#include "tests/trace/fake_trace.h"
#include "trace/analysis/analysis.h"

#include <CUnit/Basic.h>

enum { INIT = 1, COMM_DUP, WRITE, OPEN, FREAD, SEND, RECV, PUT, BARRIER, N_FUNCTIONS };
static const char *const functions[N_FUNCTIONS] = {"",      "init", "dup",  "write", "open",
                                                   "fread", "send", "recv", "put",   "barrier"};

static struct record call(int64_t from, int64_t to, int function, enum record_call what)
{
    struct record record = fake_span(RECORD_CALL, from, to, function);
    record.call = (uint8_t)what;
    return record;
}

static struct record message(int kind, int64_t from, int64_t to, int function, int peer)
{
    struct record record = fake_span(kind, from, to, function);
    record.peer = peer;
    record.bytes = 64;
    return record;
}

static void analyse(struct result *result, struct fake_trace *trace)
{
    struct record_reader reader = fake_reader(trace);
    struct analysis_scopes scopes;
    struct analysis_stats stats;
    struct metrics metrics;
    struct sim_error error = {0};
    analysis_scopes_init(&scopes, &reader.info);
    metrics_open(&metrics, &(struct interval_setup){.n_ranks = trace->n_ranks,
                                                    .n_locations = trace->n_ranks,
                                                    .scopes = scopes.names,
                                                    .n_scopes = scopes.count,
                                                    .functions = functions,
                                                    .n_functions = N_FUNCTIONS,
                                                    .is_traced = true});
    int status = analysis_run(&stats, &reader, "x.fake", &scopes, metrics.sinks, metrics.count, &error);
    if (status != 0)
        fprintf(stderr, "%s\n", error.message);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    result_init(result);
    metrics_report(&metrics, &(struct metrics_totals){stats.end_ps, -1}, result);
    metrics_close(&metrics);
    analysis_scopes_dispose(&scopes);
    fake_dispose(trace);
}

static int64_t number(const struct result *result, const char *group, const char *name)
{
    const struct measure *measure = result_find(result, group, name);
    return measure != NULL ? (int64_t)measure_number(measure) : -1;
}

static double ratio(const struct result *result, const char *name)
{
    const struct measure *measure = result_find(result, "pop", name);
    return measure != NULL ? measure_value(measure) : -1;
}

static int64_t cell(const struct result *result, const char *table, size_t row, const char *column)
{
    const struct result_table *rows = cells_table(result, table);
    return (int64_t)cells_at(rows, row, column).number;
}

static const char *text(const struct result *result, const char *table, size_t row, const char *column)
{
    const struct result_table *rows = cells_table(result, table);
    return cells_at(rows, row, column).text;
}

/* Rank 1 begins at 20. Each rank's own time is 100 and 80, without the library's beginning and end 20 and 16. */
static void test_startup(void)
{
    struct fake_trace trace;
    struct result result;
    fake_init(&trace, 2);
    fake_add(&trace, 0, call(0, 50, INIT, RECORD_CALL_START));
    fake_add(&trace, 0, fake_span(RECORD_COMPUTE, 50, 60, 0));
    fake_add(&trace, 0, message(RECORD_SEND, 60, 64, SEND, 1));
    fake_add(&trace, 0, call(64, 68, COMM_DUP, RECORD_CALL_LIBRARY));
    fake_add(&trace, 0, call(68, 70, WRITE, RECORD_CALL_WRITE));
    fake_add(&trace, 0, call(70, 100, INIT, RECORD_CALL_START));
    fake_add(&trace, 1, call(20, 50, INIT, RECORD_CALL_START));
    fake_add(&trace, 1, fake_span(RECORD_COMPUTE, 50, 54, 0));
    fake_add(&trace, 1, message(RECORD_RECV, 54, 66, RECV, 0));
    analyse(&result, &trace);
    CU_ASSERT_EQUAL(number(&result, "state_s", "library"), 50 + 4 + 30 + 30);
    CU_ASSERT_EQUAL(number(&result, "state_s", "io"), 2);
    CU_ASSERT_EQUAL(number(&result, "state_s", "useful"), 14);
    CU_ASSERT_EQUAL(number(&result, "", "startup_s"), 50 + 30 + 30);
    CU_ASSERT_EQUAL(number(&result, "critical_path_s", "library"), 84);
    CU_ASSERT_EQUAL(number(&result, "critical_path_s", "library.startup"), 80);
    CU_ASSERT_EQUAL(number(&result, "critical_path_s", "library.other"), 4);
    CU_ASSERT_EQUAL(number(&result, "critical_path_s", "io.output"), 2);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "parallel_efficiency"), 7.0 / 20, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "load_balance"), 7.0 / 10, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "communication_efficiency"), 10.0 / 20, 1e-12);
    CU_ASSERT_EQUAL(cell(&result, "message_sizes", 0, "send_s"), 4);
    CU_ASSERT_EQUAL(cell(&result, "message_sizes", 0, "receive_s"), 6);
    CU_ASSERT_EQUAL(cell(&result, "message_sizes", 0, "idle_s"), 6);
    CU_ASSERT_EQUAL(cell(&result, "rank_waits", 0, "library_s"), 4);
    CU_ASSERT_STRING_EQUAL(text(&result, "rank_waits", 0, "library_by"), "dup");
    CU_ASSERT_EQUAL(cell(&result, "rank_waits", 0, "writing_s"), 2);
    CU_ASSERT_EQUAL(cell(&result, "rank_waits", 1, "library_s"), 0);
    CU_ASSERT_STRING_EQUAL(text(&result, "rank_waits", 1, "library_by"), "");
    result_dispose(&result);
}

/* No class of sizes has what moves data without a message, what moves none, or waiting in vain. */
static void test_sizes(void)
{
    struct fake_trace trace;
    struct result result;
    fake_init(&trace, 2);
    struct record barrier = fake_span(RECORD_COLLECTIVE, 30, 40, BARRIER);
    barrier.collective = RECORD_BARRIER;
    fake_add(&trace, 0, call(0, 5, PUT, RECORD_CALL_OTHER));
    fake_add(&trace, 0, call(5, 9, OPEN, RECORD_CALL_LIBRARY));
    fake_add(&trace, 0, call(9, 12, RECV, RECORD_CALL_POLL));
    fake_add(&trace, 0, message(RECORD_SEND, 12, 15, SEND, 1));
    fake_add(&trace, 0, call(15, 30, PUT, RECORD_CALL_OTHER));
    fake_add(&trace, 0, barrier);
    fake_add(&trace, 1, message(RECORD_RECV, 12, 16, RECV, 0));
    barrier.start_ps = 32;
    fake_add(&trace, 1, barrier);
    analyse(&result, &trace);
    CU_ASSERT_EQUAL(cell(&result, "message_sizes", 0, "send_s"), 3);
    CU_ASSERT_EQUAL(cell(&result, "message_sizes", 0, "receive_s"), 4);
    CU_ASSERT_EQUAL(cell(&result, "message_sizes", 0, "idle_s"), 0);
    CU_ASSERT_EQUAL(cell(&result, "collective_sizes", 0, "receive_s"), 16);
    CU_ASSERT_EQUAL(cell(&result, "collective_sizes", 0, "idle_s"), 2);
    CU_ASSERT_EQUAL(number(&result, "state_s", "send"), 5 + 3 + 15);
    result_dispose(&result);
}

/* Files that are read by other means than the library are useful, and known all the same. */
static void test_files(void)
{
    struct fake_trace trace;
    struct result result;
    fake_init(&trace, 1);
    fake_add(&trace, 0, call(0, 5, FREAD, RECORD_CALL_INPUT));
    fake_add(&trace, 0, call(5, 7, OPEN, RECORD_CALL_READ));
    fake_add(&trace, 0, call(7, 10, FREAD, RECORD_CALL_INPUT));
    analyse(&result, &trace);
    CU_ASSERT_EQUAL(number(&result, "state_s", "useful"), 8);
    CU_ASSERT_EQUAL(number(&result, "state_s", "io"), 2);
    CU_ASSERT_EQUAL(number(&result, "critical_path_s", "io.input"), 10);
    CU_ASSERT_EQUAL(cell(&result, "rank_waits", 0, "reading_s"), 10);
    CU_ASSERT_STRING_EQUAL(text(&result, "rank_waits", 0, "reads_by"), "fread");
    CU_ASSERT_DOUBLE_EQUAL(ratio(&result, "parallel_efficiency"), 0.8, 1e-12);
    result_dispose(&result);
}

int main(void)
{
    static const struct test tests[] = {{"the beginning and the end of the library", test_startup},
                                        {"sizes of messages", test_sizes},
                                        {"files", test_files},
                                        {NULL, NULL}};
    return testing_run("calls that move no message", tests);
}
