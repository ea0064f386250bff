/* A 4-ary heap: half as deep as a binary one, and the four children of a place lie together.
 *
 * Both kinds of heap share rise() and sink(). Those are compiled once for each, so that a heap that does not track its
 * items pays nothing for it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/heap.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FOR_EACH_KIND static inline __attribute__((always_inline))

void heap_dispose(struct heap *heap)
{
    free(heap->entries);
    *heap = (struct heap){0};
}

/* `places` is NULL where items are not tracked. */
FOR_EACH_KIND void put(struct heap *heap, uint32_t *places, size_t place, struct heap_entry entry)
{
    heap->entries[place] = entry;
    if (places != NULL)
        places[entry.item] = (uint32_t)place + 1;
}

/* Put the entry where it belongs, at the hole or above. */
FOR_EACH_KIND void rise(struct heap *heap, uint32_t *places, size_t hole, struct heap_entry entry)
{
    const struct heap_entry *entries = heap->entries;
    while (hole > 0) {
        size_t parent = (hole - 1) / 4;
        if (!heap_is_before(entry, entries[parent]))
            break;
        put(heap, places, hole, entries[parent]);
        hole = parent;
    }
    put(heap, places, hole, entry);
}

/* The first of the four entries from a place on, or of those of them that there are. */
FOR_EACH_KIND size_t first_of_four(const struct heap_entry *entries, size_t from, size_t count)
{
    if (from + 4 <= count) {
        size_t a = from + heap_is_before(entries[from + 1], entries[from]);
        size_t b = from + 2 + heap_is_before(entries[from + 3], entries[from + 2]);
        return a + (b - a) * heap_is_before(entries[b], entries[a]);
    }
    size_t first = from;
    for (size_t i = from + 1; i < count; i++)
        if (heap_is_before(entries[i], entries[first]))
            first = i;
    return first;
}

/* At the hole or below. */
FOR_EACH_KIND void sink(struct heap *heap, uint32_t *places, size_t hole, struct heap_entry entry)
{
    const struct heap_entry *entries = heap->entries;
    size_t count = heap->count;
    while (hole * 4 + 1 < count) {
        size_t least = first_of_four(entries, hole * 4 + 1, count);
        if (!heap_is_before(entries[least], entry))
            break;
        put(heap, places, hole, entries[least]);
        hole = least;
    }
    put(heap, places, hole, entry);
}

FOR_EACH_KIND void push(struct heap *heap, uint32_t *places, struct heap_entry entry)
{
    heap->entries = xgrow(heap->entries, heap->count, &heap->capacity, sizeof *heap->entries);
    rise(heap, places, heap->count++, entry);
}

void heap_push(struct heap *heap, struct heap_entry entry)
{
    push(heap, NULL, entry);
}

struct heap_entry heap_pop(struct heap *heap)
{
    struct heap_entry first = heap->entries[0], last = heap->entries[--heap->count];
    sink(heap, NULL, 0, last);
    return first;
}

/* --- items that are tracked --- */

void tracked_heap_track(struct tracked_heap *tracked, size_t n_items)
{
    if (n_items <= tracked->n_places)
        return;
    size_t n_places = n_items > 2 * tracked->n_places ? n_items : 2 * tracked->n_places;
    uint32_t *places = xcalloc(n_places, sizeof *places);
    if (tracked->n_places > 0)
        memcpy(places, tracked->places, tracked->n_places * sizeof *places);
    free(tracked->places);
    tracked->places = places;
    tracked->n_places = n_places;
}

void tracked_heap_dispose(struct tracked_heap *tracked)
{
    heap_dispose(&tracked->heap);
    free(tracked->places);
    *tracked = (struct tracked_heap){0};
}

void tracked_heap_set(struct tracked_heap *tracked, uint32_t item, int64_t key)
{
    const struct heap_entry entry = {.key = key, .item = item};
    size_t place = tracked->places[item];
    if (place == 0)
        push(&tracked->heap, tracked->places, entry);
    else if (key > tracked->heap.entries[place - 1].key)
        sink(&tracked->heap, tracked->places, place - 1, entry);
    else
        rise(&tracked->heap, tracked->places, place - 1, entry);
}

struct heap_entry tracked_heap_pop(struct tracked_heap *tracked)
{
    struct heap *heap = &tracked->heap;
    struct heap_entry first = heap->entries[0], last = heap->entries[--heap->count];
    sink(heap, tracked->places, 0, last);
    tracked->places[first.item] = 0;
    return first;
}

void tracked_heap_remove(struct tracked_heap *tracked, uint32_t item)
{
    if (tracked->places[item] == 0)
        return;
    tracked_heap_set(tracked, item, INT64_MIN);
    tracked_heap_pop(tracked);
}

/* --- keys of reals --- */

int64_t heap_key(double number)
{
    int64_t key;
    memcpy(&key, &number, sizeof key);
    return key;
}

double heap_number(int64_t key)
{
    double number;
    memcpy(&number, &key, sizeof number);
    return number;
}
