/* Leaves out times that are far out of line with those of the neighbouring lengths, such as one that was disturbed or
 * is in another unit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bring/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many times longer a message may take than those next to it say. Steps, as where rendezvous begins, are
 * smaller. */
static const double MOST_STEP = 10;
enum { LEAST_POINTS = 5 };

/* How many times longer, or shorter, the time at `at` is than on a straight line from `a` to `b` in logarithms of times
 * and lengths, which is the course between them. */
static double distance(const struct point *at, const struct point *a, const struct point *b)
{
    double from = log1p((double)a->bytes), to = log1p((double)b->bytes);
    double share = (log1p((double)at->bytes) - from) / (to - from);
    double expected = log(a->time_s) + share * (log(b->time_s) - log(a->time_s));
    return exp(fabs(log(at->time_s) - expected));
}

/* True if neither is far slower than the other, apart from the length. */
static bool fit(const struct point *shorter, const struct point *longer)
{
    double ratio = (1 + (double)longer->bytes) / (1 + (double)shorter->bytes);
    double step = longer->time_s / shorter->time_s;
    return step > 1 / MOST_STEP && step < MOST_STEP * ratio;
}

/* The point between two others that is farthest out of line, or else one at an end; -1: none. */
static int find_outlier(const struct point *points, int n)
{
    int farthest = -1;
    double most = MOST_STEP;
    for (int i = 1; i + 1 < n; i++) {
        double found = distance(&points[i], &points[i - 1], &points[i + 1]);
        if (found > most && fit(&points[i - 1], &points[i + 1]))
            most = found, farthest = i;
    }
    if (farthest >= 0)
        return farthest;
    if (!fit(&points[0], &points[1]) && fit(&points[1], &points[2]))
        return 0;
    return !fit(&points[n - 2], &points[n - 1]) && fit(&points[n - 3], &points[n - 2]) ? n - 1 : -1;
}

void series_leave_out(struct series *series, struct benchmarks *benchmarks)
{
    int at;
    while (series->count >= LEAST_POINTS && (at = find_outlier(series->points, series->count)) >= 0) {
        const struct point *point = &series->points[at];
        const struct point *next = &series->points[at > 0 ? at - 1 : at + 1];
        char what[160];
        snprintf(what, sizeof what, "%s, %lld B in %.4g us where %lld B take %.4g us", series->spec->name,
                 (long long)point->bytes, 1e6 * point->time_s, (long long)next->bytes, 1e6 * next->time_s);
        benchmarks_note(benchmarks, point->file, point->line, what, "far out of line with the lengths next to it");
        series->count--;
        memmove(&series->points[at], &series->points[at + 1], (size_t)(series->count - at) * sizeof *series->points);
    }
}
