/* A rank's operations one after another, as a sequential program does them.
 *
 * Operations that are ready are begun at once: receives first, then those that became ready first. When none is, the
 * rank waits for one of its sends and receives under way, which the first operation of the schedule needs that needs
 * one. A sequential program, whose sends and receives may go on beside later operations, has no other order.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_ORDER_H
#define TRACE_GOAL_ORDER_H

#include "base/error.h"
#include "trace/goal/graph.h"

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

/* Give all steps of a rank; -1 where operations wait for each other, with an error that names two. */
int goal_order(const struct goal_graph *graph, goal_take *take, void *self, struct sim_error *error);

#endif
