#include "report/table.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 48 };

struct table {
    size_t n_columns;
    char (*cells)[CELL_SIZE]; /* the heads are the first row */
    size_t n_cells, capacity;
};

struct table *table_new(void)
{
    return xcalloc(1, sizeof(struct table));
}

static void add_cell(struct table *table, const char *format, va_list arguments)
{
    table->cells = xgrow(table->cells, table->n_cells, &table->capacity, sizeof *table->cells);
    vsnprintf(table->cells[table->n_cells++], CELL_SIZE, format, arguments);
}

void table_head(struct table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(table, format, arguments);
    va_end(arguments);
    table->n_columns++;
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
    size_t width = 0;
    for (size_t i = column; i < table->n_cells; i += table->n_columns) {
        size_t length = strlen(table->cells[i]);
        width = length > width ? length : width;
    }
    return (int)width;
}

enum { WIDEST = 120 };

static int sum_of_widths(const struct table *table)
{
    int sum = 0;
    for (size_t column = 0; column < table->n_columns; column++)
        sum += 2 + width_of(table, column);
    return sum;
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
}

void table_print(struct table *table, FILE *stream)
{
    if (sum_of_widths(table) > WIDEST)
        split_heads(table);
    int *widths = xmalloc(table->n_columns * sizeof *widths);
    for (size_t column = 0; column < table->n_columns; column++)
        widths[column] = width_of(table, column);
    int blank = 0; /* a line does not end in blanks */
    for (size_t i = 0; i < table->n_cells; i++) {
        size_t column = i % table->n_columns;
        blank += 2 + widths[column];
        if (table->cells[i][0] != '\0') {
            fprintf(stream, "%*s", blank, table->cells[i]);
            blank = 0;
        }
        if (column == table->n_columns - 1) {
            fputc('\n', stream);
            blank = 0;
        }
    }
    free(widths);
    free(table->cells);
    free(table);
}
