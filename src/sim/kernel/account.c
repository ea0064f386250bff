/* The accounts of the ends of a message, once it is delivered.
 *
 * A send or receive whose rank goes on before the message is delivered leaves a checkpoint in the intervals
 * (is_checkpoint), so that the critical path of who waits for it later runs through that checkpoint and not through
 * what its rank does meanwhile: that of the message where it began to be sent; that of the posted receive at its
 * posting, if an RTS may have been there before it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/ahead.h"
#include "sim/kernel/arrivals.h"
#include "sim/kernel/loggops.h"
#include "sim/kernel/price.h"
#include "sim/kernel/strand.h"

#include "base/debug.h"
#include "base/range.h"
#include "base/units.h"

void kernel_checkpoint(struct kernel *kernel, uint32_t index, int location, int64_t at_ps, int scope,
                       const struct op *send)
{
    bool is_message = send != NULL;
    struct message *message = &kernel->mailbox.messages[index];
    int peer = is_message ? message->receiver : -1;
    struct interval *interval = kernel_add_interval(kernel, location, peer, scope, STATE_SEND, at_ps, at_ps);
    interval->message = index;
    interval->is_checkpoint = CHECKPOINT_END;
    if (is_message) {
        bool begun = send->kind == OP_ISEND;
        interval->bytes = message->bytes;
        interval->tag = message->context != 0 ? -1 : message->tag;
        interval->serial = message->serial;
        interval->is_message = 1;
        interval->call = (uint8_t)((begun ? CALL_BEGUN : CALL_PLAIN) | (message->synchronous ? CALL_SYNCHRONOUS : 0) |
                                   (message->exchanges ? CALL_EXCHANGES : 0));
        if (begun && send->request != 0) {
            interval->request = send->request;
            kernel->batch.is_more = true;
        }
    }
    message->origin_ps = at_ps;
}

/* --- taking messages in --- */

/* The rank's processor time for a message that takes `ps` by the machine's costs. */
static inline int64_t recv_overhead_ps(const struct kernel *kernel, int rank, int64_t bytes, int64_t ps)
{
    if (!kernel->ranks[rank].combines)
        return ps;
    return units_clamp((wide_int)ps + cost_model_combine_ps(&kernel->machine->costs, bytes));
}

void kernel_receive(struct kernel *kernel, int rank, const struct receipt *receipt, int64_t receive_ps)
{
    struct rank *self = &kernel->ranks[rank];
    if (recv_overhead_ps(kernel, rank, receipt->bytes, receive_ps) > 0) {
        kernel_begin_receipt(self, receipt);
        return;
    }
    if (kernel->run->without_receipts)
        return;
    const struct interval interval = {.start_ps = self->clock_ps,
                                      .end_ps = self->clock_ps,
                                      .bytes = receipt->bytes,
                                      .location = kernel_location_of(kernel, rank),
                                      .peer = receipt->peer,
                                      .tag = receipt->tag,
                                      .state = STATE_RECEIVE,
                                      .kind = INTERVAL_COMMUNICATE,
                                      .scope = receipt->scope,
                                      .is_receipt = 1,
                                      .call = self->combines ? CALL_COMBINES : CALL_PLAIN,
                                      .serial = receipt->serial};
    kernel_emit(kernel, &interval);
}

bool kernel_do_recv_overhead(struct kernel *kernel, int rank)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t receive_ps = kernel_price(kernel, self->peer, rank, self->bytes, false)->receive_ps;
    struct interval interval = {.end_ps = recv_overhead_ps(kernel, rank, self->bytes, receive_ps),
                                .bytes = self->bytes,
                                .peer = self->peer,
                                .tag = self->tag,
                                .state = STATE_RECEIVE,
                                .kind = INTERVAL_COMMUNICATE,
                                .scope = self->scope,
                                .is_receipt = 1,
                                .call = self->combines ? CALL_COMBINES : CALL_PLAIN,
                                .serial = self->serial};
    if (!kernel_occupy(kernel, rank, &interval))
        return false;
    self->owes_recv_overhead = false;
    return true;
}

/* --- what the time of a message consists of --- */

/* The legs that an interval ends with: the data; of a rendezvous before that the CTS and, unless the receive was late,
 * the request. Time that they would not have taken alone is waiting for others. */
