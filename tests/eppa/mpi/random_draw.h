/* Numbers that all ranks of random.c draw alike, numbers of a rank's own, and the account of its collectives.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RANDOM_DRAW_H
#define RANDOM_DRAW_H

#include "count.h"

#include <stdint.h>
#include <string.h>

static uint64_t draw_state, own_state;

/* SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint32_t next_of(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)(z >> 32);
}

static inline uint32_t draw_any(void)
{
    return next_of(&draw_state);
}

static inline int draw(int n)
{
    return (int)(draw_any() % (uint32_t)n);
}

static inline int own(int n)
{
    return (int)(next_of(&own_state) % (uint32_t)n);
}

enum { N_COUNTED = 32 };
static struct {
    const char *operation;
    long n;
} counted[N_COUNTED];

static inline void count_call(const char *operation)
{
    int i = 0;
    while (counted[i].operation != NULL && strcmp(counted[i].operation, operation) != 0)
        i++;
    CHECK(i < N_COUNTED - 1);
    counted[i].operation = operation;
    counted[i].n++;
}

static inline void write_account(int rank)
{
    for (int i = 0; counted[i].operation != NULL; i++)
        fprintf(count_open(), "calls %d %s %ld\n", rank, counted[i].operation, counted[i].n);
    count_write();
}

#endif
