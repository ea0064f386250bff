/* The forecast of a model at a point, and how far it is to be relied on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/distributions.h"
#include "model/problem.h"

#include <math.h>

#define LEAST_SCALE 1e-300 /* a scale of 0 would divide by it */
#define TAIL 0.025         /* beyond either end of a band */
#define NOISE_RISK 0.05    /* that the noise is larger than it may be */
/* Times as wide where residuals may be what the formula lacks; by simulations, docs/explain/models/regression.md. */
#define SYSTEMATIC 2

/* True where the formula up to a change holds. */
static bool is_before_change(const struct regression_model *model, const double *x)
{
    return x[0] <= model->change.last;
}

/* How many times larger than measured the deviation may be (chi-squared, as Fisher's F with a known numerator); what a
 * formula lacks is no chance. */
static double largest_noise(const struct regression_model *model)
{
    static const double known = 1e6; /* degrees of freedom */
    if (model->systematic || model->best.degrees < 1)
        return 1;
    return sqrt(fisher_f_upper(NOISE_RISK, known, model->best.degrees));
}

unsigned regression_doubts(const struct regression_model *model)
{
    bool scatters = !(model->best.left_out_smape <= REGRESSION_MAX_SCATTER);
    bool may_lack = !model->pooled && model->best.deviation > REGRESSION_EXACT;
    return (model->n_points < REGRESSION_FEW_POINTS + may_lack ? REGRESSION_FEW : 0u) |
           (scatters ? REGRESSION_SCATTER : 0u) | (model->miss > 1 ? REGRESSION_ABOVE : 0u) |
           (model->miss < -1 ? REGRESSION_BELOW : 0u);
}

/* A point has the variance deviation^2 of its mean. A single measurement has, in addition, the part of the variance of
 * repetitions that the mean has lost; where residuals are noise, they tell that, too. */
struct regression_prediction regression_predict(const struct regression_model *model,
                                                const struct regression_fitted *fitted, const double *x)
{
    double row[REGRESSION_COEFFICIENTS], value = regression_formula_value(&fitted->formula, x);
    double scale = model->relative ? value : model->mean_magnitude, variance = fitted->deviation * fitted->deviation;
    double noise = model->pooled ? variance : model->noise;
    int n = regression_row(row, &fitted->formula, x);
    double known = variance * regression_leverage(row, fitted->inverse, n);
    if (fitted->degrees < 1)
        return (struct regression_prediction){value, INFINITY, INFINITY, 1};
    return (struct regression_prediction){value,
                                          sqrt(known + scale * scale * (variance + (model->repetitions - 1) * noise)),
                                          sqrt(known + scale * scale * variance), fitted->degrees};
}

/* ---- The band of several formulas ---- */

struct mixture {
    int n;
    bool of_mean;
    double probabilities[1 + REGRESSION_MAX_RIVALS];
    struct regression_prediction predictions[1 + REGRESSION_MAX_RIVALS];
    double reaches[1 + REGRESSION_MAX_RIVALS]; /* the t that is exceeded with probability TAIL */
};

static double scale_of(const struct mixture *mixture, int i)
{
    double scale = mixture->of_mean ? mixture->predictions[i].mean_scale : mixture->predictions[i].scale;
    return fmax(scale, 1e-12 * fabs(mixture->predictions[i].value));
}

/* The probability that the next measurement is below y. */
static double below(const struct mixture *mixture, double y)
{
    double sum = 0;
    for (int i = 0; i < mixture->n; i++) {
        double t = (y - mixture->predictions[i].value) / scale_of(mixture, i);
        sum += mixture->probabilities[i] * student_t_below(t, mixture->predictions[i].degrees);
    }
    return sum;
}

