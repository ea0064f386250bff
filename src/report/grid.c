/* Times of a sweep over grids, as matrices: rows of the grid by columns of the grid, cut into tiles that fit on a
 * line. */
#include "report/grid.h"

#include "report/table.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { FEWEST = 13, TILE = 16 };

/* The WIDTHxHEIGHT that varies, alone or with the number of ranks; -1 if there is none. */
static int find_parameter(const struct report *report)
{
    int found = -1;
    for (int i = 0; i < report->runs[0].n_parameters; i++) {
        const struct report_parameter *parameter = &report->runs[0].parameters[i];
        if (!report_varies(report, i) || strcmp(parameter->name, "ranks") == 0)
            continue;
        if (found >= 0 || parameter->width == 0)
            return -1;
        found = i;
    }
    return found;
}

/* What is written: a measure of every run, in one unit. */
struct matrix {
    const struct report *report;
    int parameter;
    const char *group, *name;
    struct text_scale scale;
};

static int width_of(const struct matrix *matrix, int run)
{
    return matrix->report->runs[run].parameters[matrix->parameter].width;
}

static int height_of(const struct matrix *matrix, int run)
{
    return matrix->report->runs[run].parameters[matrix->parameter].height;
}

/* The run of that grid, or -1. */
static int find_run(const struct matrix *matrix, int width, int height)
{
    for (int i = 0; i < matrix->report->n_runs; i++)
        if (width_of(matrix, i) == width && height_of(matrix, i) == height)
            return i;
    return -1;
}

static bool each_once(const struct matrix *matrix)
{
    for (int i = 0; i < matrix->report->n_runs; i++)
        if (width_of(matrix, i) == 0 || find_run(matrix, width_of(matrix, i), height_of(matrix, i)) != i)
            return false;
    return true;
}

/* --- a tile --- */

struct tile {
    int rows[TILE], columns[TILE]; /* those that have a run */
    int n_rows, n_columns;
};

/* Add `side` to those that a tile has, in rising order. */
static void add_side(int sides[TILE], int *count, int side)
{
    int place = 0;
    while (place < *count && sides[place] < side)
        place++;
    if (place < *count && sides[place] == side)
        return;
    memmove(&sides[place + 1], &sides[place], (size_t)(*count - place) * sizeof *sides);
    sides[place] = side;
    (*count)++;
}

/* Of the sides above row and column. */
static struct tile find_tile(const struct matrix *matrix, int row, int column)
{
    struct tile tile = {.n_rows = 0};
    for (int i = 0; i < matrix->report->n_runs; i++) {
        int width = width_of(matrix, i), height = height_of(matrix, i);
        if (width <= row || width > row + TILE || height <= column || height > column + TILE)
            continue;
        add_side(tile.rows, &tile.n_rows, width);
        add_side(tile.columns, &tile.n_columns, height);
    }
    return tile;
}

/* Three digits of it. */
static void cell_value(struct table *table, double shown)
{
    int decimals = shown <= 0 ? 0 : 2 - (int)floor(log10(shown));
    table_cell(table, "%.*f", decimals < 0 ? 0 : decimals > 4 ? 4 : decimals, shown);
}

static void cell_run(struct table *table, const struct matrix *matrix, int width, int height)
{
    int run = find_run(matrix, width, height);
    double value = run < 0 ? (double)NAN : text_value(&matrix->report->runs[run], matrix->group, matrix->name);
    if (isnan(value))
        table_cell(table, "%s", "");
    else
        cell_value(table, value * matrix->scale.factor);
}

/* A single column of several rows lies down as a line. */
static void write_tile(FILE *stream, const struct matrix *matrix, const struct tile *tile)
{
    bool lies = tile->n_columns == 1 && tile->n_rows > 1;
    const int *down = lies ? tile->columns : tile->rows, *across = lies ? tile->rows : tile->columns;
    int n_down = lies ? tile->n_columns : tile->n_rows, n_across = lies ? tile->n_rows : tile->n_columns;
    struct table *table = table_new();
    table_head(table, "%s", lies ? "q\\p" : "p\\q");
    for (int a = 0; a < n_across; a++)
        table_head(table, "%d", across[a]);
    for (int d = 0; d < n_down; d++) {
        table_cell(table, "%d", down[d]);
        for (int a = 0; a < n_across; a++)
            cell_run(table, matrix, lies ? across[a] : down[d], lies ? down[d] : across[a]);
    }
    table_print(table, stream);
}

/* --- the matrix --- */

/* The smallest side above `side`, or 0. */
static int next_side(const struct matrix *matrix, int (*side_of)(const struct matrix *, int), int side)
{
    int next = 0;
    for (int i = 0; i < matrix->report->n_runs; i++) {
        int other = side_of(matrix, i);
        if (other > side && (next == 0 || other < next))
            next = other;
    }
    return next;
}

static void write_matrix(FILE *stream, const struct matrix *matrix, const char *title)
{
    fprintf(stream, "\n%s [%s] by %s, p x q\n", title, matrix->scale.unit,
            matrix->report->runs[0].parameters[matrix->parameter].name);
    for (int p = next_side(matrix, width_of, 0); p > 0; p = next_side(matrix, width_of, p - 1 + TILE))
        for (int q = next_side(matrix, height_of, 0); q > 0; q = next_side(matrix, height_of, q - 1 + TILE)) {
            const struct tile tile = find_tile(matrix, p - 1, q - 1);
            if (tile.n_rows > 0)
                write_tile(stream, matrix, &tile);
        }
}

void grid_write(FILE *stream, const struct report *report)
{
    struct matrix matrix = {.report = report, .parameter = find_parameter(report), .group = "", .name = "forecast_s"};
    if (matrix.parameter < 0 || report->n_runs < FEWEST || !each_once(&matrix))
        return;
    matrix.scale = text_scale(report, "", "time_s");
    if (text_has(report, matrix.group, matrix.name))
        write_matrix(stream, &matrix, "Forecast time");
    matrix.name = "time_s";
    write_matrix(stream, &matrix, "Simulated time");
}
