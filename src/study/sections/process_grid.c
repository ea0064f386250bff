/* Times of a sweep over grids of processes, as matrices: rows of the grid by columns of the grid, cut into tiles
 * that fit on a line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/range.h"

#include <math.h>
#include <string.h>

enum { FEWEST = 13, TILE = 16 };

/* The WIDTHxHEIGHT that varies, alone or with the number of ranks; -1 if there is none. */
static int find_parameter(const struct study *study)
{
    int found = -1;
    for (int i = 0; i < study->runs[0].n_parameters; i++) {
        const struct study_parameter *parameter = &study->runs[0].parameters[i];
        if (!study_varies(study, i) || parameter->subject == SUBJECT_RANKS)
            continue;
        if (found >= 0 || parameter->width == 0)
            return -1;
        found = i;
    }
    return found;
}

/* The contents of the matrix: a measure of every run, in one unit. */
struct matrix {
    const struct study *study;
    int parameter;
    enum measure_id id;
    struct scale scale;
};

static int width_of(const struct matrix *matrix, int run)
{
    return matrix->study->runs[run].parameters[matrix->parameter].width;
}

static int height_of(const struct matrix *matrix, int run)
{
    return matrix->study->runs[run].parameters[matrix->parameter].height;
}

/* The run of that grid, or -1. */
static int find_run(const struct matrix *matrix, int width, int height)
{
    for (int i = 0; i < matrix->study->n_runs; i++)
        if (width_of(matrix, i) == width && height_of(matrix, i) == height)
            return i;
    return -1;
}

static bool each_once(const struct matrix *matrix)
{
    for (int i = 0; i < matrix->study->n_runs; i++)
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

/* Find the tile of the sides above row and column. */
static struct tile find_tile(const struct matrix *matrix, int row, int column)
{
    struct tile tile = {.n_rows = 0};
    for (int i = 0; i < matrix->study->n_runs; i++) {
        int width = width_of(matrix, i), height = height_of(matrix, i);
        if (width <= row || width > row + TILE || height <= column || height > column + TILE)
            continue;
        add_side(tile.rows, &tile.n_rows, width);
        add_side(tile.columns, &tile.n_columns, height);
    }
    return tile;
}

/* Three digits of the time of a grid; nothing where there is no run. */
static void add_cell(struct table *table, const struct matrix *matrix, int width, int height)
{
    int run = find_run(matrix, width, height);
    double value = run < 0 ? (double)NAN : run_value(&matrix->study->runs[run], matrix->id);
    double shown = value * matrix->scale.factor;
    int decimals = shown > 0 ? (int)int64_clamp(2 - (int)floor(log10(shown)), 0, 4) : 0;
    if (isnan(value))
        table_blank(table);
    else
        table_cell(table, cell_shown(cell_of_real(value), document_format(table->document, "%.*f", decimals, shown)));
}

/* A single column of several rows lies down as a line. */
static void add_tile(struct document *document, const struct matrix *matrix, const struct tile *tile, const char *title)
{
    bool lies = tile->n_columns == 1 && tile->n_rows > 1;
    const int *down = lies ? tile->columns : tile->rows, *across = lies ? tile->rows : tile->columns;
    int n_down = lies ? tile->n_columns : tile->n_rows, n_across = lies ? tile->n_rows : tile->n_columns;
    struct table *table = document_table(document, "process_grid", title, FOR_READERS);
    table->chart = CHART_HEATMAP;
    table_column(table, (struct column){.id = lies ? "q\\p" : "p\\q", .unit = UNIT_COUNT, .flags = COLUMN_KEY});
    for (int a = 0; a < n_across; a++)
        table_column(table, (struct column){.id = document_format(document, "%d", across[a]),
                                            .unit = UNIT_SECONDS,
                                            .flags = COLUMN_SILENT});
    for (int d = 0; d < n_down; d++) {
        table_integer(table, down[d]);
        for (int a = 0; a < n_across; a++)
            add_cell(table, matrix, lies ? across[a] : down[d], lies ? down[d] : across[a]);
    }
}

/* --- the matrix --- */

/* The smallest side above `side`, or 0. */
static int next_side(const struct matrix *matrix, int (*side_of)(const struct matrix *, int), int side)
{
    int next = 0;
    for (int i = 0; i < matrix->study->n_runs; i++) {
        int other = side_of(matrix, i);
        if (other > side && (next == 0 || other < next))
            next = other;
    }
    return next;
}

static void add_matrix(struct document *document, const struct matrix *matrix, const char *name)
{
    const char *title = document_format(document, "%s [%s] by %s, p x q", name, matrix->scale.name,
                                        matrix->study->runs[0].parameters[matrix->parameter].name);
    for (int p = next_side(matrix, width_of, 0); p > 0; p = next_side(matrix, width_of, p - 1 + TILE))
        for (int q = next_side(matrix, height_of, 0); q > 0; q = next_side(matrix, height_of, q - 1 + TILE)) {
            const struct tile tile = find_tile(matrix, p - 1, q - 1);
            if (tile.n_rows == 0)
                continue;
            add_tile(document, matrix, &tile, title);
            title = NULL;
        }
}

void section_process_grid(struct document *document, const struct study *study)
{
    struct matrix matrix = {.study = study, .parameter = find_parameter(study), .id = M_FORECAST_TIME};
    double longest = 0;
    if (matrix.parameter < 0 || study->n_runs < FEWEST || !each_once(&matrix))
        return;
    for (int i = 0; i < study->n_runs; i++)
        longest = fmax(longest, run_time(&study->runs[i]));
    matrix.scale = scale_for(UNIT_SECONDS, longest);
    matrix.id = M_TIME;
    add_matrix(document, &matrix, "Simulated time");
    matrix.id = M_FORECAST_TIME;
    document->in_details = true;
    if (study_has(study, M_FORECAST_TIME))
        add_matrix(document, &matrix, "Time by the formula");
    document->in_details = false;
}
