/* The forecast of a model at a point, and how far it is to be relied on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/distributions.h"
#include "model/problem.h"

#include <math.h>

#define BAND 0.95
/* Times as wide where residuals may be what the formula lacks; by simulations, docs/explain/models/regression.md. */
#define SYSTEMATIC 2

unsigned regression_doubts(const struct regression_model *model)
{
    bool scatters = !(model->best.left_out_smape <= REGRESSION_MAX_SCATTER);
    bool may_lack = model->systematic && model->best.deviation > REGRESSION_EXACT;
    return (model->n_points < REGRESSION_FEW_POINTS + may_lack ? REGRESSION_FEW : 0u) |
           (scatters ? REGRESSION_SCATTER : 0u) | (model->miss > 1 ? REGRESSION_ABOVE : 0u) |
           (model->miss < -1 ? REGRESSION_BELOW : 0u);
}

/* Half of the prediction band: t(BAND, degrees) deviation sqrt(s^2 + a^T (A^T A)^-1 a), s the scale of the scatter. */
static double half_band(const struct regression_model *model, const struct regression_fitted *fitted, const double *x,
                        double value)
{
    int n = 1 + fitted->formula.n_columns;
    double row[REGRESSION_COEFFICIENTS] = {1}, scale = model->relative ? fabs(value) : model->mean_magnitude;
    if (fitted->degrees < 1)
        return INFINITY;
    for (int c = 1; c < n; c++)
        row[c] = regression_column_value(fitted->formula.columns[c - 1], x);
    return student_t_upper((1 - BAND) / 2, fitted->degrees) * fitted->deviation *
           sqrt(scale * scale + regression_leverage(row, fitted->inverse, n));
}

struct regression_forecast regression_forecast(const struct regression_model *model, const double *x)
{
    double value = regression_formula_value(&model->best.formula, x), half = half_band(model, &model->best, x, value);
    struct regression_forecast forecast = {value,        value - half, value + half,
                                           value - half, value + half, regression_doubts(model)};
    for (int r = 0; r < model->n_rivals; r++) {
        double other = regression_formula_value(&model->rivals[r].formula, x);
        half = half_band(model, &model->rivals[r], x, other);
        forecast.low = fmin(forecast.low, other - half);
        forecast.high = fmax(forecast.high, other + half);
    }
    double factor = (model->systematic ? SYSTEMATIC : 1) * fmax(1, fabs(model->miss));
    forecast.low = value - factor * (value - forecast.low);
    forecast.high = value + factor * (forecast.high - value);
    double width = forecast.high - forecast.low;
    if (!(width <= fmax(fabs(value), REGRESSION_NO_WIDTH * model->mean_magnitude)))
        forecast.doubts |= REGRESSION_WIDE;
    if (model->sign * value < 0)
        forecast.doubts |= REGRESSION_SIGN;
    return forecast;
}
