/* The kernel's queue of future moments: a 4-ary heap of 16-byte entries with one entry kept in front of it.
 *
 * The entry in front is the one pushed last that was earlier than the front before it; a moment that is pushed and
 * popped at once, as most are when little is under way, never touches the heap. */
#ifndef SIM_EVENT_QUEUE_H
#define SIM_EVENT_QUEUE_H

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
void event_queue_push(struct event_queue *queue, struct moment moment);
/* The earliest time in the queue; INT64_MAX when it is empty. */
int64_t event_queue_next(const struct event_queue *queue);
/* Take out the earliest; false when the queue is empty. */
bool event_queue_pop(struct event_queue *queue, struct moment *moment);

#endif
