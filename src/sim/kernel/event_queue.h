/* The kernel's queue of future moments: a 4-ary heap of 16-byte entries with one entry kept in front of it.
 *
 * The entry in front is the one pushed last that was earlier than the front before it; a moment that is pushed and
 * popped at once, as most are when little is under way, never touches the heap. */
#ifndef SIM_KERNEL_EVENT_QUEUE_H
#define SIM_KERNEL_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moment {
    int64_t at_ps;
    uint32_t order; /* decides between equal times: the smaller first, then the smaller index */
    uint32_t index; /* what it is for; the queue does not look at it but to decide */
};

struct event_queue {
    struct moment *heap;
    size_t count, capacity;
    struct moment front;
    bool has_front;
};

void event_queue_init(struct event_queue *queue);
void event_queue_dispose(struct event_queue *queue);
/* The heap behind the front. */
void event_queue_push_heap(struct event_queue *queue, struct moment moment);
struct moment event_queue_pop_heap(struct event_queue *queue);

static inline bool moment_is_before(struct moment a, struct moment b)
{
    if (a.at_ps != b.at_ps)
        return a.at_ps < b.at_ps;
    return a.order != b.order ? a.order < b.order : a.index < b.index;
}

static inline void event_queue_push(struct event_queue *queue, struct moment moment)
{
    if (queue->has_front && !moment_is_before(moment, queue->front)) {
        event_queue_push_heap(queue, moment);
        return;
    }
    if (queue->has_front)
        event_queue_push_heap(queue, queue->front);
    queue->front = moment;
    queue->has_front = true;
}

/* The earliest time in the queue; INT64_MAX when it is empty. */
static inline int64_t event_queue_next(const struct event_queue *queue)
{
    int64_t next = queue->count > 0 ? queue->heap[0].at_ps : INT64_MAX;
    return queue->has_front && queue->front.at_ps < next ? queue->front.at_ps : next;
}

/* Take out the earliest; false when the queue is empty. */
static inline bool event_queue_pop(struct event_queue *queue, struct moment *moment)
{
    if (queue->has_front && (queue->count == 0 || moment_is_before(queue->front, queue->heap[0]))) {
        *moment = queue->front;
        queue->has_front = false;
        return true;
    }
    if (queue->count == 0)
        return false;
    *moment = event_queue_pop_heap(queue);
    return true;
}

#endif
