/* Messages: sends and receives, what moves on the network, and the accounts of sender and receiver.
 *
 * A standard send is one transfer. A synchronous send is three: the request, once the receive is posted the clearance
 * back, then the data. A send whose rank goes on before it is delivered leaves a mark in the events (departs), so that the
 * critical path of who waits for it later runs through that mark and not through what its sender does meanwhile. */
#include "sim/kernel_internal.h"

#include <assert.h>

/* Put `bytes` on the network at the present moment, on behalf of a message. */
static void inject(struct kernel *kernel, uint32_t index, int from_rank, int to_rank, int64_t bytes)
{
    const struct machine *machine = kernel->machine;
    struct message *message = &kernel->mailbox.messages[index];
    int from = kernel->ranks[from_rank].host, to = kernel->ranks[to_rank].host;
    const struct route *route = machine_route(kernel->machine, from, to);
    if (route == NULL) {
        sim_error_set(kernel->error, SIM_BAD_INPUT, machine->file, 0, "has no route from host %d to host %d", from, to);
        kernel->failed = true;
        route = machine_route(kernel->machine, from, from);
    }
    transfer_init(&message->transfer, machine, route, bytes);
}

/* Let the network move a message on, and ask to be called when it has. */
static void move_on(struct kernel *kernel, uint32_t index)
{
    const struct network_spec *network = kernel->run->network;
    struct transfer *transfer = &kernel->mailbox.messages[index].transfer;
    int64_t at = 0;
    if (network->start != NULL) {
        network->start(kernel->network, index, transfer, kernel->now_ps);
        return;
    }
    transfer->done = !network->advance(kernel->network, transfer, kernel->now_ps, &at);
    if (at > PS_MAX)
        kernel_fail_clock(kernel, kernel->mailbox.messages[index].sender);
    kernel_call_message(kernel, index, at);
}

/* Mark in the events that what follows from the message follows from the lane as it is at `at_ps`. */
static void mark_departure(struct kernel *kernel, uint32_t index, int lane, int64_t at_ps, bool counts)
{
    struct message *message = &kernel->mailbox.messages[index];
    struct event event = {.start_ps = at_ps,
                          .end_ps = at_ps,
                          .bytes = message->bytes,
                          .message = index,
                          .lane = lane,
                          .peer = message->receiver,
                          .state = STATE_SEND,
                          .kind = EVENT_COMMUNICATE,
                          .scope = message->scope,
                          .is_message = counts,
                          .departs = 1};
    message->origin_ps = at_ps;
    kernel_emit(kernel, &event);
}

/* Messages of one pair of ranks and one tag are received in the order in which they were sent, whichever comes first: so
 * a message meets its receive, or lies down for it, when it is sent. */
static void match_send(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    struct rank *receiver = &kernel->ranks[message->receiver];
    message->awaited = receiver->status == RANK_RECEIVING && !receiver->matched && receiver->peer == message->sender &&
                       receiver->tag == message->tag;
    if (message->awaited)
        receiver->matched = 1;
    else
        mailbox_put(&kernel->mailbox, index);
}

bool kernel_send(struct kernel *kernel, int rank, const struct op *op, int tag)
{
    const struct machine *machine = kernel->machine;
    struct rank *self = &kernel->ranks[rank];
    assert(op->peer >= 0 && op->peer < kernel->run->placement->n_ranks && op->peer != rank);
    bool synchronous = op->mode == SEND_SYNCHRONOUS || op->bytes > machine->eager_limit;
    bool complete = !synchronous && machine->buffers_sends;
    uint32_t index = mailbox_new_message(&kernel->mailbox);
    struct message *message = &kernel->mailbox.messages[index];
    *message = (struct message){.bytes = op->bytes,
                                .start_ps = kernel->now_ps,
                                .sender = rank,
                                .receiver = op->peer,
                                .tag = tag,
                                .scope = op->scope,
                                .phase = synchronous ? PHASE_REQUEST : PHASE_DATA,
                                .blocks = !complete && op->kind != OP_ISEND,
                                .tracked = !complete && op->kind == OP_ISEND};
    kernel->stats.messages++;
    kernel->stats.bytes += op->bytes;
    match_send(kernel, index);
    message = &kernel->mailbox.messages[index];
    if (!message->blocks)
        mark_departure(kernel, index, rank, kernel->now_ps, true);
    self->n_pending += message->tracked;
    if (message->tracked)
        self->isend_peer = op->peer;
    self->peer = op->peer;
    self->tag = tag;
    bool blocks = message->blocks;
    if (blocks)
        self->status = RANK_SENDING;
    inject(kernel, index, rank, op->peer, synchronous ? machine->control_bytes : op->bytes);
    move_on(kernel, index);
    return !blocks;
}

