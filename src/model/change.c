/* A change of behavior: up to some size one formula, from the next size on another.
 *
 * A simulation or a machine may take another algorithm, or leave a cache, at some size. Both parts get the best formula
 * of one term; together they have two coefficients, an exponent and the place of the change more than one formula has.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/distributions.h"
#include "model/problem.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define CHANGE_RISK 0.001 /* of taking noise for a change, as the best of all places is tested */

enum {
    MIN_BEFORE = 3,
    MIN_AFTER = 4, /* a line and its exponent leave one to tell that it is right */
    PARAMETERS_MORE = 4,
};

/* The least deviance of one term, or of none, in the points first ... first + n - 1. */
static double fit_part(struct regression_fit *best, const struct regression_problem *problem, int first, int n)
{
    best->formula.n_columns = 0;
    if (regression_solve(best, problem, &problem->all[first], n) != 0)
        return INFINITY;
    for (int t = 0; t < REGRESSION_TERMS; t++) {
        struct regression_fit fit = {.formula = {1, {{regression_terms[t]}}, {0}}};
        if (regression_solve(&fit, problem, &problem->all[first], n) == 0 &&
            fit.deviance < best->deviance * (1 - REGRESSION_EXACT))
            *best = fit;
    }
    return best->deviance;
}

static double fit_parts(const struct regression_problem *problem, int place)
{
    struct regression_fit before = {.structure = 0}, after = {.structure = 0};
    return fit_part(&before, problem, 0, place) + fit_part(&after, problem, place, problem->n_points - place);
}

/* The number of points before the best place, by fits that are not reweighted; 0 if there are too few. */
static int find_place(const struct regression_problem *problem)
{
    struct regression_problem quick = *problem;
    double least = INFINITY;
    int place = 0;
    quick.rounds = 1;
    for (int k = MIN_BEFORE; k <= problem->n_points - MIN_AFTER; k++) {
        double deviance = fit_parts(&quick, k);
        if (deviance < least) {
            least = deviance;
            place = k;
        }
    }
    return place;
}

static double deviance_of(const struct regression_formula *formula, const struct regression_problem *problem)
{
    struct regression_fit fit = {.formula = *formula};
    return regression_solve_all(&fit, problem) == 0 ? fit.deviance : INFINITY;
}

void regression_find_change(struct regression_model *model, const struct regression_problem *problem)
{
    int n = problem->n_points, degrees = n - 2 * 2 - PARAMETERS_MORE + 1;
    if (problem->n_parameters > 1 || model->pooled || !(model->best.deviation > REGRESSION_EXACT) || degrees < 1)
        return;
    int place = find_place(problem);
    double bound = 1 + PARAMETERS_MORE * fisher_f_upper(CHANGE_RISK, PARAMETERS_MORE, degrees) / degrees;
    if (place == 0 || deviance_of(&model->best.formula, problem) < fit_parts(problem, place) * bound)
        return;
    struct regression_problem before, after;
    regression_problem_open_part(&before, problem, problem->points, place);
    regression_problem_open_part(&after, problem, &problem->points[place], n - place);
    struct regression_fit fit = {.structure = 0};
    fit_part(&fit, &before, 0, place);
    regression_find_model(model, &after);
    model->change = (struct regression_change){problem->points[place - 1].x[0], problem->points[place].x[0],
                                               regression_describe(&before, &fit, false)};
    regression_problem_close(&before);
    regression_problem_close(&after);
}
