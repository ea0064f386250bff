/* How many times as long as the best each alternative takes, for each problem, all else at its best.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "study/ranking.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_COLUMNS = 8, MOST_VALUES = 12, MOST_ROWS = 24 };

/* Columns are rankings: problems, and networks where these are no alternatives. */
struct columns {
    const struct study_run *first[MOST_COLUMNS];
    double best[MOST_COLUMNS];
    int count;
    unsigned char *of_run;
};

/* False if there are too many. */
static bool find_columns(struct columns *columns, const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        int c = 0;
        while (c < columns->count && ranking_compare(study, columns->first[c], run) != 0)
            c++;
        if (c == MOST_COLUMNS)
            return false;
        if (c == columns->count) {
            columns->first[c] = run;
            columns->best[c] = INFINITY;
            columns->count++;
        }
        columns->best[c] = fmin(columns->best[c], run_time(run));
        columns->of_run[i] = (unsigned char)c;
    }
    return true;
}

/* A value of a parameter, and the best time with it in each column. */
struct row {
    int parameter;
    const struct study_parameter *value;
    double best[MOST_COLUMNS];
};

/* The rows of a parameter after the first `count`; the new count. A parameter of many values has none. */
static int add_rows(struct row rows[MOST_ROWS], int count, const struct study *study, const struct columns *columns,
                    int parameter)
{
    int n = count;
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_parameter *value = &study->runs[i].parameters[parameter];
        int r = count;
        while (r < n && rows[r].value->number != value->number)
            r++;
        if (r == n) {
            if (n == MOST_ROWS || n - count == MOST_VALUES)
                return count;
            rows[n] = (struct row){.parameter = parameter, .value = value};
            for (int c = 0; c < MOST_COLUMNS; c++)
                rows[n].best[c] = INFINITY;
            n++;
        }
        double *best = &rows[r].best[columns->of_run[i]];
        *best = fmin(*best, run_time(&study->runs[i]));
    }
    return n;
}

static int find_rows(struct row rows[MOST_ROWS], const struct study *study, const struct columns *columns)
{
    int count = 0, network = -1;
    for (int i = 0; i < study->runs[0].n_parameters; i++) {
        const struct study_parameter *parameter = &study->runs[0].parameters[i];
        if (parameter->is_number || parameter->is_problem || !study_varies(study, i))
            continue;
        if (parameter->subject == SUBJECT_NETWORK)
            network = i;
        else
            count = add_rows(rows, count, study, columns, i);
    }
    return count > 0 || network < 0 ? count : add_rows(rows, 0, study, columns, network);
}

static bool tells_columns(const struct study_parameter *parameter)
{
    return parameter->is_problem || parameter->subject == SUBJECT_NETWORK;
}

/* "size 1024": what makes the column another ranking. */
static void add_column(struct table *table, const struct study *study, const struct columns *columns, int column)
{
    struct builder head = {0};
    if (columns->count > 1)
        study_name_varied(&head, study, columns->first[column], tells_columns, "");
    if (head.length == 0)
        builder_add(&head, "slowdown");
    table_column(table,
                 (struct column){.id = document_own(table->document, builder_take(&head)), .unit = UNIT_SLOWDOWN});
}

static void add_matrix(struct document *document, const struct study *study, const struct columns *columns,
                       const struct row *rows, int n_rows)
{
    struct table *table = document_table(
        document, "slowdown_matrix",
        "How many times as long as the fastest each alternative takes, all else at its best", FOR_READERS);
    table->chart = CHART_HEATMAP;
    table_column(table, (struct column){.id = "parameter", .head = "", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "value", .head = "", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    for (int c = 0; c < columns->count; c++)
        add_column(table, study, columns, c);
    for (int r = 0; r < n_rows; r++) {
        bool first = r == 0 || rows[r - 1].parameter != rows[r].parameter;
        table_cell(table, cell_shown(cell_of_text(rows[r].value->name), first ? NULL : ""));
        table_text(table, rows[r].value->text);
        for (int c = 0; c < columns->count; c++)
            table_real(table, columns->best[c] > 0 ? rows[r].best[c] / columns->best[c] : (double)NAN);
    }
}

void section_slowdown_matrix(struct document *document, const struct study *study)
{
    struct row rows[MOST_ROWS];
    struct columns columns = {.of_run = xcalloc((size_t)study->n_runs + 1, 1)};
    if (ranking_is_one(study) && find_columns(&columns, study)) {
        int n_rows = find_rows(rows, study, &columns);
        bool several = n_rows > 1 && (columns.count > 1 || rows[0].parameter != rows[n_rows - 1].parameter);
        if (several || (n_rows > 1 && n_rows < study->n_runs))
            add_matrix(document, study, &columns, rows, n_rows);
    }
    free(columns.of_run);
}
