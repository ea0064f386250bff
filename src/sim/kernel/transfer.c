/* Messages on the network: what moves them on, and what happens when they arrive.
 *
 * A standard send is one transfer. A synchronous send is a rendezvous of three: the RTS, once the receive is posted the
 * CTS back, then the data.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/ahead.h"
#include "sim/kernel/arrivals.h"
#include "sim/kernel/first_come.h"
#include "sim/kernel/ports.h"
#include "sim/kernel/price.h"
#include "sim/kernel/strand.h"

#include "base/debug.h"

static DEBUG_COLD void say_move(const struct kernel *kernel, uint32_t index, enum transfer_state state, int64_t at)
{
    if (state == TRANSFER_SHARES)
        DEBUG(NETWORK, kernel->now_ps, "message", index, "is on the network; its end depends on others");
    else
        DEBUG(NETWORK, kernel->now_ps, "message", index, "%s at %.12f s",
              state == TRANSFER_ENDS ? "comes" : "is to be moved on", DEBUG_S(at));
}

enum { WAITS_FOR_PORT = -1, WAITS_FOR_CARD = -2 }; /* next_hop of a transfer that has yet to begin */

/* False if the sender's port, or then the card of its host, is not free: the message has asked for a call when it
 * is. */
static bool takes_port(struct kernel *kernel, uint32_t index)
{
    const struct message *message = &kernel->mailbox.messages[index];
    struct transfer *transfer = &kernel->mailbox.messages[index].transfer;
    if (transfer->next_hop > 0)
        return true;
    bool has_port = transfer->next_hop == WAITS_FOR_CARD, goes_on = transfer->next_hop != 0;
    int64_t at_ps = goes_on ? kernel->now_ps : ports_leave(kernel->ports, message, kernel->now_ps);
    transfer->next_hop = WAITS_FOR_PORT;
    if (at_ps == kernel->now_ps && !has_port) {
        at_ps = ports_leave_host(kernel->ports, message, kernel->now_ps);
        transfer->next_hop = WAITS_FOR_CARD;
    }
    if (at_ps > kernel->now_ps)
        kernel_call_moved(kernel, index, at_ps);
    else
        transfer->next_hop = 0;
    return at_ps == kernel->now_ps;
}

enum { IS_COMING_IN = 2 }; /* done of a transfer that the receiver's port takes in */

/* False if the receiver's port has not taken the message in, which has asked for a call when it will have. */
static bool is_in(struct kernel *kernel, uint32_t index)
{
    struct transfer *transfer = &kernel->mailbox.messages[index].transfer;
    if (transfer->done == IS_COMING_IN)
        return true;
    int64_t at_ps = ports_come(kernel->ports, &kernel->mailbox.messages[index], kernel->now_ps);
    transfer->done = IS_COMING_IN;
    if (at_ps > kernel->now_ps)
        kernel_call_moved(kernel, index, at_ps);
    return at_ps == kernel->now_ps;
}

/* Let the network move a message on, and ask to be called when it has. */
static void move_on(struct kernel *kernel, uint32_t index)
{
    struct transfer *transfer = &kernel->mailbox.messages[index].transfer;
    int64_t at = 0;
    if (kernel->loggops != NULL) {
        network_serve_alone(kernel->network, kernel->machine, transfer, kernel->now_ps);
        transfer->done = true;
        kernel_call_moved(kernel, index, kernel->now_ps + transfer->latency_ps);
        return;
    }
    if (kernel->ports != NULL && !takes_port(kernel, index))
        return;
    kernel->network->order = kernel_message_order(&kernel->mailbox.messages[index]);
    enum transfer_state state = kernel->run->network->advance(kernel->network, transfer, index, kernel->now_ps, &at);
    transfer->done = state == TRANSFER_ENDS;
    if (DEBUG_IS_ON(NETWORK))
        say_move(kernel, index, state, at);
    if (state != TRANSFER_SHARES)
        kernel_call_moved(kernel, index, at);
}

void kernel_inject(struct kernel *kernel, uint32_t index, struct price *price)
{
    struct message *message = &kernel->mailbox.messages[index];
    message->transfer = *kernel_transfer(kernel, price);
    move_on(kernel, index);
}

/* --- a rendezvous --- */

