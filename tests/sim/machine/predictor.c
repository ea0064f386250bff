/* Predictors: each against its definition, computed anew from the whole series; and series that one of them must
 * win.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/profile/predictor.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 700
#define NEAR 1e-9

/* ---- Series ---- */

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double constant(int i, uint64_t *state)
{
    (void)i;
    (void)state;
    return 0.75;
}

static double trend(int i, uint64_t *state)
{
    (void)state;
    return 0.001 * i;
}

static double steps(int i, uint64_t *state)
{
    (void)state;
    return i / 100 % 2 == 0 ? 0.9 : 0.2;
}

static double noise(int i, uint64_t *state)
{
    (void)i;
    return 0.5 + 0.2 * (uniform(state) - 0.5);
}

/* Level from which single measurements fall far off, and always to the same side. */
static double spikes(int i, uint64_t *state)
{
    (void)i;
    return uniform(state) < 0.2 ? 0.1 : 0.9 + 0.01 * uniform(state);
}

static double period_5(int i, uint64_t *state)
{
    (void)state;
    static const double values[] = {0.1, 0.9, 0.3, 0.7, 0.5};
    return values[i % 5];
}

static double walk(int i, uint64_t *state)
{
    static double at;
    at = i == 0 ? 0.5 : at + 0.02 * (uniform(state) - 0.5);
    return at;
}

static double ties(int i, uint64_t *state)
{
    (void)i;
    return floor(4 * uniform(state)) / 4;
}

typedef double series_value(int i, uint64_t *state);

static const struct {
    const char *name, *winner;
    const char *other; /* as good a winner; NULL if there is none */
    series_value *value;
} series[] = {
    {"constant", "last value", NULL, constant},
    {"trend", "last value", NULL, trend},
    {"steps", "last value", NULL, steps},
    {"walk", "last value", "smoothing by 90 %", walk},
    {"noise", "running mean", NULL, noise},
    {"spikes", "median of the last 31", "median of the last 11", spikes},
    {"period 5", "mean of the last 5", NULL, period_5},
    {"ties", NULL, NULL, ties},
};

enum { N_SERIES = sizeof series / sizeof series[0] };

static void fill(double values[LENGTH], int which)
{
    uint64_t state = 42;
    for (int i = 0; i < LENGTH; i++)
        values[i] = series[which].value(i, &state);
}

/* ---- The definitions, from the first n values ---- */

