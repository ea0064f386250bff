/* A hash table with open addressing, from 64-bit identifiers to indices. */
#include "trace/otf2/map.h"

#include "base/memory.h"

#include <stdlib.h>

enum { SMALLEST = 16 };

struct otf_map_entry {
    uint64_t key;
    uint32_t value;
    bool used;
};

void otf_map_dispose(struct otf_map *map)
{
    free(map->entries);
    *map = (struct otf_map){0};
}

/* Spreads keys that differ in any bit (the finaliser of MurmurHash3). */
static size_t place_of(const struct otf_map *map, uint64_t key)
{
    key ^= key >> 33;
    key *= UINT64_C(0xff51afd7ed558ccd);
    key ^= key >> 33;
    key *= UINT64_C(0xc4ceb9fe1a85ec53);
    key ^= key >> 33;
    return (size_t)key & (map->capacity - 1);
}

/* Where the key is, or where it would be put. */
static size_t find(const struct otf_map *map, uint64_t key)
{
    size_t i = place_of(map, key);
    while (map->entries[i].used && map->entries[i].key != key)
        i = (i + 1) & (map->capacity - 1);
    return i;
}

static void grow(struct otf_map *map)
{
    struct otf_map old = *map;
    map->capacity = old.capacity > 0 ? 2 * old.capacity : SMALLEST;
    map->entries = xcalloc(map->capacity, sizeof *map->entries);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entries[i].used)
            map->entries[find(map, old.entries[i].key)] = old.entries[i];
    free(old.entries);
}

void otf_map_put(struct otf_map *map, uint64_t key, uint32_t value)
{
    if (4 * (map->count + 1) > 3 * map->capacity)
        grow(map);
    struct otf_map_entry *entry = &map->entries[find(map, key)];
    map->count += !entry->used;
    *entry = (struct otf_map_entry){key, value, true};
}

bool otf_map_get(const struct otf_map *map, uint64_t key, uint32_t *value)
{
    if (map->count == 0)
        return false;
    const struct otf_map_entry *entry = &map->entries[find(map, key)];
    if (entry->used)
        *value = entry->value;
    return entry->used;
}

/* No entry may stand behind a gap that its search would end at: those after the gap that belong before it move up. */
void otf_map_remove(struct otf_map *map, uint64_t key)
{
    if (map->count == 0)
        return;
    size_t mask = map->capacity - 1, gap = find(map, key);
    if (!map->entries[gap].used)
        return;
    for (size_t i = (gap + 1) & mask; map->entries[i].used; i = (i + 1) & mask) {
        size_t home = place_of(map, map->entries[i].key);
        if (((i - home) & mask) >= ((i - gap) & mask)) {
            map->entries[gap] = map->entries[i];
            gap = i;
        }
    }
    map->entries[gap].used = false;
    map->count--;
}