void kernel_note_posting(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    bool posted_ahead = message->posted != NO_MESSAGE;
    assert(message->phase == PHASE_RTS && message->arrived && message->awaited);
    message->phase = PHASE_MATCHED;
    message->posted_ps =
        posted_ahead ? kernel->mailbox.messages[message->posted].posted_ps : kernel->ranks[message->receiver].clock_ps;
    if (message_is_late(message) && !message->blocks && !posted_ahead)
        kernel_checkpoint(kernel, index, message->receiver, message->posted_ps, message->scope, NULL);
}

/* The RTS of a synchronous send has met its receive, which was posted at the receiver's clock, or at that of the
 * posted receive. A receive that was late and may be left behind has a checkpoint. */
static void clear_request(struct kernel *kernel, uint32_t index)
{
    const struct message *message = &kernel->mailbox.messages[index];
    kernel_note_posting(kernel, index);
    kernel_call_message(kernel, index, message->posted_ps > kernel->now_ps ? message->posted_ps : kernel->now_ps);
}

void kernel_await(struct kernel *kernel, uint32_t index, uint32_t posted)
{
    struct message *message = &kernel->mailbox.messages[index];
    assert(!message->awaited && !message->is_posted_receive); /* one receive a message */
    message->awaited = 1;
    message->posted = posted;
    if (message->arrived)
        (kernel->runs_ahead ? ahead_conclude : clear_request)(kernel, index);
}

/* --- what happens when a message arrives --- */

static void request_arrived(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    assert(!message->arrived && kernel->now_ps >= message->start_ps);
    if (kernel->arrivals != NULL && !arrivals_is_next(kernel->arrivals, &kernel->mailbox, index))
        return;
    while (index != NO_MESSAGE) {
        message = &kernel->mailbox.messages[index];
        message->arrived_ps = kernel->now_ps;
        message->arrived = 1;
        uint32_t next = NO_MESSAGE;
        if (kernel->arrivals != NULL) {
            next = arrivals_next(kernel->arrivals, &kernel->mailbox, index);
            uint32_t posted = arrivals_come(kernel->arrivals, &kernel->mailbox, index);
            if (posted != NO_MESSAGE)
                kernel_await(kernel, index, posted);
        } else if (message->awaited) {
            clear_request(kernel, index);
        }
        index = next;
    }
}

static void transmit(struct kernel *kernel, uint32_t index, enum message_phase phase)
{
    struct message *message = &kernel->mailbox.messages[index];
    assert(message->awaited && (int)phase == message->phase + 1); /* the receive is posted, CTS, then data */
    message->phase = (uint8_t)phase;
    int from = message->sender, to = message->receiver;
    struct price *price = phase == PHASE_CTS
                              ? kernel_price(kernel, to, from, kernel->machine->costs.control_bytes, false)
                              : kernel_price(kernel, from, to, message->bytes, message->exchanges);
    kernel_inject(kernel, index, price);
}

/* For debug output. */
static const char *const phase_names[] = {[PHASE_DATA] = "eager",
                                          [PHASE_RTS] = "RTS",
                                          [PHASE_MATCHED] = "its receive is posted",
                                          [PHASE_CTS] = "CTS",
                                          [PHASE_RENDEZVOUS_DATA] = "data after CTS"};

static void note_coming(struct kernel *kernel, const struct message *message)
{
    const struct rank *receiver = &kernel->ranks[message->receiver];
    bool blocks = kernel->places == NULL && message->awaited && message->posted == NO_MESSAGE;
    first_come_arrive(kernel->first_come, &kernel->stats.first_come, message->receiver, message->sender, message->tag,
                      kernel->now_ps, blocks ? receiver->clock_ps : -1);
}

void kernel_handle_message(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    DEBUG(SCHEDULE, kernel->now_ps, "message", index, "is called, %s", phase_names[message->phase]);
    if (message->phase != PHASE_MATCHED && !message->transfer.done) {
        move_on(kernel, index);
        return;
    }
    if (kernel->ports != NULL && !is_in(kernel, index))
        return;
    bool comes = message->phase == PHASE_DATA || message->phase == PHASE_RTS;
    if (kernel->first_come != NULL && comes && message->context == 0)
        note_coming(kernel, message);
    switch ((enum message_phase)message->phase) {
    case PHASE_DATA:
    case PHASE_RENDEZVOUS_DATA:
        (kernel->places == NULL ? kernel_deliver : strands_receive)(kernel, index);
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
    }
}