static void split(struct kernel *kernel, const struct message *message, struct interval *interval,
                  int64_t parts_ps[N_MESSAGE_PARTS])
{
    const struct machine *machine = kernel->machine;
    int sender = kernel->ranks[message->sender].host, receiver = kernel->ranks[message->receiver].host;
    struct route there_room, back_room;
    const struct route *there = machine_way(kernel->machine, sender, receiver, &there_room);
    const struct route *back = machine_way(kernel->machine, receiver, sender, &back_room);
    bool rendezvous = message->phase == PHASE_RENDEZVOUS_DATA;
    int64_t latency_ps[3] = {0},
            alone_ps = machine_alone_ps(machine, there, message->bytes, message->exchanges, &latency_ps[0]);
    if (rendezvous)
        alone_ps += machine_alone_ps(machine, back, machine->costs.control_bytes, false, &latency_ps[1]);
    if (rendezvous && !message_is_late(message))
        alone_ps += machine_alone_ps(machine, there, machine->costs.control_bytes, false, &latency_ps[2]);
    int64_t from_ps = interval->cause == CAUSE_SELF ? interval->start_ps : interval->origin_ps;
    parts_ps[MESSAGE_LATENCY] = latency_ps[0] + latency_ps[1] + latency_ps[2];
    parts_ps[MESSAGE_LENGTH] = alone_ps - parts_ps[MESSAGE_LATENCY];
    assert(alone_ps >= parts_ps[MESSAGE_LATENCY]);
    parts_ps[MESSAGE_CONTENTION] = interval->end_ps - from_ps - alone_ps;
    interval->parts_ps = parts_ps;
}

/* The same where it is asked for, of the interval that has been added last. */
static inline void split_end(struct kernel *kernel, const struct message *message, struct interval *interval)
{
    kernel->batch.is_more |= kernel->run->splits_messages;
    if (kernel->run->splits_messages)
        split(kernel, message, interval, kernel->batch.parts_ps[interval - kernel->batch.intervals]);
}

/* --- the end of a message --- */

/* Set the cause of an interval that ends now: the message's sender, which still stands where it began to send, or the
 * checkpoint that the message has left. */
static void follow_send(struct interval *interval, const struct message *message, uint32_t index)
{
    interval->cause = message->blocks ? CAUSE_PEER : CAUSE_CHECKPOINT;
    interval->message = index;
    interval->origin_ps = message->blocks ? message->start_ps : message->origin_ps;
}

/* The same of a receive that was posted late: its rank, if that still stands there, or the checkpoint of its posted
 * receive. */
static void follow_receive(struct interval *interval, const struct message *message, int64_t receiver_ps)
{
    interval->cause = receiver_ps == message->posted_ps ? CAUSE_PEER : CAUSE_CHECKPOINT;
    interval->message = message->posted;
    interval->origin_ps = message->posted_ps;
}

/* The receiver's account of its wait: idle until the message was sent, then receiving. */
static inline void end_receive(struct kernel *kernel, int rank, uint32_t index)
{
    const struct message *message = &kernel->mailbox.messages[index];
    int peer = message->sender, tag = message->context != 0 ? -1 : message->tag;
    struct rank *receiver = &kernel->ranks[rank];
    int64_t began = receiver->clock_ps, sent = message->start_ps;
    const struct receipt receipt = {message->bytes, peer, tag, message->serial, receiver->scope};
    if (began >= kernel->now_ps) { /* it came before it was asked for */
        kernel_receive(kernel, rank, &receipt, message->receive_ps);
        return;
    }
    if (began < sent)
        kernel_add_interval(kernel, rank, peer, receiver->scope, STATE_IDLE, began, sent);
    struct interval *interval =
        kernel_add_interval(kernel, rank, peer, receiver->scope, STATE_RECEIVE, int64_max(began, sent), kernel->now_ps);
    if (!message_is_late(message))
        follow_send(interval, message, index);
    else if (began != message->posted_ps)
        follow_receive(interval, message, began);
    if (recv_overhead_ps(kernel, rank, message->bytes, message->receive_ps) > 0) {
        kernel_begin_receipt(receiver, &receipt);
    } else {
        interval->bytes = message->bytes;
        interval->tag = tag;
        interval->serial = message->serial;
        interval->is_receipt = 1;
        interval->call = receiver->combines ? CALL_COMBINES : CALL_PLAIN;
    }
    split_end(kernel, message, interval);
    receiver->clock_ps = kernel->now_ps;
}

void kernel_end_receive(struct kernel *kernel, int rank, uint32_t index)
{
    end_receive(kernel, rank, index);
}

