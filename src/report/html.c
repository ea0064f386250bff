/* The page: one file that shows the answer in a browser, without asking the net for anything. It is the page that the
 * build makes (page/), with data in it: the JSON document as format json writes it, and what readers read, item by
 * item. Both are compressed, so that no text of theirs is ever HTML. */
#include "report/report.h"

#include "base/memory.h"
#include "os/data.h"
#include "report/json_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* --- the page without data --- */

static const char data_mark[] = "<!--data-->";

static const char *find_lack(void)
{
    char *page = data_page();
    bool is_there = access(page, R_OK) == 0;
    free(page);
    return is_there ? NULL : "the page has not been built: cmake --build build/release --target page (it takes npm)";
}

/* The whole file, with a 0 behind it; "" where it cannot be read. */
static char *read_page(void)
{
    char *name = data_page(), *text = xstrdup("");
    FILE *file = fopen(name, "rb");
    size_t length = 0, got = 1;
    while (file != NULL && got > 0) {
        text = xrealloc(text, length + 65536 + 1);
        got = fread(text + length, 1, 65536, file);
        length += got;
        text[length] = '\0';
    }
    if (file != NULL)
        fclose(file);
    free(name);
    return text;
}

/* --- blocks of data --- */

static void write_base64(FILE *stream, const unsigned char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        unsigned bits = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? (unsigned)bytes[i + 2] : 0);
        const char four[] = {digits[bits >> 18], digits[bits >> 12 & 63], left > 1 ? digits[bits >> 6 & 63] : '=',
                             left > 2 ? digits[bits & 63] : '='};
        fwrite(four, 1, sizeof four, stream);
    }
}

static void write_block(FILE *stream, const char *id, const void *bytes, size_t length)
{
    uLongf size = compressBound(length);
    unsigned char *small = xmalloc(size);
    compress2(small, &size, bytes, length, 6); /* there is room for all of it, so it does not fail */
    fprintf(stream, "<script type=\"application/octet-stream\" id=\"%s\">", id);
    write_base64(stream, small, size);
    fprintf(stream, "</script>\n");
    free(small);
}

static void write_json_block(FILE *stream, const char *id, json_t *json)
{
    char *text = json_dumps(json, JSON_STYLE);
    write_block(stream, id, text, strlen(text));
    free(text);
    json_decref(json);
}

/* --- what readers read --- */

static const char *const unit_names[] = {
    [UNIT_TEXT] = "text",         [UNIT_COUNT] = "count",   [UNIT_SECONDS] = "s",   [UNIT_BYTES] = "B",
    [UNIT_BANDWIDTH] = "B/s",     [UNIT_RATIO] = "ratio",   [UNIT_SHARE] = "share", [UNIT_DIFFERENCE] = "difference",
    [UNIT_SLOWDOWN] = "slowdown", [UNIT_NUMBER] = "number",
};
static const char *const chart_names[] = {[CHART_NONE] = "none",
                                          [CHART_LINE] = "line",
                                          [CHART_BAR] = "bar",
                                          [CHART_STACKED_BAR] = "stacked",
                                          [CHART_HEATMAP] = "heatmap"};

static json_t *column_of(const struct column *column)
{
    return json_pack("{s:s, s:s, s:s, s:b, s:b}", "id", column->id, "head",
                     column->head != NULL ? column->head : column->id, "unit", unit_names[column->unit], "key",
                     (column->flags & COLUMN_KEY) != 0, "begins", (column->flags & COLUMN_BEGINS) != 0);
}

static json_t *cell_of(const struct cell *cell)
{
    if (cell->shown != NULL)
        return json_string(cell->shown);
    switch (cell->kind) {
    case CELL_TEXT:
        return json_string(cell->text);
    case CELL_INTEGER:
        return json_integer((json_int_t)cell->integer);
    case CELL_REAL:
        return isfinite(cell->real) ? json_real(cell->real) : json_null();
    case CELL_FLAG:
        return json_boolean(cell->integer);
    default:
        return json_null();
    }
}

static json_t *table_of(const struct table *table)
{
    json_t *columns = json_array(), *rows = json_array();
    for (size_t c = 0; c < table->n_columns; c++)
        json_array_append_new(columns, column_of(&table->columns[c]));
    for (size_t row = 0; row < table_n_rows(table); row++) {
        json_t *cells = json_array();
        for (size_t c = 0; c < table->n_columns; c++)
            json_array_append_new(cells, cell_of(table_at(table, row, c)));
        json_array_append_new(rows, cells);
    }
    return json_pack("{s:s, s:s, s:s?, s:s, s:b, s:o, s:o}", "kind", "table", "id", table->id, "title", table->title,
                     "chart", chart_names[table->chart], "part", table->is_part, "columns", columns, "rows", rows);
}

static json_t *said_of(const struct document *document)
{
    static const char *const kinds[] = {[ITEM_HEADING] = "heading", [ITEM_SENTENCE] = "sentence", [ITEM_NOTE] = "note"};
    json_t *items = json_array();
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        if (!(item->audience & FOR_READERS) || item->kind > ITEM_TABLE || item->kind == ITEM_FACT)
            continue;
        if (item->kind != ITEM_TABLE)
            json_array_append_new(items, json_pack("{s:s, s:s}", "kind", kinds[item->kind], "text", item->text));
        else if (table_n_rows(item->table) > 0)
            json_array_append_new(items, table_of(item->table));
    }
    return json_pack("{s:s, s:s?, s:o}", "title", document->title, "name", document->name, "items", items);
}

/* --- the format --- */

static void html_write(FILE *stream, const struct document *document)
{
    char *page = read_page(), *mark = strstr(page, data_mark);
    if (mark != NULL) {
        fwrite(page, 1, (size_t)(mark - page), stream);
        write_json_block(stream, "data", json_of_document(document, FOR_PROGRAMS));
        write_json_block(stream, "drawn", json_of_document(document, FOR_PAGE));
        write_json_block(stream, "said", said_of(document));
        for (size_t i = 0; i < document->n_items; i++)
            if (document->items[i].kind == ITEM_BYTES)
                write_block(stream, document->items[i].text, document->items[i].bytes, document->items[i].length);
        fputs(mark + strlen(data_mark), stream);
    }
    free(page);
}

const struct report_spec report_html = {
    .name = "html",
    .summary = "one page for a browser: charts, tables, timeline",
    .audience = FOR_ALL | FOR_PAGE,
    .shows_drawings = true,
    .find_lack = find_lack,
    .write = html_write,
};
