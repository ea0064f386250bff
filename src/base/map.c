/* The rarer operations of a hash table: growing, and removing entries.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/map.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FIRST_BITS = 4, HASH_BITS = 64 };

void map_dispose(struct map *map)
{
    free(map->entries);
    *map = (struct map){0};
}

void map_clear(struct map *map)
{
    for (size_t i = 0; i < map->size; i++)
        map->entries[i].index = MAP_NOTHING;
    map->count = 0;
}

static size_t next_size(const struct map *map)
{
    return map->size > 0 ? 2 * map->size : 1 << FIRST_BITS;
}

static void move_to(struct map *map, struct map_entry *entries)
{
    const struct map old = *map;
    map->entries = entries;
    map->size = next_size(&old);
    map->shift = old.size > 0 ? old.shift - 1 : HASH_BITS - FIRST_BITS;
    for (size_t i = 0; i < map->size; i++)
        entries[i].index = MAP_NOTHING;
    for (size_t i = 0; i < old.size; i++)
        if (old.entries[i].index != MAP_NOTHING)
            *map_place(map, old.entries[i].key) = old.entries[i];
    free(old.entries);
}

void map_grow(struct map *map)
{
    move_to(map, xmalloc(next_size(map) * sizeof *map->entries));
}

bool map_try_grow(struct map *map)
{
    struct map_entry *entries = malloc(next_size(map) * sizeof *entries);
    if (entries != NULL)
        move_to(map, entries);
    return entries != NULL;
}

/* True if the entry at `place` may move to the free place `hole` before it: its own place is not between the two. */
static bool may_move(const struct map *map, size_t hole, size_t place)
{
    size_t mask = map->size - 1, home = map_home(map, map->entries[place].key);
    return ((place - home) & mask) >= ((place - hole) & mask);
}

void map_remove(struct map *map, struct map_entry *entry)
{
    size_t mask = map->size - 1, hole = (size_t)(entry - map->entries);
    for (size_t at = (hole + 1) & mask; map->entries[at].index != MAP_NOTHING; at = (at + 1) & mask)
        if (may_move(map, hole, at)) {
            map->entries[hole] = map->entries[at];
            hole = at;
        }
    map->entries[hole].index = MAP_NOTHING;
    map->count--;
}
