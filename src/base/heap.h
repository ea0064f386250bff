/* Moments, the earliest first: a 4-ary heap of 16-byte entries. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moment {
    int64_t at_ps;
    uint32_t order; /* decides between equal times: the smaller first, then the smaller index */
    uint32_t index; /* what it is for; the heap does not look at it but to decide */
};

/* All zero is an empty one. The earliest is moments[0]. */
struct heap {
    struct moment *moments;
    size_t count, capacity;
};

void heap_dispose(struct heap *heap);
void heap_push(struct heap *heap, struct moment moment);
/* Take out the earliest; the heap is not empty. */
struct moment heap_pop(struct heap *heap);

static inline bool moment_is_before(struct moment a, struct moment b)
{
    if (a.at_ps != b.at_ps)
        return a.at_ps < b.at_ps;
    return a.order != b.order ? a.order < b.order : a.index < b.index;
}

#endif
