/* The text report: many phases or one, names in other alphabets, lines of at most 120 columns, digits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/utf8.h"
#include "interval/intern.h"
#include "report/layout.h"
#include "report/report.h"
#include "tests/testing.h"
#include "trace/analysis/analysis.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 3, WIDEST = 120 };

static struct study_run runs[MOST_RUNS];
static struct study_parameter parameters[MOST_RUNS][1];

/* Runs on 4, 5, ... ranks of 10 s each, of which 4 s are processing and 6 s communication. */
static struct study make_report(int n_runs)
{
    for (int i = 0; i < n_runs; i++) {
        runs[i] = (struct study_run){
            .parameters = parameters[i], .n_parameters = 1, .platform = "p", .network = "quiet", .ranks = 4 + i};
        parameters[i][0] =
            (struct study_parameter){.name = "ranks", .subject = SUBJECT_RANKS, .is_number = true, .number = 4 + i};
        parameters[i][0].text = intern_format("%d", 4 + i);
        result_init(&runs[i].result);
        result_add_time(&runs[i].result, "", "time_s", 10 * PS_PER_S);
        result_add_time(&runs[i].result, "critical_path_s", "processing", 4 * PS_PER_S);
        result_add_time(&runs[i].result, "critical_path_s", "communication", 6 * PS_PER_S);
    }
    return (struct study){.version = "0", .scenario = "made", .runs = runs, .n_runs = n_runs};
}

static void dispose(struct study *report)
{
    for (int i = 0; i < report->n_runs; i++)
        result_dispose(&report->runs[i].result);
}

/* So many phases; number k has a time of k + 1 ms, and in later runs a little more. */
static void add_phases(struct study *report, int n_phases, const char *format)
{
    for (int i = 0; i < report->n_runs; i++)
        for (int k = 0; k < n_phases; k++) {
            char name[56] = "communication.", number[16];
            snprintf(number, sizeof number, "%03d", k);
            strcat(strcat(name, format), number);
            result_add_time(&report->runs[i].result, "critical_path_s", name,
                            (k + 1) * (PS_PER_S / 1000) + i * (PS_PER_S / 100));
        }
}

static int widest_line(const char *text)
{
    int widest = 0;
    char *copy = xstrdup(text);
    for (char *line = strtok(copy, "\n"); line != NULL; line = strtok(NULL, "\n"))
        widest = utf8_width(line) > widest ? utf8_width(line) : widest;
    free(copy);
    return widest;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *p = strstr(text, part); p != NULL; p = strstr(p + 1, part))
        n++;
    return n;
}

/* The ten largest of 400, and the sum of the others: 1 + ... + 390 ms. */
static void many_phases(void)
{
    struct study report = make_report(1);
    add_phases(&report, 400, "phase");
    char *text = testing_print(&report, "text"), *json = testing_print(&report, "json");
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "by phase\n     phase  time [s]   of all\n  phase399     0.400    4.0 %\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  phase390     0.391    3.9 %\n    others    76.245  762.5 %\n\n"));
    CU_ASSERT_PTR_NULL(strstr(text, "phase389"));
    CU_ASSERT_EQUAL(count(text, "by phase"), 1);
    CU_ASSERT_EQUAL(count(json, "\"communication.phase"), 400);
    free(json);
    free(text);
    dispose(&report);
}

/* With several runs, the phases are columns, which are cut where the line ends; each table names the runs of its
 * rows. */
