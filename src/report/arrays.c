/* Puts arrays of NumPy together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/arrays.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 16, HEAD = 118 }; /* bytes; with what is before it, the head of an array takes 128 */

void bytes_add(void *self, const void *more, size_t length)
{
    struct bytes *bytes = self;
    if (bytes->size + length > bytes->capacity) {
        bytes->capacity = 2 * (bytes->size + length);
        bytes->bytes = xrealloc(bytes->bytes, bytes->capacity);
    }
    memcpy(bytes->bytes + bytes->size, more, length);
    bytes->size += length;
}

/* The last byte of a number comes last: little endian. */
static void add_number(struct bytes *bytes, uint64_t number, int n)
{
    for (; n > 0; n--, number >>= 8)
        bytes_add(bytes, &(unsigned char){(unsigned char)(number & 0xff)}, 1);
}

void arrays_begin(struct arrays *arrays)
{
    bytes_add(&arrays->bytes, "Extra-P VALUES\0", MAGIC);
}

void arrays_add(struct arrays *arrays, const double *values, size_t count)
{
    char head[HEAD + 1];
    int length = snprintf(head, sizeof head, "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu,), }", count);
    memset(head + length, ' ', (size_t)(HEAD - length));
    head[HEAD - 1] = '\n';
    add_number(&arrays->places, arrays->bytes.size, 8);
    bytes_add(&arrays->bytes, "\223NUMPY\1", 8); /* with the zero of version 1.0 */
    add_number(&arrays->bytes, HEAD, 2);
    bytes_add(&arrays->bytes, head, HEAD);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        add_number(&arrays->bytes, bits, 8);
    }
    arrays->count++;
}

struct bytes arrays_index(const struct arrays *arrays)
{
    struct bytes index = {0};
    bytes_add(&index, "Extra-P INDEX\0\0", MAGIC);
    add_number(&index, (uint64_t)arrays->count, 8);
    if (arrays->places.size > 0)
        bytes_add(&index, arrays->places.bytes, arrays->places.size);
    return index;
}

void arrays_dispose(struct arrays *arrays)
{
    free(arrays->bytes.bytes);
    free(arrays->places.bytes);
}
