/* A text table: widths of columns, heads, lines.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/layout_internal.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct layout *layout_new(const char *unit)
{
    struct layout *layout = xcalloc(1, sizeof *layout);
    layout->unit = unit;
    return layout;
}

void layout_head(struct layout *layout, unsigned flags, const char *format, ...)
{
    layout->columns = xgrow(layout->columns, layout->n_columns, &layout->columns_capacity, sizeof *layout->columns);
    struct layout_column *column = &layout->columns[layout->n_columns++];
    *column = (struct layout_column){.flags = flags};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(column->head, sizeof column->head, format, arguments);
    va_end(arguments);
    utf8_trim(column->head);
}

void layout_row(struct layout *layout, bool is_shown)
{
    layout->is_shown = xgrow(layout->is_shown, layout->n_rows, &layout->rows_capacity, sizeof *layout->is_shown);
    layout->is_shown[layout->n_rows++] = is_shown;
}

void layout_cell(struct layout *layout, const char *format, ...)
{
    layout->cells = xgrow(layout->cells, layout->n_cells, &layout->cells_capacity, sizeof *layout->cells);
    char *cell = layout->cells[layout->n_cells++];
    bool is_last = layout->n_cells % layout->n_columns == 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cell, is_last ? LAYOUT_CELL_SIZE : LAYOUT_CELL_MOST + 1, format, arguments);
    va_end(arguments);
    utf8_trim(cell);
}

const char *layout_at(const struct layout *layout, size_t row, size_t column)
{
    return layout->cells[row * layout->n_columns + column];
}

/* --- widths --- */

static int width_of_cells(const struct layout *layout, size_t column)
{
    int widest = 0;
    for (size_t row = 0; row < layout->n_rows; row++)
        if (layout->is_shown[row])
            widest = int_max(widest, utf8_width(layout_at(layout, row, column)));
    return widest;
}

static int width_of_head(const struct layout_column *column)
{
    return (column->flags & LAYOUT_BEGINS ? 2 : 0) + utf8_width(column->head);
}

int layout_width(const struct layout *layout, size_t column)
{
    const struct layout_column *head = &layout->columns[column];
    if (head->is_left_out)
        return 0;
    return 2 + int_max(width_of_cells(layout, column), int_max(width_of_head(head), utf8_width(head->below)));
}

int layout_width_of_line(const struct layout *layout)
{
    int sum = 0;
    for (size_t column = 0; column < layout->n_columns; column++)
        sum += layout_width(layout, column);
    return sum;
}

/* Units such as [s] go to the second line, and the last word of what is wider than its cells. */
void layout_split_heads(struct layout *layout)
{
    for (size_t c = 0; c < layout->n_columns; c++) {
        struct layout_column *column = &layout->columns[c];
        char *blank = strstr(column->head, " [");
        if (blank == NULL && width_of_head(column) > width_of_cells(layout, c))
            blank = strrchr(column->head, ' ');
        if (column->below[0] != '\0' || blank == NULL || blank - column->head < 2)
            continue;
        snprintf(column->below, sizeof column->below, "%.60s", blank + 1);
        *blank = '\0';
    }
}

/* --- lines --- */

/* The keys, and the columns from ... end - 1. */
struct part {
    const struct layout *layout;
    const int *widths;
    size_t from, end;
};

static bool has_column(const struct part *part, size_t column)
{
    const struct layout_column *head = &part->layout->columns[column];
    return !head->is_left_out && ((head->flags & LAYOUT_KEY) || (column >= part->from && column < part->end));
}

/* Write a cell behind so many blanks that are still to be written, and return how many there are behind it. */
static int write_cell(FILE *stream, int blanks, const char *before, const char *text, int width, bool is_left)
{
    int length = (int)strlen(before) + utf8_width(text);
    if (length == 0)
        return blanks + width;
    int left = is_left ? 2 : width - length;
    fprintf(stream, "%*s%s%s", blanks + left, "", before, text);
    return width - left - length;
}

/* Write a line: the heads for rows -2 and -1; it does not end in blanks. */
static void write_line(FILE *stream, const struct part *part, int row)
{
    int blanks = 0;
    for (size_t c = 0; c < part->layout->n_columns; c++) {
        const struct layout_column *column = &part->layout->columns[c];
        if (!has_column(part, c))
            continue;
        const char *text = row == -2   ? column->head
                           : row == -1 ? column->below
                                       : layout_at(part->layout, (size_t)row, c);
        blanks = write_cell(stream, blanks, row == -2 && (column->flags & LAYOUT_BEGINS) ? "| " : "", text,
                            part->widths[c], column->flags & LAYOUT_LEFT);
    }
    fputc('\n', stream);
}

static void write_part(FILE *stream, const struct part *part)
{
    bool has_second = false;
    for (size_t c = 0; c < part->layout->n_columns; c++)
        has_second |= has_column(part, c) && part->layout->columns[c].below[0] != '\0';
    write_line(stream, part, -2);
    if (has_second)
        write_line(stream, part, -1);
    for (size_t row = 0; row < part->layout->n_rows; row++)
        if (part->layout->is_shown[row])
            write_line(stream, part, (int)row);
}

/* The column after the last one that fits into a line with the keys and with column `from`, which does in any case. */
static size_t find_end(const struct layout *layout, const int *widths, size_t n_keys, size_t from)
{
    int sum = 0;
    size_t end = from;
    for (size_t key = 0; key < n_keys; key++)
        sum += widths[key];
    for (sum += widths[end++]; end < layout->n_columns && sum + widths[end] <= LAYOUT_WIDEST; end++)
        sum += widths[end];
    return end;
}

bool layout_has_values(const struct layout *layout)
{
    for (size_t column = 0; column < layout->n_columns; column++)
        if (!layout->columns[column].is_left_out && !(layout->columns[column].flags & LAYOUT_KEY))
            return true;
    return false;
}

static void layout_free(struct layout *layout)
{
    free(layout->columns);
    free(layout->cells);
    free(layout->is_shown);
    free(layout);
}

void layout_print(struct layout *layout, FILE *stream)
{
    size_t n_keys = 0, end;
    if (layout_width_of_line(layout) > LAYOUT_WIDEST)
        layout_split_heads(layout);
    int *widths = xmalloc(layout->n_columns * sizeof *widths);
    for (size_t column = 0; column < layout->n_columns; column++)
        widths[column] = layout_width(layout, column);
    while (n_keys < layout->n_columns && (layout->columns[n_keys].flags & LAYOUT_KEY))
        n_keys++;
    for (size_t from = n_keys; layout_has_values(layout); from = end) {
        end = from < layout->n_columns ? find_end(layout, widths, n_keys, from) : from;
        write_part(stream, &(struct part){layout, widths, from, end});
        if (end >= layout->n_columns)
            break;
    }
    free(widths);
    layout_free(layout);
}
