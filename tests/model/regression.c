/* Regression: planted models under noise are found again, at rates that are stated; closed forms against refits; what
 * the data do not support is said to be so.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/regression.h"
#include "tests/testing.h"

#include "model/distributions.h"
#include "model/least_squares.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (int)(sizeof(array) / sizeof(array)[0])
#define MAX_POINTS 1024

static const double two_pi = 6.28318530717958647692;

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double gauss(uint64_t *state)
{
    double radius = sqrt(-2 * log(1 - uniform(state)));
    return radius * cos(two_pi * uniform(state));
}

static void check(bool good, const char *what, double found)
{
    if (!good)
        fprintf(stderr, "\n  %s: %g\n", what, found);
    CU_ASSERT(good);
}

/* Check a property that most cases must have. It is demanded if all are tried, not if only a few are, on slow
 * computers. */
static void check_most(bool good, const char *what, double found)
{
    check(good || testing_one_in() > 1, what, found);
}

/* ---- Least squares ---- */

/* The inverse of A^T A of two columns, by the formula for 2 x 2. */
static void test_inverse(void)
{
    const double a[] = {1, 1, 1, 2, 1, 4, 1, 8}, b[] = {3, 5, 9, 17},
                 exact[] = {85.0 / 115, -15.0 / 115, -15.0 / 115, 4.0 / 115};
    const double twice[] = {1, 3, 1, 3, 1, 3, 1, 3};
    double x[2], inverse[4];
    CU_ASSERT_EQUAL_FATAL(least_squares_inverse(x, inverse, a, b, 4, 2), 0);
    CU_ASSERT_DOUBLE_EQUAL(x[0], 1, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(x[1], 2, 1e-12);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_DOUBLE_EQUAL(inverse[i], exact[i], 1e-12);
    CU_ASSERT_EQUAL(least_squares_inverse(x, inverse, twice, b, 4, 2), -1);
}

/* ---- Terms ---- */

static void test_terms(void)
{
    static const struct {
        struct regression_formula formula;
        const char *text;
    } rows[] = {
        {{1, {{{3, 2, 1}, {0, 1, 0}}}, {0.5, 2e-6, 0}}, "0.5 + 2e-06 p^(3/2) log2(p)"},
        {{1, {{{-1, 1, 2}, {0, 1, 0}}}, {3, -4, 0}}, "3 - 4 p^-1 log2(p)^2"},
        {{1, {{{1, 1, 0}, {0, 1, 0}}}, {0, -2.5, 0}}, "-2.5 p"},
        {{0, {{{0, 1, 0}, {0, 1, 0}}}, {0, 0, 0}}, "0"},
        {{2, {{{1, 1, 0}, {0, 1, 0}}, {{0, 1, 1}, {2, 1, 0}}}, {1, 2, 3}}, "1 + 2 p + 3 log2(p) n^2"},
        {{0, {{{0, 1, 0}, {0, 1, 0}}}, {7, 0, 0}}, "7"},
    };
    const char *const names[] = {"p", "n"};
    for (int i = 0; i < LENGTH(rows); i++) {
        char text[200];
        regression_formula_format(text, sizeof text, &rows[i].formula, names);
        CU_ASSERT_STRING_EQUAL(text, rows[i].text);
    }
    const double x[] = {8, 3};
    CU_ASSERT_DOUBLE_EQUAL(regression_formula_value(&rows[4].formula, x), 1 + 16 + 81, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(regression_formula_value(&rows[1].formula, x), 3 - 4.5, 1e-12);
    for (int i = 0; i < REGRESSION_TERMS; i++)
        for (int k = 0; k < i; k++)
            CU_ASSERT_NOT_EQUAL(regression_term_compare(&regression_terms[i], &regression_terms[k]), 0);
}

/* The exponents of docs/explain/models/regression.md, for each power of the logarithm, and no others. */
static void test_exponents(void)
{
    static const char *const sets[] = {
        "1/4 1/3 1/2 2/3 3/4 4/5 1 5/4 4/3 3/2 5/3 7/4 2 9/4 7/3 5/2 8/3 11/4 3 -1/3 -1/2 -2/3 -1 -3/2 -2",
        "0 1/4 1/3 1/2 2/3 3/4 1 5/4 4/3 3/2 2 5/2 3 -1/2 -1",
        "0 1/4 1/3 1/2 2/3 3/4 1 3/2 2 5/2 -1",
    };
    int n_listed = 0;
    for (int logs = 0; logs < LENGTH(sets); logs++)
        for (const char *word = sets[logs]; *word != '\0'; word += strspn(word, " ")) {
            char *end;
            long numerator = strtol(word, &end, 10), denominator = *end == '/' ? strtol(end + 1, &end, 10) : 1;
            int n_found = 0;
            for (int t = 0; t < REGRESSION_TERMS; t++)
                n_found += regression_terms[t].logs == logs && regression_terms[t].numerator == numerator &&
                           regression_terms[t].denominator == denominator;
            check(n_found == 1, word, n_found);
            word = end;
            n_listed++;
        }
    CU_ASSERT_EQUAL(n_listed, REGRESSION_TERMS);
}

/* ---- Planted models ---- */

/* Points from `first` on by doubling, each measured several times; the term's share is that at the point where it is
 * largest, over the constant: even in its logarithm between the two. */
struct design {
    const char *name;
    double first;
    int n_points, repetitions;
    double least_share, largest_share, noise;
};

struct plant {
    struct regression_formula formula;
    double last; /* the largest x */
};

static const struct regression_term *term_of(const struct regression_formula *formula)
{
    return &formula->columns[0][0];
}

static struct plant plant(const struct design *design, const struct regression_term *term, uint64_t *state)
{
    struct plant plant = {.formula = {1, {{*term, {0, 1, 0}}}, {0}},
                          .last = ldexp(design->first, design->n_points - 1)};
    double share = design->least_share * pow(design->largest_share / design->least_share, uniform(state));
    double scale = exp(10 * (uniform(state) - 0.5)), largest = 0;
    for (int i = 0; i < design->n_points; i++)
        largest = fmax(largest, regression_term_value(term, ldexp(design->first, i)));
    plant.formula.coefficients[0] = scale;
    plant.formula.coefficients[1] = scale * share / largest;
    return plant;
}

static int measure(struct regression_point *points, const struct design *design, const struct regression_formula *truth,
                   uint64_t *state)
{
    int count = 0;
    for (int i = 0; i < design->n_points; i++)
        for (int r = 0; r < design->repetitions; r++) {
            struct regression_point point = {.x = {ldexp(design->first, i)}};
            point.value = regression_formula_value(truth, point.x) * (1 + design->noise * gauss(state));
            points[count++] = point;
        }
    return count;
}

/* ---- What can be found at all ---- */

/* With known Gaussian noise, all terms known, and both coefficients known to be above 0 and in which ratio, the best
 * choice is the most likely term: if all terms are equally probable beforehand, none is found more often. */

/* Mean and variance of the values at a place. */
struct summary {
    double x, mean, variance;
};

static void summarize(struct summary *places, const struct design *design, const struct regression_point *points)
{
    int n = design->repetitions;
    for (int i = 0; i < design->n_points; i++) {
        places[i] = (struct summary){points[i * n].x[0], 0, 0};
        for (int r = 0; r < n; r++)
            places[i].mean += points[i * n + r].value / n;
        for (int r = 0; r < n; r++)
            places[i].variance += pow(points[i * n + r].value - places[i].mean, 2) / n;
    }
}

/* Logarithm of the likelihood of a (1 + share g(x)), g <= 1, with the best a. With u = value / (1 + share g) it is that
 * of u / a = 1 + noise, whose squares are a parabola of 1 / a. */
static double likelihood(const struct summary *places, const struct design *design, const double *g, double share)
{
    double squares = 0, sum = 0, product = 1, n = design->n_points, noise = design->noise * design->noise;
    for (int i = 0; i < design->n_points; i++) {
        double scale = 1 / (1 + share * g[i]), u = places[i].mean * scale;
        squares += u * u + places[i].variance * scale * scale;
        sum += u;
        product *= scale;
    }
    return design->repetitions * (log(product) + n * log(sum / squares) - (n - sum * sum / squares) / (2 * noise));
}

/* The largest likelihood of a term, over all shares that the design has: the best of some, and golden sections about
 * it. */
static double likelihood_of(const struct summary *places, const struct design *design,
                            const struct regression_term *term)
{
    enum { STEPS = 10, SECTIONS = 8 };
    double g[32], largest = 0, best = -INFINITY, at = 0;
    double first = log(design->least_share), step = (log(design->largest_share) - first) / STEPS;
    for (int i = 0; i < design->n_points; i++)
        largest = fmax(largest, g[i] = regression_term_value(term, places[i].x));
    for (int i = 0; i < design->n_points; i++)
        g[i] /= largest;
    for (int s = 0; s <= STEPS; s++) {
        double found = likelihood(places, design, g, exp(first + s * step));
        at = found > best ? s : at;
        best = fmax(best, found);
    }
    double low = first + fmax(at - 1, 0) * step, high = first + fmin(at + 1, STEPS) * step;
    for (int s = 0; s < SECTIONS; s++) {
        double left = low + 0.381966 * (high - low), right = high - 0.381966 * (high - low);
        double at_left = likelihood(places, design, g, exp(left)), at_right = likelihood(places, design, g, exp(right));
        if (at_left > at_right)
            high = right;
        else
            low = left;
        best = fmax(best, fmax(at_left, at_right));
    }
    return best;
}

static const struct regression_term *most_likely(const struct design *design, const struct regression_point *points)
{
    struct summary places[32];
    const struct regression_term *term = NULL;
    double best = -INFINITY;
    summarize(places, design, points);
    for (int t = 0; t < REGRESSION_TERMS; t++) {
        double found = likelihood_of(places, design, &regression_terms[t]);
        if (found > best) {
            best = found;
            term = &regression_terms[t];
        }
    }
    return term;
}

/* ---- What is found ---- */

struct tally {
    int cases, oracle, exact, near, covered, in_band, supported, supported_good, constant;
    double errors[1000];
};

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static bool is_among(const struct regression_model *model, const struct regression_term *term)
{
    if (regression_term_compare(term_of(&model->best.formula), term) == 0)
        return true;
    for (int r = 0; r < model->n_rivals; r++)
        if (regression_term_compare(term_of(&model->rivals[r].formula), term) == 0)
            return true;
    return false;
}

static double exponent(const struct regression_term *term)
{
    return (double)term->numerator / term->denominator;
}

static void count_case(struct tally *tally, const struct regression_model *model, const struct plant *planted,
                       const struct design *design, uint64_t *state)
{
    const struct regression_term *found = term_of(&model->best.formula), *term = term_of(&planted->formula);
    double x[] = {4 * planted->last, 1}, truth = regression_formula_value(&planted->formula, x);
    struct regression_forecast forecast = regression_forecast(model, x);
    double measured = truth * (1 + design->noise * gauss(state));
    bool varies = model->best.formula.n_columns > 0, good = measured >= forecast.low && measured <= forecast.high;
    tally->constant += !varies;
    tally->exact += varies && regression_term_compare(found, term) == 0;
    tally->near += varies && fabs(exponent(found) - exponent(term)) < 0.251;
    tally->covered += varies && is_among(model, term);
    tally->in_band += measured >= forecast.own_low && measured <= forecast.own_high;
    tally->supported += forecast.doubts == 0;
    tally->supported_good += (forecast.doubts & REGRESSION_UNSUPPORTED) == 0 && good;
    tally->errors[tally->cases++] = fabs(forecast.value / truth - 1);
}

static struct tally run_design(const struct design *design, int n_cases)
{
    static struct regression_point points[MAX_POINTS];
    struct tally tally = {0};
    uint64_t state = 20130817;
    for (int i = 0; i < n_cases; i++) {
        const struct regression_term *term = &regression_terms[(int)(uniform(&state) * REGRESSION_TERMS)];
        struct plant planted = plant(design, term, &state);
        struct regression_model model;
        struct sim_error error;
        int count = measure(points, design, &planted.formula, &state);
        CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, count, 1, &error), 0);
        count_case(&tally, &model, &planted, design, &state);
        tally.oracle += regression_term_compare(most_likely(design, points), term) == 0;
    }
    qsort(tally.errors, (size_t)tally.cases, sizeof tally.errors[0], by_value);
    printf("\n    %-34s term %5.1f %% (of %5.1f %%), exponent within 1/4 %5.1f %%, among rivals %5.1f %%, constant "
           "%4.1f %%;\n"
           "      at 4x: off by %5.1f %% (median), %5.1f %% (9 in 10); in own band %5.1f %%; supported %5.1f %%, "
           "of these in band %5.1f %%",
           design->name, 100.0 * tally.exact / n_cases, 100.0 * tally.oracle / n_cases, 100.0 * tally.near / n_cases,
           100.0 * tally.covered / n_cases, 100.0 * tally.constant / n_cases, 100 * tally.errors[n_cases / 2],
           100 * tally.errors[n_cases * 9 / 10], 100.0 * tally.in_band / n_cases, 100.0 * tally.supported / n_cases,
           100.0 * tally.supported_good / fmax(tally.supported, 1));
    return tally;
}

