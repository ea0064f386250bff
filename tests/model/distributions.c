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
#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
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

/* t with 1 degree of freedom is Cauchy's, with 2 algebraic; F with 2 of either is a power. Half of the probabilities
 * are small, the others close to 0.5, where t is close to 0. */
static void test_closed_forms(void)
{
    uint64_t state = 1;
    for (int i = 0; i < 4000; i++) {
        double small = pow(10, -10 * uniform(&state)) / 2, p = i % 2 == 0 ? small : 0.5 - small;
        double tail = i % 2 == 0 ? 1 - 2 * p : 2 * (0.5 - p), n = 1 + floor(pow(10, 6 * uniform(&state)));
        double cauchy = p < 0.25 ? 1 / tan(pi * p) : tan(pi * (0.5 - p));
        CU_ASSERT(is_near(student_t_upper(p, 1), cauchy, 1e-13, "t, 1 degree", p));
        CU_ASSERT(is_near(student_t_upper(p, 2), tail / sqrt(2 * p * (1 - p)), 1e-13, "t, 2", p));
        CU_ASSERT(is_near(fisher_f_upper(p, 2, n), n / 2 * expm1(-2 / n * log(p)), 1e-13, "F, 2 above", p));
        CU_ASSERT(is_near(fisher_f_upper(p, n, 2), 2 / n / expm1(-2 / n * log1p(-p)), 1e-13, "F, 2 below", p));
        CU_ASSERT(is_near(fisher_f_upper(2 * p, 1, n), pow(student_t_upper(p, n), 2), p < 0.25 ? 1e-13 : INFINITY,
                          "F is the square of t", n));
        CU_ASSERT(is_near(fisher_f_upper(1 - p, n, 7) * fisher_f_upper(p, 7, n), 1, p > 0.25 ? 1e-13 : INFINITY,
                          "F is 1 / F", n));
    }
    CU_ASSERT_EQUAL(student_t_upper(0.5, 5), 0);
}

/* --- there and back --- */

/* P(F > f) for an even number of degrees above: x^(n/2) times the sum of (n/2) ... (n/2 + j - 1) / j! y^j
 * (AS 26.6.4), of which all terms are positive. */
static double fisher_tail(double f, int above, double below)
{
    double all = below + above * f, y = above * f / all, term = 1, sum = 1;
    for (int j = 1; j < above / 2; j++) {
        term *= (below / 2 + j - 1) / j * y;
        sum += term;
    }
    return pow(below / all, below / 2) * sum;
}