static double mean(const double *values, int n, int window)
{
    int used = n < window ? n : window;
    double sum = 0;
    for (int i = n - used; i < n; i++)
        sum += values[i];
    return sum / used;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double trimmed(const double *values, int n, int window, double share)
{
    double sorted[LENGTH];
    int used = n < window ? n : window;
    memcpy(sorted, values + n - used, (size_t)used * sizeof *sorted);
    qsort(sorted, (size_t)used, sizeof *sorted, ascending);
    if (share == 0.5)
        return used % 2 == 1 ? sorted[used / 2] : (sorted[used / 2 - 1] + sorted[used / 2]) / 2;
    int cut = (int)(share * used);
    return mean(sorted + cut, used - 2 * cut, LENGTH);
}

static double smoothed(const double *values, int n, double gain)
{
    double at = values[0];
    for (int i = 1; i < n; i++)
        at = (1 - gain) * at + gain * values[i];
    return at;
}

static double adaptive(const double *values, int n, int smallest, int largest)
{
    int width = smallest;
    for (int i = 1; i < n; i++) {
        int old = width;
        double best = fabs(mean(values, i, old) - values[i]);
        for (int w = old - 1; w <= old + 1; w++)
            if (w >= smallest && w <= largest && fabs(mean(values, i, w) - values[i]) < best) {
                best = fabs(mean(values, i, w) - values[i]);
                width = w;
            }
    }
    return mean(values, n, width);
}

/* The forecast as the predictor's name says. */
static double by_name(const char *name, const double *values, int n)
{
    int a = 0, b = 0;
    if (strcmp(name, "last value") == 0)
        return values[n - 1];
    if (strcmp(name, "running mean") == 0)
        return mean(values, n, n);
    if (sscanf(name, "mean of the last %d", &a) == 1)
        return mean(values, n, a);
    if (sscanf(name, "median of the last %d", &a) == 1)
        return trimmed(values, n, a, 0.5);
    if (sscanf(name, "trimmed mean of the last %d", &a) == 1)
        return trimmed(values, n, a, 0.3);
    if (sscanf(name, "smoothing by %d", &a) == 1)
        return smoothed(values, n, a / 100.0);
    if (sscanf(name, "adaptive mean of the last %d to %d", &a, &b) == 2)
        return adaptive(values, n, a, b);
    CU_FAIL("a predictor without definition");
    return NAN;
}

/* ---- Tests ---- */

static void check_series(int which, const double *values)
{
    struct predictors predictors;
    double absolute[PREDICTOR_COUNT] = {0}, square[PREDICTOR_COUNT] = {0}, worst = 0;
    predictors_init(&predictors);
    for (int n = 1; n <= LENGTH; n++) {
        predictors_add(&predictors, values[n - 1]);
        for (int p = 0; p < PREDICTOR_COUNT && (n < 120 || n % 50 == 0 || n > LENGTH - 2); p++) {
            struct prediction found = predictors_ask(&predictors, p);
            worst = fmax(worst, fabs(found.value - by_name(found.predictor, values, n)));
            CU_ASSERT(found.measurements == n);
        }
    }
    for (int p = 0; p < PREDICTOR_COUNT; p++) {
        struct prediction found = predictors_ask(&predictors, p);
        for (int n = 1; n < LENGTH; n++) {
            double error = by_name(found.predictor, values, n) - values[n];
            absolute[p] += fabs(error) / (LENGTH - 1);
            square[p] += error * error / (LENGTH - 1);
        }
        worst = fmax(worst, fabs(found.mean_absolute_error - absolute[p]));
        worst = fmax(worst, fabs(found.mean_square_error - square[p]));
    }
    if (!(worst < NEAR))
        fprintf(stderr, "\n  %s: off by %g\n", series[which].name, worst);
    CU_ASSERT(worst < NEAR);
    struct prediction best = predictors_best(&predictors);
    for (int p = 0; p < PREDICTOR_COUNT; p++)
        CU_ASSERT(best.mean_absolute_error <= absolute[p] + NEAR);
}

static void test_definitions(void)
{
    double values[LENGTH];
    for (int which = 0; which < N_SERIES; which++) {
        fill(values, which);
        check_series(which, values);
    }
}

static void test_winners(void)
{
    double values[LENGTH];
    for (int which = 0; which < N_SERIES; which++) {
        struct predictors predictors;
        predictors_init(&predictors);
        fill(values, which);
        for (int i = 0; i < LENGTH; i++)
            predictors_add(&predictors, values[i]);
        const char *best = predictors_best(&predictors).predictor;
        bool right = series[which].winner == NULL || strcmp(best, series[which].winner) == 0 ||
                     (series[which].other != NULL && strcmp(best, series[which].other) == 0);
        if (!right)
            fprintf(stderr, "\n  %s: %s\n", series[which].name, best);
        CU_ASSERT(right);
    }
}

static void test_first_measurement(void)
{
    struct predictors predictors;
    predictors_init(&predictors);
    predictors_add(&predictors, 0.3);
    for (int p = 0; p < PREDICTOR_COUNT; p++) {
        struct prediction found = predictors_ask(&predictors, p);
        CU_ASSERT(fabs(found.value - 0.3) < NEAR && found.mean_absolute_error == 0 && found.measurements == 1);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"each is what its name says", test_definitions},
        {"the right one wins", test_winners},
        {"one measurement", test_first_measurement},
        {NULL, NULL},
    };
    return testing_run("predictor", tests);
}
