/* Regression: how a measure grows with one to four parameters, as a performance model in normal form,
 *
 *     f(x) = c0 + sum of c_k times a product of terms x^i log2^j(x)
 *
 * (model/terms.h). Many formulas are fitted, and weighed by how probable each is, given the points. The best formula of
 * the most probable structure is the model; those that may be right as well, its rivals, widen its band by their
 * probability. With several parameters, terms are found on the lines along which all other parameters are fixed.
 *
 * Where all values have one sign, deviations are relative, since what is measured scatters by a share of itself; else
 * they are absolute, and SMAPE becomes the deviation over the mean of |value|.
 * docs/explain/models/regression.md has the statistics, and how often they are right.
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
    double probability;           /* of the model and its rivals together 1 */
    double smape, left_out_smape; /* ratios: of all points; of each from the formula fitted without it */
    int degrees;                  /* of freedom of the deviation */
    double
        deviation; /* standard deviation of a point, the mean of its repetitions, over value or mean; INFINITY without
                         freedom */
    double inverse[(1 + REGRESSION_COLUMNS) * (1 + REGRESSION_COLUMNS)]; /* covariance over deviation^2 */
};

/* A change of behavior between two neighboring points, where there is one parameter. */
struct regression_change {
    double last, first;              /* x: the last point before, the first one after it; 0: there is no change */
    struct regression_fitted fitted; /* up to `last` */
};

struct regression_model {
    struct regression_fitted best;
    int n_parameters, n_points; /* different points that the formula is fitted to: repetitions at one are its trimmed
                                   mean; beyond a change, those after it */
    bool relative;              /* deviations are */
    double mean_magnitude;      /* of the values */
    double sign;                /* of all values; 0: they differ */
    double adjusted_r2;         /* of the values themselves; 0 for a constant */
    bool pooled;                /* residuals are as repetitions scatter: both tell the deviation */
    bool systematic;            /* residuals are what the formula lacks: repetitions do not explain them, or values are
                                   simulated */
    double repetitions;         /* of a point in the mean, as many as the trimmed mean of them is worth */
    double noise;               /* relative variance of a point by its repetitions; 0 without any */
    double miss;           /* the largest points lie off what the others forecast, in halves of its band; > 0: above */
    double constant_smape; /* of left-out points, by the constant */
    struct regression_change change;
    int n_rivals; /* the most probable come first */
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
    REGRESSION_NOISE = 64, /* at the point: the band would be wider than the value if the noise were as large as it may
                              be */
};
#define REGRESSION_UNSUPPORTED 127 /* any of them */

/* 95 % prediction bands: of one more measurement, and of the mean of as many as the points have. */
struct regression_forecast {
    double value;
    double low, high;           /* of one more measurement, over formula and rivals by their probability; wider where
                                   docs/explain/models/regression.md says */
    double mean_low, mean_high; /* of one more mean */
    double own_low, own_high;   /* of one more measurement by the formula alone, as if its terms were known */
    unsigned doubts;            /* enum regression_doubt, those of the model among them */
};

/* Fit. An error, naming no file, if a number is not finite, an x not positive, or there are too few points. A model
 * that has no columns says that no growth can be told from scatter. */
int regression_fit(struct regression_model *model, const struct regression_point *points, int n_points,
                   int n_parameters, struct sim_error *error);

/* The same of simulated values, which scatter by nothing: without repetitions, residuals are systematic. */
int regression_fit_simulated(struct regression_model *model, const struct regression_point *points, int n_points,
                             int n_parameters, struct sim_error *error);

unsigned regression_doubts(const struct regression_model *model);
struct regression_forecast regression_forecast(const struct regression_model *model, const double *x);

/* A place at which the law counts, as often as its weight says; that may be below 0, as in a difference. */
struct regression_place {
    double x[REGRESSION_PARAMETERS];
    double weight;
};

/* The sum of weight times f(x) over n places, with the 95 % band that the law has: not of one more measurement, since
 * what single ones scatter by averages out in a sum. Coefficients are off together at all places, and the formula may
 * be another one. Unless repetitions show that residuals are scatter, the law may lack them, at all places of
 * positive weight alike, and apart from that at those of negative weight. */
struct regression_sum {
    double value, low, high;
};
struct regression_sum regression_sum(const struct regression_model *model, const struct regression_place *places,
                                     size_t n);

/* The formula's value, up to a change that of the formula before it. */
double regression_value(const struct regression_model *model, const double *x);

/* A measurement that could be made next. */
struct regression_proposal {
    double x[REGRESSION_PARAMETERS];
    double cost; /* > 0, in any unit, such as seconds times ranks */
    double
        narrowing; /* after it, how wide the band will be at the place that is asked, in the mean, over how wide it is
                         now: a ratio between 0 and 1 */
};

/* Places where a measurement could be made: the measured ones, if `again`, and those that lie one step away in one
 * parameter, as its values go on below, between and beyond them; none that is in all parameters at or beyond the limit.
 * Their number; *list is to be freed, their cost is 1. */
int regression_find_places(struct regression_proposal **list, const struct regression_point *points, int n_points,
                           int n_parameters, const double *limit, bool again);

/* Say what each of n proposals, whose x and cost are given, would tell of a place, as the mean of
 * `model->repetitions` measurements each. Those that narrow the band most come first; before them all the cheapest of
 * those that are nearly as good. */
void regression_propose(struct regression_proposal *proposals, int n, const struct regression_model *model,
                        const double *x);

#endif
