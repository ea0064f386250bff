/* Fits one formula: iteratively reweighted least squares, and the errors at points that are left out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/least_squares.h"
#include "model/problem.h"

#include <math.h>
#include <string.h>

#define SETTLED 1e-4     /* a smaller relative change of the deviance is none */
#define LEAST_SHARE 0.05 /* of a measured value: a formula below it is as wrong as that, and linearly more */
#define ALONE 1e-3       /* of a point that has less of its residual free, a coefficient is all that it tells */

/* ---- Deviance ---- */

/* 2 (u - log(1 + u)) without cancellation. */
static double deviance_of(double u)
{
    if (fabs(u) < 1e-3)
        return u * u * (1 - u * (2.0 / 3 - u / 2));
    return 2 * (u - log1p(u));
}

static double deviance_at(const struct regression_problem *problem, double value, double fitted)
{
    if (!problem->relative)
        return pow((value - fitted) / problem->magnitude, 2);
    double share = fitted / value;
    if (share >= LEAST_SHARE)
        return deviance_of(1 / share - 1);
    double slope = 2 / LEAST_SHARE * (1 / LEAST_SHARE - 1); /* the derivative there */
    return deviance_of(1 / LEAST_SHARE - 1) + slope * (LEAST_SHARE - share);
}

/* The sum over the points, with the least that is told from 0. */
static double sum_deviance(const struct regression_problem *problem, const int *which, int n, const double *fitted)
{
    double sum = n * REGRESSION_EXACT * REGRESSION_EXACT;
    for (int i = 0; i < n; i++)
        sum += problem->shares[which[i]] * deviance_at(problem, problem->points[which[i]].value, fitted[i]);
    return sum;
}

/* ---- Fit ---- */

int regression_row(double *row, const struct regression_formula *formula, const double *x)
{
    row[0] = 1;
    for (int c = 0; c < formula->n_columns; c++)
        row[1 + c] = regression_column_value(formula->columns[c], x);
    return 1 + formula->n_columns;
}

/* The weight of a point by what is fitted there, which must not be close to 0. */
static double weight_of(const struct regression_problem *problem, int point, double fitted)
{
    double value = problem->points[point].value, scale = problem->magnitude;
    if (problem->relative)
        scale = fabs(value) * fmax(fitted / value, LEAST_SHARE);
    return sqrt(problem->shares[point]) / scale;
}

/* Solve with the weights of `fitted`, which becomes what is fitted now. */
static int solve_weighted(struct regression_fit *fit, const struct regression_problem *problem, const int *which, int n,
                          const double *rows, double *fitted)
{
    int n_columns = 1 + fit->formula.n_columns;
    for (int i = 0; i < n; i++) {
        double weight = weight_of(problem, which[i], fitted[i]);
        for (int c = 0; c < n_columns; c++)
            problem->rows[i * n_columns + c] = weight * rows[i * n_columns + c];
        problem->right[i] = weight * problem->points[which[i]].value;
    }
    if (least_squares_inverse(fit->formula.coefficients, fit->inverse, problem->rows, problem->right, n, n_columns) !=
        0)
        return -1;
    for (int i = 0; i < n; i++) {
        fitted[i] = 0;
        for (int c = 0; c < n_columns; c++)
            fitted[i] += fit->formula.coefficients[c] * rows[i * n_columns + c];
    }
    return 0;
}

int regression_solve(struct regression_fit *fit, const struct regression_problem *problem, const int *which, int n)
{
    int n_columns = 1 + fit->formula.n_columns;
    double *rows = problem->columns, *fitted = problem->fitted;
    for (int i = 0; i < n; i++) {
        regression_row(&rows[i * n_columns], &fit->formula, problem->points[which[i]].x);
        for (int c = 0; c < n_columns; c++)
            if (!isfinite(rows[i * n_columns + c]))
                return -1;
        fitted[i] = problem->points[which[i]].value;
    }
    fit->deviance = INFINITY;
    for (int round = 0; round < problem->rounds; round++) {
        struct regression_fit next = *fit;
        if (solve_weighted(&next, problem, which, n, rows, fitted) != 0)
            return -1;
        next.deviance = sum_deviance(problem, which, n, fitted);
        bool settled = !(next.deviance < fit->deviance * (1 - SETTLED));
        if (!(next.deviance >= fit->deviance))
            *fit = next;
        if (settled)
            break;
    }
    return 0;
}

int regression_solve_all(struct regression_fit *fit, const struct regression_problem *problem)
{
    return regression_solve(fit, problem, problem->all, problem->n_points);
}

/* ---- Left-out points ---- */

double regression_covariance(const double *a, const double *b, const double *inverse, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += a[i] * inverse[i * n + j] * b[j];
    return sum;
}

double regression_leverage(const double *row, const double *inverse, int n)
{
    return regression_covariance(row, row, inverse, n);
}

static double deviation(const struct regression_problem *problem, double value, double forecast)
{
    double distance = fabs(value - forecast);
    if (!problem->relative)
        return distance / problem->magnitude;
    return distance > 0 ? 2 * distance / (fabs(value) + fabs(forecast)) : 0;
}

/* residual / (1 - leverage) is what would be left of a point had the formula, with these weights, not seen it: no
 * system has to be solved for that. */
void regression_assess(double *smape, double *left_out, const struct regression_fit *fit,
                       const struct regression_problem *problem)
{
    double sum = 0, left = 0;
    int n_left = 0;
    for (int i = 0; i < problem->n_points; i++) {
        const struct regression_point *point = &problem->points[i];
        double row[REGRESSION_COEFFICIENTS], fitted = regression_formula_value(&fit->formula, point->x);
        int n = regression_row(row, &fit->formula, point->x);
        double weight = weight_of(problem, i, fitted), residual = point->value - fitted;
        double free_share = 1 - weight * weight * regression_leverage(row, fit->inverse, n);
        sum += deviation(problem, point->value, fitted);
        if (free_share < ALONE)
            continue;
        left += deviation(problem, point->value, point->value - residual / free_share);
        n_left++;
    }
    *smape = sum / problem->n_points;
    *left_out = n_left > 0 ? left / n_left : INFINITY;
}
