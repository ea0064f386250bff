/* The contents of a figure, out of a table: places along its last key, and a series for each column and each
 * combination of the other keys.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/run.h"

#include "base/builder.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *plot_colour(const char *name, size_t index)
{
    static const struct {
        const char *name, *colour;
    } known[] = {
#define COLOUR(name, colour) {name, colour},
#include "figure/colours.def"
#undef COLOUR
    };
    static const char *const others[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#7a6a00", "#2b8cc4", "#a03c00", "#6b4fa0"};
    const char *in_brackets = strchr(name, '('), *word = in_brackets != NULL ? in_brackets + 1 : name;
    size_t length = strcspn(word, ")");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(known[i].name, word, length) == 0 && known[i].name[length] == '\0')
            return known[i].colour;
    return others[index % (sizeof others / sizeof others[0])];
}

static bool is_key(const struct table *table, size_t column)
{
    return (table->columns[column].flags & COLUMN_KEY) != 0;
}

static const char *head_of(const struct column *column)
{
    return column->head != NULL ? column->head : column->id;
}

/* A cell as a name; to be freed. */
static char *name_cell(const struct table *table, size_t row, size_t column)
{
    char text[64];
    const struct cell *cell = table_at(table, row, column);
    if (cell->kind == CELL_TEXT) /* a name that is not said again is the same */
        return xstrdup(cell->text);
    if (cell->shown != NULL)
        return xstrdup(cell->shown);
    return xstrdup(scale_format(text, sizeof text, table->columns[column].unit, cell_value(cell)));
}

/* The last key of the first ones. */
static size_t find_place_column(const struct table *table)
{
    size_t column = 0;
    while (column + 1 < table->n_columns && is_key(table, column + 1))
        column++;
    return column;
}

