/* Messages that lie for their receivers: a pool, one that each rank notes, and queues. */
#include "sim/kernel/letters.h"

#include "sim/kernel/internal.h"

#include "base/memory.h"
#include "base/queues.h"

#include <stdlib.h>

void letters_dispose(struct letters *letters)
{
    map_dispose(&letters->queues);
    free(letters->items);
}

static uint32_t new_letter(struct letters *letters)
{
    uint32_t number = letters->free;
    letters->n_lying++;
    if (number != 0) {
        letters->free = letters->items[number - 1].next;
        return number - 1;
    }
    letters->items = xgrow(letters->items, letters->n_items, &letters->capacity, sizeof *letters->items);
    return (uint32_t)letters->n_items++;
}

uint32_t letters_put(struct letters *letters, struct rank *receiver, struct map_key key, const struct letter *letter)
{
    uint32_t index = new_letter(letters);
    letters->items[index] = *letter;
    letters->items[index].key = key;
    letters->items[index].next = MAP_NOTHING;
    if (receiver->letter == 0 && receiver->n_queued == 0) {
        receiver->letter = index + 1;
        return index;
    }
    uint32_t before = queue_append(map_add(&letters->queues, key), index);
    if (before != MAP_NOTHING)
        letters->items[before].next = index;
    receiver->n_queued++;
    return index;
}

/* Take the oldest of the key out of the queues: its number, MAP_NOTHING if there is none. */
static uint32_t take_queued(struct letters *letters, struct rank *receiver, struct map_key key)
{
    struct map_entry *entry = receiver->n_queued > 0 ? map_find(&letters->queues, key) : NULL;
    if (entry == NULL)
        return MAP_NOTHING;
    uint32_t index = entry->index;
    queue_drop_first(&letters->queues, entry, letters->items[index].next);
    receiver->n_queued--;
    return index;
}

uint32_t letters_take(struct letters *letters, struct rank *receiver, struct map_key key, struct letter *letter)
{
    uint32_t index = receiver->letter - 1;
    const struct letter *first = receiver->letter != 0 ? &letters->items[index] : NULL;
    if (first != NULL && first->key.high == key.high && first->key.low == key.low)
        receiver->letter = 0;
    else
        index = take_queued(letters, receiver, key);
    if (index == MAP_NOTHING)
        return MAP_NOTHING;
    *letter = letters->items[index];
    letters->items[index].next = letters->free;
    letters->free = index + 1;
    letters->n_lying--;
    return index;
}
