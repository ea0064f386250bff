/* A heap beside a run: an entry that is after all of the run, or before all of it, lies at that end of the run, which
 * costs neither a search nor a move; the others are in the heap. So entries that come in order are cheap, and one that
 * is popped at once.
 *
 * All zero is an empty one. The caller disposes of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_RUN_HEAP_H
#define BASE_RUN_HEAP_H

#include "base/heap.h"

struct run_heap {
    struct heap heap;
    struct heap_entry *run;          /* a ring: `n_run` entries from `first` on, in order */
    uint32_t first, n_run, capacity; /* the capacity is a power of 2, or 0 */
};

void run_heap_dispose(struct run_heap *self);
/* Make room for more entries in the run. */
void run_heap_grow(struct run_heap *self);

static inline size_t run_heap_count(const struct run_heap *self)
{
    return self->heap.count + self->n_run;
}

static inline bool run_heap_is_first(const struct run_heap *self)
{
    return self->n_run > 0 && (self->heap.count == 0 || heap_is_before(self->run[self->first], self->heap.entries[0]));
}

/* The least; it is not empty. */
static inline struct heap_entry run_heap_first(const struct run_heap *self)
{
    return run_heap_is_first(self) ? self->run[self->first] : self->heap.entries[0];
}

static inline void run_heap_push(struct run_heap *self, struct heap_entry entry)
{
    if (self->n_run == self->capacity)
        run_heap_grow(self);
    uint32_t mask = self->capacity - 1, end = self->first + self->n_run;
    if (self->n_run == 0 || !heap_is_before(entry, self->run[(end - 1) & mask])) {
        self->run[end & mask] = entry;
    } else if (heap_is_before(entry, self->run[self->first])) {
        self->first = (self->first - 1) & mask;
        self->run[self->first] = entry;
    } else {
        heap_push(&self->heap, entry);
        return;
    }
    self->n_run++;
}

/* The first of the run; NULL if there is none. */
static inline const struct heap_entry *run_heap_next(const struct run_heap *self)
{
    return self->n_run > 0 ? &self->run[self->first] : NULL;
}

/* Take out the least; it is not empty. */
static inline struct heap_entry run_heap_pop(struct run_heap *self)
{
    if (!run_heap_is_first(self))
        return heap_pop(&self->heap);
    struct heap_entry first = self->run[self->first];
    self->first = (self->first + 1) & (self->capacity - 1);
    self->n_run--;
    return first;
}

#endif
