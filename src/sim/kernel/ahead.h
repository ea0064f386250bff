/* Ranks that run ahead of the present without asking.
 *
 * On a network without contention a message's times follow from its two ends alone: when it comes is known when it is
 * sent, and a receive names its sender. So a rank need not wait for its turn to send: it goes on until it needs a
 * message that is not sent yet. A ring of the ranks that can go on takes the place of the queue of events, and each
 * rank's clock that of the present.
 *
 *              a queue of events                         ranks run ahead
 *   send       when the present has reached the clock    at once, by the rank's clock
 *   arrival    an event                                  a number, known with the send
 *   delivery   at its event                              as soon as both ends are known, and accounted by the number
 *   requests   gone once they are complete               kept, with the time at which they are, until waited for
 *
 * All else is the same: matching, accounts, requests, collectives. A run that needs the order of time after all (a
 * probe, a core that ranks share, autotuning, a failure, which names what came first) fails, and is made anew in it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_AHEAD_H
#define SIM_KERNEL_AHEAD_H

#include "sim/kernel/internal.h"

#include "base/range.h"

/* True if a run's ranks may run ahead, as far as can be said beforehand. */
bool ahead_suits(const struct kernel_run *run);
void ahead_open(struct kernel *kernel);
void ahead_close(struct kernel *kernel);
void ahead_run(struct kernel *kernel);

/* With more messages than that waiting for receivers, or more than an inbox lists, a sender lets others have their turn
 * after each. So memory stays warm, and bounded by what receivers cannot take in. */
enum { AHEAD_FEW_MESSAGES = 2048 };

/* After a send: whether others have their turn, and the rank is to leave off. Too many messages fail the run. */
static inline bool ahead_yields(struct kernel *kernel, int rank, int receiver)
{
    if (kernel->mailbox.n_waiting <= AHEAD_FEW_MESSAGES && kernel->mailbox.inboxes[receiver].n_listed < INBOX_LISTED)
        return false;
    if (kernel->mailbox.n_waiting > kernel->most_messages)
        kernel_fail_messages(kernel);
    if (kernel->n_ready == 0)
        return kernel->failed;
    kernel_make_ready(kernel, rank);
    return true;
}

/* A send has begun that is more than send and receive, see below; true when the rank may go on at once. */
bool ahead_send(struct kernel *kernel, int rank, const struct op *op, uint32_t index);
/* A message has met its receive: both accounts are closed by its times. */
void ahead_conclude(struct kernel *kernel, uint32_t index);

/* --- requests --- */

/* The request is complete at the present, which may be later than its rank's clock: the message is kept for it. */
void ahead_keep(struct kernel *kernel, uint32_t request, uint32_t index);
/* Its rank waits for one that is complete; or for all its sends outside of collectives, which are. */
void ahead_end_wait(struct kernel *kernel, uint32_t request);
void ahead_end_sends(struct kernel *kernel, int rank);
/* Forget the rank's first sends that are complete by then. */
void ahead_forget_sends(struct kernel *kernel, int rank, int64_t until_ps);
/* As request_table_find() and request_table_next(), without sends that are complete by the rank's clock, unless
 * they are marked. */
uint32_t ahead_find_request(struct kernel *kernel, int rank, uint32_t number, bool collective);
uint32_t ahead_next_request(struct kernel *kernel, int rank, enum request_kind kind);

/* --- a message that is eager, and whose two ends are an OP_SEND and an OP_RECV --- */

/* When it leaves and comes, and what its receiver's processor does for it. */
struct ahead_message {
    int64_t start_ps, arrived_ps, bytes, receive_ps;
    uint32_t serial; /* see struct interval */
};

/* The receive that takes it in. */
struct ahead_receive {
    int peer, tag, scope;
    bool combines;
};

/* The rank takes the message in, for which it may have to wait. Its sender stands where it began to send (`index` is
 * NO_MESSAGE) or has left a checkpoint of that number. The rank's processor does its work for the message before its
 * next op. */
static inline void ahead_take_in(struct kernel *kernel, int rank, const struct ahead_receive *as,
                                 const struct ahead_message *message, uint32_t index)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t began_ps = self->clock_ps, start_ps = message->start_ps, arrived_ps = message->arrived_ps;
    assert(arrived_ps >= start_ps && self->status != RANK_DONE);
    self->combines = as->combines;
    const struct receipt receipt = {message->bytes, as->peer, as->tag, message->serial, (uint8_t)as->scope};
    if (began_ps >= arrived_ps) {
        kernel_receive(kernel, rank, &receipt, message->receive_ps);
        return;
    }
    if (began_ps < start_ps)
        kernel_add_interval(kernel, rank, as->peer, as->scope, STATE_IDLE, began_ps, start_ps);
    struct interval *interval = kernel_add_interval(kernel, rank, as->peer, as->scope, STATE_RECEIVE,
                                                    int64_max(began_ps, start_ps), arrived_ps);
    interval->origin_ps = start_ps;
    interval->message = index;
    interval->cause = index == NO_MESSAGE ? CAUSE_PEER : CAUSE_CHECKPOINT;
    self->clock_ps = arrived_ps;
    if (message->receive_ps > 0 ||
        (as->combines && cost_model_combine_ps(&kernel->machine->costs, message->bytes) > 0)) {
        kernel_begin_receipt(self, &receipt);
        return;
    }
    interval->bytes = message->bytes;
    interval->tag = as->tag;
    interval->serial = message->serial;
    interval->is_receipt = 1;
    interval->call = as->combines ? CALL_COMBINES : CALL_PLAIN;
}

/* The sender's account after that, or after the message has been put for its receiver as that index: of no length where
 * the sender goes on before the message comes. */
static inline void ahead_end_send(struct kernel *kernel, int rank, const struct op *op,
                                  const struct ahead_message *message, uint32_t index)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t end_ps = kernel->machine->costs.buffers_sends ? message->start_ps : message->arrived_ps;
    struct interval *interval =
        kernel_add_interval(kernel, rank, op->peer, op->scope, STATE_SEND, message->start_ps, end_ps);
    interval->bytes = op->bytes;
    interval->tag = op->tag;
    interval->message = index;
    interval->serial = message->serial;
    interval->is_message = 1;
    interval->call = op->exchanges ? CALL_EXCHANGES : CALL_PLAIN;
    interval->is_checkpoint = index != NO_MESSAGE ? CHECKPOINT_BEGINNING : CHECKPOINT_NONE;
    assert(end_ps >= self->clock_ps); /* clocks never run backwards */
    self->overhead_paid = false;
    self->clock_ps = end_ps;
}

#endif
