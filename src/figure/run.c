/* Finds the run that is drawn, and its tables, lists and timeline.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/run.h"

#include <math.h>
#include <string.h>

/* The first row is that of the run. */
static const struct table *find_table(const struct document *document, const char *id, size_t most_rows)
{
    for (size_t i = 0; i < document->n_items; i++) {
        const struct table *table = document->items[i].table;
        if (table != NULL && strcmp(table->id, id) == 0 && table_n_rows(table) > 0 && table_n_rows(table) <= most_rows)
            return table;
    }
    return NULL;
}

bool figure_run_find(struct figure_run *run, const struct document *document)
{
    *run = (struct figure_run){document, find_table(document, "drawn", MOST_DRAWN)};
    if (run->table == NULL)
        run->table = find_table(document, "runs", 1);
    return run->table != NULL;
}

static const struct table *find_inner(const struct figure_run *run, const char *group, const char *name,
                                      enum cell_kind kind)
{
    for (size_t c = 0; c < run->table->n_columns; c++) {
        const struct column *column = &run->table->columns[c];
        const struct cell *cell = table_at(run->table, 0, c);
        bool is_in = group == NULL ? column->group == NULL : column->group != NULL && strcmp(column->group, group) == 0;
        if (is_in && strcmp(column->id, name) == 0 && cell->kind == kind && table_n_rows(cell->table) > 0)
            return cell->table;
    }
    return NULL;
}

const struct table *figure_run_rows(const struct figure_run *run, const char *name)
{
    return find_inner(run, NULL, name, CELL_ROWS);
}

const struct table *figure_run_list(const struct figure_run *run, const char *group, const char *name)
{
    return find_inner(run, group, name, CELL_LIST);
}

const unsigned char *figure_run_timeline(const struct figure_run *run, size_t *length)
{
    for (size_t i = 0; i < run->document->n_items; i++) {
        const struct document_item *item = &run->document->items[i];
        if (item->kind != ITEM_BYTES || strncmp(item->text, "timeline-", 9) != 0)
            continue;
        *length = item->length;
        return item->bytes;
    }
    return NULL;
}

static const struct cell *find_cell(const struct table *table, size_t row, const char *column)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->columns[c].id, column) == 0)
            return table_at(table, row, c);
    return NULL;
}

double figure_number(const struct table *table, size_t row, const char *column)
{
    const struct cell *cell = find_cell(table, row, column);
    return cell != NULL ? cell_value(cell) : (double)NAN;
}

const char *figure_text(const struct table *table, size_t row, const char *column)
{
    const struct cell *cell = find_cell(table, row, column);
    return cell != NULL && cell->kind == CELL_TEXT ? cell->text : "";
}
