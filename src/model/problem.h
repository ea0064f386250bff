/* Inside regression: points and formulas that are fitted to them, terms that are tried.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_PROBLEM_H
#define MODEL_PROBLEM_H

#include "model/regression.h"

#define REGRESSION_EXACT 1e-6                        /* smaller relative deviations are none */
#define REGRESSION_NO_WIDTH (100 * REGRESSION_EXACT) /* what is left of exact data is no doubt, not even about a zero */

enum { REGRESSION_COEFFICIENTS = 1 + REGRESSION_COLUMNS };

/* A point by its place on a line, on which the other parameter is fixed. */
struct regression_place {
    double other;
    int point;
};

struct regression_problem {
    int n_points, n_parameters;                            /* different points */
    struct regression_point *points;                       /* in order of x[0], then x[1] */
    struct regression_place *lines[REGRESSION_PARAMETERS]; /* for each parameter all points, a line after another */
    double *weights;
    bool relative;
    double magnitude;             /* the mean |value| */
    double noise;                 /* relative variance of a point, by its repetitions */
    int noise_degrees;            /* of freedom of that; 0 without repetitions */
    double *rows, *right;         /* room for a system of equations */
    struct regression_place *all; /* the points in their order */
};

struct regression_fit {
    struct regression_formula formula;
    double inverse[REGRESSION_COEFFICIENTS * REGRESSION_COEFFICIENTS];
    double squares;         /* sum of squares of the weighted residuals */
    double smape, left_out; /* sums over the points */
};

struct regression_candidates {
    struct regression_fit *fits; /* on the heap */
    int count;
};

extern const struct regression_term regression_one; /* 1 */

/* Take the means of repetitions, and weigh. */
void regression_problem_open(struct regression_problem *problem, const struct regression_point *points, int n_points,
                             int n_parameters);
void regression_problem_close(struct regression_problem *problem);

/* The coefficients of the formula, and all else of *fit, by n of the points. -1 if these do not determine them. */
int regression_solve(struct regression_fit *fit, const struct regression_problem *problem,
                     const struct regression_place *places, int n);

/* The same by all points. */
int regression_solve_all(struct regression_fit *fit, const struct regression_problem *problem);

/* The candidate with so many columns and the least squares, the first of several, or NULL. */
const struct regression_fit *regression_find_best(const struct regression_candidates *candidates, int n_columns);

/* a^T (A^T A)^-1 a of a row of n. */
double regression_leverage(const double *row, const double *inverse, int n);

/* How much larger a sum of squares must be without a coefficient, given the degrees of freedom with it, for the
 * coefficient to be no chance. */
double regression_growth_bound(int degrees);

/* How much larger than the best a sum of squares may be, given its degrees of freedom, and not be significantly
 * worse. */
double regression_rival_bound(int degrees);

/* The terms of a parameter that explain the points about as well as the best, which comes first; each is tried on all
 * lines on which the other parameter is fixed, on each with coefficients of its own. None if no term beats the
 * constant. */
int regression_find_terms(struct regression_term *terms, const struct regression_problem *problem, int parameter);

/* For one parameter: all sums of a growing and a falling term; and the least sum of squares of one of the terms
 * alone. */
struct regression_candidates regression_find_valleys(const struct regression_problem *problem);
double regression_least_alone(const struct regression_problem *problem);

#endif
