/* Receives that are posted ahead, and waiting for what was begun.
 *
 * A non-blocking receive has an entry, until its message is delivered. If the message has not been sent, the entry
 * lies in the mailbox, where the message will find it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/ahead.h"
#include "sim/kernel/arrivals.h"
#include "sim/kernel/loggops.h"
#include "sim/kernel/price.h"

#include "base/debug.h"

/* For those who write calls down: one that takes no time of its own, about what is pending, or about all sends. */
static void note_call(struct kernel *kernel, int rank, enum interval_call call, int scope,
                      const struct pending *pending, uint32_t index)
{
    int64_t now_ps = kernel->ranks[rank].clock_ps;
    if (kernel->run->without_receipts)
        return;
    struct interval interval = {.start_ps = now_ps,
                                .end_ps = now_ps,
                                .location = kernel_location_of(kernel, rank),
                                .peer = -1,
                                .state = STATE_SEND,
                                .kind = INTERVAL_COMMUNICATE,
                                .call = (uint8_t)call,
                                .scope = (uint8_t)scope};
    if (pending != NULL) {
        interval.tag = pending->context != 0 ? -1 : 0;
        interval.request = pending->number;
        interval.message = index;
        interval.state = pending->is_receive ? STATE_RECEIVE : STATE_SEND;
    }
    kernel_emit(kernel, &interval);
}

void kernel_note_wait(struct kernel *kernel, int rank, int scope, uint32_t index)
{
    note_call(kernel, rank, CALL_WAITS, scope, &kernel->requests.items[index], index);
}

static uint32_t add_receive(struct kernel *kernel, const struct pending *receive, int scope)
{
    uint32_t index = request_table_add(&kernel->requests, receive);
    note_call(kernel, receive->rank, CALL_BEGUN, scope, receive, index);
    return index;
}

/* The message that has been sent, or has come, for such a receive of the rank; NO_MESSAGE. */
static uint32_t take_message(struct kernel *kernel, int receiver, const struct op *op, int context)
{
    struct mailbox *mailbox = &kernel->mailbox;
    uint32_t index = kernel->arrivals == NULL
                         ? mailbox_take(mailbox, receiver, op->peer, op->tag, context)
                         : arrivals_take(kernel->arrivals, mailbox, receiver, op->peer, op->tag, op->any_tag, context);
    if (index != NO_MESSAGE) {
        const struct message *message = &mailbox->messages[index];
        kernel_check_length(kernel, message->sender, receiver, message->tag, context, message->bytes, op->bytes);
    }
    return index;
}

/* The request of a receive whose message has come. */
static uint32_t add_complete(struct kernel *kernel, struct pending *receive, uint32_t index, int scope)
{
    struct message *message = &kernel->mailbox.messages[index];
    receive->complete = true;
    receive->complete_ps = message->arrived_ps;
    receive->bytes = message->bytes;
    receive->serial = message->serial;
    receive->message = index;
    message->awaited = 1;
    if (kernel->loggops != NULL)
        kernel->loggops->released = loggops_release(kernel, index, kernel->places[receive->rank].location);
    if (kernel->runs_ahead)
        message->n_keepers++;
    kernel_free_message(kernel, index);
    return add_receive(kernel, receive, scope);
}

/* An RTS may come, or have come, before the moment at which its receive is posted; data that are under way do not. */
static bool may_be_late(const struct kernel *kernel, const struct rank *self, const struct message *message)
{
    if (message != NULL && message->phase == PHASE_DATA)
        return false;
    return kernel->runs_ahead || self->clock_ps > kernel->now_ps || (message != NULL && message->arrived);
}

/* Post a receive; its request. */
static uint32_t post_receive(struct kernel *kernel, int rank, const struct op *op, int context)
{
    struct rank *self = &kernel->ranks[rank];
    int receiver = kernel_rank_of(kernel, rank);
    uint32_t index = take_message(kernel, receiver, op, context);
    const struct message *message = index != NO_MESSAGE ? &kernel->mailbox.messages[index] : NULL;
    struct pending receive = {.rank = rank,
                              .peer = message != NULL ? message->sender : op->peer,
                              .tag = op->tag,
                              .context = context,
                              .number = op->request,
                              .is_receive = true,
                              .combines = op->mode == RECV_COMBINES};
    if (message != NULL && message->arrived && message->phase == PHASE_DATA)
        return add_complete(kernel, &receive, index, op->scope);
    bool leaves_checkpoint = may_be_late(kernel, self, message);
    DEBUG(MATCH, self->clock_ps, "rank", rank, "posts a receive from rank %d, tag %d, context %d, %s", op->peer,
          op->tag, context, index != NO_MESSAGE ? "whose message has been sent" : "whose message is not sent yet");
    uint32_t pending = add_receive(kernel, &receive, op->scope), posted = mailbox_new_receive(&kernel->mailbox);
    if (kernel->mailbox.n_receives > kernel->most_messages)
        kernel_fail_messages(kernel);
    kernel->mailbox.messages[posted] = (struct message){.posted_ps = self->clock_ps,
                                                        .bytes = op->bytes,
                                                        .sender = op->peer,
                                                        .receiver = receiver,
                                                        .tag = op->tag,
                                                        .context = context,
                                                        .pending = pending,
                                                        .exchanges = op->any_tag,
                                                        .is_posted_receive = 1};
    if (leaves_checkpoint)
        kernel_checkpoint(kernel, posted, rank, self->clock_ps, op->scope, NULL);
    if (index != NO_MESSAGE) {
        kernel_await(kernel, index, posted);
    } else if (kernel->arrivals != NULL) {
        arrivals_post(kernel->arrivals, &kernel->mailbox, posted);
    } else {
        mailbox_put(&kernel->mailbox, posted);
        kernel->ranks[receiver].n_posted++;
    }
    return pending;
}

