/* Iterations: series with planted outliers and trends, noise without any, and what makes one longer, by hand.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"
#include "metrics/series.h"
#include "tests/testing.h"
#include "tests/trace/fake_trace.h"
#include "trace/analysis/analysis.h"
#include "trace/analysis/repeats.h"

#include <CUnit/Basic.h>
#include <math.h>

enum { MOST = 500 };

/* Normal noise: the sum of twelve uniform numbers. */
static double normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (testing_random_to(1000000) - 0.5) / 1e6;
    return sum;
}

static size_t count_outliers(const double *values, size_t n)
{
    size_t found = 0;
    struct series series = series_look(values, n);
    for (size_t i = 0; i < n; i++)
        found += series_stands_out(&series, n, i, values[i]);
    return found;
}

/* A thousand regular series of 5 to 500 times each, with normal and with lognormal noise: nothing is found. */
static void test_noise(void)
{
    double values[MOST];
    size_t n_alarms = 0;
    for (int turn = 0; turn < 2000; turn++) {
        size_t n = 5 + (size_t)testing_random_to(MOST - 5);
        double noise = 0.01 * testing_random_to(20);
        for (size_t i = 0; i < n; i++)
            values[i] = turn % 2 == 0 ? 1 + noise * normal() : exp(noise * normal());
        n_alarms += count_outliers(values, n) > 0 || series_look(values, n).slope != 0;
    }
    CU_ASSERT_EQUAL(n_alarms, 0);
}

/* Outliers that are planted into 2 % noise are found, and nothing else. */
static void test_planted(void)
{
    double values[200];
    for (int turn = 0; turn < 100; turn++) {
        for (size_t i = 0; i < 200; i++)
            values[i] = 1 + 0.02 * normal();
        values[36] *= 2.1;
        struct series series = series_look(values, 200);
        CU_ASSERT_EQUAL(count_outliers(values, 200), 1);
        CU_ASSERT(series_stands_out(&series, 200, 36, values[36]));
        CU_ASSERT_EQUAL(series.slope, 0);
        for (size_t i = 0; i < 200; i++)
            values[i] *= 1 + 0.008 * (double)i;
        series = series_look(values, 200);
        CU_ASSERT_DOUBLE_EQUAL(series.slope, 0.008, 0.0008);
        CU_ASSERT_EQUAL(count_outliers(values, 200), 1);
    }
}

/* --- a trace --- */

enum { RANKS = 3, ROUNDS = 60, ROUND = 1000, BARRIER = 1, SEND, RECV, FUNCTIONS };
static const char *const functions[FUNCTIONS] = {"", "MPI_Barrier", "MPI_Send", "MPI_Recv"};

static void add_scope(struct fake_trace *trace, int rank, int kind, int64_t at)
{
    struct record record = fake_span(kind, at, at, 0);
    record.scope = 1; /* solve */
    fake_add(trace, rank, record);
}

/* Each round: all compute for 600 ps and meet in a barrier. In round `late`, rank `slow` computes for 1500 ps more;
 * each further round takes `growth` ps more than the one before. */
static void make(struct fake_trace *trace, bool scopes, int late, int slow, int64_t growth)
{
    int64_t at = 0;
    fake_init(trace, RANKS);
    for (int round = 1; round <= ROUNDS; round++) {
        int64_t end = at + ROUND + growth * round + (round == late ? 1500 : 0);
        for (int rank = 0; rank < RANKS; rank++) {
            if (scopes)
                add_scope(trace, rank, RECORD_ENTER, at);
            int64_t busy = round == late && rank == slow ? end - 10 : at + 600 + growth * round;
            struct record barrier = fake_span(RECORD_COLLECTIVE, busy, end, BARRIER);
            barrier.collective = RECORD_BARRIER;
            fake_add(trace, rank, barrier);
            if (scopes)
                add_scope(trace, rank, RECORD_LEAVE, end);
        }
        at = end;
    }
}

