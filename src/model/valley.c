/* Strong scaling: the work of a processor falls while overhead grows, so the time has a valley, which no single term
 * has:
 *
 *     f(x) = c0 + c1 growing(x) + c2 falling(x),     c1 and c2 of one sign
 *
 * The sets are small, so that the best of their pairs is not the best by chance.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/problem.h"

#include <math.h>

static const struct regression_term growing[] = {{0, 1, 1}, {0, 1, 2}, {1, 3, 0}, {1, 2, 0}, {2, 3, 0},
                                                 {1, 1, 0}, {1, 1, 1}, {3, 2, 0}, {2, 1, 0}};
static const struct regression_term falling[] = {{-1, 2, 0}, {-2, 3, 0}, {-1, 1, 0}, {-2, 1, 0}};
enum { N_GROWING = sizeof growing / sizeof growing[0], N_FALLING = sizeof falling / sizeof falling[0] };

void regression_add_valleys(struct regression_candidates *candidates, const struct regression_problem *problem,
                            int structure)
{
    for (int g = 0; g < N_GROWING; g++)
        for (int f = 0; f < N_FALLING; f++) {
            struct regression_fit fit = {.formula = {2, {{growing[g]}, {falling[f]}}, {0}}, .structure = structure};
            fit.prior = regression_prior_of_columns(2) - log(N_GROWING * N_FALLING);
            if (regression_solve_all(&fit, problem) == 0 &&
                fit.formula.coefficients[1] * fit.formula.coefficients[2] > 0)
                regression_add_candidate(candidates, &fit);
        }
}
