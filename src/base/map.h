/* A hash table from keys of 128 bits to an index or a pointer.
 *
 * Open addressing with linear probing, at most half full. A removed entry leaves no mark: the following ones move up.
 * Memory grows with the most entries that it has held. The order of the entries has no meaning, and callers must not
 * depend on it. The hash spreads keys that differ in any bit. It does not resist keys that are chosen to collide.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAP_NOTHING UINT32_MAX

struct map_key {
    uint64_t high, low;
};

/* An entry maps a key to an index below MAP_NOTHING or to the address of an object; one map holds only one of the
 * two. */
struct map_entry {
    struct map_key key;
    union {
        /* index MAP_NOTHING: the entry is free. No address of an object looks like that. */
        struct {
            uint32_t index;
            uint32_t last; /* of a queue */
        };
        void *pointer;
    };
};

/* All zero is an empty one. */
struct map {
    struct map_entry *entries;
    size_t size, count; /* the size is a power of two, or 0 */
    int shift;          /* of a hash's 64 bits, so many are not part of the place */
};

static inline struct map_key map_key(int32_t a, int32_t b, int32_t c, int32_t d)
{
    return (struct map_key){(uint64_t)(uint32_t)a << 32 | (uint32_t)b, (uint64_t)(uint32_t)c << 32 | (uint32_t)d};
}

static inline struct map_key map_key_64(uint64_t id)
{
    return (struct map_key){.low = id};
}

void map_dispose(struct map *map);
/* Take out all; the room for them stays. */
void map_clear(struct map *map);
/* Make room for more; where memory runs out map_try_grow() returns false, map_grow() ends the program. */
bool map_try_grow(struct map *map);
void map_grow(struct map *map);
/* The entry is one of the map's. Entries are at other places afterwards. */
void map_remove(struct map *map, struct map_entry *entry);

/* Make room for one more entry, for who must not end the program: the next map_add() takes no memory then. */
static inline bool map_reserve(struct map *map)
{
    return 2 * (map->count + 1) <= map->size || map_try_grow(map);
}

/* Where the search for a key begins. */
static inline size_t map_home(const struct map *map, struct map_key key)
{
    uint64_t hash = key.high * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 32 ^ key.low) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (size_t)(hash >> map->shift);
}

/* The entry of the key, or the free one where it would be. The map has been given room. */
static inline struct map_entry *map_place(const struct map *map, struct map_key key)
{
    size_t at = map_home(map, key);
    struct map_entry *entry = &map->entries[at];
    while (entry->index != MAP_NOTHING && (entry->key.high != key.high || entry->key.low != key.low)) {
        at = (at + 1) & (map->size - 1);
        entry = &map->entries[at];
    }
    return entry;
}

/* NULL if there is none. Good until the next change. */
static inline struct map_entry *map_find(const struct map *map, struct map_key key)
{
    if (map->count == 0)
        return NULL;
    struct map_entry *entry = map_place(map, key);
    return entry->index != MAP_NOTHING ? entry : NULL;
}

/* The entry of the key. If that is new, index is MAP_NOTHING, and has to be filled in before the next call. */
static inline struct map_entry *map_add(struct map *map, struct map_key key)
{
    if (2 * (map->count + 1) > map->size)
        map_grow(map);
    struct map_entry *entry = map_place(map, key);
    if (entry->index == MAP_NOTHING) {
        entry->key = key;
        map->count++;
    }
    return entry;
}

/* True if the key is there; then *index is its index. */
static inline bool map_get(const struct map *map, struct map_key key, uint32_t *index)
{
    const struct map_entry *entry = map_find(map, key);
    if (entry != NULL)
        *index = entry->index;
    return entry != NULL;
}

/* ---- First in, first out for each key of a map: its entry has the first and the last item of the key's queue. Items
 * are indices into a pool of the caller, where each has the next one of its key; MAP_NOTHING: there is none. ---- */

/* Put an item without a next one last in the queue of the entry, which map_add() has given. Returns the item before it,
 * whose next one it is: the caller notes that there. MAP_NOTHING: it is the first. */
static inline uint32_t queue_append(struct map_entry *entry, uint32_t item)
{
    uint32_t before = entry->index != MAP_NOTHING ? entry->last : MAP_NOTHING;
    if (before == MAP_NOTHING)
        entry->index = item;
    entry->last = item;
    return before;
}

/* Take out the first item, entry->index, which `next` follows. */
static inline void queue_drop_first(struct map *map, struct map_entry *entry, uint32_t next)
{
    if (next != MAP_NOTHING)
        entry->index = next;
    else
        map_remove(map, entry);
}

#endif
