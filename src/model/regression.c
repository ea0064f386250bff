/* Finds the model of a measure: the most probable formula, and its rivals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/regression.h"

#include "base/memory.h"
#include "base/sort.h"
#include "model/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_PROBABILITY 1e-3 /* over that of the most probable: less probable formulas are no rivals */
#define ROUNDING 1e-9          /* a constant that is less of the mean value is none */
#define LEAST 1e-150           /* values and parameters beyond LEAST ... LARGEST would overflow in squares */
#define LARGEST 1e150
#define LARGEST_X 1e30 /* the largest term is x^3 log2(x) */

/* ---- The model ---- */

/* Repetitions add to the degrees of freedom only where the points are enough to tell that the formula is right. */
struct regression_fitted regression_describe(const struct regression_problem *problem, const struct regression_fit *fit,
                                             bool pooled)
{
    int n = problem->n_points, degrees = n - 1 - fit->formula.n_columns;
    struct regression_fitted result = {.formula = fit->formula, .probability = 1, .deviation = INFINITY};
    double squares = fit->deviance - n * REGRESSION_EXACT * REGRESSION_EXACT; /* which solving has added */
    double variance = fmax(squares, 0) / degrees;
    if (pooled)
        variance = fmax(squares + problem->noise_squares, 0) / (degrees + problem->noise_degrees);
    regression_assess(&result.smape, &result.left_out_smape, fit, problem);
    if (fabs(result.formula.coefficients[0]) < ROUNDING * problem->magnitude && fit->formula.n_columns > 0)
        result.formula.coefficients[0] = 0;
    if (degrees > 0)
        result.deviation = sqrt(variance);
    result.degrees = degrees + (pooled && n >= REGRESSION_FEW_POINTS ? problem->noise_degrees : 0);
    memcpy(result.inverse, fit->inverse, sizeof result.inverse);
    return result;
}

static int by_evidence(const void *a, const void *b)
{
    const struct regression_fit *left = *(const struct regression_fit *const *)a,
                                *right = *(const struct regression_fit *const *)b;
    return (left->evidence < right->evidence) - (left->evidence > right->evidence);
}

static void find_rivals(struct regression_model *model, const struct regression_problem *problem,
                        const struct regression_candidates *candidates, const struct regression_fit *chosen)
{
    const struct regression_fit **sorted = xmalloc((size_t)candidates->count * sizeof(const struct regression_fit *));
    for (int i = 0; i < candidates->count; i++)
        sorted[i] = &candidates->fits[i];
    sort_stable(sorted, (size_t)candidates->count, sizeof(const struct regression_fit *), by_evidence);
    double most = sorted[0]->evidence, sum = model->best.probability = exp(chosen->evidence - most);
    for (int i = 0; i < candidates->count && model->n_rivals < REGRESSION_MAX_RIVALS; i++) {
        double probability = exp(sorted[i]->evidence - most);
        if (sorted[i] == chosen)
            continue;
        if (!(probability >= LEAST_PROBABILITY))
            break;
        struct regression_fitted *rival = &model->rivals[model->n_rivals++];
        *rival = regression_describe(problem, sorted[i], candidates->pooled);
        rival->probability = probability;
        sum += probability;
    }
    model->best.probability /= sum;
    for (int r = 0; r < model->n_rivals; r++)
        model->rivals[r].probability /= sum;
    free(sorted);
}

static double adjusted_r2(const struct regression_problem *problem, const struct regression_formula *formula)
{
    double mean = 0, total = 0, left = 0;
    int n = problem->n_points, degrees = n - 1 - formula->n_columns;
    for (int i = 0; i < n; i++)
        mean += problem->points[i].value / n;
    for (int i = 0; i < n; i++) {
        double value = problem->points[i].value,
               residual = value - regression_formula_value(formula, problem->points[i].x);
        total += (value - mean) * (value - mean);
        left += residual * residual;
    }
    if (formula->n_columns == 0 || degrees < 1 || !(total > 0))
        return 0;
    return 1 - left / degrees / (total / (n - 1));
}

void regression_find_model(struct regression_model *model, const struct regression_problem *problem)
{
    struct regression_candidates candidates = regression_find_candidates(problem);
    const struct regression_fit *chosen = regression_choose(&candidates, problem);
    double smape;
    *model = (struct regression_model){
        .best = regression_describe(problem, chosen, candidates.pooled),
        .n_points = problem->n_points,
        .n_parameters = problem->n_parameters,
        .relative = problem->relative,
        .mean_magnitude = problem->magnitude,
        .sign = !problem->relative             ? 0
                : problem->points[0].value > 0 ? 1
                                               : -1,
        .pooled = candidates.pooled,
        .systematic = !candidates.pooled && (problem->simulated || problem->noise_degrees > 0),
        .repetitions = problem->repetitions,
        .noise = problem->noise_degrees > 0 ? problem->noise_squares / problem->noise_degrees : 0,
        .adjusted_r2 = adjusted_r2(problem, &chosen->formula),
    };
    regression_assess(&smape, &model->constant_smape, &candidates.fits[0], problem);
    find_rivals(model, problem, &candidates, chosen);
    free(candidates.fits);
}

/* ---- Points ---- */

static int check_points(const struct regression_point *points, int n_points, int n_parameters, struct sim_error *error)
{
    for (int i = 0; i < n_points; i++) {
        double magnitude = fabs(points[i].value);
        if (!(magnitude == 0 || (magnitude >= LEAST && magnitude <= LARGEST)))
            return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "the value %g cannot be modeled", points[i].value);
        for (int p = 0; p < n_parameters; p++)
            if (!(points[i].x[p] > 0 && points[i].x[p] <= LARGEST_X))
                return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                                     "parameters of a performance model must be above 0 and at most %g; found %g",
                                     (double)LARGEST_X, points[i].x[p]);
    }
    return 0;
}

static int fit(struct regression_model *model, const struct regression_point *points, int n_points, int n_parameters,
               bool simulated, struct sim_error *error)
{
    struct regression_problem problem;
    if (check_points(points, n_points, n_parameters, error) != 0)
        return -1;
    regression_problem_open(&problem, points, n_points, n_parameters);
    problem.simulated = simulated;
    int status = 0;
    if (problem.n_points < REGRESSION_MIN_POINTS)
        status = sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "a model needs at least %d different points, not %d",
                               REGRESSION_MIN_POINTS, problem.n_points);
    else {
        regression_find_model(model, &problem);
        model->miss = regression_find_miss(&problem);
        regression_find_change(model, &problem);
    }
    regression_problem_close(&problem);
    return status;
}

int regression_fit(struct regression_model *model, const struct regression_point *points, int n_points,
                   int n_parameters, struct sim_error *error)
{
    return fit(model, points, n_points, n_parameters, false, error);
}

int regression_fit_simulated(struct regression_model *model, const struct regression_point *points, int n_points,
                             int n_parameters, struct sim_error *error)
{
    return fit(model, points, n_points, n_parameters, true, error);
}
