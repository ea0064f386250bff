/* Messages: sends and receives, and what moves on the network.
 *
 * A standard send is one transfer. A synchronous send is three: the RTS, once the receive is posted the CTS back, then
 * the data. A send whose rank goes on before it is delivered leaves a checkpoint in the events (is_checkpoint), so that
 * the critical path of who waits for it later runs through that checkpoint and not through what its sender does
 * meanwhile. */
#include "sim/kernel/internal.h"
#include "sim/kernel/price.h"

#include "base/units.h"

/* Let the network move a message on, and ask to be called when it has. */
static void move_on(struct kernel *kernel, uint32_t index)
{
    struct transfer *transfer = &kernel->mailbox.messages[index].transfer;
    int64_t at = 0;
    enum transfer_state state = kernel->run->network->advance(kernel->network, transfer, index, kernel->now_ps, &at);
    transfer->done = state == TRANSFER_ENDS;
    if (state != TRANSFER_SHARES)
        kernel_call_moved(kernel, index, at);
}

/* Put something on the network at the present moment, on behalf of a message. */
static void inject(struct kernel *kernel, uint32_t index, struct price *price)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->transfer = *kernel_transfer(kernel, price);
    message->transfer.order = kernel_message_order(message);
    move_on(kernel, index);
}

/* --- sending and receiving --- */

bool kernel_send_overhead(struct kernel *kernel, int rank, const struct op *op)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t overhead = kernel_price(kernel, rank, op->peer, op->bytes, op->exchanges)->send_ps;
    if (overhead == 0 || self->overhead_paid)
        return true;
    struct event event = {
        .end_ps = overhead, .peer = -1, .state = STATE_SEND, .kind = EVENT_COMMUNICATE, .scope = op->scope};
    self->overhead_paid = kernel_occupy(kernel, rank, &event);
    return self->overhead_paid;
}

void kernel_check_length(struct kernel *kernel, const struct message *message, int64_t bytes)
{
    if (kernel->run->program->traced == NULL || message->context != 0 || bytes < 0 || message->bytes <= bytes)
        return;
    kernel_fail(kernel, "rank %d sends %lld bytes to rank %d under tag %d, which receives %lld at most",
                message->sender, (long long)message->bytes, message->receiver, message->tag, (long long)bytes);
}

/* Messages of one pair of ranks and one tag are received in the order in which they were sent, whichever comes first:
 * so a message meets its receive, or lies down for it, when it is sent. What is posted ahead comes before what the
 * receiver is blocked in. */
static void match_send(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    struct rank *receiver = &kernel->ranks[message->receiver];
    if (receiver->n_posted > 0) {
        uint32_t posted =
            mailbox_take_receive(&kernel->mailbox, message->receiver, message->sender, message->tag, message->context);
        if (posted != NO_MESSAGE) {
            receiver->n_posted--;
            kernel_check_length(kernel, message, kernel->mailbox.messages[posted].bytes);
            kernel_await(kernel, index, posted);
            return;
        }
    }
    if (receiver->status == RANK_RECEIVING && !receiver->matched && receiver->peer == message->sender &&
        receiver->tag == message->tag && receiver->context == message->context) {
        receiver->matched = true;
        kernel_check_length(kernel, message, receiver->bytes);
        kernel_await(kernel, index, NO_MESSAGE);
        return;
    }
    mailbox_put(&kernel->mailbox, index);
}

/* Note that the rank may wait for the message later. */
static void track(struct kernel *kernel, uint32_t index, uint32_t number)
{
    struct message *message = &kernel->mailbox.messages[index];
    kernel->ranks[message->sender].n_pending++;
    if (number == 0)
        return;
    const struct pending pending = {.rank = message->sender,
                                    .peer = message->receiver,
                                    .tag = message->tag,
                                    .context = message->context,
                                    .number = number};
    message->pending = request_table_add(&kernel->requests, &pending);
}

/* Begin a send at the present; true when the rank may go on at once. */
static bool begin_send(struct kernel *kernel, int rank, const struct op *op, int context, struct price *price)
{
    struct rank *self = &kernel->ranks[rank];
    const struct cost_model *costs = &kernel->machine->costs;
    bool synchronous = op->mode == SEND_SYNCHRONOUS || op->bytes > price->eager_limit;
    bool complete = !synchronous && costs->buffers_sends, blocks = !complete && op->kind != OP_ISEND;
    uint32_t index = mailbox_new_message(&kernel->mailbox);
    if (kernel->mailbox.n_messages - kernel->mailbox.n_receives > kernel->most_messages)
        kernel_fail_messages(kernel);
    struct message *message = &kernel->mailbox.messages[index];
    message->bytes = op->bytes;
    message->start_ps = message->origin_ps = kernel->now_ps;
    message->receive_ps = price->receive_ps;
    message->sender = rank;
    message->receiver = op->peer;
    message->tag = op->tag;
    message->context = context;
    message->pending = NO_PENDING;
    message->phase = synchronous ? PHASE_RTS : PHASE_DATA;
    message->scope = op->scope;
    message->blocks = blocks;
    message->awaited = message->arrived = message->is_posted_receive = 0;
    message->tracked = !complete && !blocks;
    message->synchronous = op->mode == SEND_SYNCHRONOUS;
    message->exchanges = op->exchanges;
    kernel->stats.messages++;
    kernel->stats.bytes += op->bytes;
    match_send(kernel, index);
    if (!blocks)
        kernel_checkpoint(kernel, index, rank, kernel->now_ps, op->scope, op);
    if (!complete && !blocks)
        track(kernel, index, op->request);
    self->peer = op->peer;
    self->tag = op->tag;
    self->context = context;
    if (blocks)
        self->status = RANK_SENDING;
    inject(kernel, index, synchronous ? kernel_price(kernel, rank, op->peer, costs->control_bytes, false) : price);
    return !blocks && !kernel->failed;
}