/* The probabilities of quantiles, by sums that have nothing in common with the continued fraction. */
static void test_round_trips(void)
{
    uint64_t state = 5;
    for (int i = 0; i < 3000; i++) {
        double small = pow(10, -10 * uniform(&state)) / 2, p = i % 2 == 0 ? small : 0.5 - small;
        int even = 2 * (1 + (int)(30 * uniform(&state)));
        double n = 1 + floor(500 * uniform(&state)), f = fisher_f_upper(p, even, n), t = student_t_upper(p, even);
        CU_ASSERT(is_near(fisher_tail(f, even, n), p, 1e-12, "P(F > f)", n));
        CU_ASSERT(is_near(fisher_tail(1 / (t * t), even, 1), 1 - 2 * p, 1e-12, "P(|T| < t)", even));
    }
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

/* Far out, near the middle and for many degrees of freedom: by 40 digits, with the continued fraction as in
 * DLMF 8.17.22. What has up to 10,000 degrees is mpmath's (betainc), too. */
static void test_far_out(void)
{
    static const struct {
        double degrees, p, t;
    } students[] = {{1, 1e-10, 3183098861.8379066},         {3, 1e-10, 2225.7692846830932},
                    {30, 1e-10, 9.3774897804071432},        {1e6, 1e-10, 6.3614068488767426},
                    {4, 0.025, 2.7764451051977943},         {1e3, 0.025, 1.9623390808264085},
                    {1e6, 0.025, 1.959966356814107},        {7, 0.3, 0.54910965794728505},
                    {234070, 0.16, 0.99445999574842276},    {5, 0.499, 0.002634309180336605},
                    {1, 0.4999, 0.00031415927569437069},    {2758, 0.49999999, 2.5068554979154088e-8},
                    {1e6, 0.49999999, 2.506628899968769e-8}};
    static const struct {
        double above, below, p, f;
    } fishers[] = {{1, 1, 1e-10, 4.0528473456935106e19},      {3, 1e6, 1e-10, 16.514452796072306},
                   {1e6, 3, 1e-10, 5758826.1023786111},       {1e6, 1e6, 1e-10, 1.0128040061195562},
                   {1e6, 1e6, 0.05, 1.0032951258486101},      {3, 389372, 0.05, 2.6049320965627223},
                   {28, 670578, 0.22, 1.1942114194008276},    {659593, 408040, 0.01, 1.0065764127475027},
                   {910258, 478980, 0.5, 1.0000006594541164}, {7, 7, 0.5, 1},
                   {1, 9263, 0.3, 1.0743144491196678},        {11, 9, 0.2, 1.7707684261627423},
                   {40, 21, 1e-6, 8.7306892953897789},        {5, 12, 0.99, 0.10112986853300516}};
    for (size_t i = 0; i < sizeof students / sizeof *students; i++)
        CU_ASSERT(
            is_near(student_t_upper(students[i].p, students[i].degrees), students[i].t, 5e-14, "t", students[i].p));
    for (size_t i = 0; i < sizeof fishers / sizeof *fishers; i++)
        CU_ASSERT(is_near(fisher_f_upper(fishers[i].p, fishers[i].above, fishers[i].below), fishers[i].f, 5e-14, "F",
                          fishers[i].p));
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
/* GSL's own quantiles are less exact outside these arguments: by 40 digits, t at 1 degree and 1e-10 is off by 1e-6,
 * and F of hundreds of thousands of degrees by 4e-10. Its F does not always converge. */
static void test_quantiles_of_gsl(void)
{
    uint64_t state = 3;
    int n_failed = 0;
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    for (int i = 0; i < 3000; i++) {
        double p = pow(10, -6 * uniform(&state)) / 2, n = floor(pow(10, 6 * uniform(&state)));
        double m = floor(pow(10, 3 * uniform(&state))), k = floor(pow(10, 3 * uniform(&state)));
        double t = student_t_upper(p, n), f = fisher_f_upper(p, m, k), other = gsl_cdf_fdist_Qinv(p, m, k);
        CU_ASSERT(is_near(t, gsl_cdf_tdist_Qinv(p, n), 1e-10, "t of GSL", n));
        CU_ASSERT(is_near(gsl_cdf_tdist_Q(t, n), p, 1e-11, "Q of t", n));
        CU_ASSERT(is_near(gsl_cdf_fdist_Q(f, m, k), p, 1e-11, "Q of F", k));
        if (isfinite(other))
            CU_ASSERT(is_near(f, other, 1e-12, "F of GSL", k));
        n_failed += !isfinite(other);
    }
    CU_ASSERT(n_failed < 100);
    gsl_set_error_handler(handler);
}

/* GSL's solution, by columns of length 1: x, (A^T A)^-1, and the smallest number on the diagonal of R. */
struct solution {
    double x[8], inverse[64], lengths[8], least;
};

static void solve_by_gsl(struct solution *solution, const struct problem *problem)
{
    size_t rows = (size_t)problem->rows, n = (size_t)problem->columns;
    double copy[40 * 8], tau[8], left[40];
    memcpy(copy, problem->a, sizeof copy);
    gsl_matrix_view a = gsl_matrix_view_array(copy, rows, n), r = gsl_matrix_submatrix(&a.matrix, 0, 0, n, n);
    gsl_matrix_view square = gsl_matrix_view_array(solution->inverse, n, n);
    gsl_vector_const_view b = gsl_vector_const_view_array(problem->b, rows);
    gsl_vector_view t = gsl_vector_view_array(tau, n), residual = gsl_vector_view_array(left, rows);
    gsl_vector_view x = gsl_vector_view_array(solution->x, n);
    for (size_t c = 0; c < n; c++) {
        gsl_vector_view column = gsl_matrix_column(&a.matrix, c);
        solution->lengths[c] = gsl_blas_dnrm2(&column.vector);
        gsl_vector_scale(&column.vector, 1 / solution->lengths[c]);
    }
    gsl_linalg_QR_decomp(&a.matrix, &t.vector);
    gsl_linalg_QR_lssolve(&a.matrix, &t.vector, &b.vector, &x.vector, &residual.vector);
    solution->least = 1;
    for (size_t c = 0; c < n; c++)
        solution->least = fmin(solution->least, fabs(gsl_matrix_get(&r.matrix, c, c)));
    gsl_linalg_tri_invert(CblasUpper, CblasNonUnit, &r.matrix);
    gsl_matrix_set_identity(&square.matrix);
    gsl_blas_dtrmm(CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, 1, &r.matrix, &square.matrix);
    gsl_blas_dtrmm(CblasRight, CblasUpper, CblasTrans, CblasNonUnit, 1, &r.matrix, &square.matrix);
}

/* The largest difference of two arrays over the largest number. */
static double difference(const double *a, const double *b, int n)
{
    double worst = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(a[i] - b[i]));
        largest = fmax(largest, fabs(b[i]));
    }
    return worst / largest;
}

/* Both differ by rounding, which grows as columns come to depend on each other. */
static void test_least_squares_of_gsl(void)
{
    uint64_t state = 4;
    int n_well = 0, n_badly = 0;
    for (int i = 0; i < 2000; i++) {
        struct problem problem;
        struct solution other;
        double x[8], inverse[64];
        plan_problem(&problem, &state);
        int n = problem.columns;
        CU_ASSERT_EQUAL(least_squares_inverse(x, inverse, problem.a, problem.b, problem.rows, n), 0);
        solve_by_gsl(&other, &problem);
        for (int r = 0; r < n; r++) {
            x[r] *= other.lengths[r];
            for (int c = 0; c < n; c++)
                inverse[r * n + c] *= other.lengths[r] * other.lengths[c];
        }
        CU_ASSERT(difference(x, other.x, n) <= 5e-12 / other.least);
        CU_ASSERT(difference(inverse, other.inverse, n * n) <= 5e-12 / other.least);
        n_well += other.least > 0.05;
        n_badly += other.least < 1e-3;
    }
    CU_ASSERT(n_well > 500);
    CU_ASSERT(n_badly > 500);
}
#endif

int main(void)
{
    static const struct test tests[] = {
        {"closed forms", test_closed_forms},
        {"there and back", test_round_trips},
        {"tables", test_tables},
        {"far out", test_far_out},
        {"normal equations", test_normal_equations},
        {"dependent columns", test_dependent_columns},
#ifdef WITH_GSL
        {"quantiles of GSL", test_quantiles_of_gsl},
        {"least squares of GSL", test_least_squares_of_gsl},
#endif
        {NULL, NULL},
    };
#ifndef WITH_GSL
    puts("NOT COMPARED: quantiles and least squares of GSL, which is not installed");
#endif
    return testing_run("distributions", tests);
}
