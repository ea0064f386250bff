/* The text format of the tool Extra-P: every number of a table over its numeric parameters, for models made there.
 *
 * Format: PARAMETER with their names, POINTS with their values in parentheses, then for each METRIC and REGION a line
 * DATA for each point, in the order of the points. Other parameters that vary, such as the broadcast, make a region for
 * each value. The rows of a table without numeric parameters are numbered. A number that a region does not have once at
 * each point is left out there, and a comment says so. Nothing is written where none is left.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMETERS = 4 }; /* that Extra-P takes */

struct layout {
    const struct table *table;
    size_t parameters[MAX_PARAMETERS];
    int n_parameters;
    bool *names_region;      /* of each column: it varies, and is no coordinate */
    size_t *region, *point;  /* of each row */
    size_t *first_of_region; /* a row of it */
    size_t *first_of_point;
    size_t n_regions, n_points;
};

static bool same_cell(const struct cell *a, const struct cell *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == CELL_TEXT)
        return strcmp(a->text, b->text) == 0;
    double x = cell_value(a), y = cell_value(b);
    return (isnan(x) && isnan(y)) || (x >= y && x <= y);
}

static bool varies(const struct table *table, size_t column)
{
    for (size_t row = 1; row < table_n_rows(table); row++)
        if (!same_cell(table_at(table, 0, column), table_at(table, row, column)))
            return true;
    return false;
}

static bool is_number(const struct table *table, size_t column)
{
    for (size_t row = 0; row < table_n_rows(table); row++)
        if (table_at(table, row, column)->kind != CELL_INTEGER)
            return false;
    return true;
}

/* Numbers that vary; else the first there is. */
static void find_parameters(struct layout *layout)
{
    const struct table *table = layout->table;
    size_t first = table->n_columns;
    layout->names_region = xcalloc(table->n_columns, sizeof *layout->names_region);
    for (size_t c = 0; c < table->n_columns; c++) {
        if (!(table->columns[c].flags & (COLUMN_PARAMETER | COLUMN_KEY)) || (table->columns[c].flags & COLUMN_LABEL))
            continue;
        bool number = is_number(table, c), varied = varies(table, c);
        first = number && first == table->n_columns ? c : first;
        if (number && varied && layout->n_parameters < MAX_PARAMETERS)
            layout->parameters[layout->n_parameters++] = c;
        else
            layout->names_region[c] = varied;
    }
    if (layout->n_parameters == 0 && first < table->n_columns)
        layout->parameters[layout->n_parameters++] = first;
}

static bool is_coordinate(const struct layout *layout, size_t column)
{
    for (int p = 0; p < layout->n_parameters; p++)
        if (layout->parameters[p] == column)
            return true;
    return false;
}

static bool agree(const struct layout *layout, size_t a, size_t b, bool coordinates)
{
    for (size_t c = 0; c < layout->table->n_columns; c++)
        if ((coordinates ? is_coordinate(layout, c) : layout->names_region[c]) &&
            !same_cell(table_at(layout->table, a, c), table_at(layout->table, b, c)))
            return false;
    return true;
}

/* Number the rows by their coordinates, or by all else. */
static size_t *number_rows(const struct layout *layout, bool coordinates, size_t **first, size_t *n)
{
    size_t n_rows = table_n_rows(layout->table), *numbers = xcalloc(n_rows, sizeof *numbers);
    *first = xcalloc(n_rows, sizeof **first);
    for (size_t i = 0; i < n_rows; i++) {
        while (numbers[i] < *n && !agree(layout, i, (*first)[numbers[i]], coordinates))
            numbers[i]++;
        if (numbers[i] == *n)
            (*first)[(*n)++] = i;
    }
    return numbers;
}

static void write_head(FILE *stream, const struct layout *layout)
{
    fputs("PARAMETER", stream);
    for (int p = 0; p < layout->n_parameters; p++)
        fprintf(stream, " %s", layout->table->columns[layout->parameters[p]].id);
    fputs(layout->n_parameters == 0 ? " row\nPOINTS" : "\nPOINTS", stream);
    for (size_t i = 0; i < layout->n_points; i++) {
        for (int p = 0; p < layout->n_parameters; p++)
            fprintf(stream, "%s%lld", p == 0 ? " (" : " ",
                    (long long)table_at(layout->table, layout->first_of_point[i], layout->parameters[p])->integer);
        fputs(layout->n_parameters == 0 ? " (1)" : ")", stream);
    }
    fputc('\n', stream);
}

/* The value at each point of a region, where there is one; *n_values is how many there are. Return at how many
 * points. */
static size_t find_data(double *data, size_t *n_values, const struct layout *layout, size_t region, size_t column)
{
    size_t n_points = 0;
    *n_values = 0;
    for (size_t point = 0; point < layout->n_points; point++)
        data[point] = NAN;
    for (size_t i = 0; i < table_n_rows(layout->table); i++) {
        double value = cell_value(table_at(layout->table, i, column));
        if (layout->region[i] != region || isnan(value))
            continue;
        n_points += isnan(data[layout->point[i]]) ? 1 : 0;
        data[layout->point[i]] = value;
        ++*n_values;
    }
    return n_points;
}

static bool is_complete(const struct layout *layout, size_t n_found, size_t n_values)
{
    return n_found == layout->n_points && n_values == layout->n_points;
}

