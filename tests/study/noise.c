/* Noise: the rank-sum test against all ways to deal the values, and how often many rows raise an alarm.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/noise.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static int rank_sum(const double *values, int n, unsigned chosen)
{
    int sum = 0; /* twice: below it, and half of those that equal it, itself too */
    for (int i = 0; i < n; i++)
        for (int k = 0; (chosen >> i & 1) != 0 && k < n; k++)
            sum += values[k] < values[i] ? 2 : values[k] > values[i] ? 0 : 1;
    return sum;
}

/* p by trying each choice of n_first values. */
static double brute_force_p(const double *values, int n_first, int n)
{
    int extreme = 0, all = 0, own = rank_sum(values, n, (1U << n_first) - 1);
    double mean = n_first * n; /* of twice the sums above */
    for (unsigned chosen = 0; chosen < 1U << n; chosen++) {
        if (__builtin_popcount(chosen) != n_first)
            continue;
        all++;
        extreme += fabs(rank_sum(values, n, chosen) - mean) >= fabs(own - mean);
    }
    return (double)extreme / all;
}

static void test_exact(void)
{
    double values[10];
    for (int i = 0; i < 300; i++) {
        int n_first = testing_random_to(5), n = n_first + testing_random_to(5), most = testing_random_to(20);
        for (int k = 0; k < n; k++)
            values[k] = testing_random_to(most); /* often equal */
        CU_ASSERT_DOUBLE_EQUAL(noise_p(values, n_first, values + n_first, n - n_first),
                               brute_force_p(values, n_first, n), 1e-12);
    }
}

static void test_least(void)
{
    static const double low[] = {1, 2, 3, 4, 5}, high[] = {6, 7, 8, 9, 10};
    CU_ASSERT_DOUBLE_EQUAL(noise_least_p(5, 5), 2.0 / 252, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(noise_p(low, 5, high, 5), 2.0 / 252, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(noise_p(high, 4, low, 3), noise_least_p(4, 3), 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(noise_least_p(1, 1), 1, 0);
}

/* Many values: by the normal distribution, close to what is exact for a few less. */
static void test_many(void)
{
    double first[25], second[25];
    for (int i = 0; i < 25; i++) {
        first[i] = i;
        second[i] = i + 6.5;
    }
    double exact = noise_p(first, 20, second, 20), normal = noise_p(first, 21, second, 20);
    CU_ASSERT(exact > 0.001 && exact < 0.2);
    CU_ASSERT_DOUBLE_EQUAL(normal, exact, 0.03);
    CU_ASSERT(noise_p(first, 25, first, 25) > 0.99);
}

static double scatter(void)
{
    return testing_random_to(1000) + testing_random_to(1000) + testing_random_to(1000);
}

/* In 40 rows without a difference, of which half follow others, any is proven in 1 % of comparisons at most; with one
 * row planted, that row is. */
static void test_rows(void)
{
    enum { ROWS = 40, RUNS = 10, TRIES = 300 };
    static double values[ROWS * RUNS];
    double p[ROWS];
    int n_alarms = 0, n_alone = 0, n_found = 0;
    for (int i = 0; i < TRIES; i++) {
        bool any = false, alone = false;
        for (int row = 0; row < ROWS; row++)
            for (int k = 0; k < RUNS; k++)
                values[row * RUNS + k] = row % 2 == 1 ? 2 * values[(row - 1) * RUNS + k] : scatter();
        noise_adjusted_p(p, values, ROWS, 5, 5);
        for (int row = 0; row < ROWS; row++) {
            any |= p[row] <= 0.01;
            alone |= noise_p(values + row * RUNS, 5, values + row * RUNS + 5, 5) <= 0.01;
        }
        n_alarms += any;
        n_alone += alone;
        for (int k = 0; k < 5; k++)
            values[k] += 20000;
        noise_adjusted_p(p, values, ROWS, 5, 5);
        n_found += p[0] <= 0.01;
    }
    CU_ASSERT(n_alarms <= 8); /* 2.4 are expected; more than 8 have a probability of 0.1 % */
    CU_ASSERT(n_alone > 20);  /* what the rows' own p would raise */
    CU_ASSERT_EQUAL(n_found, TRIES);
    /* For one row it is the permutation test: by separation, two of 252 ways. */
    CU_ASSERT_DOUBLE_EQUAL(p[0], 2.0 / 252, 1e-12);
}

int main(void)
{
    static const struct test tests[] = {
        {"p of few values", test_exact},
        {"the least p", test_least},
        {"p of many values", test_many},
        {"p of many rows", test_rows},
        {NULL, NULL},
    };
    return testing_run("noise", tests);
}
