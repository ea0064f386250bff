/* Tries all terms on the lines of a problem, and the F tests that a term or a rival must pass.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/problem.h"

#include "base/sort.h"
#include "model/distributions.h"

#include <math.h>
#include <stdlib.h>

#define GROWTH_RISK                                                                                                    \
    0.005 /* of F(1 - risk; 1, d); as the best of many terms is tested, chance passes up to ten times as often */
#define RIVAL_LEVEL 0.95 /* of the F test by which a formula explains the points about as well */

enum { MIN_LINE = 3 }; /* points that a term can be tried on */

/* A term tried on all lines on which the other parameter is fixed, on each with coefficients of its own. */
struct trial {
    struct regression_term term;
    double squares, left_out;
};

struct search {
    const struct regression_problem *problem;
    int parameter;
    int n_lines, n_points; /* lines of MIN_LINE points and more, and the points on them */
};

/* -1 if a line does not determine the coefficients. */
static int try_line(struct trial *trial, struct search *search, const struct regression_place *line, int n_places)
{
    bool grows = regression_term_compare(&trial->term, &regression_one) != 0;
    struct regression_fit fit = {.formula = {.n_columns = grows, .columns = {{regression_one, regression_one}}}};
    fit.formula.columns[0][search->parameter] = trial->term;
    if (n_places < MIN_LINE)
        return 0;
    if (regression_solve(&fit, search->problem, line, n_places) != 0)
        return -1;
    trial->squares += fit.squares;
    trial->left_out += fit.left_out;
    search->n_lines++;
    search->n_points += n_places;
    return 0;
}

static int try_term(struct trial *trial, struct search *search)
{
    const struct regression_place *places = search->problem->lines[search->parameter];
    int n = search->problem->n_points, status = 0;
    trial->squares = trial->left_out = 0;
    search->n_lines = search->n_points = 0;
    for (int first = 0, next; first < n && status == 0; first = next) {
        for (next = first + 1; next < n && places[next].other == places[first].other; next++)
            ;
        status = try_line(trial, search, &places[first], next - first);
    }
    return status;
}

static int by_squares(const void *a, const void *b)
{
    const struct trial *left = a, *right = b;
    if (left->squares != right->squares)
        return left->squares < right->squares ? -1 : 1;
    return regression_term_compare(&left->term, &right->term);
}

/* The best comes first; of those that are as good, the simplest. */
static void sort_trials(struct trial *trials, int n_trials)
{
    int simplest = 0;
    sort_stable(trials, (size_t)n_trials, sizeof *trials, by_squares);
    double bound = trials[0].squares * (1 + REGRESSION_EXACT);
    for (int t = 1; t < n_trials && trials[t].squares <= bound; t++)
        if (regression_term_compare(&trials[t].term, &trials[simplest].term) < 0)
            simplest = t;
    struct trial best = trials[simplest];
    trials[simplest] = trials[0];
    trials[0] = best;
}

double regression_growth_bound(int degrees)
{
    double t = student_t_upper(GROWTH_RISK / 2, degrees);
    return 1 + t * t / degrees;
}

double regression_rival_bound(int degrees)
{
    double t = student_t_upper((1 - RIVAL_LEVEL) / 2, degrees);
    return 1 + t * t / degrees;
}

/* The best term must beat the constant twice: at forecasting left-out points, and in its squares. */
int regression_find_terms(struct regression_term *terms, const struct regression_problem *problem, int parameter)
{
    struct search search = {.problem = problem, .parameter = parameter};
    struct trial trials[REGRESSION_TERMS], constant = {.term = regression_one};
    int n_trials = 0, n_terms = 0;
    if (try_term(&constant, &search) != 0)
        return 0;
    int degrees = search.n_points - 2 * search.n_lines - 1;
    for (int t = 0; t < REGRESSION_TERMS; t++) {
        trials[n_trials].term = regression_terms[t];
        n_trials += try_term(&trials[n_trials], &search) == 0;
    }
    if (n_trials == 0)
        return 0;
    sort_trials(trials, n_trials);
    if (degrees < 1 || trials[0].left_out >= constant.left_out ||
        constant.squares < trials[0].squares * regression_growth_bound(degrees + 1))
        return 0;
    double least = INFINITY, bound = regression_rival_bound(degrees);
    for (int t = 0; t < n_trials; t++)
        least = fmin(least, trials[t].squares);
    for (int t = 0; t < n_trials; t++)
        if (t == 0 || trials[t].squares <= least * bound)
            terms[n_terms++] = trials[t].term;
    return n_terms;
}
