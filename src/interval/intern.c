/* A table of lists that only grow: who adds a value puts it before the others of its list, at once or not at all.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "interval/intern.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_LISTS = 1 << 16 };

struct interned {
    struct interned *next;
    size_t size;
    int64_t bytes[]; /* aligned as any value */
};

static _Atomic(struct interned *) lists[N_LISTS];

/* The value in the list before `end`; else that. */
static struct interned *find(struct interned *from, struct interned *end, const void *bytes, size_t size)
{
    while (from != end && (from->size != size || memcmp(from->bytes, bytes, size) != 0))
        from = from->next;
    return from;
}

const void *intern_bytes(const void *bytes, size_t size)
{
    _Atomic(struct interned *) *list = &lists[hash_bytes(HASH_START, bytes, size) % N_LISTS];
    struct interned *first = atomic_load(list), *found = find(first, NULL, bytes, size);
    if (found != NULL)
        return found->bytes;
    struct interned *added = xmalloc(sizeof *added + size);
    added->size = size;
    memcpy(added->bytes, bytes, size);
    do { /* again where another thread has added some meanwhile */
        added->next = first;
        if (atomic_compare_exchange_weak(list, &first, added))
            return added->bytes;
        found = find(first, added->next, bytes, size);
    } while (found == added->next);
    free(added);
    return found->bytes;
}

const char *intern_text(const char *text)
{
    return intern_bytes(text, strlen(text) + 1);
}

const char *intern_format(const char *format, ...)
{
    char text[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return intern_text(text);
}
