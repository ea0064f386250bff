/* Writes a program as GOAL. A rank is a chain: each operation requires what the one before it and the waits between
 * them need, and is written after it. Computation is whole nanoseconds; what is rounded off is added to the rank's next
 * one.
 *
 * GOAL does not say which of the things that an operation requires is waited for first. simrun waits for receives in
 * the order of their beginning, then for sends (trace/goal/order.h). Where the program does not, an operation that
 * takes no time stands between two waits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/program_export.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"
#include "trace/goal/writer.h"

#include <stdlib.h>

enum { PS_PER_NS = 1000 };

struct goal_state {
    int64_t rest_ps;  /* of computation that has not been written */
    uint32_t *waited; /* what has been waited for since the last operation */
    size_t n_waited, capacity;
    uint32_t last_received;      /* of these, 1 + the last receive; 0: there is none */
    bool has_sent;               /* there is a send among them */
    uint32_t last;               /* the last operation */
    bool has_last, last_goes_on; /* which need only have begun */
};

/* An operation, which comes after all before it. */
static uint32_t add(struct goal_state *self, struct export_position *position, const struct goal_op *op, bool goes_on)
{
    uint32_t number = trace_goal_add(position->trace, op);
    bool waits_for_last = false;
    for (size_t i = 0; i < self->n_waited; i++) {
        trace_goal_depend(position->trace, self->waited[i], false);
        waits_for_last = waits_for_last || self->waited[i] == self->last;
    }
    if (self->has_last && !waits_for_last)
        trace_goal_depend(position->trace, self->last, self->last_goes_on);
    self->n_waited = 0;
    self->last_received = 0;
    self->has_sent = false;
    self->last = number;
    self->has_last = true;
    self->last_goes_on = goes_on;
    return number;
}

/* The rank waits for an operation, after those for which it has waited. */
static void wait_for_op(struct goal_state *self, struct export_position *position, uint32_t number, bool receives)
{
    if (receives && (self->has_sent || self->last_received > number))
        add(self, position, &(struct goal_op){.kind = GOAL_CALC}, false);
    self->waited = xgrow(self->waited, self->n_waited, &self->capacity, sizeof *self->waited);
    self->waited[self->n_waited++] = number;
    if (receives)
        self->last_received = number + 1;
    self->has_sent = self->has_sent || !receives;
}

static void begin(void *state, struct export_position *position, int n_ranks)
{
    (void)state;
    trace_goal_begin(position->trace, n_ranks);
}

static void begin_rank(void *state, struct export_position *position)
{
    struct goal_state *self = state;
    self->rest_ps = 0;
    self->n_waited = 0;
    self->last_received = 0;
    self->has_last = self->has_sent = false;
    trace_goal_begin_rank(position->trace);
}

static void take_time(void *state, struct export_position *position, int64_t ps)
{
    struct goal_state *self = state;
    position->lost[EXPORT_PICOSECONDS] += ps % PS_PER_NS != 0;
    ps += self->rest_ps;
    self->rest_ps = ps % PS_PER_NS;
    if (ps >= PS_PER_NS)
        add(self, position, &(struct goal_op){.kind = GOAL_CALC, .amount = ps / PS_PER_NS}, false);
}

static void work(void *state, struct export_position *position, int64_t ps, uint8_t role)
{
    (void)role;
    take_time(state, position, ps);
}

static void flops(void *state, struct export_position *position, double count, uint8_t role)
{
    work(state, position, round_quotient(count, 1e12, position->speed), role);
}

static uint32_t message(void *state, struct export_position *position, const struct op *op)
{
    bool sends = op->kind == OP_SEND || op->kind == OP_ISEND;
    struct goal_op written = {.kind = sends ? GOAL_SEND : GOAL_RECV,
                              .amount = int64_max(op->bytes, 0), /* which a receive may not know */
                              .peer = (uint32_t)op->peer,
                              .tag = op->tag == -1 ? INT32_MAX : (uint32_t)op->tag}; /* -1 would be any */
    bool goes_on = op->kind == OP_ISEND || op->kind == OP_IRECV;
    uint32_t number = add(state, position, &written, goes_on);
    if (!goes_on)
        wait_for_op(state, position, number, !sends);
    return number;
}

static void wait_for(void *state, struct export_position *position, const struct export_request *begun)
{
    wait_for_op(state, position, begun->number, begun->receives);
}

static int end_rank(void *state, struct export_position *position, struct sim_error *error)
{
    (void)state;
    return trace_goal_end_rank(position->trace, error);
}

static void dispose(void *state)
{
    free(((struct goal_state *)state)->waited);
}

const struct export_writer export_writer_goal = {
    .format = &trace_goal,
    .tells_requests = true,
    .waits_in_the_end = true,
    .state_size = sizeof(struct goal_state),
    .begin = begin,
    .begin_rank = begin_rank,
    .flops = flops,
    .work = work,
    .sleep = take_time,
    .message = message,
    .wait = wait_for,
    .end_rank = end_rank,
    .dispose = dispose,
};
