/* Requests: sends and receives that a rank has begun without waiting for them, found by the number that the program
 * gave them, and those that a wait for all takes in its order. Adding, finding and removing take a time that does not
 * depend on how many there are, and no allocation once warm.
 *
 * A receive that is complete stays until it is waited for; a send is removed. Where ranks run ahead
 * (sim/kernel/ahead.h) it stays, too, since the time at which it is complete may be later than its rank's clock.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_REQUEST_TABLE_H
#define SIM_KERNEL_REQUEST_TABLE_H

#include "base/heap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_PENDING UINT32_MAX

struct pending {
    int64_t bytes;          /* of one that is complete: of its message */
    int64_t complete_ps;    /* since when it is complete */
    int32_t rank, peer;     /* who began it, and with whom */
    int32_t tag, context;   /* see struct message */
    uint32_t number;        /* the program's; 0: it has none */
    uint32_t next;          /* in its chain; of the free */
    uint32_t before, after; /* in its list */
    uint32_t message;       /* where ranks run ahead: that of one that is complete */
    uint32_t serial;        /* of a receive that is complete: of its message, see struct interval */
    bool is_receive;
    bool combines; /* what a receive gets is added to a vector of the rank's own */
    bool complete; /* and has not been waited for yet */
    bool marked;   /* the rank is about to wait for it and others together */
};

/* Requests of which a wait takes all that the rank has of one kind, see request_table_next(). */
enum request_kind {
    REQUEST_PLAIN,      /* begun outside of collectives, and not marked */
    REQUEST_COLLECTIVE, /* begun within one */
    REQUEST_MARKED,     /* begun outside, and marked */
    N_REQUEST_KINDS
};
static inline enum request_kind pending_kind(const struct pending *pending)
{
    return pending->marked ? REQUEST_MARKED : pending->context != 0 ? REQUEST_COLLECTIVE : REQUEST_PLAIN;
}

struct request_lists;

struct request_table {
    struct pending *items; /* what indices refer to */
    size_t n_items, capacity;
    uint32_t free;
    uint32_t *chains; /* chain_mask + 1 of them, by number: of each the latest first */
    uint32_t chain_mask;
    struct request_lists *lists[N_REQUEST_KINDS]; /* of each rank; NULL until there is a request of that kind */
    struct heap_entry *sorted;                    /* of no value in between */
    size_t sorted_capacity;
    int n_ranks;
    bool has_no_lists; /* no rank waits for all */
    bool runs_ahead;   /* sends stay when they are complete, and what has come is known before it comes */
};

void request_table_init(struct request_table *requests, int n_ranks);
/* There are more ranks now, or strands of theirs. */
void request_table_grow(struct request_table *requests, int n_ranks);
void request_table_dispose(struct request_table *requests);

/* Add one, of which rank, peer, tag, context, number and is_receive are given; its index. Pointers to items are invalid
 * afterwards. */
uint32_t request_table_add(struct request_table *requests, const struct pending *pending);
void request_table_remove(struct request_table *requests, uint32_t index);
/* It is complete: its message, of so many bytes and that serial, is delivered at that time. */
void request_table_complete(struct request_table *requests, uint32_t index, int64_t bytes, uint32_t serial,
                            int64_t at_ps);

/* A request from outside of collectives is one of those that the rank waits for next, together. */
void request_table_mark(struct request_table *requests, uint32_t index);

/* The one that the rank has under a number, in a collective (context is not 0) or outside; NO_PENDING if there is none.
 * If several have the same number, the latest. */
uint32_t request_table_find(const struct request_table *requests, int rank, uint32_t number, bool collective);

/* The request that a wait for all of one kind takes next: the receive whose message came first (at the same time: from
 * the first rank); if none has come, that which was posted or marked first; then, unless they are plain, the send that
 * was begun or marked first. NO_PENDING if there is none. Where ranks run ahead a receive whose message is not known
 * comes before all. */
uint32_t request_table_next(struct request_table *requests, int rank, enum request_kind kind);

/* Where ranks run ahead: whether the rank has a receive of the kind whose message is not known; and of its plain sends
 * that which was begun first, and that which is complete last. */
bool request_table_has_posted(const struct request_table *requests, int rank, enum request_kind kind);
uint32_t request_table_first_send(const struct request_table *requests, int rank);
uint32_t request_table_last_send(const struct request_table *requests, int rank);

#endif
