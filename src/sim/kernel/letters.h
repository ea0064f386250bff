/* Messages that lie for receivers who do not wait for them yet, in a run without an order of time.
 *
 * Each rank notes the first that lies for it, since mostly there is one; others are in queues, by what they are
 * received by. Nothing is allocated once warm. */
#ifndef SIM_KERNEL_LETTERS_H
#define SIM_KERNEL_LETTERS_H

#include "base/map.h"

#include <stddef.h>
#include <stdint.h>

struct rank;

struct letter {
    struct map_key key; /* receiver, sender, tag and context, see map_key() */
    int64_t start_ps, arrival_ps, bytes;
    int64_t receive_ps; /* of its receiver's processor */
    uint32_t next;      /* of the same key; or the next free one */
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
/* Let a message lie for its receiver; its number, which no other has that lies. Key and next are set here. */
uint32_t letters_put(struct letters *letters, struct rank *receiver, struct map_key key, const struct letter *letter);
/* Take out the oldest message of the key: its number, MAP_NOTHING if there is none. */
uint32_t letters_take(struct letters *letters, struct rank *receiver, struct map_key key, struct letter *letter);

#endif
