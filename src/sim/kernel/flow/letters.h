/* Messages that lie for receivers who do not wait for them yet, in a run without an order of time.
 *
 * Mostly few lie for a rank at a time, and are received in the order of their sending. So each has a short list of its
 * own, in struct rank. When that is full, others lie in queues, by what they are received by, until all of these are
 * received. Nothing is allocated once warm. */
#ifndef SIM_KERNEL_LETTERS_H
#define SIM_KERNEL_LETTERS_H

#include "base/map.h"

#include <stddef.h>
#include <stdint.h>

struct rank;

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
/* A number that no letter has until it is released, though nothing lies under it. */
uint32_t letters_reserve(struct letters *letters);
void letters_release(struct letters *letters, uint32_t number);
/* Let a message lie for its receiver, the rank of that number; its number, which no other has that lies. */
uint32_t letters_put(struct letters *letters, struct rank *self, int rank, const struct letter *letter);
/* Take out the oldest message for the rank from the sender under that tag and context: its number, MAP_NOTHING if there
 * is none. */
uint32_t letters_take(struct letters *letters, struct rank *self, int rank, int32_t sender, int32_t tag,
                      int32_t context, struct letter *letter);

#endif
