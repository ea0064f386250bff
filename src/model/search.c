/* Finds the formulas that are tried: all terms of one parameter; of several, sums of products of the terms that fit
 * best on the lines along which all other parameters are fixed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/problem.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MIN_LINE = 3,     /* points that a term can be tried on */
    MOST_KEPT = 8,    /* structures of so many columns that are tried with one column more */
    MOST_REFINED = 4, /* structures that are tried with further terms than the best */
    MOST_MASKS = 1 << REGRESSION_PARAMETERS,
    MOST_STRUCTURES = 1 + MOST_MASKS * (1 + (REGRESSION_COLUMNS - 1) * MOST_KEPT),
};

/* Terms of a parameter that are tried together with those of others, by the number of parameters. */
static const int most_terms[] = {0, REGRESSION_TERMS, 8, 4, 3};

/* Before anything is measured: what has a column more is less probable, so that a constant under noise is taken for
 * growth in less than 5 % of cases; all terms of a parameter are as probable. */
#define COLUMN_ODDS 0.2

double regression_prior_of_columns(int n_columns)
{
    return n_columns * log(COLUMN_ODDS);
}

void regression_add_candidate(struct regression_candidates *candidates, const struct regression_fit *fit)
{
    if (candidates->count == candidates->capacity) {
        candidates->capacity = 2 * candidates->capacity + 64;
        candidates->fits = xrealloc(candidates->fits, (size_t)candidates->capacity * sizeof *candidates->fits);
    }
    candidates->fits[candidates->count++] = *fit;
}

/* ---- One parameter along lines ---- */

struct trial {
    struct regression_term term;
    double deviance;
};

/* All points, one line after another. */
struct lines {
    int *points, *ends; /* count of the second */
    int count;
};

static bool same_line(const struct regression_point *a, const struct regression_point *b, int parameter)
{
    for (int p = 0; p < REGRESSION_PARAMETERS; p++)
        if (p != parameter && a->x[p] != b->x[p])
            return false;
    return true;
}

/* The lines of MIN_LINE points and more; where there is none, all points are one. */
static struct lines find_lines(const struct regression_problem *problem, int parameter)
{
    int n = problem->n_points, n_placed = 0;
    struct lines lines = {xmalloc((size_t)n * sizeof(int)), xmalloc((size_t)n * sizeof(int)), 0};
    bool *placed = xcalloc((size_t)n, sizeof *placed);
    for (int first = 0; first < n; first++) {
        int begin = n_placed;
        for (int i = first; i < n && !placed[first]; i++)
            if (same_line(&problem->points[first], &problem->points[i], parameter))
                lines.points[n_placed++] = i;
        for (int i = begin; i < n_placed; i++)
            placed[lines.points[i]] = true;
        if (n_placed - begin < MIN_LINE)
            n_placed = begin;
        else
            lines.ends[lines.count++] = n_placed;
    }
    if (lines.count == 0) {
        for (int i = 0; i < n; i++)
            lines.points[i] = i;
        lines.ends[lines.count++] = n;
    }
    free(placed);
    return lines;
}

static int try_term(struct trial *trial, const struct regression_problem *problem, const struct lines *lines,
                    int parameter)
{
    struct regression_fit fit = {.formula.n_columns = 1};
    fit.formula.columns[0][parameter] = trial->term;
    trial->deviance = 0;
    for (int line = 0, begin = 0; line < lines->count; begin = lines->ends[line++]) {
        if (regression_solve(&fit, problem, &lines->points[begin], lines->ends[line] - begin) != 0)
            return -1;
        trial->deviance += fit.deviance;
    }
    return 0;
}

static int by_deviance(const void *a, const void *b)
{
    const struct trial *left = a, *right = b;
    if (left->deviance != right->deviance)
        return left->deviance < right->deviance ? -1 : 1;
    return regression_term_compare(&left->term, &right->term);
}

/* The best comes first; of those that are as good, the simplest. */
static void sort_trials(struct trial *trials, int n_trials)
{
    int simplest = 0;
    sort_stable(trials, (size_t)n_trials, sizeof *trials, by_deviance);
    double bound = trials[0].deviance * (1 + REGRESSION_EXACT);
    for (int t = 1; t < n_trials && trials[t].deviance <= bound; t++)
        if (regression_term_compare(&trials[t].term, &trials[simplest].term) < 0)
            simplest = t;
    struct trial best = trials[simplest];
    trials[simplest] = trials[0];
    trials[0] = best;
}

/* The terms of a parameter that fit best on its lines, on each with coefficients of its own. Of the only one all are
 * tried later, in any order. */
static int find_terms(struct regression_term *terms, const struct regression_problem *problem, int parameter)
{
    struct trial trials[REGRESSION_TERMS];
    if (problem->n_parameters == 1) {
        memcpy(terms, regression_terms, sizeof regression_terms);
        return REGRESSION_TERMS;
    }
    struct lines lines = find_lines(problem, parameter);
    int n = 0, most = most_terms[problem->n_parameters];
    for (int t = 0; t < REGRESSION_TERMS; t++) {
        trials[n].term = regression_terms[t];
        n += try_term(&trials[n], problem, &lines, parameter) == 0;
    }
    if (n > 0)
        sort_trials(trials, n);
    free(lines.points);
    free(lines.ends);
    n = n < most ? n : most;
    for (int t = 0; t < n; t++)
        terms[t] = trials[t].term;
    return n;
}

/* ---- Several parameters ---- */

/* A sum of products: a mask for each column, of the parameters whose terms are its factors; rising. */
struct structure {
    int n_columns, masks[REGRESSION_COLUMNS];
    double evidence;
};

