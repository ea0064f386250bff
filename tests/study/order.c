/* The order in reports of runs that are as good, and of overheads, parts and differences of the same size; and the
 * limits that they are compared with.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "interval/intern.h"
#include "report/report.h"
#include "study/compare/changes.h"
#include "study/compare/compare.h"
#include "study/compare/reason.h"
#include "study/ranking.h"
#include "study/sections/sections.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- reports of a few runs --- */

enum { P_SIZE, P_WAY, P_GRID, N_PARAMETERS, MOST_RUNS = 12 };

/* A run of a problem of some size, done in one way on one grid; all ranks compute. */
struct row {
    int size, way, grid;
    int64_t time_ms, bytes;
    int ranks;
};

static void add_run(struct study *report, const struct row *row, bool decides)
{
    static const char *const names[] = {"size", "way", "grid"};
    const int values[] = {row->size, row->way, row->grid};
    struct study_run *run = &report->runs[report->n_runs++];
    *run = (struct study_run){.platform = "p", .network = "fifo", .ranks = row->ranks, .n_parameters = N_PARAMETERS};
    run->parameters = xcalloc(N_PARAMETERS, sizeof *run->parameters);
    for (int p = 0; p < N_PARAMETERS; p++) {
        struct study_parameter *parameter = &run->parameters[p];
        *parameter = (struct study_parameter){.name = names[p],
                                              .number = values[p],
                                              .is_number = p == P_SIZE,
                                              .is_problem = p == P_SIZE,
                                              .is_candidate = decides && p == P_WAY};
        parameter->text = intern_format(p == P_SIZE ? "%d" : p == P_WAY ? "w%d" : "g%d", values[p]);
    }
    result_init(&run->result);
    result_add_time(&run->result, "", "time_s", row->time_ms * (PS_PER_S / 1000));
    result_add_count(&run->result, "", "bytes", row->bytes);
    run->result.n_processors = row->ranks;
    run->result.state_ps = xcalloc((size_t)row->ranks, sizeof *run->result.state_ps);
    for (int r = 0; r < row->ranks; r++)
        run->result.state_ps[r][STATE_USEFUL] = 1;
}

/* By what a decision ranks them; M_NONE: it is none. */
static struct study new_report(const struct row *rows, int n_rows, enum measure_id decision)
{
    struct study report = {.version = "0", .scenario = "order", .decision = decision};
    report.runs = xcalloc(MOST_RUNS, sizeof *report.runs);
    for (int i = 0; i < n_rows; i++)
        add_run(&report, &rows[i], decision != M_NONE);
    return report;
}

static void dispose(struct study *report)
{
    for (int i = 0; i < report->n_runs; i++) {
        free(report->runs[i].parameters);
        result_dispose(&report->runs[i].result);
    }
    free(report->runs);
}

static void expect_text(const char *text, bool says, const char *part)
{
    bool good = (strstr(text, part) != NULL) == says;
    if (!good)
        fprintf(stderr, "\n  %s '%s' in:\n%s", says ? "not" : "found", part, text);
    CU_ASSERT(good);
}

/* --- decisions --- */

static void section_decision(struct document *document, const struct study *study)
{
    struct decision decision;
    decision_init(&decision, study);
    section_best_candidates(document, study, &decision);
    decision_dispose(&decision);
}

/* The text report of a section. */
static char *text_of(void (*section)(struct document *document, const struct study *study), const struct study *study)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    struct document document;
    document_init(&document, FOR_READERS);
    section(&document, study);
    report_find("text")->write(stream, &document);
    document_dispose(&document);
    fclose(stream);
    return text;
}

/* Among those that move as much the faster is better, then the earlier. Ranks are by the time, places by the measure of
 * the decision. */
static void test_equal_candidates(void)
{
    static const struct row rows[] = {
        {1, 0, 0, 50, 100, 4}, {1, 1, 0, 40, 100, 4}, {1, 2, 0, 40, 100, 4}, {1, 3, 0, 60, 90, 4}};
    static const int places[] = {4, 2, 3, 1}, ranks[] = {3, 1, 1, 4};
    struct study report = new_report(rows, 4, M_BYTES);
    decision_rank(&report);
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(testing_measure(&report.runs[i], "", "place"), places[i]);
        CU_ASSERT_EQUAL(testing_measure(&report.runs[i], "", "rank"), ranks[i]);
    }
    dispose(&report);
}

/* The sentence on the best of two, and the other one. */
static void expect_answer(enum measure_id decision, const struct row rows[2], const char *sentence)
{
    struct study report = new_report(rows, 2, decision);
    decision_rank(&report);
    char *text = text_of(section_decision, &report);
    expect_text(text, true, sentence);
    free(text);
    dispose(&report);
}

