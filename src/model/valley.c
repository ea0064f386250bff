/* Strong scaling: the work of a processor falls while overhead grows, so the time has a valley, which no single term
 * has:
 *
 *     f(x) = c0 + c1 growing(x) + c2 falling(x),     c1 and c2 of one sign
 *
 * The sets are small, so that the best of their pairs is not the best by chance.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/problem.h"

#include "base/memory.h"

#include <math.h>

static const struct regression_term growing[] = {{0, 1, 1}, {0, 1, 2}, {1, 3, 0}, {1, 2, 0}, {2, 3, 0},
                                                 {1, 1, 0}, {1, 1, 1}, {3, 2, 0}, {2, 1, 0}};
static const struct regression_term falling[] = {{-1, 2, 0}, {-2, 3, 0}, {-1, 1, 0}, {-2, 1, 0}};
enum { N_GROWING = sizeof growing / sizeof growing[0], N_FALLING = sizeof falling / sizeof falling[0] };

static int try_pair(struct regression_fit *fit, const struct regression_problem *problem,
                    const struct regression_term *grows, const struct regression_term *falls)
{
    *fit = (struct regression_fit){.formula = {2, {{*grows, regression_one}, {*falls, regression_one}}, {0}}};
    if (regression_solve_all(fit, problem) != 0)
        return -1;
    return fit->formula.coefficients[1] * fit->formula.coefficients[2] > 0 ? 0 : -1;
}

struct regression_candidates regression_find_valleys(const struct regression_problem *problem)
{
    struct regression_candidates pairs = {.fits = xmalloc(N_GROWING * N_FALLING * sizeof *pairs.fits)};
    for (int g = 0; g < N_GROWING; g++)
        for (int f = 0; f < N_FALLING; f++)
            pairs.count += try_pair(&pairs.fits[pairs.count], problem, &growing[g], &falling[f]) == 0;
    return pairs;
}

/* The least sum of squares of one of the terms alone. */
static double alone(const struct regression_problem *problem, const struct regression_term *terms, int n_terms)
{
    double least = INFINITY;
    for (int t = 0; t < n_terms; t++) {
        struct regression_fit fit = {.formula = {1, {{terms[t], regression_one}}, {0}}};
        if (regression_solve_all(&fit, problem) == 0)
            least = fmin(least, fit.squares);
    }
    return least;
}

double regression_least_alone(const struct regression_problem *problem)
{
    return fmin(alone(problem, growing, N_GROWING), alone(problem, falling, N_FALLING));
}