static void many_phases_of_runs(void)
{
    struct study report = make_report(3);
    report.verbose = true;
    add_phases(&report, 400, "a_rather_long_name_of_a_phase_");
    char *text = testing_print(&report, "text");
    CU_ASSERT_EQUAL(count(text, "a_rather_long_name_of_a_phase_"), 10);
    CU_ASSERT_EQUAL(count(text, " others\n"), 1);
    CU_ASSERT(widest_line(text) <= WIDEST);
    const char *section = strstr(text, "by phase [s]\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(section);
    const char *end = strstr(section, "\n\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    char *tables = xformat("%.*s", (int)(end - section), section);
    CU_ASSERT_EQUAL(count(tables, "\n  ranks  "), 4); /* three columns in a line */
    CU_ASSERT_EQUAL(count(tables, "\n      6  "), 4);
    free(tables);
    free(text);
    dispose(&report);
}

/* Eleven are shown, since the one more would be a column, too; twelve are not. */
static void eleven_phases(void)
{
    for (int n = 11; n <= 12; n++) {
        struct study report = make_report(2);
        add_phases(&report, n, "f");
        char *text = testing_print(&report, "text");
        CU_ASSERT_EQUAL(strstr(text, "  others\n") != NULL, n == 12);
        CU_ASSERT_EQUAL(count(text, "  f0"), n == 12 ? 10 : 11);
        free(text);
        dispose(&report);
    }
}

/* A phase alone says nothing, unless there is a prediction of it. */
static void one_phase(void)
{
    for (int n = 1; n <= 3; n++) {
        struct study report = make_report(1);
        add_phases(&report, n < 3 ? n : 1, "f");
        if (n == 3)
            result_add_ratio(&report.runs[0].result, "reference", "predicted.communication.f000", 0.5);
        char *text = testing_print(&report, "text");
        CU_ASSERT_EQUAL(strstr(text, "by phase") != NULL, n > 1);
        CU_ASSERT_EQUAL(count(text, "formula"), n == 3);
        free(text);
        dispose(&report);
    }
}

/* Names of a trace come through as they are, cut between characters, and the columns stay below each other. */
static void other_alphabets(void)
{
    static char umlaut[] = "Lösung", wide[] = "行列の積", bad[] = "a\xffz",
                long_name[] = "äääääääääääääääääääääääääääääää";
    char *names[] = {umlaut, wide, bad, long_name};
    const struct record_info info = {.n_ranks = 1, .n_scopes = 4, .scopes = names};
    struct analysis_scopes scopes;
    analysis_scopes_init(&scopes, &info);
    CU_ASSERT_EQUAL_FATAL(scopes.count, 6);
    CU_ASSERT_STRING_EQUAL(scopes.names[2], "Lösung");
    CU_ASSERT_STRING_EQUAL(scopes.names[3], "行列の積");
    CU_ASSERT_STRING_EQUAL(scopes.names[4], "a?z");
    CU_ASSERT_STRING_EQUAL(scopes.names[5], "ääääääääääääääääää");
    struct study report = make_report(1);
    for (int i = 2; i < scopes.count; i++) {
        char name[56];
        snprintf(name, sizeof name, "communication.%s", scopes.names[i]);
        result_add_time(&report.runs[0].result, "critical_path_s", name, i * PS_PER_S);
    }
    char *text = testing_print(&report, "text"), *json = testing_print(&report, "json");
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  ranks  Lösung  行列の積   a?z  ääääääääääääääääää\n"
                                        "      4    2.00      3.00  4.00                5.00\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(json, "\"communication.行列の積\": 3.0"));
    CU_ASSERT_PTR_NOT_NULL(strstr(json, "\"communication.ääääääääääääääääää\": 5.0"));
    free(json);
    free(text);
    dispose(&report);
    analysis_scopes_dispose(&scopes);
}

/* A cell that is too long is cut between characters, unless it is a remark in the last column. */
static void long_cell(void)
{
    char *text = NULL, long_text[101] = "";
    size_t size;
    for (int i = 0; i < 50; i++)
        strcat(long_text, "ö");
    struct layout *layout = layout_new("");
    layout_head(layout, 0, "x%s", long_text);
    layout_head(layout, 0, "y");
    layout_row(layout, true);
    layout_cell(layout, "%s", long_text);
    layout_cell(layout, "1");
    FILE *stream = open_memstream(&text, &size);
    layout_print(layout, stream);
    fclose(stream);
    CU_ASSERT_EQUAL(count(text, "ö"), 31 + 31);
    CU_ASSERT_PTR_NULL(strstr(text, "\xc3\n"));
    free(text);
}