/* The result of the trace, whose iterations are those of `name`; how these are told. */
static void analyse(struct result *result, char told[40], struct fake_trace *trace, const char *name)
{
    struct record_reader reader = fake_reader(trace);
    struct analysis_scopes scopes;
    struct analysis_stats stats;
    struct metrics metrics;
    struct repeats repeats;
    struct sim_error error = {0};
    reader.info.functions = (char **)(uintptr_t)functions;
    reader.info.n_functions = FUNCTIONS;
    CU_ASSERT_EQUAL_FATAL(repeats_find(&repeats, &reader, name, &error), 1);
    snprintf(told, 40, "%s", repeats.name);
    analysis_scopes_init(&scopes, &reader.info);
    scopes.repeats = &repeats;
    metrics_open(&metrics, &(struct interval_setup){.n_ranks = RANKS,
                                                    .n_locations = RANKS,
                                                    .scopes = scopes.names,
                                                    .n_scopes = scopes.count,
                                                    .functions = functions,
                                                    .n_functions = FUNCTIONS,
                                                    .iterations = repeats.name,
                                                    .iteration = &repeats.number,
                                                    .is_traced = true});
    CU_ASSERT_EQUAL_FATAL(analysis_run(&stats, &reader, "x.fake", &scopes, metrics.sinks, metrics.count, &error), 0);
    result_init(result);
    metrics_report(&metrics, &(struct metrics_totals){stats.end_ps, -1}, result);
    metrics_close(&metrics);
    analysis_scopes_dispose(&scopes);
    repeats_dispose(&repeats);
    fake_dispose(trace);
}

static bool is_close(double a, double b)
{
    return fabs(a - b) < 1e-18;
}

static void test_rows(void)
{
    struct fake_trace trace;
    struct result result;
    size_t n, n_findings;
    char told[40];
    make(&trace, true, 37, 2, 0);
    analyse(&result, told, &trace, NULL);
    CU_ASSERT_STRING_EQUAL(told, "solve");
    const struct iterations_row *rows = result_iterations(&result, &n);
    CU_ASSERT_EQUAL_FATAL(n, ROUNDS);
    for (size_t i = 0; i < n; i++) {
        bool is_late = i == 36;
        /* of 2500 ps, rank 2 computes 2490, the others 600 and wait for it */
        CU_ASSERT(rows[i].iteration == (int64_t)i + 1 && is_close(rows[i].time_s, is_late ? 2500e-12 : 1000e-12) &&
                  is_close(rows[i].useful_s, is_late ? 1230e-12 : 600e-12) &&
                  is_close(rows[i].idle_s, is_late ? 1260e-12 : 0) &&
                  is_close(rows[i].communication_s, is_late ? 10e-12 : 400e-12));
    }
    const struct iteration_findings_row *found = result_iteration_findings(&result, &n_findings);
    CU_ASSERT_EQUAL_FATAL(n_findings, 1);
    CU_ASSERT(found->iteration == 37 && fabs(found->factor - 2.5) < 1e-9 && found->rank == 2 &&
              found->cause == STATE_USEFUL && is_close(found->excess_s, 1890e-12));
    CU_ASSERT_STRING_EQUAL(found->scope, "solve");
    result_dispose(&result);
}

/* The same without scopes: an iteration is from one barrier to the next. */
static void test_calls(void)
{
    struct fake_trace trace;
    struct result result;
    size_t n, n_findings;
    char told[40];
    make(&trace, false, 20, 0, 0);
    analyse(&result, told, &trace, NULL);
    CU_ASSERT_STRING_EQUAL(told, "MPI_Barrier");
    const struct iterations_row *rows = result_iterations(&result, &n);
    CU_ASSERT_EQUAL_FATAL(n, ROUNDS - 1);
    CU_ASSERT(rows != NULL && is_close(rows[0].time_s, 1000e-12));
    const struct iteration_findings_row *found = result_iteration_findings(&result, &n_findings);
    CU_ASSERT_EQUAL_FATAL(n_findings, 2); /* rank 0 comes late to the 20th barrier, at which the others wait */
    CU_ASSERT(found[0].iteration == 19 && found[0].rank == 0 && found[0].cause == STATE_USEFUL);
    CU_ASSERT(found[1].iteration == 20 && found[1].rank == -1 && found[1].cause == STATE_IDLE);
    result_dispose(&result);
}

