/* The requests of a rank that are not waited for yet. TI names them by sender, receiver and tag; of several of the same
 * the one that was begun first is meant. Each call takes the same time, however many are pending.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_PENDING_H
#define TRACE_TI_PENDING_H

#include "base/map.h"

#include <stdbool.h>

/* As the tag of a request: under any. */
enum { TI_ANY_TAG = -1 };

/* All zero is without any. */
struct ti_pending {
    struct ti_request *requests; /* a pool; there is none at 0, which stands for no request */
    size_t n_requests, capacity;
    uint32_t free;           /* a chain of those that have been waited for */
    uint32_t oldest, newest; /* the ends of a list in the order of their beginning */
    struct map names;        /* sender, receiver, tag: a queue of those of that name */
    uint32_t last_number;
};

/* Begin a request; its number, unlike 0 and those of all that are pending. */
uint32_t ti_pending_begin(struct ti_pending *pending, int from, int to, int tag);
/* Take out the request of that name; its number, or 0 if there is none. */
uint32_t ti_pending_end(struct ti_pending *pending, int from, int to, int tag);
/* Take out the one that was begun first; 0 if none is pending. */
uint32_t ti_pending_end_first(struct ti_pending *pending);
bool ti_pending_any(const struct ti_pending *pending);
/* Take out all; false if none is pending. */
bool ti_pending_end_all(struct ti_pending *pending);
void ti_pending_clear(struct ti_pending *pending);
void ti_pending_dispose(struct ti_pending *pending);

#endif
