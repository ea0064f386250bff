/* The exponents that models may have, the values of terms, and formulas as text.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/terms.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Falling terms are few, so that they do not crowd out each other: the work of p processors (-1), the surface of a
 * square (-1/2) or cubic block (-2/3), a cube's edge (-1/3), work that is square (-2) or 3/2 in the block's size, trees
 * and grids over shrinking blocks (log x / x, log x / sqrt x), bitonic merging (log^2 x / x). */
const struct regression_term regression_terms[REGRESSION_TERMS] = {
    {1, 4, 0}, {1, 3, 0},  {1, 2, 0},  {2, 3, 0},  {3, 4, 0},  {4, 5, 0},  {1, 1, 0},  {5, 4, 0}, {4, 3, 0},
    {3, 2, 0}, {5, 3, 0},  {7, 4, 0},  {2, 1, 0},  {9, 4, 0},  {7, 3, 0},  {5, 2, 0},  {8, 3, 0}, {11, 4, 0},
    {3, 1, 0}, {-1, 3, 0}, {-1, 2, 0}, {-2, 3, 0}, {-1, 1, 0}, {-3, 2, 0}, {-2, 1, 0}, {0, 1, 1}, {1, 4, 1},
    {1, 3, 1}, {1, 2, 1},  {2, 3, 1},  {3, 4, 1},  {1, 1, 1},  {5, 4, 1},  {4, 3, 1},  {3, 2, 1}, {2, 1, 1},
    {5, 2, 1}, {3, 1, 1},  {-1, 2, 1}, {-1, 1, 1}, {0, 1, 2},  {1, 4, 2},  {1, 3, 2},  {1, 2, 2}, {2, 3, 2},
    {3, 4, 2}, {1, 1, 2},  {3, 2, 2},  {2, 1, 2},  {5, 2, 2},  {-1, 1, 2},
};

double regression_term_value(const struct regression_term *term, double x)
{
    double value = pow(x, (double)term->numerator / term->denominator);
    for (int j = 0; j < term->logs; j++)
        value *= log2(x);
    return value;
}

double regression_column_value(const struct regression_term *column, const double *x)
{
    double product = 1;
    for (int p = 0; p < REGRESSION_PARAMETERS; p++)
        if (column[p].numerator != 0 || column[p].logs != 0)
            product *= regression_term_value(&column[p], x[p]);
    return product;
}

double regression_formula_value(const struct regression_formula *formula, const double *x)
{
    double sum = formula->coefficients[0];
    for (int c = 0; c < formula->n_columns; c++)
        sum += formula->coefficients[1 + c] * regression_column_value(formula->columns[c], x);
    return sum;
}

int regression_term_compare(const struct regression_term *a, const struct regression_term *b)
{
    if (a->logs != b->logs)
        return a->logs - b->logs;
    if (a->denominator != b->denominator && (a->numerator != 0 || b->numerator != 0))
        return a->denominator - b->denominator;
    return abs(a->numerator) != abs(b->numerator) ? abs(a->numerator) - abs(b->numerator) : a->numerator - b->numerator;
}

int regression_leading_column(const struct regression_formula *formula)
{
    int leading = -1;
    for (int c = 0; c < formula->n_columns; c++) {
        const struct regression_term *term = formula->columns[c], *best = formula->columns[leading < 0 ? c : leading];
        int difference = term->numerator * best->denominator - best->numerator * term->denominator;
        if (leading < 0 || difference > 0 || (difference == 0 && term->logs > best->logs))
            leading = c;
    }
    return leading;
}

/* ---- Text ---- */

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

static void format_power(char *text, size_t size, const struct regression_term *term, const char *name)
{
    if (term->denominator > 1)
        snprintf(text, size, " %s^(%d/%d)", name, term->numerator, term->denominator);
    else if (term->numerator != 1)
        snprintf(text, size, " %s^%d", name, term->numerator);
    else
        snprintf(text, size, " %s", name);
}

static void append_term(char *text, size_t size, const struct regression_term *term, const char *name)
{
    char word[100] = "";
    if (term->numerator != 0)
        format_power(word, sizeof word, term, name);
    append(text, size, word);
    if (term->logs > 0) {
        snprintf(word, sizeof word, term->logs > 1 ? " log2(%s)^%d" : " log2(%s)", name, term->logs);
        append(text, size, word);
    }
}

void regression_term_format(char *text, size_t size, const struct regression_term *term, const char *name)
{
    char words[200] = "";
    append_term(words, sizeof words, term, name);
    snprintf(text, size, "%s", words + (words[0] == ' '));
}

void regression_formula_format(char *text, size_t size, const struct regression_formula *formula,
                               const char *const *names)
{
    bool has_constant = formula->coefficients[0] != 0 || formula->n_columns == 0;
    *text = '\0';
    if (has_constant)
        snprintf(text, size, "%.4g", formula->coefficients[0] + 0.0); /* never -0 */
    for (int c = 0; c < formula->n_columns; c++) {
        char number[40];
        double coefficient = formula->coefficients[1 + c];
        if (c == 0 && !has_constant)
            snprintf(number, sizeof number, "%.4g", coefficient);
        else
            snprintf(number, sizeof number, " %c %.4g", coefficient < 0 ? '-' : '+', fabs(coefficient));
        append(text, size, number);
        for (int p = 0; p < REGRESSION_PARAMETERS; p++) /* there are no names of parameters that it has not */
            if (formula->columns[c][p].numerator != 0 || formula->columns[c][p].logs != 0)
                append_term(text, size, &formula->columns[c][p], names[p]);
    }
}
