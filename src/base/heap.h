/* Numbered items, the least key first: a 4-ary heap of 16-byte entries, and one that finds its items by their number.
 *
 * All zero is an empty heap. Keys are integers; heap_key() has those of reals. The caller disposes of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include "base/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_entry {
    int64_t key;
    uint32_t item;  /* what it is for; the heap does not look at it but to decide */
    uint32_t order; /* decides between equal keys: the smaller first, then the smaller item */
};

/* The least is entries[0]. An item may be in it more than once. */
struct heap {
    struct heap_entry *entries;
    size_t count, capacity;
};

void heap_dispose(struct heap *heap);
void heap_push(struct heap *heap, struct heap_entry entry);
/* Take out the least; the heap is not empty. */
struct heap_entry heap_pop(struct heap *heap);

/* Each item is in it at most once, with order 0, and can be moved and taken out. To be changed only by what follows. */
struct tracked_heap {
    struct heap heap;
    uint32_t *places; /* of each item 1 + its index in entries, 0: not in it */
    size_t n_places;
};

/* Track the items below `n_items`, besides those that are tracked already. */
void tracked_heap_track(struct tracked_heap *tracked, size_t n_items);
void tracked_heap_dispose(struct tracked_heap *tracked);
/* Put the item in, or move it; take it out if it is in; take out the least of a heap that is not empty. */
void tracked_heap_set(struct tracked_heap *tracked, uint32_t item, int64_t key);
void tracked_heap_remove(struct tracked_heap *tracked, uint32_t item);
struct heap_entry tracked_heap_pop(struct tracked_heap *tracked);

/* As one number, so that deciding takes no branch. */
static inline wide_int heap_place(struct heap_entry entry)
{
    return (wide_int)((wide_uint)entry.key << 64 | ((uint64_t)entry.order << 32 | entry.item));
}

static inline bool heap_is_before(struct heap_entry a, struct heap_entry b)
{
    return heap_place(a) < heap_place(b);
}

/* The key of the first entry; INT64_MAX of an empty heap. */
static inline int64_t heap_first_key(const struct heap *heap)
{
    return heap->count > 0 ? heap->entries[0].key : INT64_MAX;
}

/* Keys in the order of real numbers that are not negative, and back. */
int64_t heap_key(double number);
double heap_number(int64_t key);

#endif
