#include "sim/event_queue.h"

#include "base/memory.h"

#include <stdlib.h>

static bool is_before(struct moment a, struct moment b)
{
    if (a.at_ps != b.at_ps)
        return a.at_ps < b.at_ps;
    return a.order != b.order ? a.order < b.order : a.index < b.index;
}

void event_queue_init(struct event_queue *queue)
{
    *queue = (struct event_queue){0};
}

void event_queue_dispose(struct event_queue *queue)
{
    free(queue->heap);
}

static void heap_push(struct event_queue *queue, struct moment moment)
{
    queue->heap = xgrow(queue->heap, queue->count, &queue->capacity, sizeof *queue->heap);
    struct moment *heap = queue->heap;
    size_t hole = queue->count++;
    while (hole > 0) {
        size_t parent = (hole - 1) / 4;
        if (!is_before(moment, heap[parent]))
            break;
        heap[hole] = heap[parent];
        hole = parent;
    }
    heap[hole] = moment;
}

static struct moment heap_pop(struct event_queue *queue)
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
            if (is_before(heap[i], heap[least]))
                least = i;
        if (!is_before(heap[least], last))
            break;
        heap[hole] = heap[least];
        hole = least;
    }
    heap[hole] = last;
    return top;
}

void event_queue_push(struct event_queue *queue, struct moment moment)
{
    if (!queue->has_front) {
        queue->front = moment;
        queue->has_front = true;
    } else if (is_before(moment, queue->front)) {
        heap_push(queue, queue->front);
        queue->front = moment;
    } else {
        heap_push(queue, moment);
    }
}

int64_t event_queue_next(const struct event_queue *queue)
{
    int64_t next = queue->count > 0 ? queue->heap[0].at_ps : INT64_MAX;
    return queue->has_front && queue->front.at_ps < next ? queue->front.at_ps : next;
}

bool event_queue_pop(struct event_queue *queue, struct moment *moment)
{
    if (queue->has_front && (queue->count == 0 || is_before(queue->front, queue->heap[0]))) {
        *moment = queue->front;
        queue->has_front = false;
        return true;
    }
    if (queue->count == 0)
        return false;
    *moment = heap_pop(queue);
    return true;
}
