/* Sorts rows into series and finds their medians.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bring/series.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* ---- Order: by series, length, time ---- */

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_series(const struct benchmark_row *a, const struct benchmark_row *b)
{
    int order = compare_numbers((double)(a->spec - b->spec), 0);
    order = order != 0 ? order : a->ranks - b->ranks;
    order = order != 0 ? order : a->hosts - b->hosts;
    order = order != 0 ? order : a->pairs - b->pairs;
    order = order != 0 ? order : a->window - b->window;
    return order != 0 ? order : a->wires - b->wires;
}

static int compare_rows(const void *first, const void *second)
{
    const struct benchmark_row *a = first, *b = second;
    int order = compare_series(a, b);
    order = order != 0 ? order : compare_numbers((double)a->bytes, (double)b->bytes);
    order = order != 0 ? order : compare_numbers(a->time_s, b->time_s);
    order = order != 0 ? order : a->file - b->file;
    return order != 0 ? order : compare_numbers((double)a->line, (double)b->line);
}

/* ---- Series ---- */

/* Rows with the same length are in the order of their times. */
static struct point point_of(const struct benchmark_row *rows, size_t n)
{
    const struct benchmark_row *first = rows;
    for (size_t i = 1; i < n; i++)
        if (rows[i].file < first->file || (rows[i].file == first->file && rows[i].line < first->line))
            first = &rows[i];
    return (struct point){.bytes = rows[0].bytes,
                          .time_s = (rows[(n - 1) / 2].time_s + rows[n / 2].time_s) / 2,
                          .least_s = rows[0].time_s,
                          .most_s = rows[n - 1].time_s,
                          .n = (int)n,
                          .file = first->file,
                          .line = first->line};
}

static int fill_series(struct series *series, const struct benchmark_row *rows, size_t n,
                       const struct benchmarks *benchmarks, struct sim_error *error)
{
    size_t capacity = 0;
    *series = (struct series){.spec = rows->spec,
                              .ranks = rows->ranks,
                              .hosts = rows->hosts,
                              .pairs = rows->pairs,
                              .window = rows->window,
                              .wires = rows->wires};
    for (size_t i = 0, end = 0; i < n; i = end) {
        while (end < n && rows[end].bytes == rows[i].bytes)
            end++;
        if (series->count == SERIES_LENGTHS)
            return sim_error_set(error, SIM_BAD_INPUT, benchmarks->files[rows[i].file], rows[i].line,
                                 "%s: more than %d lengths, which is the most", rows->spec->name, SERIES_LENGTHS);
        series->points = xgrow(series->points, (size_t)series->count, &capacity, sizeof *series->points);
        series->points[series->count++] = point_of(rows + i, end - i);
    }
    return 0;
}

int series_make(struct series_list *list, struct benchmarks *benchmarks, struct sim_error *error)
{
    size_t n = benchmarks->n_rows, capacity = 0;
    struct benchmark_row *rows = xcalloc(n + 1, sizeof *rows);
    int status = 0;
    *list = (struct series_list){0};
    for (size_t i = 0; i < n; i++)
        rows[i] = benchmarks->rows[i];
    qsort(rows, n, sizeof *rows, compare_rows);
    for (size_t i = 0, end = 0; i < n && status == 0; i = end) {
        while (end < n && compare_series(&rows[end], &rows[i]) == 0)
            end++;
        list->items = xgrow(list->items, list->count, &capacity, sizeof *list->items);
        status = fill_series(&list->items[list->count++], rows + i, end - i, benchmarks, error);
        if (status == 0)
            series_leave_out(&list->items[list->count - 1], benchmarks);
    }
    free(rows);
    if (status != 0)
        series_dispose(list);
    return status;
}

void series_dispose(struct series_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].points);
    free(list->items);
    *list = (struct series_list){0};
}

struct series *series_find(const struct series_list *list, enum benchmark_kind kind, int hosts_of_pair)
{
    struct series *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        struct series *series = &list->items[i];
        bool is_alone = hosts_of_pair == 1 ? series->hosts == 1 && series->pairs == 1 : series->hosts == series->ranks;
        if (series->spec->kind == kind && is_alone && (found == NULL || series->count > found->count))
            found = series;
    }
    return found;
}

/* ---- Times ---- */

double series_at(const struct series *series, int64_t bytes)
{
    const struct point *points = series->points;
    int i = 0;
    while (i < series->count && points[i].bytes < bytes)
        i++;
    if (i == series->count)
        return points[i - 1].time_s;
    if (i == 0 || points[i].bytes == bytes)
        return points[i].time_s;
    double share = (double)(bytes - points[i - 1].bytes) / (double)(points[i].bytes - points[i - 1].bytes);
    return points[i - 1].time_s + share * (points[i].time_s - points[i - 1].time_s);
}

double series_gap(const struct series *stream, int i, const struct series *latency)
{
    const struct point *point = &stream->points[i];
    if (latency == NULL || stream->window < 2)
        return point->time_s;
    double whole_s = stream->window * point->time_s - series_at(latency, point->bytes) - series_at(latency, 0);
    double gap_s = whole_s / (stream->window - 1);
    return gap_s > point->time_s / 4 ? gap_s : point->time_s;
}
