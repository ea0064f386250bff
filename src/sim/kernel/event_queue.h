/* The kernel's queue of future events. Keys are in picoseconds. Most events come in order, where messages take equally
 * long, or are popped at once, where little is under way; they never touch the heap.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_EVENT_QUEUE_H
#define SIM_KERNEL_EVENT_QUEUE_H

#include "base/run_heap.h"

#include <assert.h>

/* All zero is an empty one. */
struct event_queue {
    struct run_heap events;
    size_t most; /* so many there were at once */
};

static inline void event_queue_dispose(struct event_queue *queue)
{
    run_heap_dispose(&queue->events);
    *queue = (struct event_queue){0};
}

static inline void event_queue_push(struct event_queue *queue, struct heap_entry event)
{
    run_heap_push(&queue->events, event);
    if (run_heap_count(&queue->events) > queue->most)
        queue->most = run_heap_count(&queue->events);
}

/* The earliest time in the queue; INT64_MAX when it is empty. */
static inline int64_t event_queue_next(const struct event_queue *queue)
{
    return run_heap_count(&queue->events) > 0 ? run_heap_first(&queue->events).key : INT64_MAX;
}

/* Take out the earliest; false when the queue is empty. */
static inline bool event_queue_pop(struct event_queue *queue, struct heap_entry *event)
{
    if (run_heap_count(&queue->events) == 0)
        return false;
    *event = run_heap_pop(&queue->events);
    assert(run_heap_count(&queue->events) == 0 || !heap_is_before(run_heap_first(&queue->events), *event));
    return true;
}

#endif