/* The account of a sender that waited: sending, but idle between the coming of its RTS and a receive posted only
 * later. */
static void end_send(struct kernel *kernel, struct message *message, uint32_t index)
{
    bool late = message_is_late(message);
    int rank = message->sender, peer = message->receiver, scope = message->scope;
    int64_t start_ps = message->start_ps;
    if (late) {
        kernel_add_interval(kernel, rank, peer, scope, STATE_SEND, start_ps, message->arrived_ps);
        kernel_add_interval(kernel, rank, peer, scope, STATE_IDLE, message->arrived_ps, message->posted_ps);
        start_ps = message->posted_ps;
    }
    struct interval *interval = kernel_add_interval(kernel, rank, peer, scope, STATE_SEND, start_ps, kernel->now_ps);
    if (late)
        follow_receive(interval, message, kernel->ranks[peer].clock_ps);
    interval->bytes = message->bytes;
    interval->tag = message->tag;
    interval->serial = message->serial;
    interval->is_message = 1;
    interval->call = message->synchronous ? CALL_SYNCHRONOUS : CALL_PLAIN;
    split_end(kernel, message, interval);
    kernel->ranks[rank].clock_ps = kernel->now_ps;
    if (message->n_keepers <= 1 || late)
        return;
    interval->message = index; /* its receive is a request, which may be waited for at an earlier time */
    interval->is_checkpoint = CHECKPOINT_BEGINNING;
    message->blocks = 0;
}

void kernel_end_isend(struct kernel *kernel, int rank, uint32_t index)
{
    const struct message *message = &kernel->mailbox.messages[index];
    struct rank *sender = &kernel->ranks[rank];
    bool late = message_is_late(message);
    if (sender->clock_ps >= kernel->now_ps)
        return;
    struct interval *interval = kernel_add_interval(kernel, rank, message->receiver, sender->scope, STATE_SEND,
                                                    sender->clock_ps, kernel->now_ps);
    interval->call = CALL_WAITED;
    follow_send(interval, message, late && message->posted != NO_MESSAGE ? message->posted : index);
    if (late)
        interval->origin_ps = message->posted_ps;
    if (kernel->loggops != NULL && kernel->processors[kernel->loggops->releaser].clock_ps == kernel->now_ps) {
        interval->cause = CAUSE_PEER;
        interval->peer = kernel->loggops->releaser;
        interval->origin_ps = kernel->now_ps;
    } else {
        split_end(kernel, message, interval);
    }
    sender->clock_ps = kernel->now_ps;
}

/* The rank, or its strand, that has begun a send which is tracked. */
static int sender_of(const struct kernel *kernel, const struct message *message)
{
    if (kernel->places == NULL)
        return message->sender;
    assert(message->pending != NO_PENDING);
    return kernel->requests.items[message->pending].rank;
}

bool kernel_complete_isend(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    int rank = sender_of(kernel, message);
    struct rank *sender = &kernel->ranks[rank];
    assert(message->tracked && sender->n_pending > 0);
    bool all = --sender->n_pending == 0 && sender->status == RANK_WAITING;
    bool one =
        message->pending != NO_PENDING && sender->status == RANK_WAITING_ONE && sender->pending == message->pending;
    message->tracked = 0;
    if (kernel->runs_ahead && !one) {
        ahead_keep(kernel, message->pending, index);
        if (all)
            ahead_end_sends(kernel, message->sender);
        return all;
    }
    if (message->pending != NO_PENDING && !one && kernel->requests.items[message->pending].marked)
        request_table_complete(&kernel->requests, message->pending, message->bytes, message->serial, kernel->now_ps);
    else if (message->pending != NO_PENDING)
        request_table_remove(&kernel->requests, message->pending);
    if (!all && !one)
        return false;
    sender->pending = NO_PENDING;
    strand_begin_account(kernel, rank);
    kernel_end_isend(kernel, rank, index);
    strand_end_account(kernel, rank);
    return true;
}

/* True if the rank waits for the request under the index. */
static bool is_awaited(const struct kernel *kernel, const struct rank *rank, uint32_t index)
{
    const struct pending *pending = &kernel->requests.items[index];
    if (rank->status == RANK_WAITING_ANY)
        return rank->marked == pending->marked && (rank->context != 0) == (pending->context != 0);
    return rank->status == RANK_WAITING_ONE && rank->pending == index;
}

