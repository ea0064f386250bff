/* Figures of performance models by hand: degrees of freedom, bounds, bands, and which points count as the largest.
 * Quantiles of Student's t are those of printed tables.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/problem.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdlib.h>

#define T_975_4 2.7764451052 /* t(0.975; 4) */

enum { MOST_POINTS = 16 };

static struct regression_model *fit(const double *values, int n_points)
{
    struct regression_point points[MOST_POINTS];
    struct regression_model *model = malloc(sizeof *model);
    struct sim_error error;
    for (int i = 0; i < n_points; i++)
        points[i] = (struct regression_point){{i + 1}, values[i]};
    CU_ASSERT_EQUAL_FATAL(regression_fit(model, points, n_points, 1, &error), 0);
    return model;
}

/* A formula needs a point more than it has coefficients. */
static void test_fewest_points(void)
{
    static const double line[] = {3, 5, 7, 9}, valley[] = {10, 8, 6 + 8.0 / 3, 10, 11.6};
    static const struct {
        const double *values;
        int n_points, n_columns;
    } rows[] = {{line, 3, 1}, {line, 4, 1}, {valley, 3, 0}, {valley, 5, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct regression_model *model = fit(rows[i].values, rows[i].n_points);
        CU_ASSERT_EQUAL(model->best.formula.n_columns, rows[i].n_columns);
        CU_ASSERT_EQUAL(model->best.degrees, rows[i].n_points - 1 - rows[i].n_columns);
        free(model);
    }
}

/* 1 - (residuals / (n - 2)) / (deviations from the mean / (n - 1)). */
static void test_adjusted(void)
{
    enum { N = 8 };
    static const double values[N] = {3.1, 4.9, 7.2, 8.8, 11.1, 12.9, 15.2, 16.8};
    struct regression_model *model = fit(values, N);
    double mean = 0, total = 0, left = 0;
    for (int i = 0; i < N; i++)
        mean += values[i] / N;
    for (int i = 0; i < N; i++) {
        double x[REGRESSION_PARAMETERS] = {i + 1, 1};
        double residual = values[i] - regression_formula_value(&model->best.formula, x);
        left += residual * residual;
        total += (values[i] - mean) * (values[i] - mean);
    }
    CU_ASSERT_EQUAL(model->best.formula.n_columns, 1);
    CU_ASSERT_DOUBLE_EQUAL(model->adjusted_r2, 1 - left / (N - 2) / (total / (N - 1)), 1e-12);
    free(model);
}

/* --- the largest points --- */

/* The largest quarter of eleven values is three, of which the first is far off the line of the others. */
static void test_largest(void)
{
    static const double values[] = {10.1, 19.8, 30.3, 39.7, 50.2, 60.3, 69.7, 80.1, 120, 99, 110};
    struct regression_model *model = fit(values, 11);
    CU_ASSERT(model->miss > 5);
    free(model);
}

/* --- bands --- */

static const struct regression_fitted line = {
    .formula = {.n_columns = 1, .columns = {{{1, 1, 0}, {0, 1, 0}}}, .coefficients = {10, 3}},
    .probability = 1,
    .left_out_smape = 0.01,
    .degrees = 4,
    .deviation = 0.5,
    .inverse = {0.5, 0, 0, 0.25}};

static double half_of(double deviation, double scale)
{
    return T_975_4 * deviation * sqrt(scale * scale + 0.5 + 4 * 0.25); /* at x = 2 */
}

static void expect_band(const struct regression_model *model, double low, double high)
{
    static const double x[REGRESSION_PARAMETERS] = {2, 1};
    struct regression_forecast forecast = regression_forecast(model, x);
    double scale = model->relative ? 16 : model->mean_magnitude;
    CU_ASSERT_DOUBLE_EQUAL(forecast.value, 16, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(forecast.own_high, 16 + half_of(0.5, scale), 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(forecast.low, low, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(forecast.high, high, 1e-4);
}

/* The probability of t below, of 4 degrees of freedom, in closed form. */
static double below_4(double t)
{
    double square = 4 + t * t;
    return 0.5 + t / sqrt(square) * (0.5 + 1 / square);
}

/* The band of one measurement has 2.5 % of the probability beyond either end: of formula and rivals by theirs. */
static void test_mixture(void)
{
    static const double x[REGRESSION_PARAMETERS] = {2}, values[] = {16, 18, 15}, deviations[] = {0.5, 1, 0.1},
                        probabilities[] = {0.6, 0.3, 0.1};
    struct regression_model model = {
        .best = line, .n_parameters = 1, .n_points = 6, .mean_magnitude = 2, .pooled = true, .repetitions = 3};
    model.n_rivals = 2;
    model.rivals[0] = model.rivals[1] = line;
    model.best.probability = probabilities[0];
    for (int r = 0; r < 2; r++) {
        model.rivals[r].formula.coefficients[1] = (values[1 + r] - 10) / 2;
        model.rivals[r].deviation = deviations[1 + r];
        model.rivals[r].probability = probabilities[1 + r];
    }
    struct regression_forecast forecast = regression_forecast(&model, x);
    double low = 0, high = 0, mean_low = 0;
    for (int i = 0; i < 3; i++) {
        double one = deviations[i] * sqrt(2 * 2 * 3 + 0.5 + 4 * 0.25),
               mean = deviations[i] * sqrt(2 * 2 + 0.5 + 4 * 0.25);
        low += probabilities[i] * below_4((forecast.low - values[i]) / one);
        high += probabilities[i] * below_4((forecast.high - values[i]) / one);
        mean_low += probabilities[i] * below_4((forecast.mean_low - values[i]) / mean);
    }
    CU_ASSERT_DOUBLE_EQUAL(low, 0.025, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(high, 0.975, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(mean_low, 0.025, 1e-5);
}

/* Wider where residuals are systematic or the largest points are off; relative where values have one sign. */
static void test_bands(void)
{
    struct regression_model model = {
        .best = line, .n_parameters = 1, .n_points = 6, .mean_magnitude = 2, .repetitions = 1};
    expect_band(&model, 16 - half_of(0.5, 2), 16 + half_of(0.5, 2));
    model.relative = true;
    expect_band(&model, 16 - half_of(0.5, 16), 16 + half_of(0.5, 16));
    model.systematic = true;
    expect_band(&model, 16 - 2 * half_of(0.5, 16), 16 + 2 * half_of(0.5, 16));
    model.miss = -3;
    expect_band(&model, 16 - 6 * half_of(0.5, 16), 16 + 6 * half_of(0.5, 16));
}

static void test_doubts(void)
{
    struct regression_model model = {.best = line, .n_points = 5, .mean_magnitude = 2, .pooled = true};
    CU_ASSERT_EQUAL(regression_doubts(&model), 0);
    model.pooled = false;
    CU_ASSERT_EQUAL(regression_doubts(&model), REGRESSION_FEW);
    model.n_points = 6;
    CU_ASSERT_EQUAL(regression_doubts(&model), 0);
    model.miss = 1.5;
    CU_ASSERT_EQUAL(regression_doubts(&model), REGRESSION_ABOVE);
    model.miss = -1.5;
    CU_ASSERT_EQUAL(regression_doubts(&model), REGRESSION_BELOW);
}

int main(void)
{
    static const struct test tests[] = {
        {"the fewest points", test_fewest_points},
        {"adjusted R2", test_adjusted},
        {"the largest points", test_largest},
        {"bands", test_bands},
        {"the band of several formulas", test_mixture},
        {"doubts", test_doubts},
        {NULL, NULL},
    };
    return testing_run("regression_figures", tests);
}
