/* Programs whose ranks need no order of time, because nothing that they do depends on what else is under way.
 *
 * On a network without contention a send knows when its message arrives, and a receive names its sender. So what a rank
 * does depends on what it gets, not on when others do something. A rank runs until it receives what is not sent yet;
 * a queue of the ranks that can go on takes the place of that of moments. Each rank has a present of its own, which is
 * that at which sim/kernel/kernel.c would have called it: so both count the same moments.
 *
 * A message that finds its receiver blocked is received at once: the sender still stands where it began to send, which
 * is what event.h asks for. Any other lies down as a letter. Its sender goes on, and so leaves a checkpoint.
 *
 * What needs an order (probes, autotuning, a rendezvous, requests, work on a core that ranks share) and whatever fails
 * gives the run up; kernel_run() then makes it anew in the order of time. */
#include "sim/kernel/internal.h"
#include "sim/kernel/letters.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

/* More letters than that, and their senders wait for their turn after each. So memory stays warm, and bounded by what
 * receivers cannot take in. */
enum { FEW_LETTERS = 2048 };

struct flow {
    struct letters letters;
    int64_t *presents; /* of each rank, when it has been called last */
    int32_t *runnable; /* the ranks that can go on, each once: a ring */
    int first, n_ranks, n_runnable;
};

bool flow_suits(const struct kernel_run *run)
{
    return run->network->is_quiet && run->loads == NULL && (run->n_sinks == 0 || run->restart != NULL) &&
           !run->splits_messages && run->without_receipts;
}

bool flow_give_up(struct kernel *kernel)
{
    if (!kernel->failed)
        sim_error_set(kernel->error, SIM_UNFINISHED, NULL, 0, "needs the order of time");
    kernel->failed = true;
    return false;
}

static void add_runnable(struct flow *flow, int rank)
{
    int place = flow->first + flow->n_runnable++;
    flow->runnable[place < flow->n_ranks ? place : place - flow->n_ranks] = rank;
}

static int take_runnable(struct flow *flow)
{
    int rank = flow->runnable[flow->first++];
    if (flow->first == flow->n_ranks)
        flow->first = 0;
    flow->n_runnable--;
    return rank;
}

/* --- events --- */

/* The place of a rank's next event of a message. What events of this file never set is zero in it, see
 * kernel_next_event(); all else is set here. */
static inline struct event *next_event(struct kernel *kernel, int rank, int peer, int scope, enum location_state state,
                                       int64_t start_ps, int64_t end_ps)
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

/* The end of a wait for a message, whose sender stands where it began to send (`index` is MAP_NOTHING) or has left a
 * checkpoint of that number. */
static void emit_arrival(struct kernel *kernel, int rank, const struct letter *letter, uint32_t index, bool owes)
{
    const struct rank *self = &kernel->ranks[rank];
    int peer = self->peer, scope = self->scope, tag = self->tag;
    int64_t began_ps = self->clock_ps, bytes = letter->bytes, start_ps = letter->start_ps;
    if (began_ps < start_ps)
        next_event(kernel, rank, peer, scope, STATE_IDLE, began_ps, start_ps);
    struct event *event =
        next_event(kernel, rank, peer, scope, STATE_RECEIVE, int64_max(began_ps, start_ps), letter->arrival_ps);
    event->origin_ps = start_ps;
    event->message = index;
    event->cause = index == MAP_NOTHING ? CAUSE_PEER : CAUSE_CHECKPOINT;
    if (!owes) {
        event->bytes = bytes;
        event->tag = tag;
        event->is_receipt = 1;
    }
}

/* The sender's interval, of no length where it goes on before the message arrives. */
static void emit_send(struct kernel *kernel, int rank, const struct op *op, int64_t end_ps, uint32_t letter)
{
    int64_t bytes = op->bytes;
    int tag = op->tag;
    struct event *event =
        next_event(kernel, rank, op->peer, op->scope, STATE_SEND, kernel->ranks[rank].clock_ps, end_ps);
    event->bytes = bytes;
    event->tag = tag;
    event->message = letter;
    event->is_message = 1;
    event->is_checkpoint = letter != MAP_NOTHING ? CHECKPOINT_BEGINNING : CHECKPOINT_NONE;
}

/* --- receiving --- */

/* What the rank's processor does for a message that has come. */
static int64_t receipt_ps(const struct kernel *kernel, const struct rank *self, const struct letter *letter)
{
    int64_t ps = letter->receive_ps;
    if (!self->combines)
        return ps;
    return units_clamp((wide_int)ps + cost_model_combine_ps(&kernel->machine->costs, letter->bytes));
}

/* The rank takes a message in, for which it may have to wait; see emit_arrival(). */
static void receive(struct kernel *kernel, int rank, const struct letter *letter, uint32_t index)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t *present_ps = &kernel->flow->presents[rank];
    bool owes = receipt_ps(kernel, self, letter) > 0;
    if (owes)
        kernel_begin_receipt(self, self->peer, self->tag, letter->bytes, self->scope);
    *present_ps = int64_max(*present_ps, letter->arrival_ps);
    if (self->clock_ps >= letter->arrival_ps)
        return;
    emit_arrival(kernel, rank, letter, index, owes);
    self->clock_ps = letter->arrival_ps;
}