static bool is_listed(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL; at++)
        if ((at == names || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static bool is_predicted(const char *name)
{
    const char *last = strrchr(name, ' ');
    return last != NULL && strcmp(last, " predicted") == 0;
}

/* The columns to be shown, in `shown`; how many. */
static size_t choose_columns(size_t *shown, const struct table *table, const char *columns)
{
    size_t count = 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        const struct column *column = &table->columns[c];
        bool begins_others = count > 0 && (column->flags & COLUMN_BEGINS) != 0;
        if (is_key(table, c))
            continue;
        if (columns[0] == '\0' && begins_others)
            break;
        bool is_like_first = count == 0 || column->unit == table->columns[shown[0]].unit;
        if (columns[0] != '\0' ? is_listed(columns, column->id) : is_like_first && !is_predicted(column->id))
            shown[count++] = c;
    }
    return count;
}

static size_t find_place(struct plot *plot, const struct table *table, size_t row, size_t column)
{
    char *name = name_cell(table, row, column);
    size_t i = 0;
    while (i < plot->n_places && strcmp(plot->place_names[i], name) != 0)
        i++;
    if (i < plot->n_places) {
        free(name);
        return i;
    }
    plot->places[i] = cell_value(table_at(table, row, column));
    plot->place_names[plot->n_places++] = name;
    return i;
}

/* "n 256, broadcast flat: speedup": what tells a series from the others; to be freed. */
static char *name_series(const struct table *table, size_t row, size_t place_column, size_t column, bool names_column)
{
    struct builder name = {0};
    for (size_t c = 0; c < place_column; c++) {
        char *cell = name_cell(table, row, c);
        const char *head = head_of(&table->columns[c]);
        builder_add(&name, "%s%s%s%s", name.length > 0 ? ", " : "", head, head[0] != '\0' ? " " : "", cell);
        free(cell);
    }
    if (names_column || name.length == 0)
        builder_add(&name, "%s%s", name.length > 0 ? ": " : "", head_of(&table->columns[column]));
    return builder_take(&name);
}

static struct plot_series *find_series(struct plot *plot, char *name, size_t n_rows)
{
    for (size_t i = 0; i < plot->n_series; i++)
        if (strcmp(plot->series[i].name, name) == 0) {
            free(name);
            return &plot->series[i];
        }
    plot->series = xgrow(plot->series, plot->n_series, &plot->capacity, sizeof *plot->series);
    struct plot_series *made = &plot->series[plot->n_series];
    *made = (struct plot_series){.name = name,
                                 .colour = plot_colour(name, plot->n_series),
                                 .values = xcalloc(n_rows, sizeof *made->values),
                                 .texts = xcalloc(n_rows, sizeof *made->texts)};
    for (size_t i = 0; i < n_rows; i++)
        made->values[i] = (double)NAN;
    plot->n_series++;
    return made;
}

static void take_cell(struct plot *plot, struct plot_series *series, size_t place, const struct cell *cell)
{
    double value = cell_value(cell);
    series->values[place] = value;
    series->texts[place] = cell->kind == CELL_TEXT ? cell->text : cell->shown;
    plot->least = fmin(plot->least, value); /* which skip NAN */
    plot->most = fmax(plot->most, value);
}

/* Rows of cells have a name, and their columns are the places. */
static void read_cells(struct plot *plot, const struct table *table, const size_t *shown, size_t n_shown, size_t last)
{
    for (size_t c = 0; c < n_shown; c++) {
        plot->places[c] = (double)c;
        plot->place_names[plot->n_places++] = xstrdup(head_of(&table->columns[shown[c]]));
    }
    for (size_t row = 0; row < table_n_rows(table); row++) {
        char *name = last == 0 ? name_cell(table, row, 0) : name_series(table, row, last + 1, 0, false);
        struct plot_series *series = find_series(plot, name, n_shown);
        for (size_t c = 0; c < n_shown; c++)
            take_cell(plot, series, c, table_at(table, row, shown[c]));
    }
}

static void read_series(struct plot *plot, const struct table *table, const size_t *shown, size_t n_shown, size_t last)
{
    for (size_t row = 0; row < table_n_rows(table); row++) {
        size_t place = find_place(plot, table, row, last);
        for (size_t c = 0; c < n_shown; c++) {
            char *name = name_series(table, row, last, shown[c], n_shown > 1);
            take_cell(plot, find_series(plot, name, table_n_rows(table)), place, table_at(table, row, shown[c]));
        }
    }
}

/* Numbers in rising order, so that there are lines between them. */
static bool are_numbers(const struct plot *plot, const struct column *column)
{
    for (size_t i = 0; i < plot->n_places; i++)
        if (isnan(plot->places[i]) || (i > 0 && plot->places[i] <= plot->places[i - 1]))
            return false;
    return column->unit != UNIT_TEXT && plot->n_places > 1;
}

bool plot_read(struct plot *plot, const struct table *table, const char *columns)
{
    size_t *shown = xcalloc(table->n_columns + 1, sizeof *shown), n_rows = table_n_rows(table);
    size_t n_shown = choose_columns(shown, table, columns), last = find_place_column(table);
    size_t most = n_rows > table->n_columns ? n_rows : table->n_columns;
    *plot =
        (struct plot){.chart = table->chart, .y_name = "", .x_name = head_of(&table->columns[last]), .most = -INFINITY};
    plot->least = INFINITY;
    plot->places = xcalloc(most + 1, sizeof *plot->places);
    plot->place_names = xcalloc(most + 1, sizeof *plot->place_names);
    if (n_shown > 0) {
        (table->chart == CHART_HEATMAP ? read_cells : read_series)(plot, table, shown, n_shown, last);
        plot->unit = table->columns[shown[0]].unit;
        plot->is_number = table->chart != CHART_HEATMAP && are_numbers(plot, &table->columns[last]);
    }
    free(shown);
    return n_shown > 0 && n_rows > 0;
}

void plot_dispose(struct plot *plot)
{
    for (size_t i = 0; i < plot->n_places; i++)
        free(plot->place_names[i]);
    for (size_t i = 0; i < plot->n_series; i++) {
        free(plot->series[i].name);
        free(plot->series[i].values);
        free(plot->series[i].texts);
    }
    free(plot->places);
    free(plot->place_names);
    free(plot->series);
}
