/* Writes the messages of an exported program: sends, receives, waits for requests, and what they cost.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/program_export_internal.h"

#include "base/memory.h"

#include <string.h>

/* Wait for one that has been begun, the i-th. */
static void end_begun(struct program_export *self, size_t i)
{
    const struct export_request ended = self->begun[i];
    for (size_t k = 0; k < i; k++)
        self->position.lost[EXPORT_OVERTAKEN] += self->begun[k].peer == ended.peer && self->begun[k].tag == ended.tag &&
                                                 self->begun[k].receives == ended.receives;
    self->writer->wait(self->state, &self->position, &ended);
    if (ended.combination_ps > 0)
        export_sleep(self, ended.combination_ps);
    self->n_begun--;
    memmove(&self->begun[i], &self->begun[i + 1], (self->n_begun - i) * sizeof *self->begun);
}

/* True if the wait is for the request: one in a collective leaves those begun outside alone, and one for what is marked
 * all else. */
static bool is_for(const struct op *wait, int context, const struct export_request *begun)
{
    return context != 0 ? begun->context != 0 : !wait->marked || begun->marked;
}

/* Wait for its requests of one kind, in the order in which they were begun. */
static void end_all(struct program_export *self, const struct op *wait, int context, bool receives)
{
    for (size_t i = 0; i < self->n_begun;)
        if (self->begun[i].receives == receives && is_for(wait, context, &self->begun[i]))
            end_begun(self, i);
        else
            i++;
}

/* True if the order in which so many receives are waited for can matter: it costs the processor something to take a
 * message in. */
static bool has_order(const struct program_export *self, size_t n_receives)
{
    return n_receives > 1 && cost_model_receive_ps(&self->machine->costs, INT64_C(1) << 20, false) > 0;
}

/* Wait for all requests, or all that are marked; the first to come is taken in first: where the format cannot say that,
 * they are waited for one by one. */
static void wait_for_all(struct program_export *self, const struct op *wait, int context)
{
    size_t n_others = 0, n_receives = 0;
    for (size_t i = 0; i < self->n_begun; i++) {
        bool is_its = is_for(wait, context, &self->begun[i]);
        n_others += !is_its;
        n_receives += is_its && self->begun[i].receives;
    }
    if (self->writer->wait_for_all != NULL && n_others == 0) {
        if (self->n_begun > 0)
            self->writer->wait_for_all(self->state, &self->position);
        self->n_begun = 0;
        return;
    }
    self->position.lost[EXPORT_UNORDERED] += has_order(self, n_receives);
    end_all(self, wait, context, true);
    end_all(self, wait, context, false);
}

static void export_wait(struct program_export *self, const struct op *op, int context)
{
    size_t i = 0;
    if (op->request == 0) {
        wait_for_all(self, op, context);
        return;
    }
    while (i < self->n_begun &&
           (self->begun[i].request != op->request || (self->begun[i].context != 0) != (context != 0)))
        i++;
    if (i == self->n_begun) /* nothing is pending under that number */
        return;
    if (op->kind == OP_MARK)
        self->begun[i].marked = true;
    else
        end_begun(self, i);
}

/* The time that the message takes longer on its way, or less, because its sender receives at the same time. */
static int64_t exchange_ps(const struct program_export *self, const struct op *op)
{
    const struct cost_model *costs = &self->machine->costs;
    int hops =
        placement_host(self->placement, self->position.rank) == placement_host(self->placement, op->peer) ? 0 : 1;
    if (!op->exchanges || op->kind != OP_ISEND)
        return 0;
    if (!cost_model_has_formula(costs, hops))
        return hops == 0
                   ? 0
                   : cost_model_endpoint_ps(costs, op->bytes, true) - cost_model_endpoint_ps(costs, op->bytes, false);
    return cost_model_message_ps(costs, op->bytes, hops, true) - cost_model_message_ps(costs, op->bytes, hops, false);
}

/* The time that combining takes, if the message is combined with what the rank has. */
static int64_t combination_ps(struct program_export *self, const struct op *op)
{
    const struct cost_model *costs = &self->machine->costs;
    const struct placement *placement = self->placement;
    bool local = placement_host(placement, self->position.rank) == placement_host(placement, op->peer);
    if (op->kind == OP_SEND || op->kind == OP_ISEND || op->mode != RECV_COMBINES)
        return 0;
    int64_t ps = cost_model_combine_ps(costs, op->bytes);
    self->position.lost[EXPORT_COMBINATION] += ps > 0 && placement->ranks_per_host > self->machine->cores &&
                                               cost_model_receive_ps(costs, op->bytes, local) > 0;
    return ps;
}

/* With its prices as times, where the format cannot say them. */
static uint32_t export_priced(struct program_export *self, const struct op *op)
{
    int64_t exchange = exchange_ps(self, op), combination = op->kind == OP_RECV ? combination_ps(self, op) : 0;
    self->position.lost[EXPORT_EXCHANGE] += exchange != 0;
    if (exchange > 0)
        export_sleep(self, exchange);
    uint32_t number = self->writer->message(self->state, &self->position, op);
    if (combination > 0)
        export_sleep(self, combination);
    return number;
}

void export_message(struct program_export *self, const struct op *op, int context)
{
    bool sends = op->kind == OP_SEND || op->kind == OP_ISEND;
    if (op->kind == OP_WAIT || op->kind == OP_MARK) {
        export_wait(self, op, context);
        return;
    }
    self->position.lost[EXPORT_SYNCHRONOUS] += sends && op->mode == SEND_SYNCHRONOUS;
    uint32_t number =
        self->writer->says_prices ? self->writer->message(self->state, &self->position, op) : export_priced(self, op);
    if (op->kind != OP_ISEND && op->kind != OP_IRECV)
        return;
    self->begun = xgrow(self->begun, self->n_begun, &self->capacity, sizeof *self->begun);
    self->begun[self->n_begun++] =
        (struct export_request){.peer = op->peer,
                                .tag = op->tag,
                                .request = op->request,
                                .number = number,
                                .context = context,
                                .receives = op->kind == OP_IRECV,
                                .combination_ps = self->writer->says_prices ? 0 : combination_ps(self, op)};
}
