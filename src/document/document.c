/* Documents: title, sentences, facts and tables.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "document/document_internal.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void document_init(struct document *document, unsigned audience)
{
    *document = (struct document){.audience = audience, .title = "", .name = ""};
}

void document_dispose(struct document *document)
{
    for (size_t i = 0; i < document->n_owned; i++)
        free(document->owned[i]);
    for (size_t i = 0; i < document->n_tables; i++) {
        row_source_free(document->tables[i]->source);
        free(document->tables[i]->columns);
        free(document->tables[i]->cells);
        free(document->tables[i]->order);
        free(document->tables[i]->marks);
        free(document->tables[i]);
    }
    free(document->tables);
    free(document->owned);
    free(document->items);
}

void document_keep(struct document *document, void *block)
{
    document->owned = xgrow(document->owned, document->n_owned, &document->owned_capacity, sizeof *document->owned);
    document->owned[document->n_owned++] = block;
}

const char *document_own(struct document *document, char *text)
{
    document_keep(document, text);
    return text;
}

const char *document_format(struct document *document, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments) + 1;
    va_end(arguments);
    char *text = xmalloc((size_t)size);
    va_start(arguments, format);
    vsnprintf(text, (size_t)size, format, arguments);
    va_end(arguments);
    return document_own(document, text);
}

/* --- items --- */

static void add_item(struct document *document, struct document_item item)
{
    if (!(document->audience & item.audience))
        return;
    document->items = xgrow(document->items, document->n_items, &document->capacity, sizeof *document->items);
    item.is_detail = document->in_details;
    item.is_asked = document->are_asked;
    document->items[document->n_items++] = item;
}

static void add_text(struct document *document, enum item_kind kind, char *text)
{
    add_item(document,
             (struct document_item){.kind = kind, .audience = FOR_READERS, .text = document_own(document, text)});
}

void document_heading(struct document *document, char *text)
{
    add_text(document, ITEM_HEADING, text);
}

void document_sentence(struct document *document, char *text)
{
    add_text(document, ITEM_SENTENCE, text);
}

void document_note(struct document *document, char *text)
{
    add_text(document, ITEM_NOTE, text);
}

void document_fact(struct document *document, struct column name, struct cell value)
{
    add_item(document,
             (struct document_item){.kind = ITEM_FACT, .audience = FOR_PROGRAMS, .fact = name, .value = value});
}

void document_bytes(struct document *document, const char *name, const void *bytes, size_t length)
{
    add_item(document, (struct document_item){
                           .kind = ITEM_BYTES, .audience = FOR_PAGE, .text = name, .bytes = bytes, .length = length});
}

struct cell cell_of_text(const char *text)
{
    return (struct cell){.kind = CELL_TEXT, .text = text};
}

struct cell cell_of_integer(int64_t integer)
{
    return (struct cell){.kind = CELL_INTEGER, .integer = integer};
}

struct cell cell_of_real(double real)
{
    return (struct cell){.kind = CELL_REAL, .real = real};
}

struct cell cell_of_flag(bool flag)
{
    return (struct cell){.kind = CELL_FLAG, .integer = flag};
}

struct cell cell_shown(struct cell cell, const char *text)
{
    cell.shown = text;
    return cell;
}

struct cell cell_of_table(struct table *table, enum cell_kind kind)
{
    return (struct cell){.kind = kind, .table = table};
}

/* --- tables --- */

struct table *document_inner_table(struct document *document)
{
    struct table *table = xcalloc(1, sizeof *table);
    document->tables = xgrow(document->tables, document->n_tables, &document->tables_capacity, sizeof(struct table *));
    table->document = document;
    return document->tables[document->n_tables++] = table;
}

struct table *document_inner_list(struct document *document)
{
    struct table *list = document_inner_table(document);
    table_column(list, (struct column){.id = "value"});
    return list;
}

struct table *document_table(struct document *document, const char *id, const char *title, enum audience audience)
{
    struct table *table = document_inner_table(document);
    table->id = id;
    table->title = title;
    add_item(document, (struct document_item){.kind = ITEM_TABLE, .audience = audience, .table = table});
    return table;
}

void table_column(struct table *table, struct column column)
{
    table->columns = xgrow(table->columns, table->n_columns, &table->columns_capacity, sizeof *table->columns);
    table->columns[table->n_columns++] = column;
}

void table_mark(struct table *table)
{
    size_t row = table_n_rows(table), before = table->marks_capacity;
    while (row >= table->marks_capacity)
        table->marks = xgrow(table->marks, table->marks_capacity, &table->marks_capacity, sizeof *table->marks);
    for (size_t i = before; i < table->marks_capacity; i++)
        table->marks[i] = false;
    table->n_marks += !table->marks[row];
    table->marks[row] = true;
}

bool table_is_marked(const struct table *table, size_t row)
{
    return row < table->marks_capacity && table->marks[row];
}

void table_cell(struct table *table, struct cell cell)
{
    table->cells = xgrow(table->cells, table->n_cells, &table->capacity, sizeof *table->cells);
    table->cells[table->n_cells++] = cell;
}

void table_text(struct table *table, const char *text)
{
    table_cell(table, cell_of_text(text));
}

void table_integer(struct table *table, int64_t integer)
{
    table_cell(table, cell_of_integer(integer));
}

void table_real(struct table *table, double real)
{
    table_cell(table, isnan(real) ? (struct cell){.kind = CELL_NONE} : cell_of_real(real));
}

void table_none(struct table *table)
{
    table_cell(table, (struct cell){.kind = CELL_NONE});
}

void table_blank(struct table *table)
{
    table_cell(table, (struct cell){.kind = CELL_BLANK});
}

struct cell *table_row(struct table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        table_none(table);
    return &table->cells[table->n_cells - table->n_columns];
}

double cell_value(const struct cell *cell)
{
    return cell->kind == CELL_REAL                                 ? cell->real
           : cell->kind == CELL_INTEGER || cell->kind == CELL_FLAG ? (double)cell->integer
                                                                   : (double)NAN;
}
