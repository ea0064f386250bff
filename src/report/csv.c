/* Comma-separated values: one row a run, or whatever the document is about, with columns named as in JSON
 * (group.name). Where there are several such tables an empty line is between them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* True if a spreadsheet would compute what the text begins with. A number is none the less a number. */
static bool is_formula(const char *text)
{
    char *end;
    if (text[0] == '\0' || strchr("=+-@\t\r\n", text[0]) == NULL)
        return false;
    strtod(text, &end);
    return end == text || *end != '\0' || strspn(text, "0123456789.eE+-") != strlen(text);
}

/* A cell as RFC 4180 has it: in quotes where it needs them. A quote before what would be a formula makes it text. */
static void write_text(FILE *stream, const char *text)
{
    const char *mark = is_formula(text) ? "'" : "";
    if (strpbrk(text, ",\"\n\r") == NULL) {
        fprintf(stream, "%s%s", mark, text);
        return;
    }
    fprintf(stream, "\"%s", mark);
    for (; *text != '\0'; text++)
        fprintf(stream, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', stream);
}

/* Find the columns that are written: not those that have several dimensions, which have no place in a table of two. The
 * first cell of each that has anything in it tells. */
static bool *find_written(const struct table *table)
{
    size_t n_open = table->n_columns;
    bool *written = xcalloc(n_open + 1, sizeof *written), *known = xcalloc(n_open + 1, sizeof *known);
    for (size_t c = 0; c < table->n_columns; c++)
        written[c] = (table->columns[c].flags & COLUMN_BESIDE) == 0;
    for (size_t row = 0; n_open > 0 && row < table_n_rows(table); row++)
        for (size_t c = 0; c < table->n_columns; c++) {
            enum cell_kind kind = table_at(table, row, c)->kind;
            if (known[c] || kind == CELL_NONE)
                continue;
            written[c] = written[c] && kind != CELL_LIST && kind != CELL_ROWS;
            known[c] = true;
            n_open--;
        }
    free(known);
    return written;
}

static void write_value(FILE *stream, const struct cell *cell)
{
    if (cell->kind == CELL_TEXT)
        write_text(stream, cell->text);
    else if (cell->kind == CELL_INTEGER || cell->kind == CELL_FLAG)
        fprintf(stream, "%lld", (long long)cell->integer);
    else if (cell->kind == CELL_REAL && isfinite(cell->real))
        fprintf(stream, "%.15g", cell->real);
}

static bool is_alone(const struct table *table, const struct column *column)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        const struct column *other = &table->columns[i];
        if (other->group == NULL && other->flat == NULL && !(other->flags & COLUMN_BESIDE) &&
            strcmp(other->id, column->id) == 0)
            return false;
    }
    return true;
}

/* Parameters have their names alone, unless something else is called like them. */
static void write_head(FILE *stream, const struct table *table, const struct column *column)
{
    char name[160];
    bool bare = column->group == NULL || ((column->flags & COLUMN_PARAMETER) && is_alone(table, column));
    snprintf(name, sizeof name, "%s%s%s", bare ? "" : column->group, bare ? "" : ".", column->id);
    write_text(stream, column->flat != NULL ? column->flat : name);
}

static void write_table(FILE *stream, const struct table *table)
{
    bool *written = find_written(table);
    for (size_t line = 0; line <= table_n_rows(table); line++) {
        const char *before = "";
        for (size_t c = 0; c < table->n_columns; c++) {
            if (!written[c])
                continue;
            fputs(before, stream);
            if (line == 0)
                write_head(stream, table, &table->columns[c]);
            else
                write_value(stream, table_at(table, line - 1, c));
            before = ",";
        }
        fputc('\n', stream);
    }
    free(written);
}

/* How long the lists in a row are; 1 where there are none. */
static size_t list_length(const struct table *rows, size_t row)
{
    for (size_t c = 0; c < rows->n_columns; c++)
        if (table_at(rows, row, c)->kind == CELL_LIST)
            return table_n_rows(table_at(rows, row, c)->table);
    return 1;
}

/* A row behind the number of the row that it belongs to, with the i-th element of its lists. */
static void write_cell_row(FILE *stream, const struct table *rows, size_t row, size_t i, size_t number)
{
    fprintf(stream, "%zu", number);
    for (size_t c = 0; c < rows->n_columns; c++) {
        const struct cell *cell = table_at(rows, row, c);
        fputc(',', stream);
        write_value(stream, cell->kind == CELL_LIST ? table_at(cell->table, i, 0) : cell);
    }
    fputc('\n', stream);
}

static void write_cell_rows(FILE *stream, const struct table *rows, size_t number)
{
    for (size_t row = 0; row < table_n_rows(rows); row++)
        for (size_t i = 0; i < list_length(rows, row); i++)
            write_cell_row(stream, rows, row, i, number);
}

/* Write what was asked for of the rows of a table, as a table of its own: which row, counted from 0, and what it
 * has. */
static void write_detail(FILE *stream, const struct table *table, size_t column)
{
    bool has_head = false;
    for (size_t row = 0; row < table_n_rows(table); row++) {
        const struct cell *cell = table_at(table, row, column);
        if (cell->kind != CELL_ROWS || table_n_rows(cell->table) == 0)
            continue;
        if (!has_head)
            fprintf(stream, "\n%s", table->id);
        const char *group = table->columns[column].group;
        for (size_t c = 0; !has_head && c < cell->table->n_columns; c++)
            fprintf(stream, ",%s.%s", group != NULL ? group : table->columns[column].id, cell->table->columns[c].id);
        fputs(has_head ? "" : "\n", stream);
        has_head = true;
        write_cell_rows(stream, cell->table, row);
    }
}

static void csv_write(FILE *stream, const struct document *document)
{
    const char *before = "";
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        if (item->kind != ITEM_TABLE || item->table->is_aside || table_n_rows(item->table) == 0)
            continue;
        fputs(before, stream);
        write_table(stream, item->table);
        for (size_t c = 0; c < item->table->n_columns; c++)
            if (item->table->columns[c].flags & COLUMN_DETAIL)
                write_detail(stream, item->table, c);
        before = "\n";
    }
}

const struct report_spec report_csv = {.name = "csv",
                                       .summary = "one row per run, columns named as in JSON",
                                       .audience = FOR_PROGRAMS,
                                       .write = csv_write};
