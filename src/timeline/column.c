/* Writes varints.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "timeline/column.h"

#include "base/memory.h"

#include <string.h>

static void reserve(struct column *column, size_t more)
{
    if (column->length + more <= column->capacity)
        return;
    size_t wanted = 2 * column->capacity;
    column->capacity = wanted > column->length + more ? wanted : column->length + more;
    column->bytes = xrealloc(column->bytes, column->capacity);
}

void column_add_bytes(struct column *column, const void *bytes, size_t length)
{
    if (length == 0)
        return;
    reserve(column, length);
    memcpy(column->bytes + column->length, bytes, length);
    column->length += length;
}

void column_add(struct column *column, uint64_t number)
{
    enum { MOST_BYTES = 10 };
    reserve(column, MOST_BYTES);
    for (; number >= 0x80; number >>= 7)
        column->bytes[column->length++] = (uint8_t)(number | 0x80);
    column->bytes[column->length++] = (uint8_t)number;
}

void column_add_signed(struct column *column, int64_t number)
{
    column_add(column, number >= 0 ? (uint64_t)number << 1 : ~((uint64_t)number << 1));
}

void column_move(struct column *to, struct column *from)
{
    column_add(to, from->length);
    column_add_bytes(to, from->bytes, from->length);
    from->length = 0;
}
