/* What runs without an order of time share: their state, the events of messages, and the two ends of one.
 *
 * Each rank has a present of its own, which is that at which sim/kernel/kernel.c would have called it: so both count
 * the same moments. A message that finds its receiver blocked is received at once: the sender still stands where it
 * began to send, which is what event.h asks for. Any other lies down as a letter. Its sender goes on, and so leaves a
 * checkpoint. */
#ifndef SIM_KERNEL_FLOW_H
#define SIM_KERNEL_FLOW_H

#include "sim/kernel/flow/letters.h"
#include "sim/kernel/internal.h"

#include "base/range.h"

struct meetings;

struct flow {
    struct letters letters;
    int64_t *presents; /* of each rank, when it has been called last */
    int32_t *runnable; /* the ranks that can go on, each once: a ring */
    int first, n_ranks, n_runnable;
    struct meetings *meetings; /* sim/kernel/flow/meeting.h */
};

static inline void flow_add_runnable(struct flow *flow, int rank)
{
    int place = flow->first + flow->n_runnable++;
    flow->runnable[place < flow->n_ranks ? place : place - flow->n_ranks] = rank;
}

/* --- events --- */

/* The place of a rank's next event of a message. What events of runs without order never set is zero in it, see
 * kernel_next_event(); all else is set here. */
static inline struct event *flow_next_event(struct kernel *kernel, int rank, int peer, int scope,
                                            enum location_state state, int64_t start_ps, int64_t end_ps)
{
    struct event *event = kernel_next_event(kernel);
    event->start_ps = start_ps;
    event->end_ps = end_ps;
    event->location = rank;
    event->peer = peer;
    event->kind = EVENT_COMMUNICATE;
    event->state = (uint8_t)state;
    event->cause = CAUSE_SELF;
    event->scope = (uint8_t)scope;
    event->is_message = 0;
    event->is_receipt = 0;
    event->is_checkpoint = CHECKPOINT_NONE;
    event->bytes = 0;
    event->tag = 0;
    return event;
}

/* What a message is received as. */
struct flow_receive {
    int peer, tag, context, scope;
    bool combines;
};

/* The end of a wait for a message, whose sender stands where it began to send (`index` is MAP_NOTHING) or has left a
 * checkpoint of that number. */
static inline void flow_emit_arrival(struct kernel *kernel, int rank, const struct flow_receive *as,
                                     const struct letter *letter, uint32_t index, bool owes)
{
    int64_t began_ps = kernel->ranks[rank].clock_ps, start_ps = letter->start_ps;
    if (began_ps < start_ps)
        flow_next_event(kernel, rank, as->peer, as->scope, STATE_IDLE, began_ps, start_ps);
    struct event *event = flow_next_event(kernel, rank, as->peer, as->scope, STATE_RECEIVE,
                                          int64_max(began_ps, start_ps), letter->arrival_ps);
    event->origin_ps = start_ps;
    event->message = index;
    event->cause = index == MAP_NOTHING ? CAUSE_PEER : CAUSE_CHECKPOINT;
    if (!owes) {
        event->bytes = letter->bytes;
        event->tag = as->tag;
        event->is_receipt = 1;
    }
}

/* --- receiving --- */

/* The rank takes a message in, for which it may have to wait. What its processor does for it, it does before its next
 * op. */
static inline void flow_take_in(struct kernel *kernel, int rank, const struct flow_receive *as,
                                const struct letter *letter, uint32_t index)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t *present_ps = &kernel->flow->presents[rank];
    bool owes =
        letter->receive_ps > 0 || (as->combines && cost_model_combine_ps(&kernel->machine->costs, letter->bytes) > 0);
    if (owes) {
        self->combines = as->combines;
        kernel_begin_receipt(self, as->peer, as->tag, letter->bytes, as->scope);
    }
    *present_ps = int64_max(*present_ps, letter->arrival_ps);
    if (self->clock_ps >= letter->arrival_ps)
        return;
    flow_emit_arrival(kernel, rank, as, letter, index, owes);
    self->clock_ps = letter->arrival_ps;
}

/* --- sending --- */

/* The message that leaves at the sender's clock, which is before the end of time. */
static inline struct letter flow_letter(const struct rank *self, int rank, const struct op *op, int context,
                                        int64_t alone_ps, int64_t receive_ps)
{
    return (struct letter){.start_ps = self->clock_ps,
                           .arrival_ps = self->clock_ps + alone_ps,
                           .bytes = op->bytes,
                           .receive_ps = receive_ps,
                           .sender = rank,
                           .tag = op->tag,
                           .context = context};
}

/* After the message has been given to its receiver (`index` is MAP_NOTHING) or lies as that letter: the sender's
 * interval, of no length where it goes on before the message arrives. */
static inline void flow_end_send(struct kernel *kernel, int rank, const struct op *op, const struct letter *letter,
                                 uint32_t index)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t *present_ps = &kernel->flow->presents[rank];
    int64_t end_ps = kernel->machine->costs.buffers_sends ? letter->start_ps : letter->arrival_ps;
    struct event *event = flow_next_event(kernel, rank, op->peer, op->scope, STATE_SEND, letter->start_ps, end_ps);
    event->bytes = op->bytes;
    event->tag = op->tag;
    event->message = index;
    event->is_message = 1;
    event->is_checkpoint = index != MAP_NOTHING ? CHECKPOINT_BEGINNING : CHECKPOINT_NONE;
    kernel->stats.messages++;
    kernel->stats.bytes += op->bytes;
    kernel->stats.events += 1 + (letter->start_ps > *present_ps);
    self->overhead_paid = false;
    self->clock_ps = *present_ps = end_ps;
}

#endif
