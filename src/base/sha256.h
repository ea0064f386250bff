/* SHA-256 (FIPS 180-4): a hash by which equal contents are known, on any computer. No two different ones with the same
 * hash are known to anybody.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHA256_BLOCK = 64, SHA256_DIGITS = 64 };

/* A hash in the making. */
struct sha256 {
    uint32_t state[8];
    uint64_t size; /* of what has been added */
    bool is_fast;  /* by instructions of the processor; a test may say no */
    unsigned char rest[SHA256_BLOCK];
};

/* A hash in hexadecimal digits. */
struct sha256_text {
    char digits[SHA256_DIGITS + 1];
};

void sha256_begin(struct sha256 *hash);
/* The next bytes. */
void sha256_add(struct sha256 *hash, const void *bytes, size_t size);
/* The hash of all that has been added; nothing may be added after it. */
struct sha256_text sha256_end(struct sha256 *hash);

/* The hash of these bytes alone. */
struct sha256_text sha256_of(const void *bytes, size_t size);

#endif