static void test_trend(void)
{
    struct fake_trace trace;
    struct result result;
    size_t n_findings;
    char told[40];
    make(&trace, true, 0, 0, 20);
    analyse(&result, told, &trace, "solve");
    const struct iteration_findings_row *found = result_iteration_findings(&result, &n_findings);
    CU_ASSERT_EQUAL_FATAL(n_findings, 1);
    /* the median of 1020 ... 2200 ps is 1610 */
    CU_ASSERT(found->iteration == 0 && fabs(found->factor - (1 + 20.0 / 1610)) < 1e-9 && found->cause == STATE_USEFUL);
    result_dispose(&result);
}

/* Rounds whose times differ tenfold, in which ranks compute for 600 ps with little noise. In round 31, if it is
 * planted, rank 0 computes for 8000 ps more. */
static void make_noisy(struct fake_trace *trace, bool planted)
{
    int64_t at = 0;
    fake_init(trace, RANKS);
    for (int round = 1; round <= ROUNDS; round++) {
        int64_t end = at + 3000 * (round == 31 ? 10 : (int64_t)testing_random_to(10));
        for (int rank = 0; rank < RANKS; rank++) {
            int64_t busy = at + 600 + (int64_t)(5 * normal()) + (planted && round == 31 && rank == 0 ? 8000 : 0);
            struct record barrier = fake_span(RECORD_COLLECTIVE, busy, end, BARRIER);
            barrier.collective = RECORD_BARRIER;
            add_scope(trace, rank, RECORD_ENTER, at);
            fake_add(trace, rank, barrier);
            add_scope(trace, rank, RECORD_LEAVE, end);
        }
        at = end;
    }
}

/* The useful time of a rank stands out, where the time of iterations is noise; without that nothing does. */
static void test_rank(void)
{
    for (int turn = 0; turn < 100; turn++) {
        struct fake_trace trace;
        struct result result;
        size_t n_findings;
        char told[40];
        make_noisy(&trace, turn % 2 == 0);
        analyse(&result, told, &trace, "solve");
        const struct iteration_findings_row *found = result_iteration_findings(&result, &n_findings);
        CU_ASSERT_EQUAL_FATAL(n_findings, turn % 2 == 0 ? 1 : 0);
        CU_ASSERT(n_findings == 0 || (found->iteration == 31 && found->of_rank && found->rank == 0 &&
                                      found->cause == STATE_USEFUL && fabs(found->factor - 8600.0 / 600) < 1));
        result_dispose(&result);
    }
}

static void test_errors(void)
{
    struct fake_trace trace;
    struct repeats repeats;
    struct sim_error error = {0};
    make(&trace, true, 0, 0, 0);
    struct record_reader reader = fake_reader(&trace);
    CU_ASSERT_EQUAL(repeats_find(&repeats, &reader, "solv", &error), -1);
    CU_ASSERT_STRING_EQUAL(error.message,
                           "--iterations: there is no scope or function 'solv' in the trace; did you mean "
                           "'solve'? known: solve exchange solve");
    fake_dispose(&trace);
}

int main(void)
{
    static const struct test tests[] = {
        {"noise", test_noise},
        {"what is planted", test_planted},
        {"iterations of a scope", test_rows},
        {"between calls", test_calls},
        {"a trend", test_trend},
        {"of a rank", test_rank},
        {"mistakes", test_errors},
        {NULL, NULL},
    };
    return testing_run("iterations", tests);
}
