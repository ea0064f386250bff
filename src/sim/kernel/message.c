/* Messages: sends, receives, and how they meet.
 *
 * A send whose rank goes on before it is delivered leaves a checkpoint in the intervals (is_checkpoint), so
 * that the critical path of who waits for it later runs through that checkpoint and not through what its sender does
 * meanwhile.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/ahead.h"
#include "sim/kernel/arrivals.h"
#include "sim/kernel/first_come.h"
#include "sim/kernel/loggops.h"
#include "sim/kernel/own_wires.h"
#include "sim/kernel/price.h"
#include "sim/kernel/strand.h"

#include "base/debug.h"
#include "base/range.h"
#include "base/units.h"

bool kernel_send_overhead(struct kernel *kernel, int rank, const struct op *op)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t overhead = kernel_price(kernel, rank, op->peer, op->bytes, op->exchanges)->send_ps;
    if (overhead == 0 || self->overhead_paid)
        return true;
    struct interval interval = {
        .end_ps = overhead, .peer = -1, .state = STATE_SEND, .kind = INTERVAL_COMMUNICATE, .scope = op->scope};
    self->overhead_paid = kernel_occupy(kernel, rank, &interval);
    return self->overhead_paid;
}

void kernel_fail_length(struct kernel *kernel, int from, int to, int tag, int64_t bytes, int64_t room)
{
    kernel_fail(kernel, "rank %d sends %lld bytes to rank %d with tag %d, which receives at most %lld", from,
                (long long)bytes, to, tag, (long long)room);
}

static void check_length(struct kernel *kernel, const struct message *message, int64_t room)
{
    kernel_check_length(kernel, message->sender, message->receiver, message->tag, message->context, message->bytes,
                        room);
}

/* True if the rank is blocked in a receive of such a message. */
static inline bool waits_for(const struct rank *self, int sender, int tag, int context)
{
    return self->status == RANK_RECEIVING && !self->matched && self->peer == sender && self->tag == tag &&
           self->context == context;
}

static DEBUG_COLD void say_match(const struct kernel *kernel, uint32_t index, const char *what)
{
    const struct message *message = &kernel->mailbox.messages[index];
    DEBUG(MATCH, kernel->now_ps, "message", index, "from rank %d to %d, tag %d, context %d, %lld bytes: %s%s",
          message->sender, message->receiver, message->tag, message->context, (long long)message->bytes,
          message->phase == PHASE_RTS ? "RTS " : "", what);
}

/* Messages of one pair of ranks and one tag are received in the order in which they were sent, whichever comes first:
 * so a message is matched with its receive, or queued for it, when it is sent. Receives that were posted ahead come
 * before the one that the receiver is blocked in. */
static void match_send(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    struct rank *receiver = &kernel->ranks[message->receiver];
    if (kernel->arrivals != NULL) {
        arrivals_send(kernel->arrivals, &kernel->mailbox, index);
        return;
    }
    if (receiver->n_posted > 0) {
        uint32_t posted =
            mailbox_take_receive(&kernel->mailbox, message->receiver, message->sender, message->tag, message->context);
        if (posted != NO_MESSAGE) {
            assert(kernel->mailbox.messages[posted].is_posted_receive);
            receiver->n_posted--;
            check_length(kernel, message, kernel->mailbox.messages[posted].bytes);
            if (DEBUG_IS_ON(MATCH))
                say_match(kernel, index, "matches a posted receive");
            kernel_await(kernel, index, posted);
            return;
        }
    }
    if (waits_for(receiver, message->sender, message->tag, message->context)) {
        receiver->matched = true;
        check_length(kernel, message, receiver->bytes);
        if (DEBUG_IS_ON(MATCH))
            say_match(kernel, index, "matches the waiting receive");
        kernel_await(kernel, index, NO_MESSAGE);
        return;
    }
    if (DEBUG_IS_ON(MATCH))
        say_match(kernel, index, "is unexpected");
    mailbox_put(&kernel->mailbox, index);
}