/* Demands, in percent of the cases; `gap`: at most this much below the best possible; 4x: the median error there. */
struct demand {
    struct design design;
    int cases, exact, gap, near, covered, good;
    double error;
};

static void test_planted(void)
{
    static const struct demand demands[] = {
        {{"12 points x 25, term 10-1000 x c0", 2, 12, 25, 10, 1000, 0.05}, 1000, 96, 2, 99, 98, 92, 15},
        {{"12 points x  5, term 10-1000 x c0", 2, 12, 5, 10, 1000, 0.05}, 300, 88, 3, 98, 97, 92, 15},
        {{"12 points x  5, term  1-100  x c0", 2, 12, 5, 1, 100, 0.05}, 300, 71, 4, 94, 96, 91, 15},
        {{"12 points x  1, term 10-1000 x c0", 2, 12, 1, 10, 1000, 0.05}, 300, 78, 2, 95, 95, 92, 15},
        {{" 7 points x  5, term 10-1000 x c0", 2, 7, 5, 10, 1000, 0.05}, 300, 83, 7, 93, 96, 90, 15},
        {{" 7 points x  5, term  1-100  x c0", 2, 7, 5, 1, 100, 0.05}, 300, 64, 5, 86, 95, 90, 15},
        {{" 7 points x  1, term  1-100  x c0", 2, 7, 1, 1, 100, 0.05}, 300, 46, 4, 78, 92, 88, 15},
        {{" 5 points x  5, term 10-1000 x c0", 2, 5, 5, 10, 1000, 0.05}, 300, 76, 12, 88, 95, 90, 15},
        {{" 5 points x  5, term  1-100  x c0", 2, 5, 5, 1, 100, 0.05}, 300, 58, 12, 78, 95, 88, 15},
    };
    for (int i = 0; i < LENGTH(demands); i++) {
        const struct demand *demand = &demands[i];
        struct tally tally = run_design(&demand->design, demand->cases / testing_one_in());
        check_most(100 * tally.exact >= demand->exact * tally.cases, "leading term", tally.exact);
        check_most(100 * tally.exact >= 100 * tally.oracle - demand->gap * tally.cases, "what can be found",
                   tally.oracle);
        check_most(100 * tally.near >= demand->near * tally.cases, "exponent", tally.near);
        check_most(100 * tally.covered >= demand->covered * tally.cases, "among the rivals", tally.covered);
        check_most(100 * tally.supported_good >= demand->good * tally.supported, "supported", tally.supported_good);
        check_most(100 * tally.errors[tally.cases / 2] <= demand->error, "median error", tally.errors[tally.cases / 2]);
    }
}

