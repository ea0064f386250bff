/* Tables of the text report: the unit and the digits of each column, rows and columns that are shown.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/table.h"

#include "base/builder.h"
#include "base/memory.h"
#include "report/layout.h"
#include "report/sentence.h"

#include <math.h>
#include <stdlib.h>

/* Tables of more than MOST_ROWS rows show the first FIRST_ROWS, where none is said to matter. */
enum { MOST_ROWS = 14, FIRST_ROWS = 12 };

/* Below so many of its unit a value would lose digits: three decimals are written at most. */
#define LEAST_SHOWN 0.0995
/* Nor are a thousandth and a whole read well in one unit. */
#define WIDE_RANGE 300

/* A table and what of it is shown. */
struct view {
    const struct table *table;
    bool is_brief;
    bool *is_shown; /* of each row */
    size_t n_rows, n_hidden;
    struct scale *scales; /* of each column */
    bool *has_own_unit;
};

/* --- rows --- */

static bool shows_row(const struct view *view, size_t row)
{
    if (!view->is_brief || view->table->chart == CHART_HEATMAP)
        return true;
    if (view->n_rows <= MOST_ROWS && !view->table->hides_silently)
        return true;
    return view->table->n_marks > 0 ? table_is_marked(view->table, row) : row < FIRST_ROWS;
}

static void find_rows(struct view *view)
{
    view->is_shown = xcalloc(view->n_rows, sizeof *view->is_shown);
    for (size_t row = 0; row < view->n_rows; row++) {
        view->is_shown[row] = shows_row(view, row);
        view->n_hidden += !view->is_shown[row];
    }
}

/* --- units and digits --- */

static bool has_scale(enum unit unit)
{
    return unit == UNIT_SECONDS || unit == UNIT_BYTES || unit == UNIT_BANDWIDTH;
}

/* The magnitude of a cell that is shown in the unit of its column; 0 of any other. */
static double magnitude(const struct view *view, size_t row, size_t column)
{
    const struct cell *cell = table_at(view->table, row, column);
    double value = fabs(cell_value(cell));
    return view->is_shown[row] && cell->shown == NULL && isfinite(value) ? value : 0;
}

static double find_most(const struct view *view, size_t column)
{
    double most = 0;
    for (size_t row = 0; row < view->n_rows; row++)
        most = fmax(most, magnitude(view, row, column));
    return most;
}

/* Above 0; INFINITY: there is none. */
static double find_least(const struct view *view, size_t column)
{
    double least = INFINITY;
    for (size_t row = 0; row < view->n_rows; row++)
        if (magnitude(view, row, column) > 0)
            least = fmin(least, magnitude(view, row, column));
    return least;
}

/* The largest value of all columns that have that unit together. */
static double find_largest(const struct view *view, enum unit unit)
{
    double largest = 0;
    for (size_t c = 0; c < view->table->n_columns; c++)
        if (view->table->columns[c].unit == unit && !(view->table->columns[c].flags & COLUMN_OWN_UNIT))
            largest = fmax(largest, find_most(view, c));
    return largest;
}

static void scale_column(struct view *view, size_t c)
{
    const struct column *column = &view->table->columns[c];
    struct scale scale = scale_for(column->unit, find_largest(view, column->unit));
    double least = find_least(view, c), most = find_most(view, c);
    view->has_own_unit[c] =
        (column->flags & COLUMN_OWN_UNIT) || (has_scale(column->unit) && isfinite(least) &&
                                              (least * scale.factor < LEAST_SHOWN || most > WIDE_RANGE * least));
    view->scales[c] = column->flags & COLUMN_FINE ? scale : scale_digits(scale, least);
}

/* A column that would lose digits has units in its cells; if the unit is in the title, then all have. */
static void scale_columns(struct view *view)
{
    const struct table *table = view->table;
    bool any = false;
    view->scales = xcalloc(table->n_columns, sizeof *view->scales);
    view->has_own_unit = xcalloc(table->n_columns, sizeof *view->has_own_unit);
    for (size_t c = 0; c < table->n_columns; c++) {
        scale_column(view, c);
        any |= view->has_own_unit[c];
    }
    for (size_t c = 0; c < table->n_columns; c++) {
        bool follows = c > 0 && (table->columns[c].flags & COLUMN_LIKE_LAST) &&
                       table->columns[c].unit == table->columns[c - 1].unit;
        if (follows)
            view->scales[c] = view->scales[c - 1];
        view->has_own_unit[c] =
            (any && table->unit_in_title) || (follows ? view->has_own_unit[c - 1] : view->has_own_unit[c]);
    }
}

/* --- cells --- */

static unsigned flags_of(const struct column *column)
{
    return (column->flags & COLUMN_KEY ? LAYOUT_KEY : 0) | (column->flags & COLUMN_LEFT ? LAYOUT_LEFT : 0) |
           (column->flags & COLUMN_BEGINS ? LAYOUT_BEGINS : 0) |
           (column->flags & COLUMN_LIKE_LAST ? LAYOUT_FOLLOWS : 0) |
           (column->flags & COLUMN_BESIDE ? LAYOUT_BESIDE : 0);
}

