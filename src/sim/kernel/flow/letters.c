/* Messages that lie for their receivers: a pool, a list of each rank, and queues. */
#include "sim/kernel/flow/letters.h"

#include "sim/kernel/internal.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>

void letters_dispose(struct letters *letters)
{
    map_dispose(&letters->queues);
    free(letters->items);
}

uint32_t letters_grow(struct letters *letters)
{
    letters->items = xgrow(letters->items, letters->n_items, &letters->capacity, sizeof *letters->items);
    return (uint32_t)letters->n_items++;
}

void letters_put_in_queue(struct letters *letters, struct rank *self, int rank, uint32_t index)
{
    const struct letter *letter = &letters->items[index];
    uint32_t before =
        queue_append(map_add(&letters->queues, map_key(rank, letter->sender, letter->tag, letter->context)), index);
    if (before != MAP_NOTHING)
        letters->items[before].next = index;
    self->n_queued++;
}

uint32_t letters_take_from_queue(struct letters *letters, struct rank *self, struct map_key key)
{
    struct map_entry *entry = map_find(&letters->queues, key);
    if (entry == NULL)
        return MAP_NOTHING;
    uint32_t index = entry->index;
    queue_drop_first(&letters->queues, entry, letters->items[index].next);
    self->n_queued--;
    return index;
}
