/* Goes through measured values point by point.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/points.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int by_place(const void *left, const void *right, void *data)
{
    const struct table *measured = data;
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    for (size_t p = 0; p < points_parameters(measured); p++) {
        double x = cell_value(table_at(measured, a, p)), y = cell_value(table_at(measured, b, p));
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

void points_each(const struct table *measured, take_point *take, void *self)
{
    size_t n = table_n_rows(measured), value = points_parameters(measured);
    size_t *rows = xmalloc((n + 1) * sizeof *rows);
    double *values = xmalloc((n + 1) * sizeof *values);
    void *data = (void *)(uintptr_t)measured;
    for (size_t i = 0; i < n; i++)
        rows[i] = i;
    sort_rows(rows, n, sizeof *rows, by_place, data);
    for (size_t first = 0, next; first < n; first = next) {
        struct point point = {.row = rows[first], .values = values};
        point.fitted = cell_value(table_at(measured, point.row, value + 1));
        for (next = first; next < n && by_place(&rows[first], &rows[next], data) == 0; next++)
            point.mean += values[point.count++] = cell_value(table_at(measured, rows[next], value));
        point.mean /= (double)point.count;
        take(self, measured, &point);
    }
    free(rows);
    free(values);
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

struct point_statistics point_find_statistics(const struct point *point)
{
    size_t n = point->count;
    double squares = 0, *sorted = xmalloc(n * sizeof *sorted);
    memcpy(sorted, point->values, n * sizeof *sorted);
    sort_stable(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 0; i < n; i++)
        squares += pow(sorted[i] - point->mean, 2);
    const struct point_statistics statistics = {(sorted[(n - 1) / 2] + sorted[n / 2]) / 2, sorted[0], sorted[n - 1],
                                                sqrt(squares / (double)n)};
    free(sorted);
    return statistics;
}

static void add_errors(void *self, const struct table *measured, const struct point *point)
{
    struct point_errors *errors = self;
    double difference = point->fitted - point->mean, relative = point->mean != 0 ? difference / point->mean : 0;
    double magnitude = fabs(point->fitted) + fabs(point->mean);
    (void)measured;
    errors->count++;
    errors->squares += difference * difference;
    errors->relative_squares += relative * relative;
    errors->relative += fabs(relative);
    errors->symmetric += magnitude > 0 ? 2 * fabs(difference) / magnitude : 0;
    errors->sum += point->mean;
}

struct point_errors points_find_errors(const struct table *measured)
{
    struct point_errors errors = {0};
    points_each(measured, add_errors, &errors);
    return errors;
}
