/* Tests a model at its largest points: are they where the others forecast them?
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/problem.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

#define NEARLY_ALL 1.5 /* times the band of 95 % */

static int by_number(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The value of a parameter above which lies the largest quarter of its values. */
static double find_limit(const struct regression_problem *problem, int parameter)
{
    int n = 0;
    double *values = xmalloc((size_t)problem->n_points * sizeof *values);
    for (int i = 0; i < problem->n_points; i++)
        values[i] = problem->points[i].x[parameter];
    sort_stable(values, (size_t)problem->n_points, sizeof *values, by_number);
    for (int i = 0; i < problem->n_points; i++)
        if (i == 0 || values[i] != values[n - 1])
            values[n++] = values[i];
    double limit = values[n - 1 - (n + 1) / 4];
    free(values);
    return limit;
}

static bool is_within(const struct regression_point *point, const double *limits, int n_parameters)
{
    for (int p = 0; p < n_parameters; p++)
        if (point->x[p] > limits[p])
            return false;
    return true;
}

/* How far a point is off its forecast, in halves of a band in which nearly all would lie, as several are tested. */
static double miss_of(const struct regression_model *smaller, const struct regression_point *point)
{
    double miss = point->value - regression_value(smaller, point->x);
    double half = regression_mean_reach(smaller, point->x, miss > 0 ? 1 : -1);
    double least = smaller->relative ? fabs(point->value) : smaller->mean_magnitude;
    return miss / fmax(NEARLY_ALL * half, REGRESSION_NO_WIDTH * least);
}

/* The model of the points within the limits. */
static void model_smaller(struct regression_model *smaller, const struct regression_problem *problem,
                          const double *limits)
{
    struct regression_problem part;
    struct regression_point *points = xmalloc((size_t)problem->n_points * sizeof *points);
    int n = 0;
    for (int i = 0; i < problem->n_points; i++)
        if (is_within(&problem->points[i], limits, problem->n_parameters))
            points[n++] = problem->points[i];
    smaller->n_points = n;
    if (n > REGRESSION_MIN_POINTS) {
        regression_problem_open_part(&part, problem, points, n);
        regression_find_model(smaller, &part);
        regression_problem_close(&part);
    }
    free(points);
}

double regression_find_miss(const struct regression_problem *problem)
{
    struct regression_model *smaller = xcalloc(1, sizeof *smaller);
    double limits[REGRESSION_PARAMETERS], largest = 0;
    for (int p = 0; p < problem->n_parameters; p++)
        limits[p] = find_limit(problem, p);
    model_smaller(smaller, problem, limits);
    for (int i = 0; smaller->n_points > REGRESSION_MIN_POINTS && i < problem->n_points; i++) {
        const struct regression_point *point = &problem->points[i];
        double miss = is_within(point, limits, problem->n_parameters) ? 0 : miss_of(smaller, point);
        if (fabs(miss) > fabs(largest))
            largest = miss;
    }
    free(smaller);
    return largest;
}