static void write_region(FILE *stream, const struct document *document, const struct layout *layout, size_t region)
{
    size_t row = layout->first_of_region[region];
    fputs("REGION ", stream);
    for (const char *c = document->name; *c != '\0'; c++) /* on one line, whatever the scenario is called */
        fputc((unsigned char)*c < ' ' ? ' ' : *c, stream);
    for (size_t c = 0; c < layout->table->n_columns; c++) {
        const struct cell *cell = table_at(layout->table, row, c);
        if (!layout->names_region[c])
            continue;
        fprintf(stream, "->%s=", layout->table->columns[c].id);
        if (cell->kind == CELL_TEXT || cell->shown != NULL)
            fputs(cell->shown != NULL ? cell->shown : cell->text, stream);
        else
            fprintf(stream, "%.15g", cell_value(cell));
    }
    fputc('\n', stream);
}

static void write_name(FILE *stream, const struct column *column)
{
    fprintf(stream, "METRIC %s%s%s\n", column->group != NULL ? column->group : "", column->group != NULL ? "." : "",
            column->id);
}

/* Each DATA stands for the next point. */
static void write_column(FILE *stream, const struct document *document, const struct layout *layout, size_t column,
                         double *data)
{
    bool named = false;
    for (size_t region = 0; region < layout->n_regions; region++) {
        size_t n_values, n_found = find_data(data, &n_values, layout, region, column);
        if (!is_complete(layout, n_found, n_values))
            continue;
        if (!named)
            fputc('\n', stream);
        if (!named)
            write_name(stream, &layout->table->columns[column]);
        named = true;
        write_region(stream, document, layout, region);
        for (size_t i = 0; i < layout->n_points; i++)
            fprintf(stream, "DATA %.15g\n", data[i]);
    }
}

/* Say in which regions a number is left out, and how many values there are. */
static void write_left_out(FILE *stream, const struct document *document, const struct layout *layout, size_t column,
                           double *data)
{
    for (size_t region = 0; region < layout->n_regions; region++) {
        size_t n_values, n_found = find_data(data, &n_values, layout, region, column);
        if (n_found == 0 || is_complete(layout, n_found, n_values))
            continue;
        fprintf(stream, "# left out, with %zu values at %zu of %zu points: ", n_values, n_found, layout->n_points);
        write_name(stream, &layout->table->columns[column]);
        fputs("#   ", stream);
        write_region(stream, document, layout, region);
    }
}

static struct layout new_layout(const struct table *table)
{
    struct layout layout = {.table = table};
    find_parameters(&layout);
    layout.region = number_rows(&layout, false, &layout.first_of_region, &layout.n_regions);
    layout.point = number_rows(&layout, true, &layout.first_of_point, &layout.n_points);
    return layout;
}

static void dispose(struct layout *layout)
{
    free(layout->names_region);
    free(layout->region);
    free(layout->point);
    free(layout->first_of_region);
    free(layout->first_of_point);
}

static bool is_written(const struct column *column)
{
    return !(column->flags & (COLUMN_PARAMETER | COLUMN_KEY | COLUMN_BESIDE));
}

static void write_table(FILE *stream, const struct document *document, const struct table *table)
{
    struct layout layout = new_layout(table);
    double *data = xcalloc(layout.n_points, sizeof *data);
    write_head(stream, &layout);
    for (size_t c = 0; c < table->n_columns; c++)
        if (is_written(&table->columns[c]))
            write_column(stream, document, &layout, c, data);
    for (size_t c = 0; c < table->n_columns; c++)
        if (is_written(&table->columns[c]))
            write_left_out(stream, document, &layout, c, data);
    free(data);
    dispose(&layout);
}

/* True if there is a number that is no parameter. */
static bool has_numbers(const struct table *table)
{
    for (size_t row = 0; row < table_n_rows(table); row++)
        for (size_t c = 0; c < table->n_columns; c++)
            if (is_written(&table->columns[c]) && !isnan(cell_value(table_at(table, row, c))))
                return true;
    return false;
}

/* One set of points has room in a file: that of the first table of numbers; NULL if there is none. */
static const struct table *find_table(const struct document *document)
{
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        if (item->kind == ITEM_TABLE && !item->table->is_aside && item->table->group == NULL &&
            has_numbers(item->table))
            return item->table;
    }
    return NULL;
}

/* True if some region has some number once at each point. */
static bool has_metrics(const struct table *table)
{
    struct layout layout = new_layout(table);
    double *data = xcalloc(layout.n_points, sizeof *data);
    bool found = false;
    for (size_t c = 0; c < table->n_columns; c++)
        for (size_t region = 0; !found && is_written(&table->columns[c]) && region < layout.n_regions; region++) {
            size_t n_values, n_found = find_data(data, &n_values, &layout, region, c);
            found = is_complete(&layout, n_found, n_values);
        }
    free(data);
    dispose(&layout);
    return found;
}

static const char *find_obstacle(const struct document *document)
{
    const struct table *table = find_table(document);
    return table == NULL ? "there are no numbers to write"
           : has_metrics(table)
               ? NULL
               : "no measure has exactly one value at each point; choose the runs of one complete sweep";
}

static void extrap_write(FILE *stream, const struct document *document)
{
    const struct table *table = find_table(document);
    fprintf(stream, "# simrun %s\n", SIMRUN_VERSION);
    if (table != NULL)
        write_table(stream, document, table);
}

const struct report_spec report_extrap = {.name = "extrap",
                                          .summary = "the measures of a sweep, in the text format of Extra-P",
                                          .audience = FOR_PROGRAMS,
                                          .compares_rows = true,
                                          .find_obstacle = find_obstacle,
                                          .write = extrap_write};
