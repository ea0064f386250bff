/* Weighs formulas against each other: how probable each is, given the points.
 *
 * With m degrees of freedom about the constant, q columns, and deviances D of the formula and D0 of the constant, the
 * points are
 *
 *     (sqrt(pi) / 2)^q  gamma((m - q) / 2) / gamma(m / 2)  D0^(m / 2) / D^((m - q) / 2)
 *
 * times as probable under the formula as under the constant: the normal likelihood, integrated over the coefficients of
 * columns made orthonormal, uniform between -sqrt(D0) and sqrt(D0), beyond which they cannot lie, and over the standard
 * deviation with the density 1 / sigma. Where residuals are as repetitions scatter, the squares of the repetitions and
 * their degrees of freedom are added to D, D0 and m.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/distributions.h"
#include "model/problem.h"

#include <math.h>

#define NOISE_RISK 0.01 /* of taking noise for what a formula lacks */
/* Points of a constant are in order with a probability of 2 / n!: 0.08 of four, 0.017 of five (H. B. Mann,
 * Nonparametric tests against trend, 1945). Four are by this factor, too, in less than half of cases at 20 % noise, and
 * in 1 of 40 at 10 %; so less than 5 % of constants are taken for growing. */
#define MONOTONE 1.5
#define SMALL_NOISE 0.15 /* relative standard deviation of a point */
enum { ORDERED_POINTS = 5 };

static const double half_log_pi_4 = -0.12078223763524522; /* log(sqrt(pi) / 2) */

static int degrees_of(const struct regression_fit *fit, const struct regression_problem *problem)
{
    return problem->n_points - 1 - fit->formula.n_columns;
}

double regression_evidence(const struct regression_fit *fit, const struct regression_candidates *candidates,
                           const struct regression_problem *problem)
{
    int degrees = degrees_of(fit, problem), all = problem->n_points - 1, n_columns = fit->formula.n_columns;
    double deviance = fit->deviance, constant = candidates->fits[0].deviance;
    if (degrees < 1)
        return n_columns == 0 ? 0 : -INFINITY;
    if (candidates->pooled) {
        deviance += problem->noise_squares;
        constant += problem->noise_squares;
        degrees += problem->noise_degrees;
        all += problem->noise_degrees;
    }
    return fit->prior + n_columns * half_log_pi_4 + lgamma(degrees / 2.0) - lgamma(all / 2.0) +
           all / 2.0 * log(constant) - degrees / 2.0 * log(deviance);
}

/* True if some formula leaves no more than repetitions explain. */
static bool is_noise(const struct regression_candidates *candidates, const struct regression_problem *problem)
{
    double noise = problem->noise_squares / problem->noise_degrees, risk_of[1 + REGRESSION_COLUMNS] = {0};
    for (int i = 0; problem->noise_degrees > 0 && i < candidates->count; i++) {
        const struct regression_fit *fit = &candidates->fits[i];
        int degrees = degrees_of(fit, problem);
        double *bound = &risk_of[fit->formula.n_columns];
        if (degrees < 1)
            continue;
        if (*bound == 0)
            *bound = fisher_f_upper(NOISE_RISK, degrees, problem->noise_degrees);
        if (fit->deviance / degrees <= noise * *bound)
            return true;
    }
    return false;
}

static int by_simplicity(const struct regression_formula *a, const struct regression_formula *b)
{
    for (int c = 0; c < a->n_columns; c++)
        for (int p = 0; p < REGRESSION_PARAMETERS; p++) {
            int order = regression_term_compare(&a->columns[c][p], &b->columns[c][p]);
            if (order != 0)
                return order;
        }
    return 0;
}

/* The most probable of a structure; of those that are as good, the simplest. */
static const struct regression_fit *find_best(const struct regression_candidates *candidates, int structure)
{
    const struct regression_fit *best = NULL;
    for (int i = 0; i < candidates->count; i++) {
        const struct regression_fit *fit = &candidates->fits[i];
        if (fit->structure != structure)
            continue;
        if (best == NULL || fit->deviance < best->deviance * (1 - REGRESSION_EXACT) ||
            (fit->deviance <= best->deviance * (1 + REGRESSION_EXACT) &&
             by_simplicity(&fit->formula, &best->formula) < 0))
            best = fit;
    }
    return best;
}

static double probability_of(const struct regression_candidates *candidates, int structure, double most)
{
    double sum = 0;
    for (int i = 0; i < candidates->count; i++)
        if (candidates->fits[i].structure == structure)
            sum += exp(candidates->fits[i].evidence - most);
    return sum;
}

/* True if the points rise or fall all along their only parameter, and there are ORDERED_POINTS; or, of fewer, by
 * MONOTONE and more, and repetitions scatter by much less. */
static bool is_monotone(const struct regression_problem *problem)
{
    int n = problem->n_points, n_rising = 0, n_falling = 0;
    const struct regression_point *points = problem->points;
    for (int i = 1; i < n; i++) {
        n_rising += points[i].value > points[i - 1].value;
        n_falling += points[i].value < points[i - 1].value;
    }
    double factor = points[n - 1].value / points[0].value;
    bool noisy = problem->noise_squares > problem->noise_degrees * SMALL_NOISE * SMALL_NOISE;
    bool far = (factor >= MONOTONE || factor <= 1 / MONOTONE) && !noisy;
    return problem->n_parameters == 1 && problem->relative && (n_rising == n - 1 || n_falling == n - 1) &&
           (n >= ORDERED_POINTS || far);
}

const struct regression_fit *regression_choose(struct regression_candidates *candidates,
                                               const struct regression_problem *problem)
{
    double most = -INFINITY, best = -1;
    int structure = 0, seen = -1;
    bool grows = is_monotone(problem);
    candidates->pooled = is_noise(candidates, problem);
    for (int i = 0; i < candidates->count; i++) {
        candidates->fits[i].evidence = regression_evidence(&candidates->fits[i], candidates, problem);
        most = fmax(most, candidates->fits[i].evidence);
    }
    for (int i = 0; i < candidates->count; i++) {
        if (candidates->fits[i].structure == seen || (i == 0 && grows))
            continue;
        seen = candidates->fits[i].structure;
        double probability = probability_of(candidates, seen, most);
        if (probability > best) {
            best = probability;
            structure = seen;
        }
    }
    return find_best(candidates, structure);
}
