/* Documents: what a table consists of, that every format has every answer, and numbers with their units.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/builder.h"
#include "base/memory.h"
#include "base/scale.h"
#include "report/report.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- text that grows --- */

static void test_builder(void)
{
    struct builder builder = {0};
    char *empty = builder_take(&builder);
    CU_ASSERT_STRING_EQUAL(empty, "");
    free(empty);
    for (int i = 0; i < 1000; i++)
        builder_add(&builder, "%d,", i % 10);
    CU_ASSERT_EQUAL(builder.length, 2000);
    char *text = builder_take(&builder);
    CU_ASSERT(strlen(text) == 2000 && strcmp(text + 1980, "0,1,2,3,4,5,6,7,8,9,") == 0);
    CU_ASSERT(builder.length == 0 && builder.text == NULL);
    free(text);
}

/* --- units and digits --- */

static void test_values(void)
{
    static const struct {
        enum unit unit;
        double value;
        const char *text;
    } rows[] = {
        {UNIT_SECONDS, 7.0257852, "7.026 s"},
        {UNIT_SECONDS, 1.85e-6, "1.850 us"},
        {UNIT_SECONDS, 4e-10, "0.400 ns"},
        {UNIT_SECONDS, 0, "0.000 us"},
        {UNIT_SECONDS, 0.99999, "1.000 s"},
        {UNIT_SECONDS, 1e-4, "100.0 us"},
        {UNIT_SECONDS, 31557600.0 * 139, "139.0 years"},
        {UNIT_SECONDS, INFINITY, "never"},
        {UNIT_BYTES, 12, "12 B"},
        {UNIT_BYTES, 629145600, "629.1 MB"},
        {UNIT_BANDWIDTH, INFINITY, "unlimited"},
        {UNIT_SHARE, 0.174, "17.4 %"},
        {UNIT_SHARE, -1e-5, "0.0 %"},
        {UNIT_SHARE, 12.34, "1234 %"},
        {UNIT_DIFFERENCE, 0.003, "+0.3 %"},
        {UNIT_SLOWDOWN, 1.25, "x 1.25"},
        {UNIT_SLOWDOWN, INFINITY, "-"},
        {UNIT_RATIO, -0.001, "0.00"},
        {UNIT_RATIO, 10.77, "10.8"},
        {UNIT_NUMBER, 16499.6, "16500"},
        {UNIT_NUMBER, 0.00649, "0.00649"},
        {UNIT_COUNT, 42, "42"},
        {UNIT_SECONDS, NAN, "-"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64];
        CU_ASSERT_STRING_EQUAL(scale_format(text, sizeof text, rows[i].unit, rows[i].value), rows[i].text);
    }
}

/* --- a document in every format --- */

/* A sentence, a fact, and a table whose second row lacks a cell and has the others in another order. */
static void make(struct document *document)
{
    static const struct column name = {.id = "name", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
                               time = {.id = "time_s", .head = "time", .unit = UNIT_SECONDS},
                               inner = {.id = "cpu", .group = "part", .unit = UNIT_SECONDS};
    document->name = document->title = "made";
    document_sentence(document, xstrdup("It is so."));
    document_fact(document, (struct column){.id = "count"}, cell_of_integer(2));
    struct table *table = document_table(document, "rows", "Rows", FOR_ALL);
    for (int pass = 0; pass < 2; pass++) {
        struct sparse_row first = sparse_row_begin(table, pass == 1);
        sparse_put(&first, name, cell_of_text("a"));
        sparse_put(&first, time, cell_of_real(1.5));
        sparse_put(&first, inner, cell_of_real(0.25));
        struct sparse_row second = sparse_row_begin(table, pass == 1);
        sparse_put(&second, time, cell_of_real(NAN));
        sparse_put(&second, name, cell_of_text("b"));
    }
}

static char *print(const char *format)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    struct document document;
    document_init(&document, report_find(format)->audience);
    make(&document);
    report_find(format)->write(stream, &document);
    document_dispose(&document);
    fclose(stream);
    return text;
}

