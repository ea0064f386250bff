/* Runs as bytes: what is written is read back to the last bit, and anything else is an error.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/result_transport.h"
#include "study/run_transport.h"
#include "tests/metrics/sample_run.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>

/* --- the bytes of a run --- */

struct serialized_run {
    char *bytes;
    size_t size;
};

static struct serialized_run pack(struct study_run *run)
{
    struct serialized_run serialized;
    struct transport transport = {.to = open_memstream(&serialized.bytes, &serialized.size)};
    run_transport(&transport, run);
    fclose(transport.to);
    return serialized;
}

/* Read the first bytes of a serialized run, with nothing behind them; whether they are a run, and nothing more. */
static bool reads(struct study_run *run, const struct serialized_run *serialized, size_t size)
{
    unsigned char *copy = xmalloc(size);
    memcpy(copy, serialized->bytes, size);
    struct transport transport = {.from = copy, .size = size};
    run_transport(&transport, run);
    free(copy);
    return !transport.failed && transport.size == 0;
}

/* With texts that are as long as they may be, and hold what a terminal would not show. */
static struct study_run long_run(struct study_parameter parameters[3])
{
    static char name[3000], reason[DISCARDED_SIZE], note[NOTE_SIZE], group[MEASURE_GROUP], measure[MEASURE_NAME];
    static struct measure_name of;
    static struct run_notes notes;
    struct study_run run = new_run(parameters, 1);
    memset(name, '\xff', sizeof name - 1);
    run.platform = name;
    memset(reason, 'd', sizeof reason - 1);
    run.discarded = reason;
    memset(note, '\x1b', sizeof note - 1);
    notes.texts[N_NOTES - 1] = note;
    run.notes = &notes;
    memset(group, 'g', sizeof group - 1);
    memset(measure, '\t', sizeof measure - 1);
    of = *run.result.measures[1].of;
    of.group = group;
    of.name = measure;
    run.result.measures[1].of = &of;
    return run;
}

/* --- tests --- */

static void test_round_trip(void)
{
    struct study_parameter parameters[3];
    struct study_run runs[] = {
        new_run(parameters, 1), long_run(parameters), {.platform = "none", .network = "quiet", .discarded = "large"}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct study_run read = {.parameters = parameters, .n_parameters = 3};
        struct serialized_run serialized = pack(&runs[i]);
        CU_ASSERT_FATAL(reads(&read, &serialized, serialized.size));
        struct serialized_run again = pack(&read);
        CU_ASSERT(i == 2 || (same_run(&runs[i], &read) && runs[i].wall_s == read.wall_s &&
                             runs[i].peak_rss_bytes == read.peak_rss_bytes));
        CU_ASSERT(again.size == serialized.size && memcmp(again.bytes, serialized.bytes, serialized.size) == 0);
        CU_ASSERT(read.parameters == parameters && read.n_parameters == 3);
        CU_ASSERT(strlen(read.platform) == strlen(runs[i].platform));
        result_dispose(&read.result);
        result_dispose(&runs[i].result);
        free(serialized.bytes);
        free(again.bytes);
    }
}

/* No beginning of a serialized run is one, and whatever a byte is changed into, what is read can be used. */
static void test_damaged(void)
{
    struct study_parameter parameters[3];
    struct study_run run = new_run(parameters, 1);
    run.result.tables[0].n_rows = 3;
    struct serialized_run serialized = pack(&run);
    for (size_t size = 0; size < serialized.size; size++) {
        struct study_run read = {0};
        if (reads(&read, &serialized, size))
            CU_FAIL("a beginning is taken for the whole");
        result_dispose(&read.result);
    }
    for (size_t i = 0; i < serialized.size; i++) {
        struct study_run read = {0};
        char whole = serialized.bytes[i];
        serialized.bytes[i] = (char)(whole ^ testing_random_to(255));
        if (reads(&read, &serialized, serialized.size))
            free(pack(&read).bytes);
        result_dispose(&read.result);
        serialized.bytes[i] = whole;
    }
    free(serialized.bytes);
    result_dispose(&run.result);
}

/* Data that can be written, but is no run. */
static void test_refused(void)
{
    for (int i = 0; i < 3; i++) {
        struct study_parameter parameters[3];
        struct study_run run = new_run(parameters, 1), read = {0};
        struct measure_name of = *run.result.measures[2].of;
        of.type = MEASURE_TEXT;
        if (i == 0)
            run.result.measures[2].of = &of;
        else if (i == 1)
            run.ranks = -1;
        struct serialized_run serialized = pack(&run);
        CU_ASSERT_EQUAL(reads(&read, &serialized, serialized.size), i == 2);
        free(serialized.bytes);
        result_dispose(&read.result);
        result_dispose(&run.result);
    }
}

