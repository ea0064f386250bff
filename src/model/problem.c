/* Points with weights and noise, and the fit of a formula to them with left-out residuals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/problem.h"

#include "base/memory.h"
#include "base/sort.h"
#include "model/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 12 };

/* ---- Points ---- */

static int by_place(const void *a, const void *b)
{
    const struct regression_point *left = a, *right = b;
    for (int p = 0; p < REGRESSION_PARAMETERS; p++)
        if (left->x[p] != right->x[p])
            return left->x[p] < right->x[p] ? -1 : 1;
    return (left->value > right->value) - (left->value < right->value);
}

static bool same_place(const struct regression_point *a, const struct regression_point *b)
{
    return memcmp(a->x, b->x, sizeof a->x) == 0;
}

/* The mean of n values in order without the fifth at either end, of three and four of them the median. */
static struct regression_point trimmed_mean(const struct regression_point *points, int n)
{
    int cut = n < 3 ? 0 : (n + 4) / 5;
    struct regression_point mean = points[0];
    mean.value = 0;
    for (int i = cut; i < n - cut; i++)
        mean.value += points[i].value / (n - 2 * cut);
    return mean;
}

/* How many repetitions a plain mean of the same variance would have, at Gaussian noise: n over the variance of the
 * trimmed mean in units of the variance of the mean (order statistics: Sarhan and Greenberg, Contributions to Order
 * Statistics, 1962). */
static double worth(int n)
{
    return n < 3 ? n : n == 3 ? n / 1.346 : n == 4 ? n / 1.193 : n / 1.14;
}

/* Replace the points of each place, in order of their values, by their mean; `squares` are the sums of squares about
 * it. */
static void take_means(struct regression_problem *problem, double *squares)
{
    struct regression_point *points = problem->points;
    int n = problem->n_points, n_places = 0;
    for (int first = 0, next; first < n; first = next) {
        for (next = first + 1; next < n && same_place(&points[first], &points[next]); next++)
            ;
        struct regression_point mean = trimmed_mean(&points[first], next - first);
        squares[n_places] = 0;
        for (int i = first; i < next; i++)
            squares[n_places] += pow(points[i].value - mean.value, 2);
        problem->shares[n_places] = worth(next - first);
        points[n_places++] = mean;
    }
    problem->n_points = n_places;
}

static void weigh(struct regression_problem *problem)
{
    int n_positive = 0, n_negative = 0;
    double sum = 0;
    for (int i = 0; i < problem->n_points; i++) {
        n_positive += problem->points[i].value > 0;
        n_negative += problem->points[i].value < 0;
        sum += fabs(problem->points[i].value) / problem->n_points;
        problem->repetitions += problem->shares[i] / problem->n_points;
    }
    problem->relative = n_positive == problem->n_points || n_negative == problem->n_points;
    problem->magnitude = sum > 0 ? sum : 1;
    for (int i = 0; i < problem->n_points; i++)
        problem->shares[i] /= problem->repetitions;
}

static void measure_noise(struct regression_problem *problem, const double *squares, int n_measured)
{
    for (int i = 0; i < problem->n_points; i++) {
        double scale = problem->relative ? problem->points[i].value : problem->magnitude;
        problem->noise_squares += squares[i] / (scale * scale) / problem->repetitions;
    }
    problem->noise_degrees = n_measured - problem->n_points;
}

void regression_problem_open(struct regression_problem *problem, const struct regression_point *points, int n_points,
                             int n_parameters)
{
    size_t count = (size_t)n_points;
    *problem = (struct regression_problem){
        .n_points = n_points, .n_parameters = n_parameters, .points = xmalloc(count * sizeof *points)};
    memcpy(problem->points, points, count * sizeof *points);
    for (int i = 0; i < n_points; i++)
        for (int p = n_parameters; p < REGRESSION_PARAMETERS; p++)
            problem->points[i].x[p] = 1;
    sort_stable(problem->points, count, sizeof *points, by_place);
    double *squares = xcalloc(count, sizeof *squares);
    problem->shares = xmalloc(count * sizeof *problem->shares);
    problem->columns = xmalloc(count * REGRESSION_COEFFICIENTS * sizeof *problem->columns);
    problem->rows = xmalloc(count * REGRESSION_COEFFICIENTS * sizeof *problem->rows);
    problem->right = xmalloc(count * sizeof *problem->right);
    problem->fitted = xmalloc(count * sizeof *problem->fitted);
    problem->all = xmalloc(count * sizeof *problem->all);
    take_means(problem, squares);
    for (int i = 0; i < problem->n_points; i++)
        problem->all[i] = i;
    weigh(problem);
    problem->rounds = problem->relative ? MOST_ROUNDS : 1;
    measure_noise(problem, squares, n_points);
    free(squares);
}

void regression_problem_open_part(struct regression_problem *part, const struct regression_problem *whole,
                                  const struct regression_point *points, int n_points)
{
    regression_problem_open(part, points, n_points, whole->n_parameters);
    part->simulated = whole->simulated;
    part->repetitions = whole->repetitions;
    part->noise_squares = whole->noise_squares;
    part->noise_degrees = whole->noise_degrees;
}

void regression_problem_close(struct regression_problem *problem)
{
    free(problem->points);
    free(problem->shares);
    free(problem->columns);
    free(problem->rows);
    free(problem->right);
    free(problem->fitted);
    free(problem->all);
}
