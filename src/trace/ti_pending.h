/* The requests of a rank that are not waited for yet. TI names them by sender, receiver and tag; of several of the same
 * the one that was begun first is meant. */
#ifndef TRACE_TI_PENDING_H
#define TRACE_TI_PENDING_H

#include <stddef.h>
#include <stdint.h>

struct ti_request {
    int32_t from, to, tag;
    uint32_t number; /* 0: it has been waited for */
};

struct ti_pending {
    struct ti_request *requests; /* in the order of their beginning, from `first` to `count`; the first is pending */
    size_t first, count, capacity;
    uint32_t last_number;
};

/* Begin a request; its number, unlike 0 and those of all that are pending. */
uint32_t ti_pending_begin(struct ti_pending *pending, int from, int to, int tag);
/* Take out the request of that name; its number, or 0 if there is none. */
uint32_t ti_pending_end(struct ti_pending *pending, int from, int to, int tag);
/* Take out the one that was begun first; 0 if none is pending. */
uint32_t ti_pending_end_first(struct ti_pending *pending);
void ti_pending_clear(struct ti_pending *pending);
void ti_pending_dispose(struct ti_pending *pending);

#endif
