/* A heap of numbered items: the least key first, of equal keys the smallest number.
 *
 * Zero is an empty heap. One that tracks its items finds them by their number, so that they can be moved and taken
 * out; each is then in it once. What is not tracked may be in it more than once. Keys are integers; numbered_heap_key()
 * has those of reals. The caller disposes of it. */
#ifndef BASE_NUMBERED_HEAP_H
#define BASE_NUMBERED_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct numbered_heap_entry {
    int64_t key;
    uint32_t item;
};

struct numbered_heap {
    struct numbered_heap_entry *entries;
    size_t count, capacity;
    uint32_t *places; /* of each item 1 + its index in entries, 0: not in it; NULL: not tracked */
    size_t n_places;
};

/* Track the items below `n_items`, besides those that are tracked already. Only of a heap that is empty or tracks. */
void numbered_heap_track(struct numbered_heap *heap, size_t n_items);
void numbered_heap_dispose(struct numbered_heap *heap);

void numbered_heap_push(struct numbered_heap *heap, uint32_t item, int64_t key);
/* The first entry, taken out of a heap that is not empty. */
struct numbered_heap_entry numbered_heap_pop(struct numbered_heap *heap);

/* Of a heap that tracks: put the item in, or move it; take it out if it is in. */
void numbered_heap_set(struct numbered_heap *heap, uint32_t item, int64_t key);
void numbered_heap_remove(struct numbered_heap *heap, uint32_t item);

/* The key of the first entry; INT64_MAX of an empty heap. */
static inline int64_t numbered_heap_first_key(const struct numbered_heap *heap)
{
    return heap->count > 0 ? heap->entries[0].key : INT64_MAX;
}

/* Keys in the order of real numbers that are not negative, and back. */
int64_t numbered_heap_key(double number);
double numbered_heap_number(int64_t key);

#endif
