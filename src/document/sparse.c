/* Rows of tables that do not have the same cells, and those that are made when they are asked for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "document/document_internal.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool is_column(const struct column *a, const struct column *b)
{
    bool grouped = a->group != NULL && b->group != NULL;
    return strcmp(a->id, b->id) == 0 && (grouped ? strcmp(a->group, b->group) == 0 : a->group == b->group);
}

struct sparse_row sparse_row_begin(struct table *table, bool fills)
{
    struct sparse_row row = {.table = table, .fills = fills, .row = table_n_rows(table)};
    if (!fills)
        return row;
    table_row(table);
    table->order = xrealloc(table->order, table->capacity * sizeof *table->order);
    memset(&table->order[row.row * table->n_columns], 0xff, table->n_columns * sizeof *table->order);
    return row;
}

/* The place of a column by its group and name, most likely the expected one; a new one comes last. */
static size_t find_column(struct table *table, struct column column, size_t expected)
{
    if (expected < table->n_columns && is_column(&table->columns[expected], &column))
        return expected;
    for (size_t i = 0; i < table->n_columns; i++)
        if (is_column(&table->columns[i], &column))
            return i;
    assert(table->n_cells == 0);
    table_column(table, column);
    return table->n_columns - 1;
}

void sparse_put(struct sparse_row *row, struct column column, struct cell cell)
{
    struct table *table = row->table;
    size_t place = find_column(table, column, row->next), first = row->row * table->n_columns;
    row->next = place + 1;
    if (!row->fills)
        return;
    if (table->cells[first + place].kind == CELL_NONE)
        table->order[first + row->count++] = (uint32_t)place;
    table->cells[first + place] = cell;
}

/* --- rows that are made later --- */

struct row_source {
    size_t n_rows, at; /* `at`: the row that is made, n_rows if there is none */
    table_fill *fill;
    const void *self;
    struct document made; /* of one table with that row, and of what is in its cells */
};

void table_make_later(struct table *table, size_t n_rows, table_fill *fill, const void *self)
{
    for (size_t i = 0; i < n_rows; i++) {
        struct sparse_row row = sparse_row_begin(table, false);
        fill(&row, self, i);
    }
    table->source = xmalloc(sizeof *table->source);
    *table->source = (struct row_source){.n_rows = n_rows, .at = n_rows, .fill = fill, .self = self};
    document_init(&table->source->made, table->document->audience);
}

static void make_rows(struct table *table)
{
    struct row_source *source = table->source;
    table->source = NULL;
    for (size_t i = 0; i < source->n_rows; i++) {
        struct sparse_row row = sparse_row_begin(table, true);
        source->fill(&row, source->self, i);
    }
    row_source_free(source);
}

void document_make_rows(struct document *document)
{
    for (size_t i = 0; i < document->n_tables; i++)
        if (document->tables[i]->source != NULL)
            make_rows(document->tables[i]);
}

void row_source_free(struct row_source *source)
{
    if (source != NULL)
        document_dispose(&source->made);
    free(source);
}

/* A table of this row alone. */
static struct table *made_row(const struct table *table, size_t row)
{
    struct row_source *source = table->source;
    if (source->at == row)
        return source->made.tables[0];
    document_dispose(&source->made);
    document_init(&source->made, table->document->audience);
    struct table *made = document_inner_table(&source->made);
    for (size_t i = 0; i < table->n_columns; i++)
        table_column(made, table->columns[i]);
    struct sparse_row filled = sparse_row_begin(made, true);
    source->fill(&filled, source->self, row);
    source->at = row;
    return made;
}

/* --- of any table --- */

size_t table_order(const struct table *table, size_t row, size_t i)
{
    if (table->source != NULL)
        return table_order(made_row(table, row), 0, i);
    uint32_t place = table->order == NULL   ? (uint32_t)i
                     : i < table->n_columns ? table->order[row * table->n_columns + i]
                                            : UINT32_MAX;
    return place < table->n_columns ? place : table->n_columns;
}

size_t table_n_rows(const struct table *table)
{
    if (table->source != NULL)
        return table->source->n_rows;
    return table->n_columns > 0 ? table->n_cells / table->n_columns : 0;
}

const struct cell *table_at(const struct table *table, size_t row, size_t column)
{
    if (table->source != NULL)
        return table_at(made_row(table, row), 0, column);
    return &table->cells[row * table->n_columns + column];
}
