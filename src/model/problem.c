/* Points with weights and noise, and the fit of a formula to them with left-out residuals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/problem.h"

#include "base/memory.h"
#include "base/sort.h"
#include "model/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIMMED 1.15 /* the variance of a trimmed mean over that of the mean, at Gaussian noise */

const struct regression_term regression_one = {0, 1, 0};

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
    return a->x[0] == b->x[0] && a->x[1] == b->x[1];
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
    }
    problem->relative = n_positive == problem->n_points || n_negative == problem->n_points;
    problem->magnitude = sum > 0 ? sum : 1;
    for (int i = 0; i < problem->n_points; i++)
        problem->weights[i] = 1 / (problem->relative ? fabs(problem->points[i].value) : problem->magnitude);
}

/* The noise of the mean of a place, as a ratio; as if all places had the same number of repetitions. */
static void measure_noise(struct regression_problem *problem, const double *squares, int n_measured)
{
    int n = problem->n_points, degrees = n_measured - n;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += squares[i] * problem->weights[i] * problem->weights[i];
    problem->noise_degrees = degrees;
    problem->noise = degrees > 0 ? sum / degrees * n / n_measured * TRIMMED : 0;
}

static int by_line(const void *a, const void *b)
{
    const struct regression_place *left = a, *right = b;
    if (left->other != right->other)
        return left->other < right->other ? -1 : 1;
    return left->point - right->point;
}

static struct regression_place *find_lines(const struct regression_problem *problem, int parameter)
{
    struct regression_place *places = xmalloc((size_t)problem->n_points * sizeof *places);
    for (int i = 0; i < problem->n_points; i++)
        places[i] = (struct regression_place){problem->points[i].x[1 - parameter], i};
    sort_stable(places, (size_t)problem->n_points, sizeof *places, by_line);
    return places;
}

void regression_problem_open(struct regression_problem *problem, const struct regression_point *points, int n_points,
                             int n_parameters)
{
    size_t count = (size_t)n_points;
    *problem = (struct regression_problem){.n_parameters = n_parameters, .points = xmalloc(count * sizeof *points)};
    memcpy(problem->points, points, count * sizeof *points);
    for (int i = 0; i < n_points && n_parameters == 1; i++)
        problem->points[i].x[1] = 1;
    sort_stable(problem->points, count, sizeof *points, by_place);
    double *squares = xcalloc((size_t)n_points, sizeof *squares);
    problem->n_points = n_points;
    take_means(problem, squares);
    problem->weights = xmalloc(count * sizeof *problem->weights);
    problem->rows = xmalloc(count * REGRESSION_COEFFICIENTS * sizeof *problem->rows);
    problem->right = xmalloc(count * sizeof *problem->right);
    problem->all = xmalloc(count * sizeof *problem->all);
    for (int i = 0; i < problem->n_points; i++)
        problem->all[i] = (struct regression_place){0, i};
    for (int p = 0; p < n_parameters; p++)
        problem->lines[p] = find_lines(problem, p);
    weigh(problem);
    measure_noise(problem, squares, n_points);
    free(squares);
}

void regression_problem_close(struct regression_problem *problem)
{
    free(problem->points);
    free(problem->weights);
    free(problem->rows);
    free(problem->right);
    free(problem->all);
    for (int p = 0; p < problem->n_parameters; p++)
        free(problem->lines[p]);
}

/* ---- One formula ---- */

static double deviation(const struct regression_problem *problem, double value, double forecast)
{
    double distance = fabs(value - forecast);
    if (!problem->relative)
        return distance / problem->magnitude;
    return distance > 0 ? 2 * distance / (fabs(value) + fabs(forecast)) : 0;
}

/* How much the fitted value follows the point: a^T (A^T A)^-1 a. */
double regression_leverage(const double *row, const double *inverse, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += row[i] * inverse[i * n + j] * row[j];
    return sum;
}

/* Assess a fit: what it leaves, and, since no system has to be solved for that, residual / (1 - leverage), which it
 * would leave at each point had it not seen it. */
static void assess(struct regression_fit *fit, const struct regression_problem *problem,
                   const struct regression_place *places, int n_places)
{
    int n = 1 + fit->formula.n_columns;
    fit->squares = n_places * REGRESSION_EXACT * REGRESSION_EXACT;
    fit->smape = fit->left_out = 0;
    for (int r = 0; r < n_places; r++) {
        const struct regression_point *point = &problem->points[places[r].point];
        const double *row = &problem->rows[r * n];
        double weight = problem->weights[places[r].point], forecast = 0;
        for (int c = 0; c < n; c++)
            forecast += fit->formula.coefficients[c] * row[c];
        double residual = point->value - forecast / weight;
        double free_share = 1 - regression_leverage(row, fit->inverse, n);
        fit->squares += residual * weight * residual * weight;
        fit->smape += deviation(problem, point->value, point->value - residual);
        fit->left_out += free_share > REGRESSION_EXACT
                             ? deviation(problem, point->value, point->value - residual / free_share)
                             : INFINITY;
    }
}

int regression_solve(struct regression_fit *fit, const struct regression_problem *problem,
                     const struct regression_place *places, int n_places)
{
    int n = 1 + fit->formula.n_columns;
    for (int r = 0; r < n_places; r++) {
        const struct regression_point *point = &problem->points[places[r].point];
        double weight = problem->weights[places[r].point];
        problem->rows[r * n] = weight;
        for (int c = 1; c < n; c++) {
            double value = weight * regression_column_value(fit->formula.columns[c - 1], point->x);
            if (!isfinite(value))
                return -1;
            problem->rows[r * n + c] = value;
        }
        problem->right[r] = weight * point->value;
    }
    if (least_squares_inverse(fit->formula.coefficients, fit->inverse, problem->rows, problem->right, n_places, n) != 0)
        return -1;
    assess(fit, problem, places, n_places);
    return 0;
}

int regression_solve_all(struct regression_fit *fit, const struct regression_problem *problem)
{
    return regression_solve(fit, problem, problem->all, problem->n_points);
}

const struct regression_fit *regression_find_best(const struct regression_candidates *candidates, int n_columns)
{
    const struct regression_fit *best = NULL;
    for (int i = 0; i < candidates->count; i++)
        if (candidates->fits[i].formula.n_columns == n_columns &&
            (best == NULL || candidates->fits[i].squares < best->squares * (1 - REGRESSION_EXACT)))
            best = &candidates->fits[i];
    return best;
}
