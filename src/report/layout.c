/* A text table: widths of columns, heads, and what is done where a line is too short. */
#include "report/layout.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 64, WIDEST = 120 };

struct layout {
    size_t n_columns, n_keys;
    char (*cells)[CELL_SIZE]; /* the heads are the first row */
    size_t n_cells, capacity;
    bool has_unit_row; /* the second row has the units of the heads */
};

struct layout *layout_new(void)
{
    return xcalloc(1, sizeof(struct layout));
}

static void add_cell(struct layout *layout, const char *format, va_list arguments)
{
    layout->cells = xgrow(layout->cells, layout->n_cells, &layout->capacity, sizeof *layout->cells);
    char *cell = layout->cells[layout->n_cells++];
    vsnprintf(cell, CELL_SIZE, format, arguments);
    utf8_trim(cell);
}

void layout_head(struct layout *layout, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(layout, format, arguments);
    va_end(arguments);
    layout->n_columns++;
}

void layout_keys(struct layout *layout)
{
    layout->n_keys = layout->n_columns;
}

void layout_cell(struct layout *layout, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(layout, format, arguments);
    va_end(arguments);
}

static int width_of(const struct layout *layout, size_t column)
{
    int widest = 0;
    for (size_t i = column; i < layout->n_cells; i += layout->n_columns) {
        widest = int_max(widest, utf8_width(layout->cells[i]));
    }
    return widest;
}

/* With the two blanks before each column; to be freed. */
static int *find_widths(const struct layout *layout, int *sum)
{
    int *widths = xmalloc(layout->n_columns * sizeof *widths);
    *sum = 0;
    for (size_t column = 0; column < layout->n_columns; column++) {
        widths[column] = 2 + width_of(layout, column);
        *sum += widths[column];
    }
    return widths;
}

static bool has_units(const struct layout *layout)
{
    for (size_t column = 0; column < layout->n_columns; column++)
        if (strstr(layout->cells[column], " [") != NULL)
            return true;
    return false;
}

/* Where a table is too wide its heads take two lines, and units such as [s] go to the second. */
static void split_heads(struct layout *layout)
{
    size_t n = layout->n_columns;
    char(*cells)[CELL_SIZE] = xcalloc(layout->n_cells + n, CELL_SIZE);
    memcpy(cells, layout->cells, n * CELL_SIZE);
    memcpy(cells + 2 * n, layout->cells + n, (layout->n_cells - n) * CELL_SIZE);
    for (size_t column = 0; column < n; column++) {
        char *unit = strstr(cells[column], " [");
        if (unit == NULL)
            continue;
        memcpy(cells[n + column], unit + 1, strlen(unit));
        *unit = '\0';
    }
    free(layout->cells);
    layout->cells = cells;
    layout->n_cells += n;
    layout->has_unit_row = true;
}

/* The column after the last one that fits into a line with the keys and with column `from`, which does in any case. */
static size_t find_end(const struct layout *layout, const int *widths, size_t from)
{
    int sum = 0;
    size_t end = from;
    for (size_t key = 0; key < layout->n_keys; key++)
        sum += widths[key];
    for (sum += widths[end++]; end < layout->n_columns && sum + widths[end] <= WIDEST; end++)
        sum += widths[end];
    return end;
}

/* Whether one of the columns from ... end - 1, or of the keys, has a unit in the second row. */
static bool any_unit(const struct layout *layout, size_t from, size_t end)
{
    for (size_t column = 0; column < end; column++)
        if ((column < layout->n_keys || column >= from) && layout->cells[layout->n_columns + column][0] != '\0')
            return true;
    return false;
}

/* The keys, and the columns from ... end - 1. A line does not end in blanks. */
static void print_columns(FILE *stream, const struct layout *layout, const int *widths, size_t from, size_t end)
{
    int blank = 0;
    const bool skip_units = layout->has_unit_row && !any_unit(layout, from, end);
    for (size_t i = 0; i < layout->n_cells; i++) {
        size_t column = i % layout->n_columns;
        if (skip_units && i / layout->n_columns == 1)
            continue;
        if (column < layout->n_keys || (column >= from && column < end)) {
            blank += widths[column] - utf8_width(layout->cells[i]);
            if (layout->cells[i][0] != '\0') {
                fprintf(stream, "%*s%s", blank, "", layout->cells[i]);
                blank = 0;
            }
        }
        if (column == layout->n_columns - 1) {
            fputc('\n', stream);
            blank = 0;
        }
    }
}

void layout_print(struct layout *layout, FILE *stream)
{
    int sum, *widths = find_widths(layout, &sum);
    if (sum > WIDEST && has_units(layout)) {
        free(widths);
        split_heads(layout);
        widths = find_widths(layout, &sum);
    }
    size_t from = layout->n_keys, end;
    do {
        end = from < layout->n_columns ? find_end(layout, widths, from) : from;
        print_columns(stream, layout, widths, from, end);
        from = end;
    } while (end < layout->n_columns);
    free(widths);
    free(layout->cells);
    free(layout);
}