static void test_alternatives(void)
{
    static const struct {
        enum measure_id decision;
        struct row rows[2];
        const char *sentence;
    } cases[] = {
        {M_TIME,
         {{1, 0, 0, 50, 200, 4}, {1, 1, 0, 100, 100, 4}},
         "w1 takes 2.0 times as long but moves 50 % less data."},
        {M_TIME, {{1, 0, 0, 50, 200, 4}, {1, 1, 0, 99, 100, 4}}, "w1 takes 98 % longer but moves 50 % less data."},
        {M_TIME, {{1, 0, 0, 1000, 200, 4}, {1, 1, 0, 1001, 100, 4}}, "w1 takes 0.1 % longer but moves"},
        {M_BYTES,
         {{1, 0, 0, 50, 100, 4}, {1, 1, 0, 40, 300, 4}},
         "w1 moves 3.0 times as much data but takes 20 % less time."},
        {M_TIME, {{1, 0, 0, 50, 100, 4}, {1, 1, 0, 60, 100, 3}}, "but leaves 1 processor free."},
        {M_BYTES, {{1, 0, 0, 50, 100, 4}, {1, 1, 0, 40, 200, 6}}, "needs 2 more processors but takes 20 %"},
        {M_TIME, {{1, 0, 0, 50, 100, 4}, {1, 1, 0, 60, 100, 4}}, "w0 in 50.00 ms."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_answer(cases[i].decision, cases[i].rows, cases[i].sentence);
}

/* The best stays where it is as good as another one, although that is named first there. */
static void test_changes(void)
{
    static const struct row rows[] = {{1, 0, 0, 60, 1, 4}, {1, 1, 0, 50, 1, 4}, {2, 0, 0, 50, 1, 4},
                                      {2, 1, 0, 50, 1, 4}, {3, 0, 0, 60, 1, 4}, {3, 1, 0, 50, 1, 4},
                                      {4, 0, 0, 50, 1, 4}, {4, 1, 0, 60, 1, 4}};
    struct study report = new_report(rows, 8, M_TIME);
    decision_rank(&report);
    char *text = text_of(section_decision, &report);
    expect_text(text, true, "from w1 to w0 between size 3 and 4.");
    expect_text(text, false, "between size 1");
    free(text);
    dispose(&report);
}

/* If axes have the same length, the second goes down. */
static void test_axes(void)
{
    static const struct row rows[] = {{1, 0, 0, 50, 1, 4}, {1, 1, 0, 60, 1, 4}, {1, 0, 1, 60, 1, 4},
                                      {1, 1, 1, 50, 1, 4}, {2, 0, 0, 50, 1, 4}, {2, 1, 0, 60, 1, 4},
                                      {2, 0, 1, 60, 1, 4}, {2, 1, 1, 70, 1, 4}};
    struct study report = new_report(rows, 8, M_TIME);
    decision_rank(&report);
    char *text = text_of(section_decision, &report);
    expect_text(text, true, "grid \\ size");
    expect_text(text, true, "grid g1: from w1 to w0 between size 1 and 2.");
    free(text);
    dispose(&report);
}

/* --- rankings --- */

/* Equal times share a rank, and the next one counts all before it. */
static void test_equal_times(void)
{
    static const struct row rows[] = {
        {1, 0, 0, 50, 1, 4}, {1, 1, 0, 40, 1, 4}, {1, 2, 0, 40, 1, 4}, {1, 3, 0, 60, 1, 4}};
    static const int ranks[] = {3, 1, 1, 4};
    struct study report = new_report(rows, 4, M_NONE);
    for (int i = 0; i < 4; i++) {
        result_add_ratio(&report.runs[i].result, "overhead_ratio", "control", 0.25);
        result_add_ratio(&report.runs[i].result, "overhead_ratio", "idle", 0.25);
    }
    ranking_add(&report);
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(testing_measure(&report.runs[i], "", "rank"), ranks[i]);
        CU_ASSERT_STRING_EQUAL(report.runs[i].largest_overhead, "control");
    }
    dispose(&report);
}

/* The first of the fastest is named, then up to three that are as fast, and how many more there are. */
static void test_ties(void)
{
    static const struct row rows[] = {{1, 0, 0, 50, 1, 4}, {1, 1, 0, 50, 1, 4}, {1, 2, 0, 50, 1, 4},
                                      {1, 3, 0, 50, 1, 4}, {1, 4, 0, 50, 1, 4}, {1, 5, 0, 60, 1, 4}};
    struct study report = new_report(rows, 6, M_NONE);
    char *text = text_of(section_answer, &report);
    expect_text(text, true, "Fastest: 4 ranks, way w0 in 50.00 ms.");
    expect_text(text, true, "Just as fast: way w1; way w2; way w3; and 1 more.");
    free(text);
    report.n_runs = 4;
    text = text_of(section_answer, &report);
    expect_text(text, true, "Just as fast: way w1; way w2; way w3.");
    free(text);
    report.n_runs = 6;
    dispose(&report);
}

/* All else at its best: the last run with a value is not its fastest. */
static void test_factors(void)
{
    static const struct row rows[] = {
        {1, 0, 0, 50, 1, 4}, {1, 0, 1, 90, 1, 4}, {1, 1, 0, 75, 1, 4}, {1, 1, 1, 100, 1, 4}};
    struct study report = new_report(rows, 4, M_NONE);
    char *text = text_of(section_slowdown_matrix, &report);
    expect_text(text, true, "1.50");
    expect_text(text, false, "2.00");
    expect_text(text, true, "1.80");
    free(text);
    dispose(&report);
}

/* --- the largest part --- */

/* Among groups of the same size, the first counts; the largest part has no parts itself. */
static void test_components(void)
{
    static const struct row row = {1, 0, 0, 100, 1, 4};
    struct study report = new_report(&row, 1, M_NONE);
    struct result *result = &report.runs[0].result;
    double share;
    result_add_time(result, "critical_path_s", "processing", 50 * (PS_PER_S / 1000));
    result_add_time(result, "critical_path_s", "memory", 50 * (PS_PER_S / 1000));
    result_add_time(result, "critical_path_s", "processing.cpu", 20 * (PS_PER_S / 1000));
    result_add_time(result, "critical_path_s", "processing.fpu", 30 * (PS_PER_S / 1000));
    result_add_time(result, "critical_path_s", "memory.internal", 30 * (PS_PER_S / 1000));
    CU_ASSERT_STRING_EQUAL(measure_label(run_largest_group(&report.runs[0], &share)), "processing");
    CU_ASSERT_DOUBLE_EQUAL(share, 0.5, 1e-12);
    CU_ASSERT_STRING_EQUAL(run_largest_part(&report.runs[0], &share)->of->name, "processing.fpu");
    CU_ASSERT_DOUBLE_EQUAL(share, 0.3, 1e-12);
    dispose(&report);
}

/* --- two runs side by side --- */

static char *print_comparison(struct compare_version sides[2], const char *format)
{
    char *text = NULL;
    size_t size;
    struct document document;
    FILE *stream = open_memstream(&text, &size);
    document_init(&document, report_find(format)->audience);
    const struct comparison comparison = {.simrun = "0", .versions = sides, .n_versions = 2, .are_stored_runs = true};
    comparison_document(&document, &comparison);
    report_find(format)->write(stream, &document);
    document_dispose(&document);
    fclose(stream);
    return text;
}

/* A measure of two runs; less than 0: the run does not have it. */
struct pair {
    const char *group, *name;
    enum measure_type type;
    double values[2];
};

static void add_pair(struct study *report, const struct pair *pair)
{
    for (int side = 0; side < 2; side++) {
        struct result *result = &report->runs[side].result;
        if (pair->values[side] < 0)
            continue;
        if (pair->type == MEASURE_TIME)
            result_add_time(result, pair->group, pair->name, (wide_int)(pair->values[side] * 1000));
        else
            result_add_ratio(result, pair->group, pair->name, pair->values[side]);
    }
}

static void test_moves(void)
{
    static const struct pair pairs[] = {
        {"critical_path_s", "processing.cpu", MEASURE_TIME, {1000, 900}},
        {"critical_path_s", "processing.fpu", MEASURE_TIME, {500, 600}},
        {"critical_path_s", "io.input", MEASURE_TIME, {-1, 300}},
        {"critical_path_s", "io.output", MEASURE_TIME, {10000, 10004}}, /* 0.04 %: no difference */
        {"critical_path_s", "memory.external", MEASURE_TIME, {1, 4}},   /* nothing beside the largest */
        {"critical_path_s", "memory.internal", MEASURE_TIME, {10000, 10020}},
        {"what_if", "network.time_s", MEASURE_TIME, {10000, 20000}},
        {"what_if", "network.gain", MEASURE_RATIO, {1e-9, 4e-9}}, /* is held against no time */
        {"b_ratio", "io", MEASURE_RATIO, {1, 4}},
        {"b_ratio", "memory", MEASURE_RATIO, {10000, 20000}},
    };
    static const char *const names[] = {"io.input",       "processing.cpu", "processing.fpu", "memory.internal",
                                        "network.time_s", "network.gain",   "memory",         "io"};
    enum { N_PAIRS = sizeof pairs / sizeof pairs[0], N_MOVES = 8 };
    static const struct row rows[2] = {{1, 0, 0, 50, 1, 4}, {1, 0, 0, 50, 1, 4}};
    struct study report = new_report(rows, 2, M_NONE);
    for (int i = 0; i < N_PAIRS; i++)
        add_pair(&report, &pairs[i]);
    struct compare_version versions[2] = {{.name = "a", .runs = &report.runs[0], .n_runs = 1},
                                          {.name = "b", .runs = &report.runs[1], .n_runs = 1}};
    const struct compare_version *const sides[2] = {&versions[0], &versions[1]};
    struct compare_parts parts;
    compare_find_middle(&versions[0]);
    compare_find_middle(&versions[1]);
    struct comparison_moves moves = comparison_find_moves(sides);
    parts_find(&parts, versions, 2);
    CU_ASSERT_EQUAL_FATAL(moves.count, N_MOVES);
    for (int i = 0; i < N_MOVES; i++)
        CU_ASSERT_STRING_EQUAL(moves.items[i].measure->of->name, names[i]);
    CU_ASSERT_DOUBLE_EQUAL(comparison_change(&moves.items[0]) * 1e9, 300, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(comparison_change(&moves.items[1]) * 1e9, -100, 1e-9);
    const struct compare_part *largest = reason_largest(&parts, 1, 1), *other = reason_largest(&parts, 1, -1);
    CU_ASSERT_STRING_EQUAL(largest->name, "io.input");
    CU_ASSERT_DOUBLE_EQUAL(part_change(&parts, largest, 1) * 1e9, 300, 1e-9);
    CU_ASSERT_STRING_EQUAL(other->name, "processing.cpu");
    CU_ASSERT_DOUBLE_EQUAL(part_change(&parts, other, 1) * 1e9, -100, 1e-9);
    free(moves.items);
    parts_dispose(&parts);
    dispose(&report);
}

/* In a comparison, readers are told changes of a hundredth or more of the value itself, and in a group of a hundredth
 * of the largest change; programs are told all. */
static void test_told(void)
{
    static const struct pair pairs[] = {
        {"critical_path_s", "processing.cpu", MEASURE_TIME, {100000, 200000}},
        {"critical_path_s", "processing.fpu", MEASURE_TIME, {50000, 51010}}, /* 2 % of itself, 1.01 % of the largest */
        {"critical_path_s", "io.input", MEASURE_TIME, {20000, 20990}},       /* 0.99 % of the largest */
        {"critical_path_s", "memory.external", MEASURE_TIME, {110000, 111111}}, /* 1.01 % of itself */
        {"critical_path_s", "memory.internal", MEASURE_TIME, {120000, 121190}}, /* 0.99 % */
        {"", "speedup", MEASURE_RATIO, {1000, 1010.1}},
        {"", "utilisation", MEASURE_RATIO, {1000, 1009.9}},
    };
    static const struct {
        const char *name;
        bool is_told;
    } rows[] = {{"processing.cpu", true},   {"processing.fpu", true}, {"io.input", false},   {"memory.external", true},
                {"memory.internal", false}, {"speedup", true},        {"utilisation", false}};
    static const struct row both[2] = {{1, 0, 0, 50, 1, 4}, {1, 0, 0, 50, 1, 4}};
    struct study report = new_report(both, 2, M_NONE);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        add_pair(&report, &pairs[i]);
    struct compare_version sides[2];
    struct compare_origin origins[2];
    for (int side = 0; side < 2; side++) {
        origins[side] = (struct compare_origin){side + 1, "s", "p", "k", "i", "", ""};
        sides[side] = (struct compare_version){
            .name = side == 0 ? "run 1" : "run 2", .runs = &report.runs[side], .n_runs = 1, .origin = &origins[side]};
    }
    for (int programs = 0; programs < 2; programs++) {
        char *text = print_comparison(sides, programs != 0 ? "json" : "text");
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            expect_text(text, programs != 0 || rows[i].is_told, rows[i].name);
        free(text);
    }
    dispose(&report);
}

int main(void)
{
    static const struct test tests[] = {
        {"candidates that are as good", test_equal_candidates},
        {"what the next candidate costs", test_alternatives},
        {"where the best one changes", test_changes},
        {"which axis goes down", test_axes},
        {"equal times", test_equal_times},
        {"the fastest, and those as fast", test_ties},
        {"alternatives at their best", test_factors},
        {"the largest part", test_components},
        {"what moved between two runs", test_moves},
        {"what readers are told of it", test_told},
        {NULL, NULL},
    };
    return testing_run("order", tests);
}
