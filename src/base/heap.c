/* A 4-ary heap: half as deep as a binary one, and the four children of a place lie together. */
#include "base/heap.h"

#include "base/memory.h"

#include <stdlib.h>

void heap_dispose(struct heap *heap)
{
    free(heap->moments);
    *heap = (struct heap){0};
}

void heap_push(struct heap *heap, struct moment moment)
{
    heap->moments = xgrow(heap->moments, heap->count, &heap->capacity, sizeof *heap->moments);
    struct moment *moments = heap->moments;
    size_t hole = heap->count++;
    while (hole > 0) {
        size_t parent = (hole - 1) / 4;
        if (!moment_is_before(moment, moments[parent]))
            break;
        moments[hole] = moments[parent];
        hole = parent;
    }
    moments[hole] = moment;
}

struct moment heap_pop(struct heap *heap)
{
    struct moment *moments = heap->moments;
    struct moment top = moments[0], last = moments[--heap->count];
    size_t hole = 0, count = heap->count;
    for (;;) {
        size_t child = hole * 4 + 1, end = child + 4 < count ? child + 4 : count;
        if (child >= count)
            break;
        size_t least = child;
        for (size_t i = child + 1; i < end; i++)
            if (moment_is_before(moments[i], moments[least]))
                least = i;
        if (!moment_is_before(moments[least], last))
            break;
        moments[hole] = moments[least];
        hole = least;
    }
    moments[hole] = last;
    return top;
}
