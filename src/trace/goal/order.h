/* A rank's operations one after another, as a sequential program does them.
 *
 * What is ready is begun at once: receives first, then what became ready first. When nothing is, the rank waits for the
 * one of its sends and receives under way that the first operation of the schedule needs which needs one. So nothing
 * that could be done stands behind a wait; but which of several comes first is settled here, not by the times. */
#ifndef TRACE_GOAL_ORDER_H
#define TRACE_GOAL_ORDER_H

#include "base/error.h"
#include "trace/goal/graph.h"

#include <stdint.h>

/* What the rank does next; what is written to the spool. */
struct goal_step {
    int64_t amount; /* bytes; of RECORD_COMPUTE ns */
    int64_t place;
    uint32_t peer, tag;
    uint32_t request; /* of RECORD_ISEND, RECORD_IRECV, RECORD_WAIT */
    uint32_t kind;    /* RECORD_COMPUTE, _SEND, _RECV, _ISEND, _IRECV or _WAIT */
};

/* Takes the steps; 0, or -1 with an error. */
typedef int goal_take(void *self, const struct goal_step *step, struct sim_error *error);

/* Give all steps; -1 where operations wait for each other, with an error that names two of them. */
int goal_order(const struct goal_graph *graph, goal_take *take, void *self, struct sim_error *error);

#endif