/* Overheads are percentages, whether small or large. */
static void overheads(void)
{
    static const struct {
        double ratio;
        const char *shown;
    } rows[] = {{-0.51, " -51.0 %"}, {0.819, " 81.9 %"}, {3.58, " 358.0 %"}, {12.34, " 1234 %"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int other = 0; other <= 2; other++) {
            struct study report = make_report(1);
            result_add_time(&report.runs[0].result, "state_s", "useful", 10 * PS_PER_S);
            result_add_ratio(&report.runs[0].result, "overhead_ratio", "idle", other);
            result_add_ratio(&report.runs[0].result, "overhead_ratio", "anomaly", rows[i].ratio);
            char *text = testing_print(&report, "text");
            if (strstr(text, rows[i].shown) == NULL) {
                fprintf(stderr, "no '%s' in\n%s", rows[i].shown, text);
                CU_FAIL("an overhead has another form");
            }
            free(text);
            dispose(&report);
        }
}

/* Three digits of any bandwidth, and no time where there is none. */
static void sizes(void)
{
    static const struct {
        double bandwidth_Bps;
        const char *shown;
    } rows[] = {{41.1, " 41.10 B/s\n"},   {4110, " 4.110 kB/s\n"},   {41100, " 41.10 kB/s\n"},
                {1.5e6, " 1.500 MB/s\n"}, {5.25e8, " 525.0 MB/s\n"}, {1.25e10, " 12.50 GB/s\n"}};
    enum { N_ROWS = sizeof rows / sizeof rows[0] };
    struct study report = make_report(1);
    struct result_table *table = result_add_table(&report.runs[0].result, TABLE_MESSAGE_SIZES);
    for (int i = 0; i < N_ROWS; i++)
        *result_add_message_sizes(table) = (struct message_sizes_row){.from_bytes = 1 << i,
                                                                      .count = 1,
                                                                      .bytes = 1 << i,
                                                                      .receive_ps = 1850000,
                                                                      .mean_s = 4e-10,
                                                                      .bandwidth_Bps = rows[i].bandwidth_Bps};
    result_add_ratio(&report.runs[0].result, "per_operation_s", "useful", 2.5e-9);
    result_add_ratio(&report.runs[0].result, "per_operation_s", "communication", 0);
    result_add_ratio(&report.runs[0].result, "per_operation_s", "idle", 1e-6);
    char *text = testing_print(&report, "text");
    for (int i = 0; i < N_ROWS; i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(text, rows[i].shown));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, ", receiving 1.850 us, per message 0.400 ns.\n"));
    CU_ASSERT_PTR_NULL(strstr(text, "0.000"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "For each operation: useful work 2.500 ns, communication none, idling 1.000 us."));
    free(text);
    dispose(&report);
}

/* Each name of what a brief report leaves out comes once, as far as a bracket, comma or colon. */
static void left_out(void)
{
    static const char *const titles[] = {"Answer",     "Candidates for size 1 (best)", "Candidates for size 1, others",
                                         "Ranks: all", "Candidates for size 1 [s]",    "Ranks (some)"};
    char *text = NULL;
    size_t size;
    struct document document;
    document_init(&document, FOR_READERS);
    document.is_brief = true;
    document.most_lines = 8; /* two of these, and what is said of the others */
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        struct table *table = document_table(&document, "rows", titles[i], FOR_READERS);
        table_column(table, (struct column){.id = "name", .unit = UNIT_TEXT});
        table_text(table, "x");
    }
    FILE *stream = open_memstream(&text, &size);
    report_find("text")->write(stream, &document);
    fclose(stream);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "With -v also: Candidates for size 1; Ranks.\n"));
    document_dispose(&document);
    free(text);
}

/* --- CSV --- */

/* Text that a spreadsheet would compute stays text; numbers stay numbers, and names stay as they were. */
static void formulas(void)
{
    static const struct {
        const char *text, *cell;
    } cells[] = {
        {"=1+1", "'=1+1"},
        {"+cmd", "'+cmd"},
        {"-2+3", "'-2+3"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {"\tx", "'\tx"},
        {"\rx", "\"'\rx\""},
        {"=a,\"b\"", "\"'=a,\"\"b\"\"\""},
        {"-5", "-5"},
        {"+1.5e-3", "+1.5e-3"},
        {"-inf", "'-inf"},
        {"-", "'-"},
        {"a=b", "a=b"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        struct study report = make_report(1);
        parameters[0][0] = (struct study_parameter){.name = cells[i].text};
        parameters[0][0].text = intern_format("%s", cells[i].text);
        result_add_ratio(&runs[0].result, "", cells[i].text[0] == '=' ? "=m" : "m", -2.5);
        char *text = testing_print(&report, "csv"),
             *expected = xformat("%s,platform,network_used,time_s,critical_path_s.processing,"
                                 "critical_path_s.communication,%s\n%s,p,quiet,10,4,6,-2.5\n",
                                 cells[i].cell, cells[i].text[0] == '=' ? "'=m" : "m", cells[i].cell);
        CU_ASSERT_STRING_EQUAL(text, expected);
        free(text);
        free(expected);
        dispose(&report);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"many phases", many_phases},
        {"many phases of several runs", many_phases_of_runs},
        {"eleven phases", eleven_phases},
        {"one phase", one_phase},
        {"other alphabets", other_alphabets},
        {"a cell that is too long", long_cell},
        {"overheads in one form", overheads},
        {"messages by size", sizes},
        {"formulas in CSV", formulas},
        {"what is left out", left_out},
        {0},
    };
    return testing_run("text", tests);
}
