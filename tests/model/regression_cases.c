/* Regression on measurements by others and on laws that are hard to find: from one rank, a change of behavior, weights,
 * few points, three and four parameters; and which measurement to make next, against making it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/regression.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH(array) (int)(sizeof(array) / sizeof(array)[0])

enum { MOST = 1000 };

static struct regression_point points[MOST];
static struct regression_model model;

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double gauss(uint64_t *state)
{
    double radius = sqrt(-2 * log(1 - uniform(state)));
    return radius * cos(6.28318530717958647692 * uniform(state));
}

static void fit(int n_points, int n_parameters)
{
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, n_points, n_parameters, &error), 0);
}

static struct regression_forecast forecast(double x0, double x1, double x2, double x3)
{
    const double x[REGRESSION_PARAMETERS] = {x0, x1, x2, x3};
    return regression_forecast(&model, x);
}

static bool is_term(const struct regression_term *term, int numerator, int denominator, int logs)
{
    const struct regression_term expected = {(int8_t)numerator, (int8_t)denominator, (int8_t)logs};
    return regression_term_compare(term, &expected) == 0;
}

/* --- one parameter --- */

/* A law whose first point is thousands of times below the second. */
static void test_from_one(void)
{
    for (int i = 0; i < 7; i++)
        points[i] = (struct regression_point){{ldexp(1, i)}, 1 + 720.0 * i};
    fit(7, 1);
    struct regression_forecast far = forecast(128, 1, 1, 1);
    CU_ASSERT(model.best.formula.n_columns == 1 && is_term(model.best.formula.columns[0], 0, 1, 1));
    CU_ASSERT_DOUBLE_EQUAL(far.value, 1 + 720.0 * 7, 1e-3);
    CU_ASSERT_EQUAL(far.doubts, 0);
}

