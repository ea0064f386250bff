/* Values on their way as bytes that are the same on every computer: numbers least significant first, a text behind its
 * length.
 *
 * Each function writes a value or reads it, so that what a thing consists of is described once for both ways. The input
 * may be hostile: if a value is missing, or does not fit, `failed` becomes true, and from then on nothing is read.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_TRANSPORT_H
#define BASE_TRANSPORT_H

#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct transport {
    FILE *to;                  /* NULL: values are read */
    const unsigned char *from; /* what is left to be read, `size` of them */
    size_t size;
    bool failed;
};

enum { TRANSPORT_WIDE = 16 }; /* bytes of a wide_int */

/* A whole number in two's complement, of n_bytes, 1 to TRANSPORT_WIDE; what cannot be read is 0. */
void transport_number(struct transport *transport, wide_int *number, int n_bytes);
/* One of 8 bytes. */
void transport_int64(struct transport *transport, int64_t *number);
/* To the last bit. */
void transport_real(struct transport *transport, double *number);
/* A text, without a zero in it, behind its length of n_bytes. The text fits into `size` with its terminating zero. */
void transport_text(struct transport *transport, char *text, size_t size, int n_bytes);
/* One of any length. The caller frees the text; NULL if it cannot be read. */
void transport_long_text(struct transport *transport, char **text);
/* So many bytes as they are, which the caller has room for. */
void transport_bytes(struct transport *transport, void *bytes, size_t length);
/* How many can still be read. */
size_t transport_left(const struct transport *transport);

#endif