/* Columns in words: those of a table, in any order, and of what nobody knows. */
static void test_columns(void)
{
    static const struct {
        const char *text, *kept;
    } rows[] = {
        {"rank:count end_s:time", "rank:count end_s:time"},
        {"end_s:time rank:count", "rank:count end_s:time"},
        {"other:ratio end_s:time", "end_s:time"},
        {"rank:time", ""},
        {":ratio", ""},
        {"", NULL},
        {"rank", NULL},
        {"rank:", NULL},
        {"rank:tim", NULL},
        {"rank:times", NULL},
        {"rank:time b", NULL},
        {"rank:time ", NULL},
        {"rank:time  b:time", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct result result;
        struct transport transport = {.from = (const unsigned char *)"", .size = 0};
        result_init(&result);
        const struct result_table *table = result_read_table(&transport, &result, "rank_ends", rows[i].text, 0);
        CU_ASSERT_EQUAL(transport.failed, rows[i].kept == NULL);
        if (!transport.failed) {
            char *text = result_format_columns(table);
            CU_ASSERT_STRING_EQUAL(text, rows[i].kept);
            free(text);
        }
        result_dispose(&result);
    }
}

/* Check metrics/list.def: no name twice, no more columns than `absent` has bits, and wholes that exist. */
static void test_tables(void)
{
    for (int id = 0; id < N_TABLES; id++) {
        const struct table_spec *spec = &table_specs[id];
        CU_ASSERT(spec->n_columns > 0 && spec->n_columns <= 32);
        for (int other = 0; other < id; other++)
            CU_ASSERT_STRING_NOT_EQUAL(spec->name, table_specs[other].name);
        for (size_t c = 0; c < spec->n_columns; c++) {
            const struct column_spec *column = &spec->columns[c];
            bool has_whole = column->whole[0] == '\0';
            for (size_t other = 0; other < spec->n_columns; other++) {
                CU_ASSERT_EQUAL(strcmp(column->name, spec->columns[other].name) == 0, other == c);
                has_whole |= other != c && strcmp(column->whole, spec->columns[other].name) == 0 &&
                             kind_specs[column->kind].type == kind_specs[spec->columns[other].kind].type;
            }
            CU_ASSERT(has_whole);
            /* Times say their unit in their name. */
            size_t length = strlen(column->name);
            if (kind_specs[column->kind].unit == UNIT_SECONDS)
                CU_ASSERT(length > 2 && strcmp(column->name + length - 2, "_s") == 0);
        }
    }
}

/* A table that nobody knows is read over; a word that none of its column's is, or a number that does not fit, fails. */
static void test_cells(void)
{
    static const struct {
        const char *table, *columns, *bytes;
        size_t size, n_rows;
        bool good;
    } rows[] = {{"none_such", "a:text b:ratio",
                 "\1x12345678\0"
                 "12345678",
                 19, 2, true},
                {"nodes", "node:text kind:text", "\1n\6switch", 9, 1, true},
                {"nodes", "node:text kind:text", "\1n\6swatch", 9, 1, false},
                {"rank_ends", "rank:count", "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, 1, true},
                {"rank_ends", "rank:count", "\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0", 16, 1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct result result;
        struct transport transport = {.from = (const unsigned char *)rows[i].bytes, .size = rows[i].size};
        result_init(&result);
        result_read_table(&transport, &result, rows[i].table, rows[i].columns, rows[i].n_rows);
        CU_ASSERT_EQUAL(!transport.failed && transport.size == 0, rows[i].good);
        result_dispose(&result);
    }
}

/* Numbers of all lengths, with their sign. */
static void test_numbers(void)
{
    for (int n_bytes = 1; n_bytes <= TRANSPORT_WIDE; n_bytes++)
        for (int sign = -1; sign <= 1; sign += 2) {
            wide_int number = ((((wide_int)1 << (8 * n_bytes - 2)) - 1) * 2 + (sign > 0)) * sign, read = 0;
            struct serialized_run serialized;
            struct transport writer = {.to = open_memstream(&serialized.bytes, &serialized.size)};
            transport_number(&writer, &number, n_bytes);
            fclose(writer.to);
            struct transport reader = {.from = (unsigned char *)serialized.bytes, .size = serialized.size};
            transport_number(&reader, &read, n_bytes);
            CU_ASSERT(read == number && serialized.size == (size_t)n_bytes && reader.size == 0 && !reader.failed);
            transport_number(&reader, &read, 1);
            CU_ASSERT(reader.failed && read == 0);
            free(serialized.bytes);
        }
}

/* A text fits with its end behind it, and holds no zero. */
static void test_texts(void)
{
    static const struct {
        const char *bytes;
        bool good;
    } rows[] = {{"\4abcd", true},
                {"\5abcde", false},
                {"\4ab\0d", false},
                {"\6abcd", false},
                {"\xff"
                 "abcd",
                 false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[16];
        struct transport transport = {.from = (const unsigned char *)rows[i].bytes, .size = i == 1 ? 6 : 5};
        transport_text(&transport, text, 5, 1);
        CU_ASSERT_EQUAL(transport.failed, !rows[i].good);
        CU_ASSERT_STRING_EQUAL(text, rows[i].good ? "abcd" : "");
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"round trip", test_round_trip}, {"damaged", test_damaged}, {"refused", test_refused},
        {"columns", test_columns},       {"cells", test_cells},     {"tables", test_tables},
        {"numbers", test_numbers},       {"texts", test_texts},     {NULL, NULL},
    };
    return testing_run("transport", tests);
}
