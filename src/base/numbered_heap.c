/* A binary heap whose items may be found by their number. */
#include "base/numbered_heap.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void numbered_heap_track(struct numbered_heap *heap, size_t n_items)
{
    if (n_items <= heap->n_places)
        return;
    size_t n_places = n_items > 2 * heap->n_places ? n_items : 2 * heap->n_places;
    uint32_t *places = xcalloc(n_places, sizeof *places);
    if (heap->n_places > 0)
        memcpy(places, heap->places, heap->n_places * sizeof *places);
    free(heap->places);
    heap->places = places;
    heap->n_places = n_places;
}

void numbered_heap_dispose(struct numbered_heap *heap)
{
    free(heap->entries);
    free(heap->places);
    *heap = (struct numbered_heap){0};
}

static bool is_before(struct numbered_heap_entry a, struct numbered_heap_entry b)
{
    return a.key != b.key ? a.key < b.key : a.item < b.item;
}

static void put(struct numbered_heap *heap, size_t place, struct numbered_heap_entry entry)
{
    heap->entries[place] = entry;
    if (heap->places != NULL)
        heap->places[entry.item] = (uint32_t)place + 1;
}

/* Put the entry where it belongs, at the hole or above. */
static void rise(struct numbered_heap *heap, size_t hole, struct numbered_heap_entry entry)
{
    while (hole > 0 && is_before(entry, heap->entries[(hole - 1) / 2])) {
        put(heap, hole, heap->entries[(hole - 1) / 2]);
        hole = (hole - 1) / 2;
    }
    put(heap, hole, entry);
}

/* At the hole or below. */
static void sink(struct numbered_heap *heap, size_t hole, struct numbered_heap_entry entry)
{
    const struct numbered_heap_entry *entries = heap->entries;
    for (size_t child; (child = 2 * hole + 1) < heap->count; hole = child) {
        if (child + 1 < heap->count && is_before(entries[child + 1], entries[child]))
            child++;
        if (!is_before(entries[child], entry))
            break;
        put(heap, hole, entries[child]);
    }
    put(heap, hole, entry);
}

void numbered_heap_push(struct numbered_heap *heap, uint32_t item, int64_t key)
{
    heap->entries = xgrow(heap->entries, heap->count, &heap->capacity, sizeof *heap->entries);
    rise(heap, heap->count++, (struct numbered_heap_entry){key, item});
}

struct numbered_heap_entry numbered_heap_pop(struct numbered_heap *heap)
{
    struct numbered_heap_entry first = heap->entries[0], last = heap->entries[--heap->count];
    if (heap->places != NULL)
        heap->places[first.item] = 0;
    if (heap->count > 0)
        sink(heap, 0, last);
    return first;
}

void numbered_heap_set(struct numbered_heap *heap, uint32_t item, int64_t key)
{
    size_t place = heap->places[item];
    if (place == 0)
        numbered_heap_push(heap, item, key);
    else if (key > heap->entries[place - 1].key)
        sink(heap, place - 1, (struct numbered_heap_entry){key, item});
    else
        rise(heap, place - 1, (struct numbered_heap_entry){key, item});
}

void numbered_heap_remove(struct numbered_heap *heap, uint32_t item)
{
    if (heap->places[item] == 0)
        return;
    numbered_heap_set(heap, item, INT64_MIN);
    numbered_heap_pop(heap);
}

int64_t numbered_heap_key(double number)
{
    int64_t key;
    memcpy(&key, &number, sizeof key);
    return key;
}

double numbered_heap_number(int64_t key)
{
    double number;
    memcpy(&number, &key, sizeof number);
    return number;
}