struct search {
    const struct regression_problem *problem;
    struct regression_candidates *candidates;
    struct regression_term terms[REGRESSION_PARAMETERS][REGRESSION_TERMS]; /* the best first */
    int n_terms[REGRESSION_PARAMETERS];
    struct structure structures[MOST_STRUCTURES];
    int n_structures;
};

static int union_of(const struct structure *structure)
{
    int mask = 0;
    for (int c = 0; c < structure->n_columns; c++)
        mask |= structure->masks[c];
    return mask;
}

/* Try a structure with the terms `choice` of each parameter. */
static const struct regression_fit *try_structure(struct search *search, int number, const int *choice)
{
    const struct structure *structure = &search->structures[number];
    struct regression_fit fit = {.formula.n_columns = structure->n_columns, .structure = number};
    fit.prior = regression_prior_of_columns(structure->n_columns);
    for (int p = 0; p < search->problem->n_parameters; p++)
        if (union_of(structure) & 1 << p)
            fit.prior -= log(REGRESSION_TERMS);
    for (int c = 0; c < structure->n_columns; c++)
        for (int p = 0; p < search->problem->n_parameters; p++)
            if (structure->masks[c] & 1 << p)
                fit.formula.columns[c][p] = search->terms[p][choice[p]];
    if (regression_solve_all(&fit, search->problem) != 0)
        return NULL;
    regression_add_candidate(search->candidates, &fit);
    return &search->candidates->fits[search->candidates->count - 1];
}

static bool is_known(const struct search *search, const struct structure *structure)
{
    for (int s = 0; s < search->n_structures; s++) {
        const struct structure *other = &search->structures[s];
        bool same = other->n_columns == structure->n_columns;
        for (int c = 0; same && c < structure->n_columns; c++)
            same = other->masks[c] == structure->masks[c];
        if (same)
            return true;
    }
    return false;
}

/* Add the structure with the column of a mask more. */
static void extend(struct search *search, const struct structure *structure, int mask)
{
    static const int best[REGRESSION_PARAMETERS] = {0};
    struct structure next = {.n_columns = structure->n_columns + 1};
    int c = 0;
    for (; c < structure->n_columns && structure->masks[c] < mask; c++)
        next.masks[c] = structure->masks[c];
    if (c < structure->n_columns && structure->masks[c] == mask)
        return;
    next.masks[c] = mask;
    for (; c < structure->n_columns; c++)
        next.masks[c + 1] = structure->masks[c];
    if (is_known(search, &next) || search->n_structures == MOST_STRUCTURES)
        return;
    search->structures[search->n_structures] = next;
    const struct regression_fit *fit = try_structure(search, search->n_structures, best);
    if (fit == NULL)
        return;
    search->structures[search->n_structures++].evidence = regression_evidence(fit, search->candidates, search->problem);
}

static int by_evidence(const void *a, const void *b)
{
    const struct structure *left = *(const struct structure *const *)a, *right = *(const struct structure *const *)b;
    return (left->evidence < right->evidence) - (left->evidence > right->evidence);
}

/* The most probable structures from `first` on, at most `most`. */
static int find_best(const struct structure **best, const struct search *search, int first, int most)
{
    const struct structure *sorted[MOST_STRUCTURES];
    int n = 0;
    for (int s = first; s < search->n_structures; s++)
        sorted[n++] = &search->structures[s];
    sort_stable(sorted, (size_t)n, sizeof(const struct structure *), by_evidence);
    n = n < most ? n : most;
    for (int i = 0; i < n; i++)
        best[i] = sorted[i];
    return n;
}

/* Column after column: each of the best structures so far with each product. */
static void find_structures(struct search *search)
{
    int n_masks = 1 << search->problem->n_parameters, first = 0;
    for (int columns = 0; columns < REGRESSION_COLUMNS; columns++) {
        const struct structure *best[MOST_KEPT];
        int n_best = find_best(best, search, first, MOST_KEPT);
        first = search->n_structures;
        for (int b = 0; b < n_best; b++)
            for (int mask = 1; mask < n_masks; mask++)
                extend(search, best[b], mask);
    }
}

/* All combinations of the terms of the parameters that a structure has, but that of the best ones, which is known. */
static void refine(struct search *search, int number)
{
    int used = union_of(&search->structures[number]), choice[REGRESSION_PARAMETERS] = {0};
    for (;;) {
        int p = 0;
        for (; p < search->problem->n_parameters; p++) {
            if (!(used & 1 << p))
                continue;
            if (++choice[p] < search->n_terms[p])
                break;
            choice[p] = 0;
        }
        if (p == search->problem->n_parameters)
            return;
        try_structure(search, number, choice);
    }
}

struct regression_candidates regression_find_candidates(const struct regression_problem *problem)
{
    struct regression_candidates candidates = {0};
    struct search *search = xcalloc(1, sizeof *search);
    const struct structure *best[MOST_REFINED];
    static const int none[REGRESSION_PARAMETERS] = {0};
    search->problem = problem;
    search->candidates = &candidates;
    for (int p = 0; p < problem->n_parameters; p++)
        search->n_terms[p] = find_terms(search->terms[p], problem, p);
    search->n_structures = 1;
    try_structure(search, 0, none);
    find_structures(search);
    int n_best = find_best(best, search, 1, MOST_REFINED);
    for (int b = 0; b < n_best; b++)
        refine(search, (int)(best[b] - search->structures));
    if (problem->n_parameters == 1)
        regression_add_valleys(&candidates, problem, search->n_structures);
    free(search);
    return candidates;
}
