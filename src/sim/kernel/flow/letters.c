/* Messages that lie for their receivers: a pool, a list of each rank, and queues. */
#include "sim/kernel/flow/letters.h"

#include "sim/kernel/internal.h"

#include "base/memory.h"
#include "base/queues.h"

#include <stdlib.h>

void letters_dispose(struct letters *letters)
{
    map_dispose(&letters->queues);
    free(letters->items);
}

uint32_t letters_reserve(struct letters *letters)
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

void letters_release(struct letters *letters, uint32_t number)
{
    letters->items[number].next = letters->free;
    letters->free = number + 1;
    letters->n_lying--;
}

static void put_in_queue(struct letters *letters, struct rank *self, int rank, uint32_t index)
{
    const struct letter *letter = &letters->items[index];
    uint32_t before =
        queue_append(map_add(&letters->queues, map_key(rank, letter->sender, letter->tag, letter->context)), index);
    if (before != MAP_NOTHING)
        letters->items[before].next = index;
    self->n_queued++;
}

uint32_t letters_put(struct letters *letters, struct rank *self, int rank, const struct letter *letter)
{
    uint32_t index = letters_reserve(letters);
    letters->items[index] = *letter;
    letters->items[index].next = MAP_NOTHING;
    if (self->n_queued > 0 || self->n_listed == LETTERS_LISTED) {
        put_in_queue(letters, self, rank, index);
        return index;
    }
    if (self->n_listed++ == 0)
        self->letter = index;
    else
        letters->items[self->last_letter].next = index;
    self->last_letter = index;
    return index;
}

static uint32_t take_from_queue(struct letters *letters, struct rank *self, struct map_key key)
{
    struct map_entry *entry = map_find(&letters->queues, key);
    if (entry == NULL)
        return MAP_NOTHING;
    uint32_t index = entry->index;
    queue_drop_first(&letters->queues, entry, letters->items[index].next);
    self->n_queued--;
    return index;
}

static inline uint32_t take_from_list(struct letters *letters, struct rank *self, int32_t sender, int32_t tag,
                                      int32_t context)
{
    uint32_t before = MAP_NOTHING, index = self->n_listed > 0 ? self->letter : MAP_NOTHING;
    for (; index != MAP_NOTHING; before = index, index = letters->items[index].next) {
        const struct letter *letter = &letters->items[index];
        if (letter->sender != sender || letter->tag != tag || letter->context != context)
            continue;
        if (before == MAP_NOTHING)
            self->letter = letter->next;
        else
            letters->items[before].next = letter->next;
        if (index == self->last_letter)
            self->last_letter = before;
        self->n_listed--;
        return index;
    }
    return MAP_NOTHING;
}

uint32_t letters_take(struct letters *letters, struct rank *self, int rank, int32_t sender, int32_t tag,
                      int32_t context, struct letter *letter)
{
    uint32_t index = take_from_list(letters, self, sender, tag, context);
    if (index == MAP_NOTHING && self->n_queued > 0)
        index = take_from_queue(letters, self, map_key(rank, sender, tag, context));
    if (index == MAP_NOTHING)
        return MAP_NOTHING;
    *letter = letters->items[index];
    letters_release(letters, index);
    return index;
}
