/* The page: one file that shows the answer in a browser, without asking the net for anything. It is the page that the
 * build makes (page/), with data in it: the JSON document as format json writes it, and what readers read, item by
 * item. Both are compressed, so that no text of theirs is ever HTML.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include "base/memory.h"
#include "os/data.h"
#include "report/json_internal.h"
#include "report/page_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the page without data --- */

static const char data_mark[] = "<!--data-->";

static const char *find_lack(void)
{
    char *page = data_page();
    bool is_there = access(page, R_OK) == 0;
    free(page);
    if (is_there)
        return NULL;
    return data_is_build() ? "the page has not been built: cmake --build build/release --target page (needs npm)"
                           : "this simrun was installed without its page (SIMRUN_PAGES=OFF)";
}

/* The whole file, with a 0 behind it; "" where it cannot be read. The name is taken over. */
static char *read_made(char *name)
{
    char *text = xstrdup("");
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

static void write_bytes(FILE *stream, const struct document_item *item)
{
    static const size_t most = 1 << 30; /* that zlib takes at once, less than 4 GiB */
    const unsigned char *bytes = item->bytes;
    struct page_block *block = page_block_begin(stream, item->text);
    for (size_t done = 0; done < item->length; done += most)
        page_block_take(block, bytes + done, item->length - done < most ? item->length - done : most);
    page_block_end(block);
}

/* Writes the contents of a block of JSON. */
typedef void write_json(struct json_writer *writer, const struct document *document, enum audience audience);

static void write_json_block(FILE *stream, const char *id, write_json *write, const struct document *document,
                             enum audience audience)
{
    struct json_writer writer;
    struct page_block *block = page_block_begin(stream, id);
    json_writer_init(&writer, page_block_take, block);
    writer.is_compact = true;
    write(&writer, document, audience);
    json_writer_finish(&writer);
    page_block_end(block);
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

static void write_pair(struct json_writer *writer, const char *name, const char *text)
{
    json_name(writer, name);
    json_text(writer, text);
}

static void write_flag(struct json_writer *writer, const char *name, bool flag)
{
    json_name(writer, name);
    json_flag(writer, flag);
}

static void write_column(struct json_writer *writer, const struct column *column)
{
    json_begin(writer, '{');
    write_pair(writer, "id", column->id);
    write_pair(writer, "head", column->head != NULL ? column->head : column->id);
    write_pair(writer, "unit", unit_names[column->unit]);
    write_flag(writer, "key", (column->flags & COLUMN_KEY) != 0);
    write_flag(writer, "parameter", (column->flags & COLUMN_PARAMETER) != 0);
    write_flag(writer, "begins", (column->flags & COLUMN_BEGINS) != 0);
    json_end(writer, '}');
}

static void write_cell(struct json_writer *writer, const struct cell *cell)
{
    if (cell->shown != NULL)
        json_text(writer, cell->shown);
    else if (cell->kind == CELL_TEXT)
        json_text(writer, cell->text);
    else if (cell->kind == CELL_INTEGER)
        json_integer(writer, cell->integer);
    else if (cell->kind == CELL_FLAG)
        json_flag(writer, cell->integer != 0);
    else
        json_real(writer, cell->kind == CELL_REAL ? cell->real : NAN);
}

static void write_cells(struct json_writer *writer, const struct table *table)
{
    json_name(writer, "columns");
    json_begin(writer, '[');
    for (size_t c = 0; c < table->n_columns; c++)
        write_column(writer, &table->columns[c]);
    json_end(writer, ']');
    json_name(writer, "rows");
    json_begin(writer, '[');
    for (size_t row = 0; row < table_n_rows(table); row++) {
        json_begin(writer, '[');
        for (size_t c = 0; c < table->n_columns; c++)
            write_cell(writer, table_at(table, row, c));
        json_end(writer, ']');
    }
    json_end(writer, ']');
}

static void write_table(struct json_writer *writer, const struct table *table)
{
    json_begin(writer, '{');
    write_pair(writer, "kind", "table");
    write_pair(writer, "id", table->id);
    write_pair(writer, "title", table->title);
    write_pair(writer, "chart", chart_names[table->chart]);
    write_flag(writer, "part", table->is_part);
    write_cells(writer, table);
    json_end(writer, '}');
}

static void write_text(struct json_writer *writer, const char *kind, const char *text)
{
    json_begin(writer, '{');
    write_pair(writer, "kind", kind);
    write_pair(writer, "text", text);
    json_end(writer, '}');
}

static void write_items(struct json_writer *writer, const struct document *document, enum audience audience)
{
    static const char *const kinds[] = {[ITEM_HEADING] = "heading", [ITEM_SENTENCE] = "sentence", [ITEM_NOTE] = "note"};
    json_begin(writer, '{');
    write_pair(writer, "title", document->title);
    write_pair(writer, "name", document->name);
    json_name(writer, "items");
    json_begin(writer, '[');
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        if (!(item->audience & audience) || item->kind > ITEM_TABLE || item->kind == ITEM_FACT)
            continue;
        if (item->kind != ITEM_TABLE)
            write_text(writer, kinds[item->kind], item->text);
        else if (table_n_rows(item->table) > 0)
            write_table(writer, item->table);
    }
    json_end(writer, ']');
    json_end(writer, '}');
}

/* --- the format --- */

/* A page that simulates has the simulator behind what it is made of. */
static void write_drawn(FILE *stream, const struct document *document)
{
    for (size_t i = 0; i < document->n_items; i++) {
        if (document->items[i].kind != ITEM_BYTES)
            continue;
        write_bytes(stream, &document->items[i]);
        if (strcmp(document->items[i].text, LIVE_BLOCK) != 0)
            continue;
        char *engine = read_made(data_engine());
        fputs(engine, stream);
        free(engine);
    }
}

static void html_write(FILE *stream, const struct document *document)
{
    char *page = read_made(data_page()), *mark = strstr(page, data_mark);
    if (mark != NULL) {
        fwrite(page, 1, (size_t)(mark - page), stream);
        write_json_block(stream, "data", json_write_document, document, FOR_PROGRAMS);
        write_json_block(stream, "drawn", json_write_document, document, FOR_PAGE);
        write_json_block(stream, "said", write_items, document, FOR_READERS);
        write_drawn(stream, document);
        fputs(mark + strlen(data_mark), stream);
    }
    free(page);
}

const struct report_spec report_html = {
    .name = "html",
    .summary = "one page for a browser: charts, tables, timeline",
    .audience = FOR_ALL | FOR_PAGE | FOR_LISTS,
    .most_drawn = MOST_DRAWN,
    .find_lack = find_lack,
    .write = html_write,
};