/* Whether a receive that a trace has, of `bytes`, has room for a message; if not, the run that is made anew says so. */
static bool has_room(struct kernel *kernel, const struct letter *letter, int64_t bytes, int context)
{
    bool has = kernel->run->program->traced == NULL || context != 0 || bytes < 0 || letter->bytes <= bytes;
    return has || flow_give_up(kernel);
}

static bool do_recv(struct kernel *kernel, int rank, const struct op *op, int context)
{
    struct rank *self = &kernel->ranks[rank];
    struct letter letter;
    uint32_t index = letters_take(&kernel->flow->letters, self, map_key(rank, op->peer, op->tag, context), &letter);
    self->combines = op->mode == RECV_COMBINES;
    self->peer = op->peer;
    self->tag = op->tag;
    self->context = context;
    self->scope = op->scope;
    if (index == MAP_NOTHING) {
        self->status = RANK_RECEIVING;
        self->bytes = op->bytes;
        return false;
    }
    if (!has_room(kernel, &letter, op->bytes, context))
        return false;
    receive(kernel, rank, &letter, index);
    return true;
}

/* --- sending --- */

/* Give the message to its receiver, or let it lie; its number as a letter. */
static uint32_t deliver(struct kernel *kernel, int rank, const struct op *op, int context, const struct letter *letter)
{
    struct rank *receiver = &kernel->ranks[op->peer];
    if (receiver->status != RANK_RECEIVING || receiver->peer != rank || receiver->tag != op->tag ||
        receiver->context != context)
        return letters_put(&kernel->flow->letters, receiver, map_key(op->peer, rank, op->tag, context), letter);
    if (has_room(kernel, letter, receiver->bytes, context))
        receive(kernel, op->peer, letter, MAP_NOTHING);
    receiver->status = RANK_RUNNING;
    add_runnable(kernel->flow, op->peer);
    return MAP_NOTHING;
}

/* After a letter, where there are many. */
static bool let_others_run(struct kernel *kernel, int rank)
{
    struct flow *flow = kernel->flow;
    if (flow->letters.n_lying <= FEW_LETTERS || flow->n_runnable == 0)
        return false;
    if (flow->letters.n_lying > kernel->most_messages)
        flow_give_up(kernel);
    add_runnable(flow, rank);
    return true;
}

static bool do_send(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count)
{
    struct rank *self = &kernel->ranks[rank];
    int64_t *present_ps = &kernel->flow->presents[rank];
    const struct price *price = kernel_way(kernel, rank, op->peer, op->bytes, op->exchanges);
    if (kernel->failed || op->mode == SEND_SYNCHRONOUS || op->bytes > price->eager_limit)
        return flow_give_up(kernel);
    if (price->send_ps > 0 && !kernel_send_overhead(kernel, rank, op))
        return false;
    if (price->alone_ps > PS_MAX - self->clock_ps)
        return flow_give_up(kernel);
    const struct letter letter = {.start_ps = self->clock_ps,
                                  .arrival_ps = self->clock_ps + price->alone_ps,
                                  .bytes = op->bytes,
                                  .receive_ps = price->receive_ps};
    int64_t end_ps = kernel->machine->costs.buffers_sends ? letter.start_ps : letter.arrival_ps;
    self->overhead_paid = false;
    ++*count;
    kernel->stats.messages++;
    kernel->stats.bytes += op->bytes;
    kernel->stats.events += 1 + (letter.start_ps > *present_ps);
    uint32_t index = deliver(kernel, rank, op, context, &letter);
    emit_send(kernel, rank, op, end_ps, index);
    self->clock_ps = *present_ps = end_ps;
    return index == MAP_NOTHING || !let_others_run(kernel, rank);
}

bool flow_do_message(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count)
{
    if (!kernel_recv_overhead(kernel, rank))
        return false;
    if (op->peer < 0 || op->peer >= kernel->flow->n_ranks || op->kind > OP_RECV)
        return flow_give_up(kernel);
    if (op->kind == OP_SEND)
        return do_send(kernel, rank, op, context, count);
    ++*count;
    return do_recv(kernel, rank, op, context);
}

/* --- from the beginning to the end --- */

static struct flow *flow_new(int n_ranks)
{
    struct flow *flow = xcalloc(1, sizeof *flow);
    *flow = (struct flow){.n_ranks = n_ranks};
    flow->presents = xcalloc((size_t)n_ranks, sizeof *flow->presents);
    flow->runnable = xcalloc((size_t)n_ranks, sizeof *flow->runnable);
    return flow;
}

void flow_open(struct kernel *kernel)
{
    kernel->flow = flow_new(kernel->run->placement->n_ranks);
}

void flow_close(struct kernel *kernel)
{
    struct flow *flow = kernel->flow;
    if (flow == NULL)
        return;
    letters_dispose(&flow->letters);
    free(flow->presents);
    free(flow->runnable);
    free(flow);
}

void flow_run(struct kernel *kernel)
{
    struct flow *flow = kernel->flow;
    for (int rank = 0; rank < flow->n_ranks; rank++)
        add_runnable(flow, rank);
    kernel->stats.events = flow->n_ranks;
    while (!kernel->failed && flow->n_runnable > 0)
        kernel_run_rank(kernel, take_runnable(flow));
    for (int rank = 0; rank < flow->n_ranks; rank++)
        if (kernel->ranks[rank].status != RANK_DONE)
            flow_give_up(kernel);
    if (flow->letters.n_lying > 0)
        flow_give_up(kernel);
}
