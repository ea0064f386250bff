/* Random numbers of planted laws: the same on any computer.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <math.h>
#include <stdint.h>

/* From 0 to below 1. */
static inline double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* A normally distributed number, of mean 0 and deviation 1. */
static inline double gauss(uint64_t *state)
{
    double radius = sqrt(-2 * log(1 - uniform(state)));
    return radius * cos(6.28318530717958647692 * uniform(state));
}

#endif
