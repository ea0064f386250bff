/* Quantiles of t and F, and least squares: against closed forms, published tables, and GSL where that is installed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/distributions.h"
#include "tests/testing.h"

#include "model/least_squares.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_GSL
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#endif

static const double pi = 3.14159265358979323846;

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* True if both are the same but for a share of that size; otherwise it is said. */
static bool is_near(double found, double expected, double share, const char *what, double argument)
{
    bool good = fabs(found - expected) <= share * fabs(expected);
    if (!good)
        fprintf(stderr, "\n  %s(%.17g): found %.17g, expected %.17g\n", what, argument, found, expected);
    return good;
}

/* --- closed forms --- */

/* t with 1 degree of freedom is Cauchy's, with 2 algebraic; F with 2 of either is a power. */
static void test_closed_forms(void)
{
    uint64_t state = 1;
    for (int i = 0; i < 3000; i++) {
        double p = pow(10, -10 * uniform(&state)) / 2, n = 1 + floor(200 * uniform(&state)), tail = 1 - 2 * p;
        CU_ASSERT(is_near(student_t_upper(p, 1), 1 / tan(pi * p), p < 0.49 ? 2e-13 : 1e-10, "t, 1 degree", p));
        CU_ASSERT(is_near(student_t_upper(p, 2), tail / sqrt(2 * p * (1 - p)), p < 0.49 ? 2e-13 : 1e-10, "t, 2", p));
        CU_ASSERT(is_near(fisher_f_upper(p, 2, n), n / 2 * expm1(-2 / n * log(p)), 1e-12, "F, 2 above", p));
        CU_ASSERT(is_near(fisher_f_upper(p, n, 2), 2 / n / expm1(-2 / n * log1p(-p)), 1e-12, "F, 2 below", p));
        CU_ASSERT(is_near(fisher_f_upper(p, n, 7) * fisher_f_upper(1 - p, 7, n), 1, p > 1e-4 ? 1e-10 : 1, "F, 1/F", p));
    }
    CU_ASSERT_EQUAL(student_t_upper(0.5, 5), 0);
}

/* --- published tables --- */

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2 and 1.3.6.7.3, to the digits that are printed. */
static void test_tables(void)
{
    static const struct {
        double degrees, p, t;
    } students[] = {{1, 0.10, 3.078},   {1, 0.005, 63.657}, {3, 0.025, 3.182},  {5, 0.025, 2.571},
                    {5, 0.005, 4.032},  {10, 0.05, 1.812},  {10, 0.025, 2.228}, {20, 0.01, 2.528},
                    {30, 0.025, 2.042}, {60, 0.05, 1.671},  {100, 0.025, 1.984}};
    static const struct {
        double above, below, p, f;
    } fishers[] = {{1, 1, 0.05, 161.448}, {1, 10, 0.05, 4.965}, {2, 5, 0.05, 5.786},
                   {3, 10, 0.05, 3.708},  {5, 5, 0.05, 5.050},  {10, 20, 0.05, 2.348},
                   {3, 10, 0.01, 6.552},  {5, 20, 0.10, 2.158}, {10, 100, 0.05, 1.927}};
    for (size_t i = 0; i < sizeof students / sizeof *students; i++)
        CU_ASSERT_DOUBLE_EQUAL(student_t_upper(students[i].p, students[i].degrees), students[i].t, 0.00051);
    for (size_t i = 0; i < sizeof fishers / sizeof *fishers; i++)
        CU_ASSERT_DOUBLE_EQUAL(fisher_f_upper(fishers[i].p, fishers[i].above, fishers[i].below), fishers[i].f, 0.00051);
}

/* --- least squares --- */

/* A problem of which the last column may nearly be a sum of others. */
struct problem {
    double a[40 * 8], b[40];
    int rows, columns;
};

static void plan_problem(struct problem *problem, uint64_t *state)
{
    problem->columns = 1 + (int)(8 * uniform(state));
    problem->rows = problem->columns + (int)(30 * uniform(state));
    double nearness = pow(10, -6 * uniform(state));
    for (int r = 0; r < problem->rows; r++) {
        double *row = &problem->a[r * problem->columns], sum = 0;
        for (int c = 0; c < problem->columns; c++) {
            row[c] = (2 * uniform(state) - 1) * pow(10, c - 3);
            sum += c + 1 < problem->columns ? row[c] : nearness * row[c];
        }
        row[problem->columns - 1] = sum;
        problem->b[r] = 2 * uniform(state) - 1;
    }
}

