/* The kernel's queue of future events: a heap with one entry kept in front of it. Keys are in picoseconds.
 *
 * The entry in front is the one pushed last that was earlier than the front before it; an event that is pushed and
 * popped at once, as most are when little is under way, never touches the heap.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_EVENT_QUEUE_H
#define SIM_KERNEL_EVENT_QUEUE_H

#include "base/heap.h"

#include <assert.h>

/* All zero is an empty one. */
struct event_queue {
    struct heap heap;
    struct heap_entry front;
    bool has_front;
    size_t most; /* so many there were at once */
};

static inline void event_queue_dispose(struct event_queue *queue)
{
    heap_dispose(&queue->heap);
    *queue = (struct event_queue){0};
}

static inline void event_queue_push(struct event_queue *queue, struct heap_entry event)
{
    struct heap_entry later = event;
    if (!queue->has_front || heap_is_before(event, queue->front)) {
        later = queue->front;
        queue->front = event;
    }
    if (queue->has_front)
        heap_push(&queue->heap, later);
    queue->has_front = true;
    if (queue->heap.count >= queue->most)
        queue->most = queue->heap.count + 1;
}

/* The earliest time in the queue; INT64_MAX when it is empty. */
static inline int64_t event_queue_next(const struct event_queue *queue)
{
    int64_t next = heap_first_key(&queue->heap);
    return queue->has_front && queue->front.key < next ? queue->front.key : next;
}

/* Take out the earliest; false when the queue is empty. */
static inline bool event_queue_pop(struct event_queue *queue, struct heap_entry *event)
{
    if (queue->has_front && (queue->heap.count == 0 || heap_is_before(queue->front, queue->heap.entries[0]))) {
        *event = queue->front;
        queue->has_front = false;
        return true;
    }
    if (queue->heap.count == 0)
        return false;
    *event = heap_pop(&queue->heap);
    assert(queue->heap.count == 0 || !heap_is_before(queue->heap.entries[0], *event));
    return true;
}

#endif