/* Note that the rank may wait for the message later; `at_ps`: it is known to be complete then, -1: it is not. */
static void track(struct kernel *kernel, int rank, uint32_t index, uint32_t number, int64_t at_ps)
{
    struct message *message = &kernel->mailbox.messages[index];
    bool complete = at_ps >= 0;
    assert(message->pending == NO_PENDING);
    kernel->ranks[rank].n_pending += !complete;
    if (kernel->runs_ahead)
        ahead_forget_sends(kernel, message->sender, message->start_ps);
    else if (number == 0 && kernel->places == NULL)
        return;
    const struct pending pending = {.bytes = message->bytes,
                                    .complete_ps = at_ps,
                                    .rank = rank,
                                    .peer = message->receiver,
                                    .tag = message->tag,
                                    .context = message->context,
                                    .number = number,
                                    .message = index,
                                    .complete = complete};
    message->pending = request_table_add(&kernel->requests, &pending);
    message->n_keepers = (uint8_t)(message->n_keepers + complete);
}

static inline uint32_t new_message(struct kernel *kernel, int rank, const struct op *op, int context,
                                   int64_t receive_ps)
{
    uint32_t index = mailbox_new_message(&kernel->mailbox);
    struct message *message = &kernel->mailbox.messages[index];
    message->bytes = op->bytes;
    message->start_ps = message->origin_ps = kernel->now_ps;
    message->receive_ps = receive_ps;
    message->sender = kernel_rank_of(kernel, rank);
    message->receiver = op->peer;
    message->tag = op->tag;
    message->context = context;
    message->pending = NO_PENDING;
    message->posted = NO_MESSAGE;
    message->phase = PHASE_DATA;
    message->scope = op->scope;
    message->blocks = message->awaited = message->arrived = message->tracked = message->is_posted_receive = 0;
    message->has_come = 0;
    message->processor = (uint8_t)(kernel_location_of(kernel, rank) / kernel->run->placement->n_ranks);
    message->synchronous = op->mode == SEND_SYNCHRONOUS;
    message->begun = kernel->places != NULL ? (uint32_t)kernel->places[rank].begun : 0;
    message->exchanges = op->exchanges;
    message->n_keepers = 0;
    message->serial = kernel_count_message(kernel, rank, op->peer, op->bytes);
    return index;
}

static inline bool is_rendezvous(const struct op *op, const struct price *price)
{
    return op->mode == SEND_SYNCHRONOUS || op->bytes > price->eager_limit;
}

/* Begin a send at the present; true when the rank may go on at once. */
static bool begin_send(struct kernel *kernel, int rank, const struct op *op, int context, struct price *price)
{
    struct rank *self = &kernel->ranks[rank];
    const struct cost_model *costs = &kernel->machine->costs;
    bool rendezvous = is_rendezvous(op, price), synchronous = rendezvous && kernel->loggops == NULL;
    bool complete = !rendezvous && (costs->buffers_sends || kernel->loggops != NULL);
    bool waits = !complete && op->kind != OP_ISEND;
    bool blocks = waits && kernel->places == NULL; /* else it waits for a send that it has begun */
    uint32_t index = new_message(kernel, rank, op, context, price->receive_ps);
    if (kernel->mailbox.n_messages - kernel->mailbox.n_receives > kernel->most_messages)
        kernel_fail_messages(kernel);
    struct message *message = &kernel->mailbox.messages[index];
    message->phase = synchronous ? PHASE_RTS : PHASE_DATA;
    message->blocks = blocks;
    message->tracked = !complete && !blocks;
    if (kernel->own_wires != NULL)
        own_wires_send(kernel, message);
    match_send(kernel, index);
    if (!blocks)
        kernel_checkpoint(kernel, index, rank, kernel->now_ps, op->scope, op);
    if (!complete && !blocks)
        track(kernel, rank, index, op->kind == OP_ISEND ? op->request : 0, -1);
    self->peer = op->peer;
    self->tag = op->tag;
    self->context = context;
    if (blocks) {
        self->status = RANK_SENDING;
        DEBUG(WAIT, kernel->now_ps, "rank", rank, "waits until message %u has come to rank %d", index, op->peer);
    }
    if (kernel->runs_ahead)
        return ahead_send(kernel, rank, op, index);
    if (waits && !blocks) {
        self->status = RANK_WAITING_ONE;
        self->pending = message->pending;
        self->scope = op->scope;
    }
    kernel_inject(kernel, index,
                  synchronous ? kernel_price(kernel, rank, op->peer, costs->control_bytes, false) : price);
    if (kernel->loggops != NULL)
        loggops_end_send(kernel, rank, op);
    return !waits && !kernel->failed;
}