/* The request of a synchronous send has met its receive, which was posted at the receiver's clock. */
static void clear_request(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->phase = PHASE_CLEAR;
    message->posted_ps = kernel->ranks[message->receiver].clock_ps;
    if (!message->blocks && message->posted_ps > message->requested_ps)
        mark_departure(kernel, index, message->receiver, message->posted_ps, false);
    kernel_call_message(kernel, index, message->posted_ps > kernel->now_ps ? message->posted_ps : kernel->now_ps);
}

/* The processor's time for taking a message in, to be spent before the rank does anything else. */
static void take_in(struct kernel *kernel, int rank, int64_t bytes, int scope)
{
    const struct machine *machine = kernel->machine;
    struct rank *self = &kernel->ranks[rank];
    self->take_in_ps = units_clamp(machine->receive_start_ps + (wide_int)machine->receive_byte_ps * bytes);
    self->scope = (uint8_t)scope;
}

bool kernel_recv(struct kernel *kernel, int rank, const struct op *op, int tag)
{
    struct rank *self = &kernel->ranks[rank];
    uint32_t index = mailbox_take(&kernel->mailbox, rank, op->peer, tag);
    struct message *message = index != NO_MESSAGE ? &kernel->mailbox.messages[index] : NULL;
    if (message != NULL && message->arrived && message->phase == PHASE_DATA) {
        int64_t bytes = message->bytes;
        mailbox_free_message(&kernel->mailbox, index);
        take_in(kernel, rank, bytes, op->scope);
        return true;
    }
    self->status = RANK_RECEIVING;
    self->peer = op->peer;
    self->tag = tag;
    self->scope = op->scope;
    self->matched = message != NULL;
    if (message != NULL)
        message->awaited = 1;
    if (message != NULL && message->arrived)
        clear_request(kernel, index);
    return false;
}

bool kernel_wait(struct kernel *kernel, int rank, const struct op *op)
{
    struct rank *self = &kernel->ranks[rank];
    if (self->n_pending == 0)
        return true;
    self->status = RANK_WAITING;
    self->peer = self->isend_peer;
    self->scope = op->scope;
    return false;
}

/* --- accounts --- */

/* What a wait that ends now ended because of: the message's sender, or the mark that the message left. */
static void set_cause(struct event *event, const struct message *message, uint32_t index)
{
    event->cause = message->blocks ? CAUSE_PEER : CAUSE_MESSAGE;
    event->message = index;
    event->origin_ps = message->blocks ? message->start_ps : message->origin_ps;
}

/* The receiver's account of its wait: idle until the message was sent, then receiving. */
static void end_receive(struct kernel *kernel, const struct message *message, uint32_t index, bool follows_sender)
{
    struct rank *receiver = &kernel->ranks[message->receiver];
    int64_t posted = receiver->clock_ps, sent = message->start_ps;
    struct event event = {.start_ps = posted,
                          .end_ps = sent,
                          .lane = message->receiver,
                          .peer = message->sender,
                          .state = STATE_IDLE,
                          .kind = EVENT_COMMUNICATE,
                          .scope = receiver->scope};
    if (posted < sent && posted < kernel->now_ps)
        kernel_emit(kernel, &event);
    event.start_ps = posted < sent ? sent : posted;
    event.end_ps = kernel->now_ps;
    event.state = STATE_RECEIVE;
    if (follows_sender)
        set_cause(&event, message, index);
    if (posted < kernel->now_ps) { /* else it came before it was asked for */
        kernel_emit(kernel, &event);
        receiver->clock_ps = kernel->now_ps;
    }
    take_in(kernel, message->receiver, message->bytes, receiver->scope);
}

