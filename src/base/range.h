/* The smaller and the larger of two numbers, and the nearest in a range. Products and quotients of doubles that are
 * rounded to whole numbers once, at the end: the same number on every computer, whatever its long double is. What is
 * lost in the steps between is what fma() says.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_RANGE_H
#define BASE_RANGE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline int int_min(int a, int b)
{
    return a < b ? a : b;
}

static inline int int_max(int a, int b)
{
    return a > b ? a : b;
}

static inline int64_t int64_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t int64_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The number of least ... most that is nearest to `number`; least <= most. */
static inline int64_t int64_clamp(int64_t number, int64_t least, int64_t most)
{
    return number < least ? least : number > most ? most : number;
}

/* Where b is no number: a. */
static inline double double_max(double a, double b)
{
    return b > a ? b : a;
}

static inline size_t size_max(size_t a, size_t b)
{
    return a > b ? a : b;
}

static inline size_t size_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The whole number next to the sum, halves upwards; `large` is at least 0 and below 2^63, `small` what rounding it has
 * lost. */
static inline int64_t round_sum(double large, double small)
{
    double whole = floor(large);
    return (int64_t)whole + (int64_t)floor(large - whole + small + 0.5);
}

/* a * b * c, at least 0. */
static inline int64_t round_product(double a, double b, double c)
{
    double both = a * b, all = both * c;
    return round_sum(all, fma(both, c, -all) + fma(a, b, -both) * c);
}

/* a * b / divisor, at least 0. */
static inline int64_t round_quotient(double a, double b, double divisor)
{
    double product = a * b, quotient = product / divisor;
    return round_sum(quotient, (fma(-quotient, divisor, product) + fma(a, b, -product)) / divisor);
}

#endif
