/* Sends and receives that a rank has begun without waiting for them: found by the number that the program gave them,
 * and those that a wait for all takes in its order. Adding, finding and removing take a time that does not depend on
 * how many there are, and no allocation once warm. */
#ifndef SIM_KERNEL_REQUEST_TABLE_H
#define SIM_KERNEL_REQUEST_TABLE_H

#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_PENDING MAP_NOTHING

struct pending {
    int64_t bytes;          /* of a receive that is complete: of its message */
    int32_t rank, peer;     /* who began it, and with whom */
    int32_t tag, context;   /* see struct message */
    uint32_t number;        /* the program's; 0: it has none */
    uint32_t next;          /* of the same number the one before; of the free */
    uint32_t before, after; /* in its list */
    bool is_receive;
    bool combines; /* what a receive gets is added to a vector of the rank's own */
    bool complete; /* a receive that has its message, and nobody has waited for it yet. A send is removed instead */
};

struct pending_list {
    uint32_t first, last;
};

struct request_table {
    struct pending *items; /* what indices refer to */
    size_t n_items, capacity;
    uint32_t free;
    struct map latest;          /* by rank, number and whether it is of a collective */
    struct pending_list *lists; /* of each rank, a few; NULL until there is one */
    int n_ranks;
};

void request_table_init(struct request_table *requests, int n_ranks);
void request_table_dispose(struct request_table *requests);

/* Add one, of which rank, peer, tag, context, number and is_receive are given; its index. Pointers to items are invalid
 * afterwards. */
uint32_t request_table_add(struct request_table *requests, const struct pending *pending);
void request_table_remove(struct request_table *requests, uint32_t index);
/* A receive has its message, of so many bytes. */
void request_table_complete(struct request_table *requests, uint32_t index, int64_t bytes);

/* The one that the rank has under a number, in a collective (context is not 0) or outside; NO_PENDING if there is none.
 * Of several with the same number the latest. */
uint32_t request_table_find(const struct request_table *requests, int rank, uint32_t number, bool collective);

/* What a wait for all takes next of what the rank has begun in a collective, or outside: the receive whose message came
 * first; if none has come, that which was posted first; of a collective then the send that was begun first. NO_PENDING
 * if there is none. */
uint32_t request_table_next(const struct request_table *requests, int rank, bool collective);

#endif
