/* Messages: sends and receives, what moves on the network, and the accounts of sender and receiver.
 *
 * A standard send is one transfer; its rank goes on when the data have come to the receiver's node. A synchronous send is
 * three: the request, once the receive is posted the clearance back, then the data. */
#include "sim/kernel_internal.h"

#include <assert.h>

enum { DELIVERED = -1 }; /* next_hop of a transfer that only its last moment is left of */

/* Put `bytes` on the network at the present moment, on behalf of a message. */
static void inject(struct kernel *kernel, uint32_t index, int from_rank, int to_rank, int64_t bytes)
{
    struct message *message = &kernel->mailbox.messages[index];
    struct message_parts parts = machine_message_parts(kernel->machine, bytes);
    const int32_t *links = NULL;
    int from = kernel->ranks[from_rank].host, to = kernel->ranks[to_rank].host;
    int hops = from == to ? 0 : machine_route(kernel->machine, from, to, &links);
    if (hops < 0) {
        sim_error_set(kernel->error, SIM_BAD_INPUT, kernel->machine->file, 0, "has no route from host %d to host %d",
                      from, to);
        kernel->failed = true;
        hops = 0;
    }
    message->transfer = (struct transfer){.bytes = bytes,
                                          .links = links,
                                          .hops = hops,
                                          .inject_ps = parts.inject_ps,
                                          .hop_ps = parts.hop_ps,
                                          .link_busy_ps = parts.link_busy_ps};
}

/* Let the network move a message on, and ask to be called when it has. */
static void move_on(struct kernel *kernel, uint32_t index)
{
    struct transfer *transfer = &kernel->mailbox.messages[index].transfer;
    int64_t at = 0;
    if (!kernel->run->network->advance(kernel->network, transfer, kernel->now_ps, &at))
        transfer->next_hop = DELIVERED;
    if (at > PS_MAX)
        kernel_fail_clock(kernel, kernel->mailbox.messages[index].sender);
    kernel_call_message(kernel, index, at);
}

bool kernel_send(struct kernel *kernel, int rank, const struct op *op, int tag)
{
    struct rank *self = &kernel->ranks[rank];
    assert(op->peer >= 0 && op->peer < kernel->run->placement->n_ranks && op->peer != rank);
    uint32_t index = mailbox_new_message(&kernel->mailbox);
    struct message *message = &kernel->mailbox.messages[index];
    *message = (struct message){.bytes = op->bytes,
                                .start_ps = kernel->now_ps,
                                .sender = rank,
                                .receiver = op->peer,
                                .tag = tag,
                                .scope = op->scope};
    bool synchronous = op->mode == SEND_SYNCHRONOUS;
    message->phase = synchronous ? PHASE_REQUEST : PHASE_DATA;
    inject(kernel, index, rank, op->peer, synchronous ? kernel->machine->control_bytes : op->bytes);
    move_on(kernel, index);
    self->status = RANK_SENDING;
    self->peer = op->peer;
    self->tag = tag;
    kernel->stats.messages++;
    kernel->stats.bytes += op->bytes;
    return false;
}

/* The request of a synchronous send has met its receive, which was posted at the receiver's clock. */
static void clear_request(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->phase = PHASE_CLEAR;
    message->posted_ps = kernel->ranks[message->receiver].clock_ps;
    kernel_call_message(kernel, index, message->posted_ps > kernel->now_ps ? message->posted_ps : kernel->now_ps);
}

bool kernel_recv(struct kernel *kernel, int rank, const struct op *op, int tag)
{
    struct rank *self = &kernel->ranks[rank];
    uint32_t index = mailbox_take(&kernel->mailbox, rank, op->peer, tag);
    if (index != NO_MESSAGE && kernel->mailbox.messages[index].phase == PHASE_DATA) {
        mailbox_free_message(&kernel->mailbox, index);
        return true;
    }
    self->status = RANK_RECEIVING;
    self->peer = op->peer;
    self->tag = tag;
    self->scope = op->scope;
    if (index != NO_MESSAGE)
        clear_request(kernel, index);
    return false;
}

/* The receiver's account of its wait: idle until the message was sent, then receiving. */
static void end_receive(struct kernel *kernel, const struct message *message, bool follows_sender)
{
    struct rank *receiver = &kernel->ranks[message->receiver];
    int64_t posted = receiver->clock_ps, sent = message->start_ps;
    if (posted >= kernel->now_ps)
        return; /* it came before it was asked for */
    struct event event = {.start_ps = posted,
                          .end_ps = sent,
                          .lane = message->receiver,
                          .peer = message->sender,
                          .state = STATE_IDLE,
                          .kind = EVENT_COMMUNICATE,
                          .scope = receiver->scope};
    if (posted < sent)
        kernel_emit(kernel, &event);
    event.start_ps = posted < sent ? sent : posted;
    event.end_ps = kernel->now_ps;
    event.state = STATE_RECEIVE;
    if (follows_sender) {
        event.cause = CAUSE_PEER;
        event.origin_ps = sent;
    }
    kernel_emit(kernel, &event);
    receiver->clock_ps = kernel->now_ps;
}

/* The sender's account: sending, but idle between its request's coming and a receive posted only later. */
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

/* --- what happens when a message arrives --- */

static bool awaits(const struct kernel *kernel, const struct message *message)
{
    const struct rank *receiver = &kernel->ranks[message->receiver];
    return receiver->status == RANK_RECEIVING && receiver->peer == message->sender && receiver->tag == message->tag;
}

static void data_arrived(struct kernel *kernel, uint32_t index)
{
    struct message message = kernel->mailbox.messages[index];
    bool awaited = awaits(kernel, &message);
    if (awaited) {
        end_receive(kernel, &message, true);
        mailbox_free_message(&kernel->mailbox, index);
    } else {
        mailbox_put(&kernel->mailbox, index);
    }
    end_send(kernel, &message, false);
    kernel_run_rank(kernel, message.sender);
    if (awaited)
        kernel_run_rank(kernel, message.receiver);
}

static void sync_data_arrived(struct kernel *kernel, uint32_t index)
{
    struct message message = kernel->mailbox.messages[index];
    mailbox_free_message(&kernel->mailbox, index);
    bool receiver_late = message.posted_ps > message.requested_ps;
    if (receiver_late) /* who follows the other must be accounted first */
        end_send(kernel, &message, true);
    end_receive(kernel, &message, !receiver_late);
    if (!receiver_late)
        end_send(kernel, &message, false);
    kernel_run_rank(kernel, message.sender);
    kernel_run_rank(kernel, message.receiver);
}

static void request_arrived(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->requested_ps = kernel->now_ps;
    if (awaits(kernel, message))
        clear_request(kernel, index);
    else
        mailbox_put(&kernel->mailbox, index);
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
    if (message->phase != PHASE_CLEAR && message->transfer.next_hop != DELIVERED) {
        move_on(kernel, index);
        return;
    }
    switch ((enum message_phase)message->phase) {
    case PHASE_DATA:
        data_arrived(kernel, index);
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
        sync_data_arrived(kernel, index);
        break;
    }
}
