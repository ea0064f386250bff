/* First in, first out for each key of a map: its entry has the first and the last item of the key's queue. Items are
 * indices into a pool of the caller, where each has the next one of its key; MAP_NOTHING: there is none. */
#ifndef BASE_QUEUES_H
#define BASE_QUEUES_H

#include "base/map.h"

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
