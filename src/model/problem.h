/* Inside regression: points and formulas that are fitted to them, terms that are tried.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_PROBLEM_H
#define MODEL_PROBLEM_H

#include "model/regression.h"

#define REGRESSION_EXACT 1e-6                        /* smaller relative deviations are none */
#define REGRESSION_NO_WIDTH (100 * REGRESSION_EXACT) /* what is left of exact data is no doubt, not even about a zero */

enum { REGRESSION_COEFFICIENTS = 1 + REGRESSION_COLUMNS };

struct regression_problem {
    int n_points, n_parameters;      /* different points */
    struct regression_point *points; /* in order of x[0], then x[1] and so on; values are means of repetitions */
    double *shares;                  /* of each: its repetitions over `repetitions` */
    bool relative, simulated;
    double magnitude;     /* the mean |value| */
    double repetitions;   /* of a point in the mean, as many as the trimmed mean of them is worth; 1 and more */
    double noise_squares; /* of repetitions about their means, relative, divided by `repetitions` */
    int noise_degrees;    /* of freedom of that; 0 without repetitions */
    double *columns, *rows, *right, *fitted; /* room for a system of equations */
    int *all;                                /* 0, 1, 2 ... */
    int rounds;                              /* of a fit, at most */
};

struct regression_fit {
    struct regression_formula formula;
    double inverse[REGRESSION_COEFFICIENTS * REGRESSION_COEFFICIENTS];
    double deviance; /* 0.0 is exact; see regression_solve() */
    double prior;    /* logarithm of how probable the formula is before anything is measured */
    double evidence; /* logarithm of prior times marginal likelihood, up to a constant of the problem */
    int structure;   /* number of the sum of products that the formula is */
};

struct regression_candidates {
    struct regression_fit *fits; /* on the heap */
    int count, capacity;
    bool pooled; /* residuals are as repetitions scatter: both tell the variance */
};

/* Take the means of repetitions, and weigh. */
void regression_problem_open(struct regression_problem *problem, const struct regression_point *points, int n_points,
                             int n_parameters);
/* Open a part of a problem, with what repetitions of the whole tell. */
void regression_problem_open_part(struct regression_problem *part, const struct regression_problem *whole,
                                  const struct regression_point *points, int n_points);
void regression_problem_close(struct regression_problem *problem);

/* The coefficients, their covariance over the variance of a point, and the deviance of the formula, by n of the points.
 * Where deviations are relative, the deviance is that of the gamma distribution, whose variance goes with the square of
 * the mean, 2 (u - log(1 + u)), u = value / f - 1; its least one is found by least squares with weights 1 / f^2, again
 * and again (iteratively reweighted: McCullagh and Nelder, Generalized Linear Models, 1989, 2.5 and 8.3). Else it is
 * the sum of squares over magnitude^2. -1 if the points do not determine the coefficients. */
int regression_solve(struct regression_fit *fit, const struct regression_problem *problem, const int *which, int n);
int regression_solve_all(struct regression_fit *fit, const struct regression_problem *problem);

/* SMAPE of all points, and of each from the formula without it, a point without which there is none left out. */
void regression_assess(double *smape, double *left_out, const struct regression_fit *fit,
                       const struct regression_problem *problem);

/* a^T (A^T A)^-1 a of a row of n, and a^T (A^T A)^-1 b. */
double regression_leverage(const double *row, const double *inverse, int n);
double regression_covariance(const double *a, const double *b, const double *inverse, int n);

/* The row of a formula at a place: 1 and its columns; their number. */
int regression_row(double *row, const struct regression_formula *formula, const double *x);

/* All formulas that are tried, with their deviances and priors; the first is the constant. */
struct regression_candidates regression_find_candidates(const struct regression_problem *problem);
void regression_add_candidate(struct regression_candidates *candidates, const struct regression_fit *fit);

/* For one parameter: all sums of a growing and a falling term. */
void regression_add_valleys(struct regression_candidates *candidates, const struct regression_problem *problem,
                            int structure);

double regression_prior_of_columns(int n_columns);

/* The logarithm of how probable a formula is, over the constant, which is the first candidate; -INFINITY if there are
 * not more points than coefficients. */
double regression_evidence(const struct regression_fit *fit, const struct regression_candidates *candidates,
                           const struct regression_problem *problem);

/* Weigh the candidates against each other (`evidence`), and choose: the best formula of the structure that is most
 * probable. */
const struct regression_fit *regression_choose(struct regression_candidates *candidates,
                                               const struct regression_problem *problem);

/* A fit to all points, in full; pooled: as of candidates. */
struct regression_fitted regression_describe(const struct regression_problem *problem, const struct regression_fit *fit,
                                             bool pooled);

/* The model of a problem; regression_fit() without the check of its largest points and of changes. */
void regression_find_model(struct regression_model *model, const struct regression_problem *problem);

/* How far the largest points are off what the others forecast (struct regression_model, miss). */
double regression_find_miss(const struct regression_problem *problem);

/* Replace the model by that of the points beyond a change, where two formulas explain the points better than one beyond
 * chance. */
void regression_find_change(struct regression_model *model, const struct regression_problem *problem);

/* The prediction of one formula at a place: Student's t about `value` with that scale and so many degrees. */
struct regression_prediction {
    double value, scale, mean_scale;
    int degrees;
};
struct regression_prediction regression_predict(const struct regression_model *model,
                                                const struct regression_fitted *fitted, const double *x);

/* How far the band of a mean reaches from the value of a formula at a place, downward (-1) or upward (1). */
double regression_mean_reach(const struct regression_model *model, const double *x, int direction);

#endif