/* The end of the band in a direction, -1 or 1: between the least and the largest of the formulas. */
static double find_end(const struct mixture *mixture, int direction)
{
    double low = INFINITY, high = -INFINITY, p = direction < 0 ? TAIL : 1 - TAIL;
    for (int i = 0; i < mixture->n; i++) {
        double y = mixture->predictions[i].value + direction * mixture->reaches[i] * scale_of(mixture, i);
        low = fmin(low, y);
        high = fmax(high, y);
    }
    for (int round = 0; round < 60 && high - low > 1e-6 * (fabs(low) + fabs(high)); round++) {
        double middle = low + (high - low) / 2;
        if (below(mixture, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

static void add_to_mixture(struct mixture *mixture, double probability, const struct regression_prediction *prediction)
{
    int i = mixture->n++;
    mixture->probabilities[i] = probability;
    mixture->predictions[i] = *prediction;
    bool same = i > 0 && prediction->degrees == mixture->predictions[i - 1].degrees;
    mixture->reaches[i] = same ? mixture->reaches[i - 1] : student_t_upper(TAIL, prediction->degrees);
}

static void add_prediction(struct mixture *mixture, const struct regression_model *model,
                           const struct regression_fitted *fitted, const double *x)
{
    const struct regression_prediction prediction = regression_predict(model, fitted, x);
    add_to_mixture(mixture, fitted->probability, &prediction);
}

/* All formulas at a place; up to a change, that before it alone. */
static struct mixture mix(const struct regression_model *model, const double *x)
{
    struct mixture mixture = {.n = 0};
    bool is_before = is_before_change(model, x);
    add_prediction(&mixture, model, is_before ? &model->change.fitted : &model->best, x);
    for (int r = 0; r < model->n_rivals && !is_before; r++)
        add_prediction(&mixture, model, &model->rivals[r], x);
    return mixture;
}

/* How far the band reaches from the formula's value in a direction; wider where residuals may be systematic or the
 * largest points are off. */
static double reach_of(const struct regression_model *model, const struct mixture *mixture, int direction)
{
    double factor = (model->systematic ? SYSTEMATIC : 1) * fmax(1, fabs(model->miss));
    return factor * fmax(direction * (find_end(mixture, direction) - mixture->predictions[0].value), 0);
}

double regression_mean_reach(const struct regression_model *model, const double *x, int direction)
{
    struct mixture mixture = mix(model, x);
    mixture.of_mean = true;
    return reach_of(model, &mixture, direction);
}

struct regression_forecast regression_forecast(const struct regression_model *model, const double *x)
{
    struct mixture mixture = mix(model, x);
    const struct regression_prediction *own = &mixture.predictions[0];
    double value = own->value, half = mixture.reaches[0] * own->scale;
    struct regression_forecast forecast = {
        .value = value, .own_low = value - half, .own_high = value + half, .doubts = regression_doubts(model)};
    forecast.low = value - reach_of(model, &mixture, -1);
    forecast.high = value + reach_of(model, &mixture, 1);
    mixture.of_mean = true;
    forecast.mean_low = value - reach_of(model, &mixture, -1);
    forecast.mean_high = value + reach_of(model, &mixture, 1);
    double width = forecast.mean_high - forecast.mean_low;
    double most = fmax(fabs(value), REGRESSION_NO_WIDTH * model->mean_magnitude);
    if (!(width <= most))
        forecast.doubts |= REGRESSION_WIDE;
    else if (width * largest_noise(model) > most)
        forecast.doubts |= REGRESSION_NOISE;
    if (model->sign * value < 0)
        forecast.doubts |= REGRESSION_SIGN;
    return forecast;
}

double regression_value(const struct regression_model *model, const double *x)
{
    return regression_formula_value(is_before_change(model, x) ? &model->change.fitted.formula : &model->best.formula,
                                    x);
}

/* ---- The band of a sum ---- */

/* The sum by one of the formulas; of the places before a change, or of the others. */
static struct regression_prediction sum_by(const struct regression_model *model, const struct regression_fitted *fitted,
                                           const struct regression_place *places, size_t n, bool before)
{
    double row[REGRESSION_COEFFICIENTS], sums[REGRESSION_COEFFICIENTS] = {0}, value = 0, lacks[2] = {0};
    int n_coefficients = 1 + fitted->formula.n_columns;
    for (size_t i = 0; i < n; i++) {
        const struct regression_place *place = &places[i];
        if (is_before_change(model, place->x) != before)
            continue;
        double own = regression_formula_value(&fitted->formula, place->x);
        regression_row(row, &fitted->formula, place->x);
        for (int c = 0; c < n_coefficients; c++)
            sums[c] += place->weight * row[c];
        value += place->weight * own;
        lacks[place->weight < 0] += place->weight * (model->relative ? own : model->mean_magnitude);
    }
    if (fitted->degrees < 1)
        return (struct regression_prediction){value, INFINITY, INFINITY, 1};
    double squares = lacks[0] * lacks[0] + lacks[1] * lacks[1];
    double known = regression_leverage(sums, fitted->inverse, n_coefficients) + (model->pooled ? 0 : squares);
    double scale = fmax(fitted->deviation * sqrt(fmax(known, 0)), 1e-12 * sqrt(squares) + LEAST_SCALE);
    return (struct regression_prediction){value, scale, scale, fitted->degrees};
}

/* Add the band of the places on one side of a change; what is on the other is off apart from it. */
static void add_part(struct regression_sum *sum, double squares[2], const struct regression_model *model,
                     const struct regression_place *places, size_t n, bool before)
{
    struct mixture mixture = {.n = 0};
    const struct regression_fitted *first = before ? &model->change.fitted : &model->best;
    for (int r = -1; r < (before ? 0 : model->n_rivals); r++) {
        const struct regression_fitted *fitted = r < 0 ? first : &model->rivals[r];
        const struct regression_prediction prediction = sum_by(model, fitted, places, n, before);
        add_to_mixture(&mixture, before ? 1 : fitted->probability, &prediction);
    }
    double below_it = reach_of(model, &mixture, -1), above = reach_of(model, &mixture, 1);
    sum->value += mixture.predictions[0].value;
    squares[0] += below_it * below_it;
    squares[1] += above * above;
}

struct regression_sum regression_sum(const struct regression_model *model, const struct regression_place *places,
                                     size_t n)
{
    struct regression_sum sum = {0};
    double squares[2] = {0};
    if (model->change.last > 0)
        add_part(&sum, squares, model, places, n, true);
    add_part(&sum, squares, model, places, n, false);
    sum.low = sum.value - sqrt(squares[0]);
    sum.high = sum.value + sqrt(squares[1]);
    return sum;
}
