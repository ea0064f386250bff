/* Products and quotients of doubles that are rounded to whole numbers once, at the end: the same number on every
 * computer, whatever its long double is. What is lost in the steps between is what fma() says. */
#ifndef BASE_ROUNDING_H
#define BASE_ROUNDING_H

#include <math.h>
#include <stdint.h>

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