static void test_formats(void)
{
    static const struct {
        const char *format, *text;
    } rows[] = {
        {"text", "made\n\nIt is so.\n\nRows\n  name  time [s]  cpu [s]\n     a      1.50    0.250\n     b         -    "
                 "    -\n"},
        {"json", "{\n \"schema\": 1,\n \"answer\": [\n  \"It is so.\"\n ],\n \"count\": 2,\n \"rows\": [\n  {\n   "
                 "\"name\": \"a\",\n   "
                 "\"time_s\": 1.5,\n   \"part\": {\n    "
                 "\"cpu\": 0.25\n"
                 "   }\n  },\n  {\n   \"time_s\": null,\n   \"name\": \"b\"\n  }\n ]\n}\n"},
        {"csv", "name,time_s,part.cpu\na,1.5,0.25\nb,,\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = print(rows[i].format);
        CU_ASSERT_STRING_EQUAL(text, rows[i].text);
        free(text);
    }
    for (int i = 0; report_specs[i] != NULL;
         i++) { /* those that come later, too; what is packed is tested in a browser */
        if (report_specs[i]->find_lack != NULL || report_specs[i]->find_obstacle != NULL)
            continue;
        char *text = print(report_specs[i]->name);
        CU_ASSERT(strstr(text, "1.5") != NULL && (report_specs[i]->name[0] == 'j' || text[0] != '{'));
        free(text);
    }
}

/* --- identities --- */

/* Every row is found by its name, wherever the search begins, and by no other; families by what begins like them. */
static void test_identities(void)
{
    for (int id = M_NONE + 1; id < N_MEASURES; id++)
        for (int hint = 0; hint < N_MEASURES; hint++) {
            const struct measure_spec *spec = &measure_specs[id];
            char *name =
                xformat("%.*s%s", (int)strlen(spec->name) - spec->is_family, spec->name, spec->is_family ? "x" : "");
            CU_ASSERT_EQUAL((int)measure_identify(spec->group, name, (enum measure_id)hint), id);
            free(name);
        }
    CU_ASSERT_EQUAL(measure_identify("", "time", M_TIME), M_NONE);
    CU_ASSERT_EQUAL(measure_identify("state_s", "time_s", M_TIME), M_NONE);
    CU_ASSERT_EQUAL(measure_identify("critical_path_s", "communication", M_PATH_PHASE), M_PATH_COMMUNICATION);
}

static void test_labels(void)
{
    static const struct {
        const char *group, *name, *label, *key;
    } rows[] = {
        {"critical_path_s", "communication.broadcast", "broadcast", "critical_path_s.communication.broadcast"},
        {"critical_path_s", "io", "I/O", "critical_path_s.io"},
        {"reference", "predicted.io.input", "io.input", "reference.predicted.io.input"},
        {"", "speedup", "speedup", "speedup"},
        {"", "evenness", "evenness", "evenness"},
    };
    struct result result;
    result_init(&result);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        result_add_ratio(&result, rows[i].group, rows[i].name, 1);
        char *key = measure_key(&result.measures[i]);
        CU_ASSERT_STRING_EQUAL(measure_label(&result.measures[i]), rows[i].label);
        CU_ASSERT_STRING_EQUAL(key, rows[i].key);
        free(key);
    }
    CU_ASSERT_PTR_EQUAL(result_get(&result, M_SPEEDUP), &result.measures[3]);
    result_dispose(&result);
}

/* --- a metric that nobody knows --- */

static void test_others(void)
{
    struct study_parameter parameter = {.name = "ranks", .subject = SUBJECT_RANKS, .is_number = true, .text = "4"};
    struct study_run run = {
        .parameters = &parameter, .n_parameters = 1, .platform = "p", .network = "quiet", .ranks = 4};
    const struct study study = {.version = "0", .scenario = "made", .runs = &run, .n_runs = 1};
    result_init(&run.result);
    result_add_time(&run.result, "", "time_s", PS_PER_S);
    result_add_ratio(&run.result, "", "evenness", 0.875);
    result_add_time(&run.result, "lost_s", "waiting", PS_PER_S / 4);
    struct result_table *ends = result_add_table(&run.result, TABLE_RANK_ENDS);
    result_leave_out(ends, offsetof(struct rank_ends_row, processor));
    *result_add_rank_ends(ends) = (struct rank_ends_row){3, 0, PS_PER_S / 8};
    char *text = testing_text(&study), *json = testing_print(&study, "json"), *csv = testing_print(&study, "csv");
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "Other measures\n  ranks  evenness  lost_s.waiting [ms]\n"
                                        "      4     0.875                250.0\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "rank_ends, 4 ranks\n  rank  end_s [ms]\n     3       125.0\n"));
    CU_ASSERT(strstr(json, "\"evenness\": 0.875") != NULL && strstr(json, "\"end_s\": 0.125") != NULL);
    CU_ASSERT(strstr(csv, ",evenness,lost_s.waiting\n") != NULL);
    free(csv);
    free(json);
    free(text);
    /* If there are many runs, readers see the first, programs all. */
    enum { MANY = 43 };
    struct study_run runs[MANY];
    for (int i = 0; i < MANY; i++)
        runs[i] = run;
    struct study many = study;
    many.runs = runs;
    many.n_runs = MANY;
    text = testing_text(&many);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n  ... 3 more in -f csv.\n"));
    free(text);
    result_dispose(&run.result);
}

int main(void)
{
    static const struct test tests[] = {
        {"text that grows", test_builder},
        {"units and digits", test_values},
        {"every format", test_formats},
        {"identities", test_identities},
        {"labels", test_labels},
        {"a metric that nobody knows", test_others},
        {NULL, NULL},
    };
    return testing_run("document", tests);
}