/* ---- What the data do not support ---- */

/* For a constant under 5 % noise, a term is found in at most 5 of 100 cases, and the constant is no reason for doubt,
 * unless there are too few points for any model. */
static void test_constant(void)
{
    static const struct design designs[] = {
        {"4 points x 1", 2, 4, 1, 0, 0, 0.05},   {"5 points x 5", 2, 5, 5, 0, 0, 0.05},
        {"7 points x 1", 2, 7, 1, 0, 0, 0.05},   {"7 points x 5", 2, 7, 5, 0, 0, 0.05},
        {"12 points x 5", 2, 12, 5, 0, 0, 0.05}, {"12 points x 25", 2, 12, 25, 0, 0, 0.05},
    };
    static struct regression_point points[MAX_POINTS];
    const struct regression_formula truth = {0, {{{0, 1, 0}, {0, 1, 0}}}, {3.5, 0, 0}};
    for (int d = 0; d < LENGTH(designs); d++) {
        uint64_t state = 7;
        int n_growing = 0, n_doubted = 0, n_cases = 1000 / testing_one_in();
        for (int i = 0; i < n_cases; i++) {
            struct regression_model model;
            struct sim_error error;
            const double x[REGRESSION_PARAMETERS] = {ldexp(8, designs[d].n_points - 1)};
            int count = measure(points, &designs[d], &truth, &state);
            CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, count, 1, &error), 0);
            n_growing += model.best.formula.n_columns > 0;
            n_doubted += model.best.formula.n_columns == 0 &&
                         (regression_forecast(&model, x).doubts & REGRESSION_UNSUPPORTED) != 0;
        }
        printf("\n    constant, %-14s taken for growing in %4.1f %%, doubted in %4.1f %%", designs[d].name,
               100.0 * n_growing / n_cases, 100.0 * n_doubted / n_cases);
        check_most(100 * n_growing <= 5 * n_cases, designs[d].name, n_growing);
        if (designs[d].n_points < REGRESSION_FEW_POINTS)
            check(n_doubted == n_cases - n_growing, designs[d].name, n_doubted);
        else
            check_most((designs[d].repetitions > 1 ? 40 : 8) * n_doubted <= n_cases, designs[d].name, n_doubted);
    }
}

