/* Regression: how a measure grows with one or two parameters, as a performance model in normal form,
 *
 *     f(x) = c0 + c1 x^i log2^j(x)
 *
 * (model/terms.h). Each term is fitted by least squares; the one that leaves least is taken, if it beats the
 * constant there and at forecasting left-out points (leave one out, mean SMAPE). With two parameters the best term of
 * each, a and b, is found on the lines along which the other one is fixed; then ab, a + b, a + ab, b + ab are compared.
 *
 * Where all values have one sign, the squares are those of the relative deviation, since what is measured scatters by a
 * share of itself; else those of the deviation, and SMAPE becomes the deviation over the mean of |value|.
 * docs/explain/models/regression.md has the tests, their levels, and how often they are right.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_REGRESSION_H
#define MODEL_REGRESSION_H

#include "base/error.h"
#include "model/terms.h"

#include <stdbool.h>

#define REGRESSION_MIN_POINTS 3     /* different ones; an error below */
#define REGRESSION_GROWTH_POINTS 4  /* fewer tell no growth: a coefficient, a constant and an exponent are fitted */
#define REGRESSION_FEW_POINTS 5     /* fewer deserve a warning */
#define REGRESSION_MAX_RIVALS 96    /* that are kept */
#define REGRESSION_MAX_SCATTER 0.25 /* a larger SMAPE of left-out points, as a ratio, is no model */

struct regression_point {
    double x[REGRESSION_PARAMETERS]; /* > 0; what there is no parameter for is ignored */
    double value;
};

struct regression_fitted {
    struct regression_formula formula;
    double smape, left_out_smape; /* ratios: of all points; of each from the formula fitted without it */
    int degrees;                  /* of freedom: points less coefficients */
    double deviation; /* standard deviation of the residuals, over value or mean; INFINITY without freedom */
    double inverse[(1 + REGRESSION_COLUMNS) * (1 + REGRESSION_COLUMNS)]; /* covariance over deviation^2 */
};

struct regression_model {
    struct regression_fitted best;
    int n_parameters, n_points; /* different points: repetitions at one are its trimmed mean */
    bool relative;              /* least squares of the relative deviation */
    double mean_magnitude;      /* of the values */
    double sign;                /* of all values; 0: they differ */
    double adjusted_r2;         /* of the values themselves; 0 for a constant */
    bool systematic;            /* residuals are larger than repetitions explain, or there are none */
    double miss;           /* the largest points lie off what the others forecast, in halves of its band; > 0: above */
    double constant_smape; /* of left-out points, by the constant */
    /* Formulas that explain the points about as well: their sums of squares are not larger than the least one by more
     * than 1 + F(0.95; 1, d) / d, the exponent counted among what is fitted. The best at left-out points come first. */
    int n_rivals;
    struct regression_fitted rivals[REGRESSION_MAX_RIVALS];
};

/* Why a model, or what it says at a point, is not to be relied on. */
enum regression_doubt {
    REGRESSION_FEW = 1,     /* fewer points than REGRESSION_FEW_POINTS, or no more where residuals may be systematic */
    REGRESSION_SCATTER = 2, /* left-out points are missed by more than REGRESSION_MAX_SCATTER */
    REGRESSION_WIDE = 4,    /* at the point: the band is wider than the value */
    REGRESSION_SIGN = 8,    /* at the point: another sign than all measured values */
    REGRESSION_ABOVE = 16,  /* the largest points lie above the band that the others forecast */
    REGRESSION_BELOW = 32,
};
#define REGRESSION_UNSUPPORTED 63 /* any of them */

struct regression_forecast {
    double value;
    /* 95 % prediction band of formula and rivals, where one further measurement would lie; wider by
     * docs/explain/models/regression.md. */
    double low, high;
    double own_low, own_high; /* of the formula alone, as if its terms were known */
    unsigned doubts;          /* enum regression_doubt, those of the model among them */
};

/* Fit. An error, naming no file, if a number is not finite, an x not positive, or there are too few points. A model
 * that has no columns says that no growth can be told from scatter. */
int regression_fit(struct regression_model *model, const struct regression_point *points, int n_points,
                   int n_parameters, struct sim_error *error);

unsigned regression_doubts(const struct regression_model *model);
struct regression_forecast regression_forecast(const struct regression_model *model, const double *x);

#endif
