/* Sweeps over grids in the text report: every time stands in its place of the matrix, once, and a long ranking shows
 * its ends.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "interval/intern.h"
#include "study/run.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 256 };

/* The time of a grid, another for each, in ms that three digits show. */
static int time_of(int p, int q)
{
    return 100 + 13 * p + q;
}

static void add_run(struct study *report, int p, int q, bool forecast)
{
    struct study_run *run = &report->runs[report->n_runs++];
    run->parameters = xcalloc(1, sizeof *run->parameters);
    run->n_parameters = 1;
    run->parameters[0] = (struct study_parameter){
        .name = "grid", .number = (int64_t)p * 1000 + q, .width = (unsigned)p & 1023, .height = (unsigned)q & 1023};
    run->parameters[0].text = intern_format("%dx%d", p, q);
    run->platform = run->network = "none";
    run->ranks = 32;
    result_init(&run->result);
    result_add_ratio(&run->result, "", "time_s", time_of(p, q) / 1e3);
    result_add_ratio(&run->result, "", "utilisation", 1.0 / (p + q));
    if (forecast)
        result_add_ratio(&run->result, "", "forecast_s", time_of(p, q) / 1e3 + 300e-3);
}

/* All grids of at most `most` processes. */
static struct study new_report(int most, bool forecast)
{
    struct study report = {.version = "0", .scenario = "grids", .verbose = true};
    report.runs = xcalloc(MAX_RUNS, sizeof *report.runs);
    for (int p = 1; p <= most; p++)
        for (int q = 1; p * q <= most; q++)
            add_run(&report, p, q, forecast);
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

/* --- reading a matrix --- */

/* Cells end at the column where their head ends. */
struct matrix {
    int n_heads, heads[64], ends[64];
    bool lies; /* the heads are p */
    int found; /* cells that hold what they must */
    int wrong;
};

static void read_heads(struct matrix *matrix, const char *line)
{
    int end = 0, length;
    matrix->n_heads = 0;
    matrix->lies = strstr(line, "q\\p") != NULL;
    const char *rest = strchr(line, '\\') + 2;
    end = (int)(rest - line);
    while (sscanf(line + end, "%d%n", &matrix->heads[matrix->n_heads], &length) == 1) {
        end += length;
        matrix->ends[matrix->n_heads++] = end;
    }
}

static void read_row(struct matrix *matrix, const char *line, int more)
{
    int row, end = 0, length, value, head = 0;
    if (sscanf(line, "%d%n", &row, &end) != 1)
        return;
    while (sscanf(line + end, "%d%n", &value, &length) == 1) {
        end += length;
        while (head < matrix->n_heads && matrix->ends[head] < end)
            head++;
        int p = matrix->lies ? matrix->heads[head] : row, q = matrix->lies ? row : matrix->heads[head];
        bool right = head < matrix->n_heads && matrix->ends[head] == end && value == time_of(p, q) + more;
        matrix->found += right;
        matrix->wrong += !right;
    }
}

/* The matrix below a title, until an empty line; its cells hold the time and `more`. */
static struct matrix read_matrix(const char *text, const char *title, int more)
{
    struct matrix matrix = {.n_heads = 0};
    const char *line = strstr(text, title);
    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    line = strchr(line, '\n') + 1;
    while (*line != '\n' && *line != '\0') {
        char copy[256];
        int length = (int)strcspn(line, "\n");
        CU_ASSERT(length <= 120 && line[length - 1] != ' ');
        snprintf(copy, sizeof copy, "%.*s", length, line);
        if (strchr(copy, '\\') != NULL)
            read_heads(&matrix, copy);
        else
            read_row(&matrix, copy, more);
        line += length + 1;
    }
    return matrix;
}

/* --- the tests --- */

static void test_matrices(void)
{
    static const int sizes[] = {6, 16, 17, 32, 50};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct study report = new_report(sizes[i], true);
        char *text = testing_text(&report);
        struct matrix forecast = read_matrix(text, "\nTime by the formula [ms] by grid", 300);
        struct matrix simulated = read_matrix(text, "\nSimulated time [ms] by grid", 0);
        CU_ASSERT_EQUAL(forecast.found, report.n_runs);
        CU_ASSERT_EQUAL(forecast.wrong, 0);
        CU_ASSERT_EQUAL(simulated.found, report.n_runs);
        CU_ASSERT_EQUAL(simulated.wrong, 0);
        CU_ASSERT(strstr(text, "Fastest") < strstr(text, "by grid"));
        free(text);
        dispose(&report);
    }
}

/* No matrix of few runs, of another parameter that varies, or of a grid that comes twice. */
static void test_none(void)
{
    struct study report = new_report(5, false);
    char *text = testing_text(&report);
    CU_ASSERT_EQUAL(report.n_runs, 10);
    CU_ASSERT_PTR_NULL(strstr(text, "by grid"));
    free(text);
    dispose(&report);

    report = new_report(32, false);
    text = testing_text(&report);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "Simulated time [ms] by grid"));
    CU_ASSERT_PTR_NULL(strstr(text, "Time by the formula"));
    free(text);
    add_run(&report, 2, 2, false);
    text = testing_text(&report);
    CU_ASSERT_PTR_NULL(strstr(text, "by grid"));
    free(text);
    report.n_runs--;
    free(report.runs[report.n_runs].parameters);
    result_dispose(&report.runs[report.n_runs].result);
    for (int i = 0; i < report.n_runs; i++) {
        report.runs[i].parameters[0].width = 0;
        report.runs[i].parameters[0].height = 0;
    }
    text = testing_text(&report);
    CU_ASSERT_PTR_NULL(strstr(text, "by grid"));
    free(text);
    dispose(&report);
}

static int count_rows(const char *text, const char *title)
{
    int count = -1; /* the heads; what all rows have in common is a note */
    const char *line = strstr(text, title);
    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    for (line = strchr(line + 1, '\n') + 1; *line != '\n' && *line != '\0'; line = strchr(line, '\n') + 1)
        count += strncmp(line, "  In ", 5) != 0 && strncmp(line, "  Util", 6) != 0;
    return count;
}

/* Up to 40 runs all are shown, of more the best 10 and the worst 3. */
static void test_ends(void)
{
    struct study report = new_report(32, false);
    char *text = testing_text(&report);
    CU_ASSERT_EQUAL_FATAL(report.n_runs, 119);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "the best 10 and the worst 3 of 119 runs; ... 106 more in -f csv"));
    CU_ASSERT_EQUAL(count_rows(text, "\nTime\n"), 13);
    CU_ASSERT_EQUAL(count_rows(text, "\nBottlenecks"), 13);
    const char *table = strstr(text, "\nTime\n");
    CU_ASSERT_PTR_NOT_NULL(strstr(table, " 1x10 "));
    CU_ASSERT_PTR_NULL(strstr(table, " 1x11 "));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, " 30x1 "));
    CU_ASSERT_PTR_NULL(strstr(table, " 29x1 "));
    free(text);
    report.n_runs = 40;
    text = testing_text(&report);
    CU_ASSERT_PTR_NULL(strstr(text, "the best 10"));
    CU_ASSERT_EQUAL(count_rows(text, "\nTime\n"), 40);
    free(text);
    report.n_runs = 119;
    dispose(&report);
}

int main(void)
{
    static const struct test tests[] = {
        {"matrices", test_matrices},
        {"none", test_none},
        {"ends of a ranking", test_ends},
        {NULL, NULL},
    };
    return testing_run("grid", tests);
}