/* Values without any order, over a factor of 400, and models under noise as large as themselves: whatever is found must
 * be doubted far out. */
static void test_too_noisy(void)
{
    static const struct design design = {"", 2, 8, 1, 1, 10, 0.7};
    uint64_t state = 11;
    int n_supported[2] = {0}, n_cases = 200 / testing_one_in();
    for (int i = 0; i < 2 * n_cases; i++) {
        struct regression_point points[8];
        struct regression_model model;
        struct sim_error error;
        const double x[] = {1024, 1};
        struct plant planted = plant(&design, &regression_terms[i % REGRESSION_TERMS], &state);
        measure(points, &design, &planted.formula, &state);
        for (int k = 0; k < 8 && i % 2 == 1; k++)
            points[k].value = exp(6 * uniform(&state));
        CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 8, 1, &error), 0);
        n_supported[i % 2] += (regression_forecast(&model, x).doubts & REGRESSION_UNSUPPORTED) == 0;
    }
    printf("\n    supported: of models under 70 %% noise %.1f %%, of values without order %.1f %%",
           100.0 * n_supported[0] / n_cases, 100.0 * n_supported[1] / n_cases);
    check_most(50 * n_supported[0] <= n_cases, "70 % noise", n_supported[0]);
    check_most(50 * n_supported[1] <= n_cases, "without order", n_supported[1]);
}

/* Simulated times on 2 ... 128 ranks, which fall and then rise; on 256 and 512 they are 11.61 and 13.63. A falling term
 * alone levels out at 9.05, and must not be all that is found. */
static void test_rising_end(void)
{
    static const double times[][2] = {{2, 41.21746632892}, {4, 22.77670599236}, {8, 13.98498926868},
                                      {16, 10.2417892873}, {24, 9.6206903102},  {32, 8.81457302556},
                                      {48, 9.06940153132}, {64, 8.92074383436}, {96, 10.19542454866},
                                      {128, 9.80318649942}},
                        later[][2] = {{256, 11.61204820994}, {512, 13.63170014756}};
    for (int first = 0; first < 3; first++) { /* the last rows leave too little to see a rise */
        struct regression_point points[10];
        struct regression_model model;
        struct sim_error error;
        for (int i = first; i < 10; i++)
            points[i - first] = (struct regression_point){{times[i][0], 1}, times[i][1]};
        CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 10 - first, 1, &error), 0);
        for (int i = 0; i < 2; i++) {
            const double x[] = {later[i][0], 1};
            struct regression_forecast forecast = regression_forecast(&model, x);
            check(forecast.low <= later[i][1] && later[i][1] <= forecast.high, "in the band", later[i][0]);
            check(first > 0 || fabs(forecast.value / later[i][1] - 1) < 0.05, "value", forecast.value);
        }
    }
}

