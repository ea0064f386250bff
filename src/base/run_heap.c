/* The ring of a heap's run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/run_heap.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void run_heap_dispose(struct run_heap *self)
{
    heap_dispose(&self->heap);
    free(self->run);
    *self = (struct run_heap){.n_run = 0};
}

void run_heap_grow(struct run_heap *self)
{
    uint32_t capacity = self->capacity > 0 ? 2 * self->capacity : 4, to_end = self->capacity - self->first;
    struct heap_entry *run = xmalloc(capacity * sizeof *run);
    if (self->n_run > 0) {
        memcpy(run, self->run + self->first, to_end * sizeof *run);
        memcpy(run + to_end, self->run, (self->n_run - to_end) * sizeof *run);
    }
    free(self->run);
    self->run = run;
    self->first = 0;
    self->capacity = capacity;
}
