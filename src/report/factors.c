#include "report/factors.h"

#include "base/memory.h"
#include "report/study.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 8, MOST_VALUES = 12, MOST_ROWS = 24 };

static bool is_network(const struct report_parameter *parameter)
{
    return strcmp(parameter->name, "network") == 0;
}

/* Columns are rankings: problems, and networks where these are no alternatives. */
struct columns {
    const struct report_run *first[MOST_COLUMNS];
    double best[MOST_COLUMNS];
    int count;
    unsigned char *of_run;
};

/* False if there are too many. */
static bool find_columns(struct columns *columns, const struct report *report)
{
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_run *run = &report->runs[i];
        int c = 0;
        while (c < columns->count && study_compare_rankings(report, columns->first[c], run) != 0)
            c++;
        if (c == MOST_COLUMNS)
            return false;
        if (c == columns->count) {
            columns->first[c] = run;
            columns->best[c] = INFINITY;
            columns->count++;
        }
        columns->best[c] = fmin(columns->best[c], text_time(run));
        columns->of_run[i] = (unsigned char)c;
    }
    return true;
}

/* A value of a parameter, and the best time with it in each column. */
struct row {
    int parameter;
    const struct report_parameter *value;
    double best[MOST_COLUMNS];
};

/* The rows of a parameter after the first `count`; the new count. A parameter of many values has none. */
static int add_rows(struct row rows[MOST_ROWS], int count, const struct report *report, const struct columns *columns,
                    int parameter)
{
    int n = count;
    for (int i = 0; i < report->n_runs; i++) {
        const struct report_parameter *value = &report->runs[i].parameters[parameter];
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
        *best = fmin(*best, text_time(&report->runs[i]));
    }
    return n;
}

static int find_rows(struct row rows[MOST_ROWS], const struct report *report, const struct columns *columns)
{
    int count = 0, network = -1;
    for (int i = 0; i < report->runs[0].n_parameters; i++) {
        const struct report_parameter *parameter = &report->runs[0].parameters[i];
        if (parameter->is_number || parameter->is_problem || !report_varies(report, i))
            continue;
        if (is_network(parameter))
            network = i;
        else
            count = add_rows(rows, count, report, columns, i);
    }
    return count > 0 || network < 0 ? count : add_rows(rows, 0, report, columns, network);
}

/* "size 1024": what makes the column another ranking. */
static void write_head(struct table *table, const struct report *report, const struct columns *columns, int column)
{
    const struct report_run *run = columns->first[column];
    char *head = xstrdup("");
    for (int i = 0; columns->count > 1 && i < run->n_parameters; i++)
        if ((run->parameters[i].is_problem || is_network(&run->parameters[i])) && report_varies(report, i))
            head = text_append(head, "%s%s %s", head[0] != '\0' ? ", " : "", run->parameters[i].name,
                               run->parameters[i].text);
    table_head(table, "%s", head[0] != '\0' ? head : "of best");
    free(head);
}

static void write_matrix(FILE *stream, const struct report *report, const struct columns *columns,
                         const struct row *rows, int n_rows)
{
    struct table *table = table_new();
    table_head(table, "%s", "");
    table_head(table, "%s", "");
    table_keys(table);
    for (int c = 0; c < columns->count; c++)
        write_head(table, report, columns, c);
    for (int r = 0; r < n_rows; r++) {
        bool first = r == 0 || rows[r - 1].parameter != rows[r].parameter;
        table_cell(table, "%s", first ? rows[r].value->name : "");
        table_cell(table, "%s", rows[r].value->text);
        for (int c = 0; c < columns->count; c++)
            text_cell_factor(table, rows[r].best[c] / columns->best[c]);
    }
    fputs("\nHow many times as long as the fastest each alternative takes, all else at its best\n", stream);
    table_print(table, stream);
}

void factors_write(FILE *stream, const struct report *report)
{
    struct row rows[MOST_ROWS];
    struct columns columns = {.of_run = xcalloc((size_t)report->n_runs + 1, 1)};
    if (study_is_ranking(report) && find_columns(&columns, report)) {
        int n_rows = find_rows(rows, report, &columns);
        bool several = n_rows > 1 && (columns.count > 1 || rows[0].parameter != rows[n_rows - 1].parameter);
        if (several || (n_rows > 1 && n_rows < report->n_runs))
            write_matrix(stream, report, &columns, rows, n_rows);
    }
    free(columns.of_run);
}