/* Five points without repetitions tell no second term, so they support nothing further out, unless they are exact. */
static void test_five_points(void)
{
    for (int repetitions = 1; repetitions <= 3; repetitions += 2)
        for (int exact = 0; exact < 2; exact++) {
            struct regression_point points[15];
            struct regression_model model;
            struct sim_error error;
            for (int i = 0; i < 5 * repetitions; i++) {
                double x = ldexp(2, i % 5), noise = exact ? 0 : (i % 2 == 0 ? 0.01 : -0.01) * (1 + i / 5);
                points[i] = (struct regression_point){{x, 1}, (5 + 40 / x) * (1 + noise)};
            }
            CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 5 * repetitions, 1, &error), 0);
            bool doubted = (regression_doubts(&model) & REGRESSION_FEW) != 0;
            check(doubted == (repetitions == 1 && !exact), "five points", repetitions);
        }
}

/* If points are on a level, the largest are elsewhere: the model says so and promises no more. */
static void test_largest(void)
{
    static const struct {
        double end;
        unsigned doubt;
    } rows[] = {{10, 0}, {14, REGRESSION_ABOVE}, {7, REGRESSION_BELOW}};
    const double noise[] = {0.1, -0.2, 0.1, 0.2, -0.1, 0, 0.2, -0.2, 0.1, -0.1, 0, 0.1};
    for (int r = 0; r < LENGTH(rows); r++) {
        struct regression_point points[12];
        struct regression_model model;
        struct sim_error error;
        for (int i = 0; i < 12; i++)
            points[i] = (struct regression_point){{ldexp(2, i), 1}, (i < 9 ? 10 : rows[r].end) + noise[i]};
        CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 12, 1, &error), 0);
        unsigned found = regression_doubts(&model) & (REGRESSION_ABOVE | REGRESSION_BELOW);
        check(found == rows[r].doubt, "the largest points", found);
    }
}

/* ---- Details ---- */

/* Without noise every term is found, with its coefficients. */
static void test_exact(void)
{
    static const struct design design = {"", 2, 8, 1, 5, 5, 0};
    uint64_t state = 3;
    for (int t = 0; t < REGRESSION_TERMS; t++) {
        struct regression_point points[8];
        struct regression_model model;
        struct sim_error error;
        struct plant planted = plant(&design, &regression_terms[t], &state);
        const double x[] = {1024, 1}, truth = regression_formula_value(&planted.formula, x);
        measure(points, &design, &planted.formula, &state);
        CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 8, 1, &error), 0);
        struct regression_forecast forecast = regression_forecast(&model, x);
        check(regression_term_compare(term_of(&model.best.formula), &regression_terms[t]) == 0, "term", t);
        check(fabs(forecast.value / truth - 1) < 1e-6, "value", forecast.value / truth);
        check(forecast.high - forecast.low < 1e-3 * fabs(truth), "band", forecast.high - forecast.low);
        check(model.adjusted_r2 > 0.999999, "R2", model.adjusted_r2);
        CU_ASSERT_EQUAL(forecast.doubts, 0);
    }
}

/* c0 and c1 of y = c0 + c1 g by the normal equations, the squares weighted by 1 / f^2, without one point. */
static double forecast_without(const double *g, const double *y, const double *f, int n, int without)
{
    long double s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;
    for (int i = 0; i < n; i++) {
        long double w = i == without ? 0 : 1 / ((long double)f[i] * f[i]);
        s0 += w;
        s1 += w * g[i];
        s2 += w * g[i] * g[i];
        t0 += w * y[i];
        t1 += w * g[i] * y[i];
    }
    long double c1 = (s0 * t1 - s1 * t0) / (s0 * s2 - s1 * s1), c0 = (t0 - c1 * s1) / s0;
    return (double)(c0 + c1 * g[without]);
}

static void test_left_out(void)
{
    static const struct design design = {"", 2, 9, 1, 10, 10, 0.05};
    uint64_t state = 5;
    for (int t = 0; t < REGRESSION_TERMS; t++) {
        struct regression_point points[9];
        struct regression_model model;
        struct sim_error error;
        double g[9], y[9], f[9], sum = 0;
        struct plant planted = plant(&design, &regression_terms[t], &state);
        measure(points, &design, &planted.formula, &state);
        CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 9, 1, &error), 0);
        for (int i = 0; i < 9; i++) {
            g[i] = regression_term_value(term_of(&model.best.formula), points[i].x[0]);
            y[i] = points[i].value;
            f[i] = regression_value(&model, points[i].x);
        }
        for (int i = 0; i < 9; i++) {
            double forecast = forecast_without(g, y, f, 9, i);
            sum += 2 * fabs(y[i] - forecast) / (fabs(y[i]) + fabs(forecast)) / 9;
        }
        check(fabs(model.best.left_out_smape / sum - 1) < 1e-3, "left-out SMAPE", model.best.left_out_smape / sum);
    }
}

