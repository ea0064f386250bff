#include "report/table.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 64, WIDEST = 120 };

struct table {
    size_t n_columns, n_keys;
    char (*cells)[CELL_SIZE]; /* the heads are the first row */
    size_t n_cells, capacity;
    bool has_unit_row; /* the second row has the units of the heads */
};

struct table *table_new(void)
{
    return xcalloc(1, sizeof(struct table));
}

static void add_cell(struct table *table, const char *format, va_list arguments)
{
    table->cells = xgrow(table->cells, table->n_cells, &table->capacity, sizeof *table->cells);
    char *cell = table->cells[table->n_cells++];
    vsnprintf(cell, CELL_SIZE, format, arguments);
    utf8_trim(cell);
}

void table_head(struct table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(table, format, arguments);
    va_end(arguments);
    table->n_columns++;
}

void table_keys(struct table *table)
{
    table->n_keys = table->n_columns;
}

void table_cell(struct table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(table, format, arguments);
    va_end(arguments);
}

static int width_of(const struct table *table, size_t column)
{
    int widest = 0;
    for (size_t i = column; i < table->n_cells; i += table->n_columns) {
        int width = utf8_width(table->cells[i]);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* With the two blanks before each column; to be freed. */
static int *find_widths(const struct table *table, int *sum)
{
    int *widths = xmalloc(table->n_columns * sizeof *widths);
    *sum = 0;
    for (size_t column = 0; column < table->n_columns; column++) {
        widths[column] = 2 + width_of(table, column);
        *sum += widths[column];
    }
    return widths;
}

static bool has_units(const struct table *table)
{
    for (size_t column = 0; column < table->n_columns; column++)
        if (strstr(table->cells[column], " [") != NULL)
            return true;
    return false;
}

/* Where a table is too wide its heads take two lines, and units such as [s] go to the second. */
static void split_heads(struct table *table)
{
    size_t n = table->n_columns;
    char(*cells)[CELL_SIZE] = xcalloc(table->n_cells + n, CELL_SIZE);
    memcpy(cells, table->cells, n * CELL_SIZE);
    memcpy(cells + 2 * n, table->cells + n, (table->n_cells - n) * CELL_SIZE);
    for (size_t column = 0; column < n; column++) {
        char *unit = strstr(cells[column], " [");
        if (unit == NULL)
            continue;
        memcpy(cells[n + column], unit + 1, strlen(unit));
        *unit = '\0';
    }
    free(table->cells);
    table->cells = cells;
    table->n_cells += n;
    table->has_unit_row = true;
}

/* The column after the last one that fits into a line with the keys and with column `from`, which does in any case. */
static size_t find_end(const struct table *table, const int *widths, size_t from)
{
    int sum = 0;
    size_t end = from;
    for (size_t key = 0; key < table->n_keys; key++)
        sum += widths[key];
    for (sum += widths[end++]; end < table->n_columns && sum + widths[end] <= WIDEST; end++)
        sum += widths[end];
    return end;
}

/* Whether one of the columns from ... end - 1, or of the keys, has a unit in the second row. */
static bool any_unit(const struct table *table, size_t from, size_t end)
{
    for (size_t column = 0; column < end; column++)
        if ((column < table->n_keys || column >= from) && table->cells[table->n_columns + column][0] != '\0')
            return true;
    return false;
}

/* The keys, and the columns from ... end - 1. A line does not end in blanks. */
static void print_columns(FILE *stream, const struct table *table, const int *widths, size_t from, size_t end)
{
    int blank = 0;
    const bool skip_units = table->has_unit_row && !any_unit(table, from, end);
    for (size_t i = 0; i < table->n_cells; i++) {
        size_t column = i % table->n_columns;
        if (skip_units && i / table->n_columns == 1)
            continue;
        if (column < table->n_keys || (column >= from && column < end)) {
            blank += widths[column] - utf8_width(table->cells[i]);
            if (table->cells[i][0] != '\0') {
                fprintf(stream, "%*s%s", blank, "", table->cells[i]);
                blank = 0;
            }
        }
        if (column == table->n_columns - 1) {
            fputc('\n', stream);
            blank = 0;
        }
    }
}

void table_print(struct table *table, FILE *stream)
{
    int sum, *widths = find_widths(table, &sum);
    if (sum > WIDEST && has_units(table)) {
        free(widths);
        split_heads(table);
        widths = find_widths(table, &sum);
    }
    size_t from = table->n_keys, end;
    do {
        end = from < table->n_columns ? find_end(table, widths, from) : from;
        print_columns(stream, table, widths, from, end);
        from = end;
    } while (end < table->n_columns);
    free(widths);
    free(table->cells);
    free(table);
}