/* Where ranks run ahead, what has been posted is taken in the order of time once the times of all are known. True when
 * they are and the receiver waited for that. */
static bool keep_receive(struct kernel *kernel, uint32_t receive, uint32_t index)
{
    int rank = kernel->mailbox.messages[index].receiver;
    bool waits = is_awaited(kernel, &kernel->ranks[rank], receive);
    enum request_kind kind = pending_kind(&kernel->requests.items[receive]);
    ahead_keep(kernel, receive, index);
    return waits && !request_table_has_posted(&kernel->requests, rank, kind);
}

/* Give the message to its receive. True when the receiver waited for it, and goes on; *rank is then the receiver, or
 * its strand. */
static bool give(struct kernel *kernel, uint32_t index, int *rank)
{
    const struct message *message = &kernel->mailbox.messages[index];
    if (!message->awaited)
        return false;
    if (message->posted != NO_MESSAGE) {
        uint32_t receive = kernel->mailbox.messages[message->posted].pending;
        *rank = kernel->requests.items[receive].rank;
        kernel->requests.items[receive].peer = message->sender;
        struct rank *receiver = &kernel->ranks[*rank];
        bool waits = is_awaited(kernel, receiver, receive);
        if (kernel->runs_ahead && (!waits || receiver->status == RANK_WAITING_ANY))
            return keep_receive(kernel, receive, index);
        if (!waits) {
            request_table_complete(&kernel->requests, receive, message->bytes, message->serial, kernel->now_ps);
            return false;
        }
        if (receiver->status == RANK_WAITING_ANY) {
            kernel_note_wait(kernel, *rank, receiver->scope, receive);
            receiver->combines = kernel->requests.items[receive].combines;
        }
        request_table_remove(&kernel->requests, receive);
        receiver->pending = NO_PENDING;
    }
    strand_begin_account(kernel, *rank);
    end_receive(kernel, *rank, index);
    strand_end_account(kernel, *rank);
    return true;
}

void kernel_come(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    int sender = message->tracked ? sender_of(kernel, message) : -1;
    assert(!message->blocks && kernel->now_ps >= message->start_ps);
    message->n_keepers++; /* until it is taken in */
    if (message->tracked && kernel->loggops == NULL && kernel_complete_isend(kernel, index))
        strand_go_on(kernel, sender);
}

int kernel_take_in(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    int receiver = message->receiver;
    if (kernel->arrivals != NULL && message->phase == PHASE_DATA) {
        message->posted = arrivals_come(kernel->arrivals, &kernel->mailbox, index);
        message->awaited = message->posted != NO_MESSAGE;
    }
    bool goes_on = give(kernel, index, &receiver);
    DEBUG(WAIT, kernel->now_ps, "message", index, "is taken in by rank %d%s", message->receiver,
          goes_on ? ", which goes on" : "");
    if (!message->arrived)
        message->arrived_ps = kernel->now_ps;
    message->arrived = 1;
    message->n_keepers--;
    kernel_free_message(kernel, index);
    return goes_on ? receiver : -1;
}

/* The end that follows the other must be accounted first. */
void kernel_deliver(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    int sender = message->sender, receiver = message->receiver;
    bool late = message_is_late(message), blocks = message->blocks;
    assert(message->phase == PHASE_DATA || (message->phase == PHASE_RENDEZVOUS_DATA && message->awaited));
    assert(kernel->now_ps >= message->start_ps && !message->is_posted_receive);
    message->n_keepers++; /* this one */
    if (blocks && late)
        end_send(kernel, message, index);
    bool receiver_goes_on = give(kernel, index, &receiver);
    if (blocks && !late)
        end_send(kernel, message, index);
    DEBUG(WAIT, kernel->now_ps, "message", index, "has come to rank %d%s", receiver,
          receiver_goes_on ? ", which goes on" : "");
    bool sender_goes_on = blocks || (message->tracked && kernel_complete_isend(kernel, index));
    if (!message->arrived)
        message->arrived_ps = kernel->now_ps;
    message->arrived = 1;
    message->n_keepers--;
    kernel_free_message(kernel, index);
    if (sender_goes_on)
        DEBUG(WAIT, kernel->now_ps, "rank", sender, "goes on: message %u has come to rank %d", index, receiver);
    if (sender_goes_on)
        kernel_go_on(kernel, sender);
    if (receiver_goes_on)
        kernel_go_on(kernel, receiver);
}
