/* The text format of the tool Extra-P: every number of a table over its numeric parameters, for models made there.
 *
 * Format: PARAMETER with their names, POINTS with their values in parentheses, then for each METRIC and REGION a
 * line DATA for each point, in the order of the points. What else varies, such as the broadcast, makes a region of
 * its own. Of a table without numeric parameters the rows are numbered. */
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

/* Numbers that vary; else the first there is. */
static void find_parameters(struct layout *layout)
{
    const struct table *table = layout->table;
    size_t first = table->n_columns;
    layout->names_region = xcalloc(table->n_columns, sizeof *layout->names_region);
    for (size_t c = 0; c < table->n_columns; c++) {
        if (!(table->columns[c].flags & (COLUMN_PARAMETER | COLUMN_KEY)))
            continue;
        bool number = table_at(table, 0, c)->kind == CELL_INTEGER, varied = varies(table, c);
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

/* The value at each point of a region; false if one is missing. */
static bool find_data(double *data, const struct layout *layout, size_t region, size_t column)
{
    size_t n_found = 0;
    for (size_t i = 0; i < table_n_rows(layout->table); i++) {
        double value = cell_value(table_at(layout->table, i, column));
        if (layout->region[i] != region || isnan(value))
            continue;
        data[layout->point[i]] = value;
        n_found++;
    }
    return n_found == layout->n_points;
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

/* A number that a region does not have at every point is left out there: each DATA stands for the next point. */
static void write_column(FILE *stream, const struct document *document, const struct layout *layout, size_t column,
                         double *data)
{
    const struct column *name = &layout->table->columns[column];
    bool named = false;
    for (size_t region = 0; region < layout->n_regions; region++) {
        if (!find_data(data, layout, region, column))
            continue;
        if (!named)
            fprintf(stream, "\nMETRIC %s%s%s\n", name->group != NULL ? name->group : "", name->group != NULL ? "." : "",
                    name->id);
        named = true;
        write_region(stream, document, layout, region);
        for (size_t i = 0; i < layout->n_points; i++)
            fprintf(stream, "DATA %.15g\n", data[i]);
    }
}

static void write_table(FILE *stream, const struct document *document, const struct table *table)
{
    struct layout layout = {.table = table};
    find_parameters(&layout);
    layout.region = number_rows(&layout, false, &layout.first_of_region, &layout.n_regions);
    layout.point = number_rows(&layout, true, &layout.first_of_point, &layout.n_points);
    double *data = xcalloc(layout.n_points, sizeof *data);
    write_head(stream, &layout);
    for (size_t c = 0; c < table->n_columns; c++)
        if (!(table->columns[c].flags & (COLUMN_PARAMETER | COLUMN_KEY | COLUMN_BESIDE)))
            write_column(stream, document, &layout, c, data);
    free(data);
    free(layout.names_region);
    free(layout.region);
    free(layout.point);
    free(layout.first_of_region);
    free(layout.first_of_point);
}

/* Whether there is a number that is no parameter. */
static bool has_numbers(const struct table *table)
{
    for (size_t row = 0; row < table_n_rows(table); row++)
        for (size_t c = 0; c < table->n_columns; c++)
            if (!(table->columns[c].flags & (COLUMN_PARAMETER | COLUMN_KEY | COLUMN_BESIDE)) &&
                !isnan(cell_value(table_at(table, row, c))))
                return true;
    return false;
}

/* One set of points has room in a file: that of the first table of numbers. */
static void extrap_write(FILE *stream, const struct document *document)
{
    fprintf(stream, "# simrun %s\n", SIMRUN_VERSION);
    for (size_t i = 0; i < document->n_items; i++) {
        const struct document_item *item = &document->items[i];
        if (item->kind == ITEM_TABLE && !item->table->is_aside && has_numbers(item->table)) {
            write_table(stream, document, item->table);
            return;
        }
    }
}

const struct report_spec report_extrap = {.name = "extrap",
                                          .summary = "the measures of a sweep, in the text format of Extra-P",
                                          .audience = FOR_PROGRAMS,
                                          .write = extrap_write};