/* How far A^T A times its inverse is from 1, where rows and columns are divided by the columns' lengths. */
static double miss_of_inverse(const struct problem *problem, const double *inverse)
{
    int n = problem->columns;
    double square[64] = {0}, worst = 0;
    for (int r = 0; r < problem->rows; r++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                square[i * n + j] += problem->a[r * n + i] * problem->a[r * n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += square[i * n + k] * inverse[k * n + j];
            worst = fmax(worst, fabs(sum - (i == j)) * sqrt(square[j * n + j] / square[i * n + i]));
        }
    return worst;
}

/* The residual is orthogonal to each column. */
static void test_normal_equations(void)
{
    uint64_t state = 2;
    for (int i = 0; i < 1000; i++) {
        struct problem problem;
        double x[8], inverse[64], worst = 0, longest = 0;
        plan_problem(&problem, &state);
        int n = problem.columns;
        if (least_squares_inverse(x, inverse, problem.a, problem.b, problem.rows, n) != 0)
            continue;
        for (int c = 0; c < n; c++) {
            double product = 0, length = 0;
            for (int r = 0; r < problem.rows; r++) {
                double left = problem.b[r];
                for (int k = 0; k < n; k++)
                    left -= problem.a[r * n + k] * x[k];
                product += problem.a[r * n + c] * left;
                length += problem.a[r * n + c] * problem.a[r * n + c];
            }
            worst = fmax(worst, fabs(product) / sqrt(length));
        }
        for (int k = 0; k < n; k++)
            longest = fmax(longest, fabs(x[k]));
        if (worst > 1e-9)
            fprintf(stderr, "\n  problem %d: %d x %d: %g, x up to %g\n", i, problem.rows, n, worst, longest);
        CU_ASSERT(worst <= 1e-9);
        CU_ASSERT(miss_of_inverse(&problem, inverse) <= 1e-3);
    }
}

static void test_dependent_columns(void)
{
    static const double a[] = {1, 2, 2, 4, 3, 6, 4, 8}, zero[] = {0, 1, 0, 2}, b[] = {1, 2, 3, 4};
    double x[2] = {7, 7};
    CU_ASSERT_EQUAL(least_squares(x, a, b, 4, 2), -1);
    CU_ASSERT_EQUAL(least_squares(x, zero, b, 2, 2), -1);
    CU_ASSERT_EQUAL(least_squares(x, a, b, 1, 2), -1);
    CU_ASSERT_EQUAL(x[0], 7);
    static const double line[] = {1, 1, 1, 2, 1, 3, 1, 4};
    CU_ASSERT_EQUAL(least_squares(x, line, b, 4, 2), 0);
    CU_ASSERT(fabs(x[0]) < 1e-14 && is_near(x[1], 1, 1e-14, "slope", 0));
}

/* --- GSL --- */

#ifdef WITH_GSL
static void test_quantiles_of_gsl(void)
{
    uint64_t state = 3;
    for (int i = 0; i < 3000; i++) {
        double p = pow(10, -8 * uniform(&state)) / 2.1, n = floor(pow(10, 4 * uniform(&state)));
        double m = floor(pow(10, 2 * uniform(&state)));
        CU_ASSERT(is_near(student_t_upper(p, n), gsl_cdf_tdist_Qinv(p, n), 2e-8, "t of GSL", n));
        CU_ASSERT(is_near(gsl_cdf_tdist_Q(student_t_upper(p, n), n), p, 1e-9, "Q of t", n));
        CU_ASSERT(is_near(gsl_cdf_fdist_Q(fisher_f_upper(p, m, n), m, n), p, 1e-9, "Q of F", n));
    }
}

static void test_least_squares_of_gsl(void)
{
    uint64_t state = 4;
    for (int i = 0; i < 1000; i++) {
        struct problem problem;
        double x[8], tau[8], left[40], other[8], copy[40 * 8];
        plan_problem(&problem, &state);
        size_t rows = (size_t)problem.rows, columns = (size_t)problem.columns;
        CU_ASSERT_EQUAL(least_squares(x, problem.a, problem.b, problem.rows, problem.columns), 0);
        memcpy(copy, problem.a, sizeof copy);
        gsl_matrix_view a = gsl_matrix_view_array(copy, rows, columns);
        gsl_vector_view b = gsl_vector_view_array(problem.b, rows), t = gsl_vector_view_array(tau, columns);
        gsl_vector_view residual = gsl_vector_view_array(left, rows), y = gsl_vector_view_array(other, columns);
        gsl_linalg_QR_decomp(&a.matrix, &t.vector);
        gsl_linalg_QR_lssolve(&a.matrix, &t.vector, &b.vector, &y.vector, &residual.vector);
        for (int c = 0; c < problem.columns; c++)
            CU_ASSERT(is_near(x[c], other[c], 1e-7, "x of GSL", c));
    }
}
#else
static void test_quantiles_of_gsl(void)
{
    puts("NOT COMPARED: quantiles and least squares of GSL, which is not installed");
}
static void test_least_squares_of_gsl(void)
{
}
#endif

int main(void)
{
    static const struct test tests[] = {{"closed forms", test_closed_forms},
                                        {"tables", test_tables},
                                        {"normal equations", test_normal_equations},
                                        {"dependent columns", test_dependent_columns},
                                        {"quantiles of GSL", test_quantiles_of_gsl},
                                        {"least squares of GSL", test_least_squares_of_gsl},
                                        {NULL, NULL}};
    return testing_run("distributions", tests);
}
