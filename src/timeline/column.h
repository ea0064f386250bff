/* Bytes that are put together number by number, as varints; their memory grows by doubling.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TIMELINE_COLUMN_H
#define TIMELINE_COLUMN_H

#include <stddef.h>
#include <stdint.h>

struct column {
    uint8_t *bytes;
    size_t length, capacity;
};

void column_add_bytes(struct column *column, const void *bytes, size_t length);
void column_add(struct column *column, uint64_t number);
void column_add_signed(struct column *column, int64_t number);

/* Add the other column behind the number of its bytes; it is empty then, and keeps its memory. */
void column_move(struct column *to, struct column *from);

#endif
