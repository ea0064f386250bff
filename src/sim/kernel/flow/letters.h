/* Messages that lie for receivers who do not wait for them yet, in a run without an order of time.
 *
 * Mostly few lie for a rank at a time, and are received in the order of their sending. So each has a short list of its
 * own, in struct rank. When that is full, others lie in queues, by what they are received by, until all of these are
 * received. Nothing is allocated once warm. */
#ifndef SIM_KERNEL_LETTERS_H
#define SIM_KERNEL_LETTERS_H

#include "sim/kernel/internal.h"

#include "base/map.h"

#include <stddef.h>
#include <stdint.h>

/* What a rank's list holds at most. */
enum { LETTERS_LISTED = 8 };

struct letter {
    int64_t start_ps, arrival_ps, bytes;
    int64_t receive_ps; /* of its receiver's processor */
    int32_t sender, tag, context;
    uint32_t next; /* of the list or queue, MAP_NOTHING: there is none; or the next free one */
};

/* All zero is none. */
struct letters {
    struct letter *items;
    size_t n_items, capacity;
    size_t n_lying;
    uint32_t free; /* a number of struct letter; the first is 1 */
    struct map queues;
};

void letters_dispose(struct letters *letters);

/* What the functions below do seldom. */
uint32_t letters_grow(struct letters *letters);
void letters_put_in_queue(struct letters *letters, struct rank *self, int rank, uint32_t index);
uint32_t letters_take_from_queue(struct letters *letters, struct rank *self, struct map_key key);

/* Let a message lie for its receiver, the rank of that number; its number, which no other has that lies. */
static inline uint32_t letters_put(struct letters *letters, struct rank *self, int rank, const struct letter *letter)
{
    uint32_t index = letters->free != 0 ? letters->free - 1 : letters_grow(letters);
    if (letters->free != 0)
        letters->free = letters->items[index].next;
    letters->n_lying++;
    letters->items[index] = *letter;
    letters->items[index].next = MAP_NOTHING;
    if (self->n_queued > 0 || self->n_listed == LETTERS_LISTED) {
        letters_put_in_queue(letters, self, rank, index);
        return index;
    }
    if (self->n_listed++ == 0)
        self->letter = index;
    else
        letters->items[self->last_letter].next = index;
    self->last_letter = index;
    return index;
}

static inline uint32_t letters_take_from_list(struct letters *letters, struct rank *self, int32_t sender, int32_t tag,
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

/* Take out the oldest message for the rank from the sender under that tag and context: its number, under which it can
 * be read until the next is put, or MAP_NOTHING if there is none. */
static inline uint32_t letters_take(struct letters *letters, struct rank *self, int rank, int32_t sender, int32_t tag,
                                    int32_t context)
{
    uint32_t index = letters_take_from_list(letters, self, sender, tag, context);
    if (index == MAP_NOTHING && self->n_queued > 0)
        index = letters_take_from_queue(letters, self, map_key(rank, sender, tag, context));
    if (index == MAP_NOTHING)
        return MAP_NOTHING;
    letters->items[index].next = letters->free;
    letters->free = index + 1;
    letters->n_lying--;
    return index;
}

#endif