/* Give the message to its receiver, which is blocked in a receive of it. */
static inline void give_ahead(struct kernel *kernel, int rank, int to, int tag, int context,
                              const struct ahead_message *sent, uint32_t index)
{
    const struct rank *receiver = &kernel->ranks[to];
    const struct ahead_receive as = {rank, tag, receiver->scope, receiver->combines};
    kernel_check_length(kernel, rank, to, tag, context, sent->bytes, receiver->bytes);
    ahead_take_in(kernel, to, &as, sent, index);
    kernel_go_on(kernel, to);
}

/* Send ahead of the present what is no rendezvous, to a rank that has posted no receive. */
static bool send_ahead(struct kernel *kernel, int rank, const struct op *op, int context, struct price *price)
{
    struct rank *self = &kernel->ranks[rank], *receiver = &kernel->ranks[op->peer];
    if (!price->has_way)
        kernel_find_way(kernel, price);
    if (price->alone_ps > PS_MAX - self->clock_ps)
        kernel_fail_clock(kernel, rank);
    if (kernel->failed)
        return false;
    const struct ahead_message sent = {self->clock_ps, self->clock_ps + price->alone_ps, op->bytes, price->receive_ps,
                                       (uint32_t)kernel->stats.messages + 1};
    if (op->kind == OP_SEND && waits_for(receiver, rank, op->tag, context)) {
        give_ahead(kernel, rank, op->peer, op->tag, context, &sent, NO_MESSAGE);
        kernel_count_message(kernel, rank, op->peer, op->bytes);
        ahead_end_send(kernel, rank, op, &sent, NO_MESSAGE);
        return !kernel->failed;
    }
    uint32_t index = new_message(kernel, rank, op, context, price->receive_ps);
    struct message *message = &kernel->mailbox.messages[index];
    message->arrived = 1;
    message->arrived_ps = sent.arrived_ps;
    if (op->kind == OP_SEND)
        ahead_end_send(kernel, rank, op, &sent, index);
    else
        kernel_checkpoint(kernel, index, rank, sent.start_ps, op->scope, op);
    if (op->kind == OP_ISEND && !kernel->machine->costs.buffers_sends)
        track(kernel, rank, index, op->request, sent.arrived_ps);
    if (waits_for(receiver, rank, op->tag, context)) {
        give_ahead(kernel, rank, op->peer, op->tag, context, &sent, index);
        message->awaited = 1;
        kernel_free_message(kernel, index);
        return !kernel->failed;
    }
    mailbox_put(&kernel->mailbox, index);
    return !ahead_yields(kernel, rank, op->peer);
}

static bool do_send(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count)
{
    struct rank *self = &kernel->ranks[rank];
    struct price *price = kernel_price(kernel, rank, op->peer, op->bytes, op->exchanges);
    if (kernel->loggops != NULL && !self->overhead_paid)
        loggops_begin_send(kernel, rank, op, price);
    if (price->send_ps > 0 && !kernel_send_overhead(kernel, rank, op))
        return false;
    if (kernel->runs_ahead) {
        kernel->now_ps = self->clock_ps;
    } else if (self->clock_ps > kernel->now_ps) {
        kernel_call_rank(kernel, rank, self->clock_ps);
        return false;
    }
    self->overhead_paid = false;
    ++*count;
    if (kernel->runs_ahead && kernel->ranks[op->peer].n_posted == 0 && !is_rendezvous(op, price))
        return send_ahead(kernel, rank, op, context, price);
    return begin_send(kernel, rank, op, context, price);
}

/* Receive a message that has come, or of which it is known when it comes. */
static void receive_come(struct kernel *kernel, int rank, const struct op *op, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    if (kernel->runs_ahead) {
        const struct ahead_message sent = {message->start_ps, message->arrived_ps, message->bytes, message->receive_ps,
                                           message->serial};
        const struct ahead_receive as = {op->peer, op->tag, op->scope, op->mode == RECV_COMBINES};
        ahead_take_in(kernel, rank, &as, &sent, index);
    } else {
        const struct receipt receipt = {message->bytes, op->peer, op->tag, message->serial, op->scope};
        kernel_receive(kernel, rank, &receipt, message->receive_ps);
    }
    message->awaited = 1;
    kernel_free_message(kernel, index);
}

