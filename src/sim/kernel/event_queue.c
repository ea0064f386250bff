/* The 4-ary heap behind the entry that is kept in front. */
#include "sim/kernel/event_queue.h"

#include "base/memory.h"

#include <stdlib.h>

void event_queue_init(struct event_queue *queue)
{
    *queue = (struct event_queue){0};
}

void event_queue_dispose(struct event_queue *queue)
{
    free(queue->heap);
}

void event_queue_push_heap(struct event_queue *queue, struct moment moment)
{
    queue->heap = xgrow(queue->heap, queue->count, &queue->capacity, sizeof *queue->heap);
    struct moment *heap = queue->heap;
    size_t hole = queue->count++;
    while (hole > 0) {
        size_t parent = (hole - 1) / 4;
        if (!moment_is_before(moment, heap[parent]))
            break;
        heap[hole] = heap[parent];
        hole = parent;
    }
    heap[hole] = moment;
}

struct moment event_queue_pop_heap(struct event_queue *queue)
{
    struct moment *heap = queue->heap;
    struct moment top = heap[0], last = heap[--queue->count];
    size_t hole = 0, count = queue->count;
    for (;;) {
        size_t child = hole * 4 + 1, end = child + 4 < count ? child + 4 : count;
        if (child >= count)
            break;
        size_t least = child;
        for (size_t i = child + 1; i < end; i++)
            if (moment_is_before(heap[i], heap[least]))
                least = i;
        if (!moment_is_before(heap[least], last))
            break;
        heap[hole] = heap[least];
        hole = least;
    }
    heap[hole] = last;
    return top;
}