/* The prediction band of a straight line is that of textbooks, here without weights, since the values change sign. */
static void test_band(void)
{
    const double noise[] = {0.03, -0.02, 0.01, -0.04, 0.02, 0.0, -0.01, 0.01};
    struct regression_point points[8];
    struct regression_model model;
    struct sim_error error;
    double mean = 0, spread = 0, slope = 0, level = 0, squares = 0;
    for (int i = 0; i < 8; i++) {
        points[i] = (struct regression_point){{i + 1.0, 1}, 5.0 * (i + 1) - 20 + noise[i]};
        mean += (i + 1.0) / 8;
        level += points[i].value / 8;
    }
    for (int i = 0; i < 8; i++)
        spread += (points[i].x[0] - mean) * (points[i].x[0] - mean);
    for (int i = 0; i < 8; i++)
        slope += (points[i].x[0] - mean) * points[i].value / spread;
    for (int i = 0; i < 8; i++)
        squares += pow(points[i].value - level - slope * (points[i].x[0] - mean), 2);
    CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 8, 1, &error), 0);
    CU_ASSERT_FALSE(model.relative);
    const struct regression_term line = {1, 1, 0};
    CU_ASSERT_EQUAL_FATAL(regression_term_compare(term_of(&model.best.formula), &line), 0);
    const double x[] = {32, 1};
    struct regression_forecast forecast = regression_forecast(&model, x);
    double half = 2.4469 * sqrt(squares / 6 * (1 + 1.0 / 8 + (32 - mean) * (32 - mean) / spread));
    CU_ASSERT_DOUBLE_EQUAL(forecast.value, level + slope * (32 - mean), 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(forecast.own_high - forecast.value, half, 1e-3 * half);
    CU_ASSERT_DOUBLE_EQUAL(forecast.value - forecast.own_low, half, 1e-3 * half);
    CU_ASSERT(forecast.low <= forecast.value && forecast.high >= forecast.value);
}

static void test_repetitions(void)
{
    static const double values[4][3] = {{2, 90, 1}, {4, 4, 5}, {8, 1, 9}, {16, 15, 100}};
    struct regression_point points[12];
    struct regression_model model;
    struct sim_error error;
    for (int i = 0; i < 12; i++)
        points[i] = (struct regression_point){{(double)(2 << (i % 4)), 1}, values[i % 4][i / 4]};
    CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 12, 1, &error), 0);
    const struct regression_term line = {1, 1, 0}; /* the medians are 2, 4, 8, 16 */
    CU_ASSERT_EQUAL(model.n_points, 4);
    CU_ASSERT_EQUAL(regression_term_compare(term_of(&model.best.formula), &line), 0);
    CU_ASSERT_DOUBLE_EQUAL(model.best.formula.coefficients[1], 1, 1e-6);
    CU_ASSERT_EQUAL(regression_doubts(&model), REGRESSION_FEW);
    CU_ASSERT(REGRESSION_FEW & REGRESSION_UNSUPPORTED);
    for (int i = 0; i < 8; i++) /* two at a place: their mean */
        points[i] = (struct regression_point){{(double)(2 << (i % 4)), 1}, (i < 4 ? 0.5 : 1.5) * (2 << (i % 4))};
    CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 8, 1, &error), 0);
    CU_ASSERT_DOUBLE_EQUAL(model.best.formula.coefficients[1], 1, 1e-6);
}

/* A place alone has the band of its mean where residuals may be lacks, and less where repetitions show that they are
 * not. A difference at one place is known where they are not; else both sides lack what they lack apart from each
 * other. */
static void test_sums(void)
{
    for (int repeats = 0; repeats < 2; repeats++) {
        struct regression_point points[MAX_POINTS];
        struct regression_model model;
        struct sim_error error;
        uint64_t state = 11;
        int n = 0;
        for (int i = 1; i <= 10; i++)
            for (int r = 0; r <= 3 * repeats; r++)
                points[n++] = (struct regression_point){{i}, (2 + 3.0 * i) * (1 + 0.05 * gauss(&state))};
        CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, n, 1, &error), 0);
        CU_ASSERT_EQUAL_FATAL(model.pooled, repeats == 1);
        const double x[] = {7};
        const struct regression_forecast forecast = regression_forecast(&model, x);
        struct regression_place places[] = {{{7}, 3}, {{7}, -3}};
        struct regression_sum sum = regression_sum(&model, places, 1);
        check(fabs(sum.value - 3 * forecast.value) < 1e-9, "value of a sum", sum.value);
        double width = (sum.high - sum.low) / (3 * (forecast.mean_high - forecast.mean_low));
        check(repeats ? width < 0.9 : fabs(width - 1) < 1e-4, "width of a sum of one place", width);
        model.n_rivals = 0;
        model.best.probability = 1;
        model.miss = 0;
        sum = regression_sum(&model, places, 2);
        double half = student_t_upper(0.025, model.best.degrees) * model.best.deviation * sqrt(2) * 3 * forecast.value;
        check(fabs(sum.value) < 1e-9, "value of a difference", sum.value);
        check(fabs(sum.high - (repeats ? 0 : half)) < 1e-5 * half, "end of a difference", sum.high / half);
    }
}