/* extra-p/extrap, tests/data/text/one_parameter_segmented_2.txt: log2(p) up to 20, p^2 from 24 on. */
static void test_change(void)
{
    for (int i = 0; i < 9; i++) {
        double p = 4 * (i + 1);
        points[i] = (struct regression_point){{p}, p <= 20 ? log2(p) : p * p};
    }
    fit(9, 1);
    CU_ASSERT_EQUAL(model.change.last, 20);
    CU_ASSERT_EQUAL(model.change.first, 24);
    CU_ASSERT_DOUBLE_EQUAL(forecast(40, 1, 1, 1).value, 1600, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(forecast(16, 1, 1, 1).value, 4, 1e-6);
    CU_ASSERT_EQUAL(forecast(40, 1, 1, 1).doubts & REGRESSION_FEW, REGRESSION_FEW * (model.n_points < 5));
    for (int i = 0; i < 9; i++) /* one law: no change */
        points[i].value = 3 + points[i].x[0] * (i % 2 == 0 ? 1.02 : 0.98);
    fit(9, 1);
    CU_ASSERT_EQUAL(model.change.last, 0);
}

/* The constant is the mean, whatever the noise: the mean of many is unbiased. */
static void test_unbiased(void)
{
    uint64_t state = 5;
    double sum = 0;
    for (int k = 0; k < 200; k++) {
        for (int i = 0; i < 12; i++)
            points[i] = (struct regression_point){{i + 1}, 100 * (1 + 0.3 * gauss(&state))};
        fit(12, 1);
        double mean = 0;
        for (int i = 0; i < 12; i++)
            mean += points[i].value / 12;
        if (model.best.formula.n_columns == 0)
            CU_ASSERT_DOUBLE_EQUAL(model.best.formula.coefficients[0], mean, 1e-6 * mean);
        sum += regression_value(&model, points[11].x) / 200;
    }
    CU_ASSERT(sum > 97 && sum < 103);
}

/* RELeARN's main() for n = 9000 on 32 ... 256 ranks (extra-p/extrap, tests/data/text/mpa/relearn_data.txt), rounded:
 * growth that is doubted, whose band holds what is fitted and what follows, 2537 s on 512. */
static void test_four_points(void)
{
    static const double values[] = {1040, 1330, 1740, 2160};
    int n = 0;
    for (int i = 0; i < 4; i++)
        for (int r = -1; r <= 1; r += 2)
            points[n++] = (struct regression_point){{ldexp(32, i)}, values[i] * (1 + 0.004 * r)};
    fit(n, 1);
    CU_ASSERT(model.best.formula.n_columns > 0);
    CU_ASSERT(regression_doubts(&model) & REGRESSION_FEW);
    for (int i = 0; i < n; i++) {
        struct regression_forecast at = forecast(points[i].x[0], 1, 1, 1);
        CU_ASSERT(at.low <= points[i].value && points[i].value <= at.high);
    }
    struct regression_forecast far = forecast(512, 1, 1, 1);
    CU_ASSERT(far.low <= 2537 && 2537 <= far.high);
}

/* The bands of one measurement and of one mean: both hold, and the first is wider by about the root of the
 * repetitions. */
static void test_two_bands(void)
{
    enum { CASES = 200, REPETITIONS = 25 };
    uint64_t state = 11;
    int n_one = 0, n_mean = 0, n_all = 0;
    for (int k = 0; k < CASES / testing_one_in(); k++) {
        int n = 0;
        for (int i = 0; i < 8; i++)
            for (int r = 0; r < REPETITIONS; r++)
                points[n++] = (struct regression_point){{ldexp(2, i)}, (10 + ldexp(2, i)) * (1 + 0.1 * gauss(&state))};
        fit(n, 1);
        struct regression_forecast far = forecast(512, 1, 1, 1);
        double one = 522 * (1 + 0.1 * gauss(&state)), mean = 522 * (1 + 0.1 * gauss(&state) / sqrt(REPETITIONS / 1.14));
        n_one += far.low <= one && one <= far.high;
        n_mean += far.mean_low <= mean && mean <= far.mean_high;
        n_all++;
        double ratio = (far.high - far.low) / (far.mean_high - far.mean_low);
        CU_ASSERT(ratio > 1 && ratio <= sqrt(REPETITIONS));
    }
    printf("\n    of %d: one measurement in its band %d, one mean %d", n_all, n_one, n_mean);
    CU_ASSERT(testing_one_in() > 1 || (n_one >= 184 && n_one <= 198 && n_mean >= 184 && n_mean <= 199));
}

/* --- several parameters --- */

/* Lines of five points for each parameter through a common point, and four more for the interactions (Ritter and
 * others, Learning cost-effective sampling strategies for empirical performance modeling, IPDPS 2020). */
static int place_sparse(int n_parameters)
{
    static const double first[] = {4, 100, 2, 8}, factor[] = {2, 1.5, 2, 1.5};
    int n = 0;
    for (int p = 0; p < n_parameters; p++)
        for (int i = p > 0; i < 5; i++) {
            for (int q = 0; q < n_parameters; q++)
                points[n].x[q] = first[q];
            points[n++].x[p] = first[p] * pow(factor[p], i);
        }
    for (int i = 0; i < 4; i++, n++)
        for (int q = 0; q < n_parameters; q++)
            points[n].x[q] = first[q] * pow(factor[q], 1 + (i + q * (1 + i / 2)) % 4);
    return n;
}

static double law_of_three(const double *x)
{
    return 20 + 0.5 * x[0] * log2(x[0]) + 1e-4 * x[1] * x[1] * x[2];
}

static double law_of_four(const double *x)
{
    return 5 + 0.3 * x[0] + 1e-4 * x[1] * x[1] * sqrt(x[2]) + 2 * log2(x[3]);
}

static void test_sparse(void)
{
    static const struct {
        int n_parameters;
        double (*law)(const double *x);
        double x[REGRESSION_PARAMETERS];
    } rows[] = {{3, law_of_three, {256, 800, 64, 1}}, {4, law_of_four, {256, 800, 64, 64}}};
    for (int r = 0; r < LENGTH(rows); r++)
        for (int noisy = 0; noisy < 2; noisy++) {
            uint64_t state = 3;
            int n = place_sparse(rows[r].n_parameters), n_all = 0;
            static struct regression_point repeated[MOST];
            for (int i = 0; i < n; i++)
                for (int k = 0; k < 3; k++) {
                    repeated[n_all] = points[i];
                    repeated[n_all++].value = rows[r].law(points[i].x) * (1 + 0.005 * noisy * gauss(&state));
                }
            struct sim_error error;
            CU_ASSERT_EQUAL_FATAL(regression_fit(&model, repeated, n_all, rows[r].n_parameters, &error), 0);
            double truth = rows[r].law(rows[r].x);
            struct regression_forecast far = regression_forecast(&model, rows[r].x);
            printf("\n    %d parameters, %s: %g of %g, %g ... %g", rows[r].n_parameters, noisy ? "noise" : "exact",
                   far.value, truth, far.low, far.high);
            CU_ASSERT_DOUBLE_EQUAL(far.value, truth, (noisy ? 0.1 : 1e-4) * truth);
            CU_ASSERT(far.low <= truth * (1 + 1e-6) && truth * (1 - 1e-6) <= far.high);
        }
}

/* --- the next measurement --- */

static double width_at(const double *x)
{
    struct regression_forecast at = regression_forecast(&model, x);
    return at.mean_high - at.mean_low;
}

/* Points at 2 ... 32 are to tell of 256: a measurement at 128 narrows the band more than one at 4.5, both as said and
 * as it does when it is made, in the mean of many. At a thousand times the cost it comes first all the same, unless the
 * other one is nearly as good. */
static void test_next(void)
{
    enum { N = 5, CASES = 100 };
    static const double at[] = {256, 1, 1, 1}, places[] = {4.5, 128};
    uint64_t state = 9;
    double said[2] = {0}, made[2] = {0};
    int n_cheap = 0;
    for (int k = 0; k < CASES; k++) {
        for (int i = 0; i < N; i++)
            points[i] = (struct regression_point){{ldexp(2, i)}, (30 + ldexp(2, i)) * (1 + 0.02 * gauss(&state))};
        fit(N, 1);
        double before = width_at(at);
        struct regression_proposal proposals[] = {{{4.5, 1, 1, 1}, 1, 0}, {{128, 1, 1, 1}, 1, 0}};
        regression_propose(proposals, 2, &model, at);
        for (int i = 0; i < 2; i++)
            said[i] += log(proposals[proposals[0].x[0] == places[i] ? 0 : 1].narrowing) / CASES;
        proposals[proposals[0].x[0] == 128 ? 0 : 1].cost = 1000;
        regression_propose(proposals, 2, &model, at);
        bool is_cheap = proposals[0].x[0] == 4.5;
        n_cheap += is_cheap;
        double gains[] = {-log(proposals[is_cheap ? 0 : 1].narrowing), -log(proposals[is_cheap ? 1 : 0].narrowing)};
        CU_ASSERT(is_cheap == (gains[0] >= 0.75 * gains[1]));
        for (int i = 0; i < 2; i++) {
            points[N] = (struct regression_point){{places[i]}, (30 + places[i]) * (1 + 0.02 * gauss(&state))};
            fit(N + 1, 1);
            made[i] += log(width_at(at) / before) / CASES;
        }
    }
    printf("\n    the band after 4.5: %.2f as wide, said %.2f; after 128: %.2f, said %.2f", exp(made[0]), exp(said[0]),
           exp(made[1]), exp(said[1]));
    CU_ASSERT(n_cheap < CASES / 4);
    CU_ASSERT(made[1] < made[0] - 0.5 && said[1] < said[0] - 0.5);
}

static void check_places(const char *what, int n_parameters, int n, const double *limit, bool again,
                         const double (*expected)[2], int n_expected)
{
    struct regression_proposal *places;
    int n_places = regression_find_places(&places, points, n, n_parameters, limit, again);
    bool good = n_places == n_expected;
    for (int i = 0; good && i < n_places; i++)
        good = places[i].x[0] == expected[i][0] && (n_parameters < 2 || places[i].x[1] == expected[i][1]);
    if (!good)
        fprintf(stderr, "\n  %s: %d places\n", what, n_places);
    CU_ASSERT(good);
    free(places);
}

/* Values go on by their factor or difference, and fill a hole; none lies at the limit. */
static void test_places(void)
{
    static const struct {
        const char *what;
        double values[6], limit;
        bool again;
        double expected[8][2]; /* up to the 0 */
        int n_expected;
    } rows[] = {
        {"by a factor", {2, 4, 8, 8, 16}, 256, false, {{1}, {32}}, 2},
        {"measured ones, too", {2, 4, 8, 16}, 256, true, {{1}, {2}, {4}, {8}, {16}, {32}}, 6},
        {"up to the limit", {2, 4, 8, 16}, 32, false, {{1}}, 1},
        {"a hole", {1, 2, 4, 16}, 256, false, {{8}, {64}}, 2},
        {"by a difference", {100, 200, 300, 400}, 4000, false, {{600}}, 1},
        {"no whole numbers", {0.5, 1, 2}, 256, false, {{0.25}, {4}}, 2},
        {"a single value", {3, 3}, 256, false, {{0}}, 0},
    };
    for (int r = 0; r < LENGTH(rows); r++) {
        int n = 0;
        for (; n < 6 && rows[r].values[n] > 0; n++)
            points[n] = (struct regression_point){{rows[r].values[n]}, 1};
        check_places(rows[r].what, 1, n, &rows[r].limit, rows[r].again, rows[r].expected, rows[r].n_expected);
    }
    for (int i = 0; i < 4; i++)
        points[i] = (struct regression_point){{2 << i % 2, 10 << i / 2}, 1};
    check_places("two parameters", 2, 4, (const double[]){100, 100}, false,
                 (const double[][2]){{2, 30}, {4, 30}, {6, 10}, {6, 20}}, 4);
}

int main(void)
{
    static const struct test tests[] = {
        {"from one rank on", test_from_one},
        {"a change", test_change},
        {"the mean", test_unbiased},
        {"four points", test_four_points},
        {"two bands", test_two_bands},
        {"three and four parameters on lines", test_sparse},
        {"the next measurement", test_next},
        {"where to measure", test_places},
        {NULL, NULL},
    };
    return testing_run("regression_cases", tests);
}