static DEBUG_COLD void say_receive(const struct kernel *kernel, int rank, const struct op *op, int context,
                                   uint32_t index)
{
    int64_t now_ps = kernel->ranks[rank].clock_ps;
    if (index != NO_MESSAGE)
        DEBUG(MATCH, now_ps, "rank", rank, "receives message %u, which was sent unexpected at %.12f s", index,
              DEBUG_S(kernel->mailbox.messages[index].start_ps));
    bool waits = index == NO_MESSAGE || !kernel->mailbox.messages[index].arrived ||
                 kernel->mailbox.messages[index].phase != PHASE_DATA;
    if (waits)
        DEBUG(WAIT, now_ps, "rank", rank, "waits to receive from rank %d, tag %d, context %d%s", op->peer, op->tag,
              context, index != NO_MESSAGE ? ", which has been sent" : "");
}

/* Begin a receive; true when the rank may go on at once. */
static bool do_recv(struct kernel *kernel, int rank, const struct op *op, int context)
{
    struct rank *self = &kernel->ranks[rank];
    uint32_t index = mailbox_take(&kernel->mailbox, rank, op->peer, op->tag, context);
    self->combines = op->mode == RECV_COMBINES;
    struct message *message = index != NO_MESSAGE ? &kernel->mailbox.messages[index] : NULL;
    if (DEBUG_IS_ON(MATCH) || DEBUG_IS_ON(WAIT))
        say_receive(kernel, rank, op, context, index);
    if (message != NULL)
        check_length(kernel, message, op->bytes);
    if (message != NULL && message->arrived && message->phase == PHASE_DATA) {
        receive_come(kernel, rank, op, index);
        return true;
    }
    self->status = RANK_RECEIVING;
    self->peer = op->peer;
    self->tag = op->tag;
    self->context = context;
    self->scope = op->scope;
    self->bytes = op->bytes;
    self->matched = message != NULL;
    if (message != NULL)
        kernel_await(kernel, index, NO_MESSAGE);
    return self->status == RANK_RUNNING && !kernel->failed;
}

bool kernel_do_message(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count)
{
    struct rank *self = &kernel->ranks[rank];
    if (op->kind == OP_WAIT)
        return kernel_wait(kernel, rank, op, context, count);
    if (op->kind == OP_MARK) {
        ++*count;
        kernel_mark(kernel, rank, op);
        return true;
    }
    bool may_be_any = kernel->arrivals != NULL && (op->kind == OP_RECV || op->kind == OP_IRECV);
    if (op->peer < (may_be_any ? -1 : 0) || op->peer >= kernel->run->placement->n_ranks) {
        kernel_fail(kernel, "rank %d (step %lld) names rank %d; there are ranks 0 to %d", kernel_rank_of(kernel, rank),
                    (long long)self->step, op->peer, kernel->run->placement->n_ranks - 1);
        return false;
    }
    if (op->kind == OP_SEND || op->kind == OP_ISEND)
        return do_send(kernel, rank, op, context, count);
    ++*count;
    if (kernel->first_come != NULL && context == 0)
        first_come_post(kernel->first_come, &kernel->stats.first_come, kernel_rank_of(kernel, rank), op,
                        int64_max(self->clock_ps, kernel->now_ps));
    if (op->kind == OP_IRECV)
        return kernel_irecv(kernel, rank, op, context);
    return (kernel->places == NULL ? do_recv : kernel_recv_posted)(kernel, rank, op, context);
}

/* Probe at the present: only there is it known what has come by then. */
bool kernel_probe(struct kernel *kernel, int rank, const struct op *op)
{
    struct rank *self = &kernel->ranks[rank];
    if (kernel_needs_order(kernel))
        return false;
    bool asks = op->mode == PROBE_FIRST || !self->found;
    if (asks && op->mode != PROBE_LAST && self->clock_ps > kernel->now_ps) {
        kernel_call_rank(kernel, rank, self->clock_ps);
        return false;
    }
    bool finds = asks && (op->mode == PROBE_LAST ||
                          mailbox_has_come(&kernel->mailbox, kernel_rank_of(kernel, rank), op->peer, op->tag));
    self->found = op->mode == PROBE_FIRST ? finds : self->found || finds;
    self->op = (uint8_t)(self->op + 1 + (finds ? 0 : op->guarded));
    return true;
}