bool kernel_irecv(struct kernel *kernel, int rank, const struct op *op, int context)
{
    post_receive(kernel, rank, op, context);
    return true;
}

/* Wait for one that is pending, or, with RANK_WAITING_ANY, for whichever receive comes first; true when it is
 * complete. */
static bool wait_for(struct kernel *kernel, int rank, uint32_t index, enum rank_status status, const struct op *op)
{
    struct rank *self = &kernel->ranks[rank];
    const struct pending pending = kernel->requests.items[index];
    self->combines = pending.combines || (pending.is_receive && op->mode == RECV_COMBINES);
    if (pending.complete || status == RANK_WAITING_ONE)
        kernel_note_wait(kernel, rank, op->scope, index);
    if (pending.complete && kernel->runs_ahead) {
        self->scope = op->scope;
        ahead_end_wait(kernel, index);
        return true;
    }
    if (pending.complete) {
        request_table_remove(&kernel->requests, index);
        if (!pending.is_receive)
            return true;
        int64_t receive_ps = kernel_price(kernel, pending.peer, rank, pending.bytes, false)->receive_ps;
        const struct receipt receipt = {pending.bytes, pending.peer, pending.tag, pending.serial, op->scope};
        kernel_receive(kernel, rank, &receipt, receive_ps);
        return true;
    }
    DEBUG(WAIT, self->clock_ps, "rank", rank, "waits for %s rank %d, tag %d, request %u%s",
          pending.is_receive ? "a receive from" : "a send to", pending.peer, pending.tag, pending.number,
          status == RANK_WAITING_ANY ? ", or another one" : "");
    self->status = (uint8_t)status;
    self->pending = index;
    self->peer = pending.peer;
    self->tag = pending.tag;
    self->context = pending.context;
    self->marked = pending.marked;
    self->scope = op->scope;
    return false;
}

bool kernel_recv_posted(struct kernel *kernel, int strand, const struct op *op, int context)
{
    struct op posted = *op;
    posted.request = 0;
    uint32_t index = post_receive(kernel, strand, &posted, context);
    return wait_for(kernel, strand, index, RANK_WAITING_ONE, op);
}

/* Where ranks run ahead: all of what a wait for all takes that is complete, one after the other. What comes next, which
 * is not; NO_PENDING if there is none. */
static uint32_t ahead_take_complete(struct kernel *kernel, int rank, const struct op *op, enum request_kind kind)
{
    uint32_t index;
    while ((index = ahead_next_request(kernel, rank, kind)) != NO_PENDING && kernel->requests.items[index].complete) {
        wait_for(kernel, rank, index, RANK_WAITING_ANY, op);
        if (!kernel_recv_overhead(kernel, rank))
            break;
    }
    return index;
}

static bool wait_for_number(struct kernel *kernel, int rank, const struct op *op, bool collective)
{
    uint32_t index = kernel->runs_ahead ? ahead_find_request(kernel, rank, op->request, collective)
                                        : request_table_find(&kernel->requests, rank, op->request, collective);
    if (index != NO_PENDING)
        return wait_for(kernel, rank, index, RANK_WAITING_ONE, op);
    const struct pending send = {.context = collective, .number = op->request}; /* it is complete, or there is none */
    note_call(kernel, rank, CALL_WAITS, op->scope, &send, 0);
    return true;
}

/* A send that is complete, or what is no request, is marked all the same, so that waiting for it is noted in its
 * place. */
void kernel_mark(struct kernel *kernel, int rank, const struct op *op)
{
    uint32_t index = request_table_find(&kernel->requests, rank, op->request, false);
    if (index == NO_PENDING) {
        const struct pending complete = {.complete_ps = kernel->ranks[rank].clock_ps,
                                         .rank = rank,
                                         .peer = rank,
                                         .number = op->request,
                                         .message = NO_MESSAGE,
                                         .complete = true};
        index = request_table_add(&kernel->requests, &complete);
    }
    kernel->requests.items[index].combines |= op->mode == RECV_COMBINES;
    request_table_mark(&kernel->requests, index);
}

/* A wait for all takes the receives in the order in which their messages come; it is done again and again until there
 * is none left. Then the sends have one wait together, or, in a collective, which leaves those from outside alone, one
 * each, as those that are marked. */
bool kernel_wait(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count)
{
    struct rank *self = &kernel->ranks[rank];
    self->combines = false;
    if (op->request != 0) {
        ++*count;
        return wait_for_number(kernel, rank, op, context != 0);
    }
    enum request_kind kind = context != 0 ? REQUEST_COLLECTIVE : op->marked ? REQUEST_MARKED : REQUEST_PLAIN;
    uint32_t index = kernel->runs_ahead ? ahead_take_complete(kernel, rank, op, kind)
                                        : request_table_next(&kernel->requests, rank, kind);
    if (kernel->failed)
        return false;
    if (index != NO_PENDING) {
        bool receives = kernel->requests.items[index].is_receive;
        return wait_for(kernel, rank, index, receives ? RANK_WAITING_ANY : RANK_WAITING_ONE, op);
    }
    if (kind == REQUEST_MARKED) {
        ++*count;
        return true;
    }
    const struct pending sends = {.context = context};
    note_call(kernel, rank, CALL_WAITS, op->scope, &sends, 0);
    ++*count;
    self->scope = op->scope;
    if (context == 0 && self->n_pending == 0 && kernel->runs_ahead)
        ahead_end_sends(kernel, rank);
    if (context != 0 || self->n_pending == 0)
        return true;
    DEBUG(WAIT, self->clock_ps, "rank", rank, "waits for all its %d sends", self->n_pending);
    self->status = RANK_WAITING;
    return false;
}
