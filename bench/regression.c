/* Bands of regression on planted laws: how often one more measurement, and one more mean, lie in theirs; how often what
 * is called supported is right; how far values are off; and the time of a fit. The table of
 * docs/explain/models/regression.md.
 *
 *     regression [CASES]      so many of each design; by default 2000
 *
 * Nine laws in ten have a term, drawn from all, that is 1 to 100 times the constant where it is largest; the others are
 * constants. Points lie at 2, 4, 8 ...; noise is Gaussian, a share of the value; the place that is asked lies at twice
 * or four times the last.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/regression.h"
#include "random.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_CASES = 100000, MOST_MEASUREMENTS = 12 * 25 };

struct design {
    int n_points, repetitions;
    double noise;
};

struct tally {
    int cases, in_band, mean_in_band, supported, supported_in_band;
    double *errors; /* of each case */
    double seconds;
};

static struct regression_formula plant(const struct design *design, uint64_t *state)
{
    struct regression_formula law = {.n_columns = uniform(state) < 0.9};
    double share = pow(100, uniform(state)), largest = 0;
    law.columns[0][0] = regression_terms[(int)(uniform(state) * REGRESSION_TERMS)];
    for (int i = 0; i < design->n_points; i++)
        largest = fmax(largest, regression_term_value(&law.columns[0][0], ldexp(2, i)));
    law.coefficients[0] = exp(10 * (uniform(state) - 0.5));
    law.coefficients[1] = law.coefficients[0] * share / largest;
    return law;
}

static double measure(const struct regression_formula *law, double x, double noise, uint64_t *state)
{
    const double place[REGRESSION_PARAMETERS] = {x, 1, 1, 1};
    return regression_formula_value(law, place) * (1 + noise * gauss(state));
}

/* The mean of as many as the trimmed mean of the design is worth. */
static double measure_mean(const struct regression_formula *law, double x, const struct regression_model *model,
                           double noise, uint64_t *state)
{
    return measure(law, x, noise / sqrt(model->repetitions), state);
}

static void try_case(struct tally *tally, const struct design *design, uint64_t *state)
{
    static struct regression_point points[MOST_MEASUREMENTS];
    static struct regression_model model;
    struct regression_formula law = plant(design, state);
    struct sim_error error;
    double last = ldexp(1, design->n_points), far[REGRESSION_PARAMETERS] = {uniform(state) < 0.5 ? 2 * last : 4 * last};
    int n = 0;
    for (int i = 0; i < design->n_points; i++)
        for (int r = 0; r < design->repetitions; r++)
            points[n++] = (struct regression_point){{ldexp(2, i)}, measure(&law, ldexp(2, i), design->noise, state)};
    clock_t before = clock();
    if (regression_fit(&model, points, n, 1, &error) != 0)
        return;
    tally->seconds += (double)(clock() - before) / CLOCKS_PER_SEC;
    struct regression_forecast forecast = regression_forecast(&model, far);
    double next = measure(&law, far[0], design->noise, state),
           mean = measure_mean(&law, far[0], &model, design->noise, state);
    bool good = next >= forecast.low && next <= forecast.high, supported = forecast.doubts == 0;
    tally->in_band += good;
    tally->mean_in_band += mean >= forecast.mean_low && mean <= forecast.mean_high;
    tally->supported += supported;
    tally->supported_in_band += supported && good;
    tally->errors[tally->cases++] = fabs(forecast.value / measure(&law, far[0], 0, state) - 1);
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static struct tally run_design(const struct design *design, int n_cases)
{
    static double errors[MOST_CASES];
    struct tally tally = {.errors = errors};
    uint64_t state = (uint64_t)(20130817 + design->n_points * 1000 + design->repetitions + 1e6 * design->noise);
    for (int i = 0; i < n_cases; i++)
        try_case(&tally, design, &state);
    qsort(errors, (size_t)tally.cases, sizeof errors[0], by_value);
    return tally;
}

int main(int argc, char **argv)
{
    static const int n_points[] = {5, 7, 9, 12}, repetitions[] = {1, 2, 5, 25};
    static const double noises[] = {0, 0.01, 0.05, 0.1, 0.2, 0.3};
    int n_cases = argc > 1 ? atoi(argv[1]) : 2000;
    if (n_cases < 1 || n_cases > MOST_CASES)
        return fprintf(stderr, "regression: the number of cases is 1 to %d\n", MOST_CASES), 2;
    printf("| points x repetitions | noise | one more in the band | mean in its band | supported | "
           "of these in the band | off, median | ms a fit |\n|---|---|---|---|---|---|---|---|\n");
    for (size_t p = 0; p < sizeof n_points / sizeof n_points[0]; p++)
        for (size_t r = 0; r < sizeof repetitions / sizeof repetitions[0]; r++)
            for (size_t k = 0; k < sizeof noises / sizeof noises[0]; k++) {
                struct design design = {n_points[p], repetitions[r], noises[k]};
                struct tally tally = run_design(&design, n_cases);
                double share = 100.0 / tally.cases;
                printf("| %d x %d | %.0f %% | %.1f %% | %.1f %% | %.0f %% | %.1f %% | %.1f %% | %.2f |\n",
                       design.n_points, design.repetitions, 100 * design.noise, share * tally.in_band,
                       share * tally.mean_in_band, share * tally.supported,
                       100.0 * tally.supported_in_band / fmax(tally.supported, 1), 100 * tally.errors[tally.cases / 2],
                       1000 * tally.seconds / tally.cases);
            }
    return 0;
}