static void put_heads(struct layout *layout, const struct view *view)
{
    for (size_t c = 0; c < view->table->n_columns; c++) {
        const struct column *column = &view->table->columns[c];
        bool says_unit = has_scale(column->unit) && !view->has_own_unit[c] && !view->table->unit_in_title &&
                         !(column->flags & (COLUMN_LIKE_LAST | COLUMN_SILENT));
        layout_head(layout, flags_of(column), says_unit ? "%s [%s]" : "%s",
                    column->head != NULL ? column->head : column->id, view->scales[c].name);
    }
}

static void put_number(struct layout *layout, const struct view *view, size_t c, double value)
{
    const struct column *column = &view->table->columns[c];
    struct scale scale = view->scales[c];
    char text[64];
    if (!has_scale(column->unit) || view->has_own_unit[c] || !isfinite(value))
        layout_cell(layout, "%s", scale_format(text, sizeof text, column->unit, value));
    else if (column->flags & COLUMN_OWN_DIGITS)
        layout_cell(layout, "%.*f", value > 0 ? scale_digits(scale, value).decimals : scale.decimals,
                    value * scale.factor);
    else
        layout_cell(layout, "%.*f", scale.decimals, value * scale.factor);
}

static void put_cell(struct layout *layout, const struct view *view, size_t row, size_t c)
{
    const struct cell *cell = table_at(view->table, row, c);
    if (cell->shown != NULL)
        layout_cell(layout, "%s", cell->shown);
    else if (cell->kind == CELL_TEXT)
        layout_cell(layout, "%s", cell->text[0] != '\0' ? cell->text : "-");
    else if (cell->kind == CELL_FLAG)
        layout_cell(layout, "%s", cell->integer ? "yes" : "no");
    else if (cell->kind == CELL_BLANK)
        layout_cell(layout, "%s", "");
    else if (cell->kind == CELL_LIST || cell->kind == CELL_ROWS)
        layout_cell(layout, "(%zu)", table_n_rows(cell->table));
    else
        put_number(layout, view, c, cell_value(cell));
}

/* --- the table --- */

static bool says_unit_in_title(const struct view *view)
{
    return view->table->unit_in_title && !view->has_own_unit[view->table->n_columns - 1];
}

static void write_title(FILE *stream, const struct view *view)
{
    const struct table *table = view->table;
    if (table->title == NULL)
        return;
    char *title = says_unit_in_title(view) ? xformat("%s [%s]", table->title, view->scales[table->n_columns - 1].name)
                                           : xstrdup(table->title);
    sentence_write(stream, title, table->is_part ? 2 : 0);
    free(title);
}

static void write_note(FILE *stream, const char *text)
{
    char *note = xformat("%s.", text);
    sentence_write(stream, note, 2);
    free(note);
}

/* "... 28 more rows, and the columns share, processors: with -v." */
static void write_hidden(FILE *stream, const struct view *view, const char *columns)
{
    struct builder line = {0};
    if (view->n_hidden > 0)
        builder_add(&line, "... %zu more row%s", view->n_hidden, view->n_hidden == 1 ? "" : "s");
    if (columns != NULL)
        builder_add(&line, "%s %s", line.length > 0 ? ", and the columns" : "... more columns:", columns);
    if (line.length > 0 && !view->table->hides_silently) {
        builder_add(&line, ": -v");
        write_note(stream, line.text);
    }
    free(line.text);
}

static struct layout *lay_out(const struct view *view)
{
    const size_t n_columns = view->table->n_columns;
    struct layout *layout = layout_new(says_unit_in_title(view) ? view->scales[n_columns - 1].name : "");
    put_heads(layout, view);
    for (size_t row = 0; row < view->n_rows; row++) {
        layout_row(layout, view->is_shown[row]);
        for (size_t c = 0; c < n_columns; c++)
            put_cell(layout, view, row, c);
    }
    return layout;
}

void table_write(FILE *stream, const struct table *table, bool is_brief)
{
    struct view view = {.table = table, .is_brief = is_brief, .n_rows = table_n_rows(table)};
    find_rows(&view);
    scale_columns(&view);
    struct layout *layout = lay_out(&view);
    char *same = table->chart == CHART_HEATMAP ? NULL : layout_simplify(layout, !is_brief);
    char *spared = is_brief ? layout_narrow(layout) : NULL;
    bool has_values = layout_has_values(layout);
    write_title(stream, &view);
    layout_print(layout, stream);
    if (same != NULL)
        write_note(stream, same);
    if (has_values)
        write_hidden(stream, &view, spared);
    free(same);
    free(spared);
    free(view.is_shown);
    free(view.scales);
    free(view.has_own_unit);
}
