/* Fits polynomials by least squares of the relative deviation, and drops terms that do not pay (leave one out).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/fit.h"

#include "base/memory.h"
#include "model/least_squares.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define GRID 9         /* points of each dimension at which a polynomial must be positive */
#define MIN_PER_TERM 2 /* samples */
#define SLACK 1.005    /* a term goes if the deviation grows by no more than this factor */

/* Samples as rows of a system that is still without columns. */
struct problem {
    const struct fit_sample *samples;
    int n_samples;
    int from, to;
    double *rows, *ones; /* storage for n_samples rows */
};

/* ---- Terms ---- */

static double power(double base, int exponent)
{
    double product = 1;
    while (exponent-- > 0)
        product *= base;
    return product;
}

static double monomial(const struct fit_term *term, double m, double n, double k)
{
    return power(m, term->m) * power(n, term->n) * power(k, term->k);
}

double fit_predict(const struct fit *fit, double m, double n, double k)
{
    double sum = 0;
    for (int t = 0; t < fit->n_terms; t++)
        sum += fit->terms[t].coefficient * monomial(&fit->terms[t], m, n, k);
    return sum;
}

static void add_candidates(struct fit *fit, const char *candidates)
{
    for (const char *word = candidates; *word != '\0'; word += strspn(word, " ")) {
        assert(fit->n_terms < FIT_MAX_TERMS);
        struct fit_term *term = &fit->terms[fit->n_terms++];
        for (; *word != '\0' && *word != ' '; word++) {
            term->m = (uint8_t)(term->m + (*word == 'm'));
            term->n = (uint8_t)(term->n + (*word == 'n'));
            term->k = (uint8_t)(term->k + (*word == 'k'));
        }
    }
}

/* ---- One set of terms ---- */

/* The coefficients of the fit's terms, by all samples but `left_out` (-1: by all). Dividing each equation by the
 * sample's value makes its residual a relative deviation. */
static int solve(struct fit *fit, const struct problem *problem, int left_out)
{
    double solution[FIT_MAX_TERMS];
    int rows = 0;
    for (int s = 0; s < problem->n_samples; s++) {
        const struct fit_sample *sample = &problem->samples[s];
        if (s == left_out)
            continue;
        for (int t = 0; t < fit->n_terms; t++)
            problem->rows[rows * fit->n_terms + t] =
                monomial(&fit->terms[t], sample->m, sample->n, sample->k) / sample->value;
        rows++;
    }
    if (least_squares(solution, problem->rows, problem->ones, rows, fit->n_terms) != 0)
        return -1;
    for (int t = 0; t < fit->n_terms; t++)
        fit->terms[t].coefficient = solution[t];
    return 0;
}

static double deviation(const struct fit *fit, const struct fit_sample *sample)
{
    return fabs(fit_predict(fit, sample->m, sample->n, sample->k) / sample->value - 1);
}

/* Positive at the points of a grid, even in the logarithm, of the dimensions that the samples have. */
static bool is_positive(const struct fit *fit, const struct problem *problem)
{
    double grid[GRID];
    bool has_n = false, has_k = false;
    for (int s = 0; s < problem->n_samples; s++) {
        has_n = has_n || problem->samples[s].n > 1;
        has_k = has_k || problem->samples[s].k > 1;
    }
    for (int g = 0; g < GRID; g++)
        grid[g] = problem->from * pow((double)problem->to / problem->from, (double)g / (GRID - 1));
    for (int m = 0; m < GRID; m++)
        for (int n = 0; n < (has_n ? GRID : 1); n++)
            for (int k = 0; k < (has_k ? GRID : 1); k++)
                if (!(fit_predict(fit, grid[m], has_n ? grid[n] : 1, has_k ? grid[k] : 1) > 0))
                    return false;
    return true;
}

/* Fill in coefficients and deviations. A set of terms that cannot be solved deviates without bound. */
static void assess(struct fit *fit, const struct problem *problem)
{
    double left_out = 0, residual = 0;
    for (int s = 0; s < problem->n_samples; s++) {
        if (solve(fit, problem, s) != 0)
            left_out = INFINITY;
        else
            left_out += deviation(fit, &problem->samples[s]);
    }
    if (solve(fit, problem, -1) != 0)
        left_out = INFINITY;
    for (int s = 0; s < problem->n_samples; s++)
        residual += deviation(fit, &problem->samples[s]);
    fit->left_out = left_out / problem->n_samples;
    fit->residual = residual / problem->n_samples;
}

/* ---- Elimination ---- */

static struct fit without_term(const struct fit *fit, int term)
{
    struct fit smaller = *fit;
    smaller.n_terms--;
    for (int t = term; t < smaller.n_terms; t++)
        smaller.terms[t] = smaller.terms[t + 1];
    return smaller;
}

/* The best of the sets with one term fewer; positive ones are better than others. */
static bool best_smaller(struct fit *best, const struct fit *fit, const struct problem *problem)
{
    bool positive = false;
    best->left_out = INFINITY;
    for (int t = 0; t < fit->n_terms; t++) {
        struct fit smaller = without_term(fit, t);
        assess(&smaller, problem);
        bool this_positive = is_positive(&smaller, problem);
        if (this_positive > positive || (this_positive == positive && smaller.left_out < best->left_out)) {
            *best = smaller;
            positive = this_positive;
        }
    }
    return positive;
}

static int eliminate(struct fit *fit, const struct problem *problem, struct sim_error *error)
{
    assess(fit, problem);
    bool positive = is_positive(fit, problem);
    while (fit->n_terms > 1) {
        struct fit smaller = {0};
        bool smaller_positive = best_smaller(&smaller, fit, problem);
        if (positive && (!smaller_positive || smaller.left_out > fit->left_out * SLACK))
            break;
        *fit = smaller;
        positive = smaller_positive;
    }
    if (!positive || !isfinite(fit->left_out))
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "no polynomial fits the measurements");
    return 0;
}

int fit_polynomial(struct fit *fit, const char *candidates, const struct fit_sample *samples, int n_samples, int from,
                   int to, struct sim_error *error)
{
    struct fit trial = {.n_samples = n_samples, .from = from, .to = to};
    add_candidates(&trial, candidates);
    if (n_samples < trial.n_terms * MIN_PER_TERM)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "%d samples are too few for a polynomial of %d terms",
                             n_samples, trial.n_terms);
    struct problem problem = {.samples = samples, .n_samples = n_samples, .from = from, .to = to};
    problem.rows = xmalloc((size_t)(n_samples * trial.n_terms) * sizeof *problem.rows);
    problem.ones = xmalloc((size_t)n_samples * sizeof *problem.ones);
    for (int s = 0; s < n_samples; s++)
        problem.ones[s] = 1;
    int status = eliminate(&trial, &problem, error);
    free(problem.rows);
    free(problem.ones);
    if (status == 0)
        *fit = trial;
    return status;
}
