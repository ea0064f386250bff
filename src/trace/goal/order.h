/* A rank's operations one after another, as a sequential program does them.
 *
 * Operations that are ready are begun at once: receives first, then those that became ready first. When none is, the
 * rank waits for one of its sends and receives under way that something requires. Where there is a choice of these,
 * which one it is matters: goal_order() takes one that the first operation of the schedule needs, and says that there
 * was a choice; goal_run() (run.h) takes the one that comes first.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_ORDER_H
#define TRACE_GOAL_ORDER_H

#include "base/error.h"
#include "base/heap.h"
#include "trace/goal/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A step of a rank: what it does next, as written to the spool. */
struct goal_step {
    int64_t amount; /* bytes; of RECORD_COMPUTE ns */
    int64_t position;
    uint32_t peer, tag;
    uint32_t request; /* of RECORD_ISEND, RECORD_IRECV, RECORD_WAIT */
    uint32_t kind;    /* RECORD_COMPUTE, _SEND, _RECV, _ISEND, _IRECV or _WAIT */
};

/* Takes the steps; 0, or -1 with an error. */
typedef int goal_take(void *self, const struct goal_step *step, struct sim_error *error);

/* An operation that waits for something, where all of that is under way: it is armed. */
struct goal_arm {
    uint32_t missing;   /* what has to come before it; GOAL_BEGUN, GOAL_ENDED */
    uint32_t under_way; /* of those how many are sends and receives under way */
    uint32_t armed_at;  /* 1 + its index among those that are armed; 0: it is not */
    uint64_t whom;      /* a sum of hashes of those under way: the same for operations that wait for the same */
};
#define GOAL_BEGUN UINT32_MAX
#define GOAL_ENDED (UINT32_MAX - 1)

struct goal_order {
    const struct goal_graph *graph;
    uint32_t *first;   /* of each operation, and one more: where its dependents begin in */
    uint32_t *further; /* indices of edges */
    struct goal_arm *arms;
    uint32_t *armed;
    size_t n_armed, armed_capacity;
    struct heap ready, under_way;
    size_t n_begun;
    int64_t batch; /* what becomes ready together */
    bool waits;    /* the last step was a wait */
    bool has_choice;
    goal_take *take; /* NULL: steps are deferred */
    void *self;
    struct goal_step last; /* not given on yet */
    bool has_last;
    uint32_t *deferred; /* operations that are begun, and with GOAL_DEFERRED_WAIT those that are waited for */
    size_t n_deferred, deferred_capacity;
};
#define GOAL_DEFERRED_WAIT (UINT32_C(1) << 31)

void goal_order_init(struct goal_order *order, const struct goal_graph *graph, goal_take *take, void *self);
void goal_order_dispose(struct goal_order *order);

/* True if another one requires its end. */
bool goal_order_is_required(const struct goal_order *order, uint32_t index);
/* Begin an operation that has been taken out of `ready`. What requires its end is another matter. */
int goal_order_begin(struct goal_order *order, uint32_t index, struct sim_error *error);
/* It has begun, or ended. */
void goal_order_satisfy(struct goal_order *order, uint32_t index, bool start);
/* Wait for one that is under way, which has ended then. */
int goal_order_wait(struct goal_order *order, uint32_t index, struct sim_error *error);
/* Do what is left, after what is deferred; -1 where operations wait for each other, with an error that names two. */
int goal_order_finish(struct goal_order *order, goal_take *take, void *self, struct sim_error *error);

/* Give all steps of a rank; *has_choice becomes true if there was one. */
int goal_order(const struct goal_graph *graph, bool *has_choice, goal_take *take, void *self, struct sim_error *error);

#endif