static bool do_send(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count)
{
    struct rank *self = &kernel->ranks[rank];
    struct price *price = kernel_price(kernel, rank, op->peer, op->bytes, op->exchanges);
    if (price->send_ps > 0 && !kernel_send_overhead(kernel, rank, op))
        return false;
    if (self->clock_ps > kernel->now_ps) {
        kernel_call_rank(kernel, rank, self->clock_ps);
        return false;
    }
    self->overhead_paid = false;
    ++*count;
    return begin_send(kernel, rank, op, context, price);
}

/* Begin a receive; true when the rank may go on at once. */
static bool do_recv(struct kernel *kernel, int rank, const struct op *op, int context)
{
    struct rank *self = &kernel->ranks[rank];
    uint32_t index = mailbox_take(&kernel->mailbox, rank, op->peer, op->tag, context);
    self->combines = op->mode == RECV_COMBINES;
    struct message *message = index != NO_MESSAGE ? &kernel->mailbox.messages[index] : NULL;
    if (message != NULL)
        kernel_check_length(kernel, message, op->bytes);
    if (message != NULL && message->arrived && message->phase == PHASE_DATA) {
        mailbox_free_message(&kernel->mailbox, index);
        kernel_receive(kernel, rank, op->peer, op->tag, message->bytes, message->receive_ps, op->scope);
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
    return false;
}

bool kernel_order_message(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count)
{
    struct rank *self = &kernel->ranks[rank];
    if (!kernel_recv_overhead(kernel, rank))
        return false;
    if (op->kind == OP_WAIT)
        return kernel_wait(kernel, rank, op, context, count);
    if (op->peer < 0 || op->peer >= kernel->run->placement->n_ranks) {
        kernel_fail(kernel, "rank %d (step %lld) names rank %d; there are ranks 0 to %d", rank, (long long)self->step,
                    op->peer, kernel->run->placement->n_ranks - 1);
        return false;
    }
    if (op->kind == OP_SEND || op->kind == OP_ISEND)
        return do_send(kernel, rank, op, context, count);
    ++*count;
    return op->kind == OP_RECV ? do_recv(kernel, rank, op, context) : kernel_irecv(kernel, rank, op, context);
}

/* What has come by now is known at the present only. */
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
    bool finds = asks && (op->mode == PROBE_LAST || mailbox_has_come(&kernel->mailbox, rank, op->peer, op->tag));
    self->found = op->mode == PROBE_FIRST ? finds : self->found || finds;
    self->op = (uint8_t)(self->op + 1 + (finds ? 0 : op->guarded));
    return true;
}

/* --- a rendezvous --- */

/* The RTS of a synchronous send has met its receive, which was posted at the receiver's clock, or at that of the
 * posted receive. A receive that was late and may be left behind has a checkpoint. */
static void clear_request(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    bool posted_ahead = message->posted != NO_MESSAGE;
    message->phase = PHASE_MATCHED;
    message->posted_ps =
        posted_ahead ? kernel->mailbox.messages[message->posted].posted_ps : kernel->ranks[message->receiver].clock_ps;
    if (message->posted_ps > message->rts_ps && !message->blocks && !posted_ahead)
        kernel_checkpoint(kernel, index, message->receiver, message->posted_ps, message->scope, NULL);
    kernel_call_message(kernel, index, message->posted_ps > kernel->now_ps ? message->posted_ps : kernel->now_ps);
}

void kernel_await(struct kernel *kernel, uint32_t index, uint32_t posted)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->awaited = 1;
    message->posted = posted;
    if (message->arrived)
        clear_request(kernel, index);
}

/* --- what happens when a message arrives --- */

static void request_arrived(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->rts_ps = kernel->now_ps;
    message->arrived = 1;
    if (message->awaited)
        clear_request(kernel, index);
}

static void transmit(struct kernel *kernel, uint32_t index, enum message_phase phase)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->phase = (uint8_t)phase;
    int from = message->sender, to = message->receiver;
    struct price *price = phase == PHASE_CTS
                              ? kernel_price(kernel, to, from, kernel->machine->costs.control_bytes, false)
                              : kernel_price(kernel, from, to, message->bytes, message->exchanges);
    inject(kernel, index, price);
}

void kernel_handle_message(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    if (message->phase != PHASE_MATCHED && !message->transfer.done) {
        move_on(kernel, index);
        return;
    }
    switch ((enum message_phase)message->phase) {
    case PHASE_DATA:
        kernel_deliver(kernel, index, false);
        break;
    case PHASE_RTS:
        request_arrived(kernel, index);
        break;
    case PHASE_MATCHED:
        transmit(kernel, index, PHASE_CTS);
        break;
    case PHASE_CTS:
        transmit(kernel, index, PHASE_RENDEZVOUS_DATA);
        break;
    case PHASE_RENDEZVOUS_DATA:
        kernel_deliver(kernel, index, message->posted_ps > message->rts_ps);
        break;
    }
}