static void test_refused(void)
{
    static const struct {
        double x, value;
        const char *message;
    } rows[] = {
        {0, 1, "above 0 and at most 1e+30; found 0"},
        {-3, 1, "at most 1e+30; found -3"},
        {1e200, 1, "found 1e+200"},
        {4, NAN, "cannot be modeled"},
        {4, INFINITY, "cannot be modeled"},
        {4, 1e-300, "the value 1e-300"},
        {2, 5, "at least 3 different points, not 2"},
    };
    for (int i = 0; i < LENGTH(rows); i++) {
        struct regression_point points[] = {{{1, 1}, 1}, {{2, 1}, 2}, {{rows[i].x, 1}, rows[i].value}};
        struct regression_model model = {.n_points = -7};
        struct sim_error error = {0};
        CU_ASSERT_EQUAL(regression_fit(&model, points, 3, 1, &error), -1);
        CU_ASSERT_EQUAL(model.n_points, -7);
        check(strstr(error.message, rows[i].message) != NULL, error.message, i);
    }
}

/* Values that are all zero, all equal, of one place in each parameter: constants, whatever else. */
static void test_degenerate(void)
{
    struct regression_point points[9];
    struct regression_model model;
    struct sim_error error;
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < 9; i++)
            points[i] = (struct regression_point){{i + 1.0, kind == 2 ? i + 1.0 : 1}, kind == 0 ? 0 : 4};
        CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 9, kind == 2 ? 2 : 1, &error), 0);
        CU_ASSERT_EQUAL(model.best.formula.n_columns, 0);
        CU_ASSERT_DOUBLE_EQUAL(model.best.formula.coefficients[0], kind == 0 ? 0 : 4, 1e-12);
        const double x[] = {100, 100};
        CU_ASSERT_EQUAL(regression_forecast(&model, x).doubts, 0);
    }
    for (int i = 0; i < 9; i++) /* a falling line must not be taken on below zero without a word */
        points[i] = (struct regression_point){{i + 1.0, 1}, 10.0 - i};
    CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, 9, 1, &error), 0);
    const double x[] = {100, 1};
    CU_ASSERT(regression_forecast(&model, x).doubts & REGRESSION_SIGN);
}

/* ---- Work that falls and overhead that grows ---- */

/* Both terms between 3 and 100 times the constant, each at its end of the points. */
static struct regression_formula plant_valley(uint64_t *state)
{
    static const struct regression_term growing[] = {{0, 1, 1}, {1, 2, 0}, {1, 1, 0}, {1, 1, 1}};
    static const struct regression_term falling[] = {{-1, 2, 0}, {-1, 1, 0}};
    struct regression_formula formula = {2, {{{0, 1, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 1, 0}}}, {1, 0, 0}};
    const double ends[][2] = {{4096, 1}, {2, 1}};
    formula.columns[0][0] = growing[(int)(4 * uniform(state))];
    formula.columns[1][0] = falling[(int)(2 * uniform(state))];
    for (int c = 0; c < 2; c++)
        formula.coefficients[1 + c] =
            3 * pow(100.0 / 3, uniform(state)) / regression_column_value(formula.columns[c], ends[c]);
    return formula;
}

static void test_valley(void)
{
    static const struct design design = {"", 2, 12, 5, 0, 0, 0.05};
    static struct regression_point points[MAX_POINTS];
    uint64_t state = 23;
    int n_cases = 200 / testing_one_in(), n_shape = 0, n_terms = 0, n_band = 0;
    double errors[200];
    for (int i = 0; i < n_cases; i++) {
        struct regression_model model;
        struct sim_error error;
        struct regression_formula truth = plant_valley(&state);
        const double x[] = {16384, 1};
        int count = measure(points, &design, &truth, &state);
        CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, count, 1, &error), 0);
        struct regression_forecast forecast = regression_forecast(&model, x);
        double far = regression_formula_value(&truth, x);
        n_shape += model.best.formula.n_columns == 2;
        n_terms += model.best.formula.n_columns == 2 &&
                   regression_term_compare(&model.best.formula.columns[0][0], &truth.columns[0][0]) == 0;
        n_band += far >= forecast.low && far <= forecast.high;
        errors[i] = fabs(forecast.value / far - 1);
    }
    qsort(errors, (size_t)n_cases, sizeof errors[0], by_value);
    printf(
        "\n    falling and growing, 12 points x 5: both found in %.1f %%, the growing term right in %.1f %%; at 4x off "
        "by %.1f %% (median), in band %.1f %%",
        100.0 * n_shape / n_cases, 100.0 * n_terms / n_cases, 100 * errors[n_cases / 2], 100.0 * n_band / n_cases);
    check_most(100 * n_shape >= 90 * n_cases, "falling and growing", n_shape);
    check_most(100 * n_terms >= 60 * n_cases, "growing term", n_terms);
    check_most(100 * n_band >= 85 * n_cases, "band", n_band);
    check_most(errors[n_cases / 2] < 0.15, "error", errors[n_cases / 2]);
}

/* ---- Two parameters ---- */

/* Which columns of a plant use which of the terms. */
struct planted_shape {
    const char *name;
    int n_columns;
    bool uses[2][2];
};

static int measure_two(struct regression_point *points, const struct regression_formula *truth, int repetitions,
                       double noise, uint64_t *state)
{
    int count = 0;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            for (int r = 0; r < repetitions; r++) {
                struct regression_point point = {.x = {4 << i, 50 << k}};
                point.value = regression_formula_value(truth, point.x) * (1 + noise * gauss(state));
                points[count++] = point;
            }
    return count;
}