/* The account of a sender that waited: sending, but idle between its request's coming and a receive posted only later. */
static void end_send(struct kernel *kernel, const struct message *message, bool follows_receiver)
{
    struct event event = {.start_ps = message->start_ps,
                          .end_ps = kernel->now_ps,
                          .lane = message->sender,
                          .peer = message->receiver,
                          .state = STATE_SEND,
                          .kind = EVENT_COMMUNICATE,
                          .scope = message->scope};
    if (follows_receiver) {
        event.end_ps = message->requested_ps;
        kernel_emit(kernel, &event);
        event.start_ps = message->requested_ps;
        event.end_ps = message->posted_ps;
        event.state = STATE_IDLE;
        kernel_emit(kernel, &event);
        event.start_ps = message->posted_ps;
        event.end_ps = kernel->now_ps;
        event.state = STATE_SEND;
        event.cause = CAUSE_PEER;
        event.origin_ps = message->posted_ps;
    }
    event.bytes = message->bytes;
    event.is_message = 1;
    kernel_emit(kernel, &event);
    kernel->ranks[message->sender].clock_ps = kernel->now_ps;
}

/* One of a rank's OP_ISENDs is complete. True when the rank waited for it alone, and goes on. */
static bool end_isend(struct kernel *kernel, const struct message *message, uint32_t index)
{
    struct rank *sender = &kernel->ranks[message->sender];
    if (--sender->n_pending > 0 || sender->status != RANK_WAITING)
        return false;
    struct event event = {.start_ps = sender->clock_ps,
                          .end_ps = kernel->now_ps,
                          .lane = message->sender,
                          .peer = message->receiver,
                          .state = STATE_SEND,
                          .kind = EVENT_COMMUNICATE,
                          .scope = sender->scope};
    set_cause(&event, message, index);
    if (sender->clock_ps < kernel->now_ps) {
        kernel_emit(kernel, &event);
        sender->clock_ps = kernel->now_ps;
    }
    return true;
}

/* --- what happens when a message arrives --- */

/* Close the accounts of both ends of a message that is delivered, and let those go on that waited for it: the sender
 * first. Who follows the other must be accounted first. */
static void deliver(struct kernel *kernel, uint32_t index, bool awaited, bool receiver_late)
{
    struct message message = kernel->mailbox.messages[index];
    if (message.blocks && receiver_late)
        end_send(kernel, &message, true);
    if (awaited)
        end_receive(kernel, &message, index, !receiver_late);
    if (message.blocks && !receiver_late)
        end_send(kernel, &message, false);
    bool sender_goes_on = message.blocks || (message.tracked && end_isend(kernel, &message, index));
    if (awaited)
        mailbox_free_message(&kernel->mailbox, index);
    else
        kernel->mailbox.messages[index].arrived = 1;
    if (sender_goes_on)
        kernel_run_rank(kernel, message.sender);
    if (awaited)
        kernel_run_rank(kernel, message.receiver);
}

static void request_arrived(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->requested_ps = kernel->now_ps;
    message->arrived = 1;
    if (message->awaited)
        clear_request(kernel, index);
}

static void transmit(struct kernel *kernel, uint32_t index, enum message_phase phase)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->phase = (uint8_t)phase;
    if (phase == PHASE_CLEARANCE)
        inject(kernel, index, message->receiver, message->sender, kernel->machine->control_bytes);
    else
        inject(kernel, index, message->sender, message->receiver, message->bytes);
    move_on(kernel, index);
}

void kernel_handle_message(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    if (message->phase != PHASE_CLEAR && !message->transfer.done) {
        move_on(kernel, index);
        return;
    }
    switch ((enum message_phase)message->phase) {
    case PHASE_DATA:
        deliver(kernel, index, message->awaited, false);
        break;
    case PHASE_REQUEST:
        request_arrived(kernel, index);
        break;
    case PHASE_CLEAR:
        transmit(kernel, index, PHASE_CLEARANCE);
        break;
    case PHASE_CLEARANCE:
        transmit(kernel, index, PHASE_SYNC_DATA);
        break;
    case PHASE_SYNC_DATA:
        deliver(kernel, index, true, message->posted_ps > message->requested_ps);
        break;
    }
}
