/* Hashes of bytes, and numbers that look random. Bytes: FNV-1a, 64 bits (Fowler, Noll, Vo), which tells contents apart
 * and does not resist deliberate collisions.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* The hash of bytes. To hash several pieces, begin with HASH_START and go on from the hash of the pieces before. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* ---- Numbers that look random, and are a pure function of what they are asked for: splitmix64 (Steele, Lea, Flood
 * 2014) ---- */

static inline uint64_t pseudo_random(uint64_t stream, uint64_t i)
{
    uint64_t z = (stream << 40) + (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Uniform in [0, 1). */
static inline double pseudo_uniform(uint64_t stream, uint64_t i)
{
    return (double)(pseudo_random(stream, i) >> 11) * 0x1p-53;
}

/* Normal with mean 0 and standard deviation 1 (Box and Muller 1958). */
static inline double pseudo_normal(uint64_t stream, uint64_t i)
{
    double radius = sqrt(-2 * log(1 - pseudo_uniform(stream, 2 * i)));
    return radius * cos(6.283185307179586 * pseudo_uniform(stream, 2 * i + 1));
}

#endif
