/* The smaller and the larger of two numbers, and the nearest in a range. */
#ifndef BASE_RANGE_H
#define BASE_RANGE_H

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

#endif