static struct regression_formula plant_two(const struct planted_shape *shape, uint64_t *state)
{
    static const struct regression_term one = {0, 1, 0};
    static const struct regression_term terms[] = {{1, 2, 0}, {1, 1, 0}, {1, 1, 1}, {3, 2, 0}, {2, 1, 0}, {3, 1, 0}};
    struct regression_formula formula = {.n_columns = shape->n_columns, .coefficients = {exp(6 * uniform(state))}};
    const struct regression_term *pair[] = {&terms[(int)(6 * uniform(state))], &terms[(int)(6 * uniform(state))]};
    const double last[] = {128, 1600};
    for (int c = 0; c < shape->n_columns; c++) {
        double share = 10 * exp(3 * uniform(state));
        for (int p = 0; p < 2; p++)
            formula.columns[c][p] = shape->uses[c][p] ? *pair[p] : one;
        formula.coefficients[1 + c] =
            formula.coefficients[0] * share / regression_column_value(formula.columns[c], last);
    }
    return formula;
}

static bool same_columns(const struct regression_formula *a, const struct regression_formula *b)
{
    bool same = a->n_columns == b->n_columns;
    for (int c = 0; same && c < a->n_columns; c++)
        for (int p = 0; same && p < 2; p++)
            same = regression_term_compare(&a->columns[c][p], &b->columns[c][p]) == 0;
    return same;
}

static bool same_shape(const struct regression_formula *a, const struct regression_formula *b)
{
    static const struct regression_term one = {0, 1, 0};
    bool same = a->n_columns == b->n_columns;
    for (int c = 0; same && c < a->n_columns; c++)
        for (int p = 0; same && p < 2; p++)
            same = (regression_term_compare(&a->columns[c][p], &one) == 0) ==
                   (regression_term_compare(&b->columns[c][p], &one) == 0);
    return same;
}

static void test_two_parameters(void)
{
    static const struct planted_shape shapes[] = {
        {"ab", 1, {{true, true}}},
        {"a + b", 2, {{true, false}, {false, true}}},
        {"a + ab", 2, {{true, false}, {true, true}}},
        {"b + ab", 2, {{false, true}, {true, true}}},
        {"a alone", 1, {{true, false}}},
        {"b alone", 1, {{false, true}}},
    };
    static struct regression_point points[MAX_POINTS];
    for (int s = 0; s < LENGTH(shapes); s++) {
        uint64_t state = 17;
        int n_exact = 0, n_noisy = 0, n_shape = 0, n_band = 0, n_cases = 60 / testing_one_in();
        double errors[60];
        for (int i = 0; i < n_cases; i++) {
            struct regression_model model;
            struct sim_error error;
            const double x[] = {512, 6400};
            struct regression_formula truth = plant_two(&shapes[s], &state);
            int count = measure_two(points, &truth, 1, 0, &state);
            CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, count, 2, &error), 0);
            n_exact += same_columns(&model.best.formula, &truth);
            count = measure_two(points, &truth, 5, 0.05, &state);
            CU_ASSERT_EQUAL_FATAL(regression_fit(&model, points, count, 2, &error), 0);
            n_noisy += same_columns(&model.best.formula, &truth);
            n_shape += same_shape(&model.best.formula, &truth);
            struct regression_forecast forecast = regression_forecast(&model, x);
            double far = regression_formula_value(&truth, x);
            n_band += far >= forecast.low && far <= forecast.high;
            errors[i] = fabs(forecast.value / far - 1);
        }
        qsort(errors, (size_t)n_cases, sizeof errors[0], by_value);
        printf("\n    %-8s exact data %d of %d; 5 %% noise: shape %d, all terms %d; at 4x off by %.1f %% (median), "
               "in band %d",
               shapes[s].name, n_exact, n_cases, n_shape, n_noisy, 100 * errors[n_cases / 2], n_band);
        check(n_exact == n_cases, shapes[s].name, n_exact);
        check_most(100 * n_shape >= 90 * n_cases, shapes[s].name, n_shape);
        check_most(100 * n_noisy >= 20 * n_cases, shapes[s].name, n_noisy);
        check_most(100 * n_band >= 88 * n_cases, shapes[s].name, n_band);
        check_most(errors[n_cases / 2] < 0.15, shapes[s].name, errors[n_cases / 2]);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"inverse of least squares", test_inverse},
        {"terms", test_terms},
        {"exponents", test_exponents},
        {"every term, without noise", test_exact},
        {"a rising end", test_rising_end},
        {"five points", test_five_points},
        {"the largest points lie elsewhere", test_largest},
        {"left-out points against refits", test_left_out},
        {"band of a line", test_band},
        {"repetitions", test_repetitions},
        {"sums", test_sums},
        {"refused", test_refused},
        {"degenerate", test_degenerate},
        {"planted models", test_planted},
        {"constants", test_constant},
        {"too noisy", test_too_noisy},
        {"falling and growing", test_valley},
        {"two parameters", test_two_parameters},
        {NULL, NULL},
    };
    return testing_run("regression", tests);
}
