/* Which measurement to make next: what each would tell of a place.
 *
 * Over formula and rivals, each with its probability and the covariance of its coefficients, the measurement at a place
 * and the mean of those at a proposal have variances and a covariance. Once the proposal is known, the variance at the
 * place is
 *
 *     V(place) - C(place, proposal)^2 / V(proposal),
 *
 * as for a normal distribution. That counts both what is not known of the coefficients, and which formula is right
 * (A. C. Atkinson, A. N. Donev, R. D. Tobias, Optimum Experimental Designs, with SAS, 2007, chapters 10 and 20).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"
#include "model/problem.h"

#include <math.h>
#include <string.h>

#define NEARLY 0.75 /* of the most that the logarithm of the width can fall by: as good */

/* ---- What it would tell ---- */

/* Values of a formula and what they scatter by at two places. */
struct pair {
    double value, other;             /* the formula's */
    double variance, other_variance; /* of one measurement, and of a mean at the other place */
    double covariance;
};

static struct pair pair_of(const struct regression_model *model, const struct regression_fitted *fitted,
                           const double *x, const double *other)
{
    double a[REGRESSION_COEFFICIENTS], b[REGRESSION_COEFFICIENTS];
    struct regression_prediction first = regression_predict(model, fitted, x),
                                 second = regression_predict(model, fitted, other);
    int n = regression_row(a, &fitted->formula, x);
    regression_row(b, &fitted->formula, other);
    double covariance = fitted->deviation * fitted->deviation * regression_covariance(a, b, fitted->inverse, n);
    return (struct pair){first.value, second.value, first.scale * first.scale, second.mean_scale * second.mean_scale,
                         covariance};
}

static const struct regression_fitted *formula_of(const struct regression_model *model, int i)
{
    return i == 0 ? &model->best : &model->rivals[i - 1];
}

/* The standard deviation at x after a measurement at `other`, over that before. */
static double narrowing_of(const struct regression_model *model, const double *x, const double *other)
{
    double mean = 0, other_mean = 0, variance = 0, other_variance = 0, covariance = 0;
    for (int i = 0; i <= model->n_rivals; i++) {
        const struct regression_fitted *fitted = formula_of(model, i);
        mean += fitted->probability * regression_formula_value(&fitted->formula, x);
        other_mean += fitted->probability * regression_formula_value(&fitted->formula, other);
    }
    for (int i = 0; i <= model->n_rivals; i++) {
        const struct regression_fitted *fitted = formula_of(model, i);
        struct pair pair = pair_of(model, fitted, x, other);
        double off = pair.value - mean, other_off = pair.other - other_mean;
        variance += fitted->probability * (pair.variance + off * off);
        other_variance += fitted->probability * (pair.other_variance + other_off * other_off);
        covariance += fitted->probability * (pair.covariance + off * other_off);
    }
    double share = covariance / variance * (covariance / other_variance);
    return share > 0 ? sqrt(fmax(1 - share, 0)) : 1;
}

static double gain_of(const struct regression_proposal *proposal)
{
    return -log(fmax(proposal->narrowing, 1e-9));
}

/* The largest gain first; of equals, what costs least. */
static int by_gain(const void *a, const void *b)
{
    const struct regression_proposal *left = a, *right = b;
    if (left->narrowing != right->narrowing)
        return left->narrowing < right->narrowing ? -1 : 1;
    return (left->cost > right->cost) - (left->cost < right->cost);
}

void regression_propose(struct regression_proposal *proposals, int n, const struct regression_model *model,
                        const double *x)
{
    int best = 0;
    for (int i = 0; i < n; i++)
        proposals[i].narrowing = narrowing_of(model, x, proposals[i].x);
    sort_stable(proposals, (size_t)n, sizeof *proposals, by_gain);
    for (int i = 1; i < n && gain_of(&proposals[i]) >= NEARLY * gain_of(&proposals[0]); i++)
        if (proposals[i].cost < proposals[best].cost)
            best = i;
    if (n == 0)
        return;
    struct regression_proposal first = proposals[best];
    memmove(&proposals[1], &proposals[0], (size_t)best * sizeof *proposals);
    proposals[0] = first;
}
