/* The state of the shared memory, which the files share that make it up. It has three parts: the memory itself
 * (memory_internal.h), what nodes send each other (packet_internal.h), and what a node does (processor_internal.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_DSM_INTERNAL_H
#define SIM_DSM_INTERNAL_H

#include "sim/dsm/processor_internal.h"
#include "sim/kernel/engine.h"
#include "sim/kernel/event_queue.h"
#include "sim/machine/dsm_costs.h"

enum { DSM_NOBODY = -1 };

struct lock {
    int32_t last_requester; /* as the manager knows it */
    int32_t holder;         /* node with the token */
    bool held;
    struct request *waiting; /* that have come to who has the lock before them */
};

/* A stack of what OP_PUSH has put; the depth is the counter of the same number. */
struct stack {
    int64_t *items;
    size_t capacity;
};

struct dsm {
    const struct kernel_run *run;
    const struct dsm_options *options;
    const struct dsm_costs *costs;
    struct machine *machine;
    struct network *network;
    struct kernel_cost *kernel_costs;
    struct event_queue queue;
    struct kernel_stats stats;
    struct sim_error *error;
    bool failed;
    int64_t now_ps;
    int n_nodes, n_done;
    struct node *nodes;

    int32_t n_pages, page_words, page_longs; /* longs: of 64 bits, for a bit a word */
    struct page *pages;
    struct interval_log *logs; /* n_nodes */
    struct lock *locks;
    int64_t *counters;
    struct stack *stacks; /* as many as counters */

    struct packet *packets;
    size_t n_packets, packets_capacity;
    uint32_t free_packets;
    struct request *free_requests, *all_requests;
    struct fetch *free_fetches, *all_fetches;

    /* the barrier */
    int n_arrived;
    struct request **arrived; /* n_nodes */
    int64_t n_barriers;       /* that are over */
    bool collecting;          /* the next barrier ends a collection */

    uint32_t version;   /* of the last word written, when checking */
    uint32_t *shadow;   /* the last version of every word */
    int32_t *writer_of; /* node that wrote it */

    struct op_list list;
};

/* The kind of an event in the queue: the low part of its order. */
enum event_kind { EVENT_MAIN, EVENT_CONTROLLER, EVENT_PACKET, N_EVENT_KINDS };

/* ---- sim/dsm/dsm.c: from the beginning to the end, in order of time ---- */

/* Ask for an event: of node or packet `which`. Equal times fall in the order of `actor`. */
void dsm_call(struct dsm *dsm, enum event_kind kind, uint32_t which, uint32_t actor, int64_t at_ps);
/* The run fails with an error of the program. */
#define dsm_fail(dsm, ...) engine_fail((dsm)->error, &(dsm)->failed, SIM_UNFINISHED, __VA_ARGS__)
/* The time that the protocol spends, in ps. */
int64_t dsm_cost(const struct dsm *dsm, enum dsm_cost cost, int64_t count);

/* Numbers of nodes, intervals and pages have two bytes in a message, as in TreadMarks 0.10; what a request has besides
 * the header says who asks for what. */
enum { DSM_NUMBER_BYTES = 2, DSM_REQUEST_BYTES = 4 };

/* The bytes of a vector time in a message, and of one here. */
static inline int64_t dsm_vector_bytes(const struct dsm *dsm)
{
    return (int64_t)dsm->n_nodes * DSM_NUMBER_BYTES;
}
static inline size_t dsm_vector_size(const struct dsm *dsm)
{
    return (size_t)dsm->n_nodes * sizeof(int32_t);
}

/* ---- sim/dsm/fetch.c: bringing pages up to date ---- */

/* True if the node can access the page at once; if not, what is needed has been begun. */
bool dsm_access(struct dsm *dsm, struct node *node, int page, bool write);
/* Wait for what is under way. */
void dsm_await_fetch(struct dsm *dsm, struct node *node, int page, enum operation operation);
/* Bring a page up to date, the node waiting for it. */
void dsm_fetch_page(struct dsm *dsm, struct node *node, int page, enum operation operation);
/* Ask for the pages in node->news.lost; the main processor's time for that. */
int64_t dsm_prefetch(struct dsm *dsm, struct node *node);
void dsm_fetches_close(struct dsm *dsm);

/* ---- sim/dsm/sync.c: locks, barriers, garbage collection ---- */

/* True when the op is done, false when the node waits. */
bool dsm_acquire(struct dsm *dsm, struct node *node, const struct op *op);
bool dsm_release(struct dsm *dsm, struct node *node, const struct op *op);
bool dsm_barrier(struct dsm *dsm, struct node *node);

#endif
