/* The terms x^i log2^j(x) of performance models, and formulas made of them.
 *
 * Source: A. Calotoiu, T. Hoefler, M. Poke, F. Wolf, Using automated performance modeling to find scalability bugs in
 * complex codes, SC 2013 (the normal form), with the exponents of the tool Extra-P 4; the negative ones are added for
 * strong scaling.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_TERMS_H
#define MODEL_TERMS_H

#include <stddef.h>
#include <stdint.h>

#define REGRESSION_PARAMETERS 4 /* at most */
#define REGRESSION_COLUMNS 4    /* besides the constant, at most */

struct regression_term {
    int8_t numerator, denominator; /* of i, in lowest terms; denominator >= 1 */
    int8_t logs;                   /* j */
};

/* c0 + sum of c_k times the product of a term in each parameter; a term without exponent and logarithm is 1. */
struct regression_formula {
    int n_columns;
    struct regression_term columns[REGRESSION_COLUMNS][REGRESSION_PARAMETERS];
    double coefficients[1 + REGRESSION_COLUMNS];
};

enum { REGRESSION_TERMS = 51 };
/* All terms but 1. */
extern const struct regression_term regression_terms[REGRESSION_TERMS];

/* For x > 0. */
double regression_term_value(const struct regression_term *term, double x);
double regression_column_value(const struct regression_term *column, const double *x);
double regression_formula_value(const struct regression_formula *formula, const double *x);

/* 0 if two terms are the same; else which is the simpler one (< 0: the first): fewer logarithms, then an exponent with
 * a smaller denominator, then a smaller exponent. */
int regression_term_compare(const struct regression_term *a, const struct regression_term *b);

/* The column that is largest far out, by the exponent of the first parameter, then by its logarithms; -1 if there is
 * none. */
int regression_leading_column(const struct regression_formula *formula);

/* Write "ranks^(3/2) log2(ranks)". */
void regression_term_format(char *text, size_t size, const struct regression_term *term, const char *name);

/* Write "0.0213 + 4.5e-06 ranks^(3/2) log2(ranks)", without a constant of 0; `names` has one for each parameter. */
void regression_formula_format(char *text, size_t size, const struct regression_formula *formula,
                               const char *const *names);

#endif
