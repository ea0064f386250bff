/* JSON as it is written: punctuation, names and texts of any bytes, groups of members, tables of one name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "report/json_internal.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *written;
static size_t length;

static void take(void *self, const void *bytes, size_t count)
{
    (void)self;
    written = xrealloc(written, length + count + 1);
    memcpy(written + length, bytes, count);
    length += count;
    written[length] = '\0';
}

static struct json_writer writer;

static void begin(void)
{
    length = 0;
    json_writer_init(&writer, take, NULL);
}

static void expect(const char *text)
{
    json_writer_finish(&writer);
    CU_ASSERT_STRING_EQUAL(written, text);
    free(written);
    written = NULL;
}

static void write_values(void)
{
    json_begin(&writer, '{');
    json_name(&writer, "none");
    json_begin(&writer, '[');
    json_end(&writer, ']');
    json_name(&writer, "list");
    json_begin(&writer, '[');
    json_integer(&writer, -7);
    json_real(&writer, 7);
    json_real(&writer, NAN);
    json_flag(&writer, true);
    json_text(&writer, NULL);
    json_begin(&writer, '{');
    json_end(&writer, '}');
    json_end(&writer, ']');
    json_end(&writer, '}');
}

static void values(void)
{
    begin();
    write_values();
    expect("{\n \"none\": [],\n \"list\": [\n  -7,\n  7.0,\n  null,\n  true,\n  null,\n  {}\n ]\n}");
}

static void on_one_line(void)
{
    begin();
    writer.is_compact = true;
    write_values();
    expect("{\"none\": [],\"list\": [-7,7.0,null,true,null,{}]}");
}

static void texts(void)
{
    static const char *const rows[][2] = {
        {"", "\"\""},
        {"L\xc3\xb6sung </script>", "\"L\xc3\xb6sung </script>\""},
        {"\"\\\b\f\n\r\t\x01\x1f\x7f", "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001F\x7f\""},
        {"a\xff\xc3", "\"a??\""},
        {"\xf0\x9f\x94\xa7", "\"\xf0\x9f\x94\xa7\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin();
        json_text(&writer, rows[i][0]);
        expect(rows[i][1]);
    }
}

/* Longer than what the writer keeps. */
static void long_text(void)
{
    static char text[5 * sizeof writer.text];
    memset(text, 'x', sizeof text - 1);
    begin();
    json_text(&writer, text);
    json_writer_finish(&writer);
    CU_ASSERT_EQUAL(length, sizeof text + 1);
    CU_ASSERT_EQUAL(strspn(written + 1, "x"), sizeof text - 1);
    free(written);
    written = NULL;
}

static void add_row(struct document *document, int64_t number)
{
    struct table *table = document_table(document, "rows", NULL, FOR_ALL);
    table_column(table, (struct column){.id = "n"});
    table_integer(table, number);
}

/* Sentences come first; members of a group are one object, where the first stands; tables of one name are one array. */
static void documents(void)
{
    struct document document;
    document_init(&document, FOR_ALL);
    document_fact(&document, (struct column){.group = "g", .id = "a"}, cell_of_integer(1));
    add_row(&document, 1);
    document_fact(&document, (struct column){.id = "b"}, cell_of_text("x"));
    document_fact(&document, (struct column){.group = "g", .id = "c"}, cell_of_integer(2));
    document_fact(&document, (struct column){.id = "d"}, (struct cell){.kind = CELL_NONE});
    add_row(&document, 2);
    document_table(&document, "silent", NULL, FOR_ALL)->needs_rows = true;
    document_sentence(&document, xstrdup("It is so."));
    document_note(&document, xstrdup("Not said."));
    document_sentence(&document, xstrdup("That, too."));
    document.in_details = true;
    document_sentence(&document, xstrdup("Not said either."));
    begin();
    json_write_document(&writer, &document, FOR_PROGRAMS);
    expect("{\n \"schema\": 1,\n \"answer\": [\n  \"It is so.\",\n  \"That, too.\"\n ],\n \"g\": {\n  \"a\": 1,\n  "
           "\"c\": 2\n },\n "
           "\"rows\": [\n  {\n   \"n\": 1\n  },\n  {\n   \"n\": 2\n  }\n ],\n"
           " \"b\": \"x\"\n}");
    document_dispose(&document);
}

int main(void)
{
    return testing_run("json", (const struct test[]){{"values", values},
                                                     {"on one line", on_one_line},
                                                     {"texts", texts},
                                                     {"long text", long_text},
                                                     {"documents", documents},
                                                     {0}});
}
