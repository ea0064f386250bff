/* Programs whose ranks need no order of time, because nothing that they do depends on what else is under way.
 *
 * On a network without contention a send knows when its message arrives, and a receive names its sender. So what a rank
 * does depends on what it gets, not on when others do something. A rank runs until it receives what is not sent yet;
 * a queue of the ranks that can go on takes the place of that of moments. sim/kernel/flow/flow.h says what becomes of a
 * message.
 *
 * What needs an order (probes, autotuning, a rendezvous, requests, work on a core that ranks share) and whatever fails
 * gives the run up; kernel_run() then makes it anew in the order of time. */
#include "sim/kernel/flow/flow.h"

#include "sim/kernel/flow/meeting.h"
#include "sim/kernel/price.h"

#include "base/memory.h"

#include <stdlib.h>

/* More letters than that, and their senders wait for their turn after each. So memory stays warm, and bounded by what
 * receivers cannot take in. */
enum { FEW_LETTERS = 2048 };

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

static int take_runnable(struct flow *flow)
{
    int rank = flow->runnable[flow->first++];
    if (flow->first == flow->n_ranks)
        flow->first = 0;
    flow->n_runnable--;
    return rank;
}

/* --- receiving --- */

/* Whether a receive that a trace has, of `bytes`, has room for a message; if not, the run that is made anew says so. */
static inline bool has_room(struct kernel *kernel, const struct letter *letter, int64_t bytes)
{
    bool has = kernel->run->program->traced == NULL || letter->context != 0 || bytes < 0 || letter->bytes <= bytes;
    return has || flow_give_up(kernel);
}

/* False when the message has not been sent. */
static inline bool receive(struct kernel *kernel, int rank, const struct op *op, int context)
{
    struct rank *self = &kernel->ranks[rank];
    const struct flow_receive as = {.peer = op->peer,
                                    .tag = op->tag,
                                    .context = context,
                                    .scope = op->scope,
                                    .combines = op->mode == RECV_COMBINES};
    uint32_t index = letters_take(&kernel->flow->letters, self, rank, as.peer, as.tag, context);
    if (index != MAP_NOTHING) {
        const struct letter *letter = &kernel->flow->letters.items[index];
        flow_take_in(kernel, rank, &as, letter, index);
        return has_room(kernel, letter, op->bytes);
    }
    self->status = RANK_RECEIVING;
    self->combines = as.combines;
    self->peer = as.peer;
    self->tag = as.tag;
    self->context = context;
    self->scope = op->scope;
    self->bytes = op->bytes;
    return false;
}

/* --- sending --- */

/* Whether the rank is blocked in a receive of that message. */
static inline bool waits_for(const struct rank *self, const struct letter *letter)
{
    return self->status == RANK_RECEIVING && self->peer == letter->sender && self->tag == letter->tag &&
           self->context == letter->context;
}

/* Give a rank that waits for it the message, and let it go on. */
static inline void give(struct kernel *kernel, int rank, const struct letter *letter)
{
    struct rank *self = &kernel->ranks[rank];
    const struct flow_receive as = {.peer = letter->sender,
                                    .tag = letter->tag,
                                    .context = letter->context,
                                    .scope = self->scope,
                                    .combines = self->combines};
    if (has_room(kernel, letter, self->bytes))
        flow_take_in(kernel, rank, &as, letter, MAP_NOTHING);
    self->status = RANK_RUNNING;
    flow_add_runnable(kernel->flow, rank);
}

/* After a letter, where there are many, or its receiver's list is full. */
static bool let_others_run(struct kernel *kernel, int rank, const struct rank *receiver)
{
    struct flow *flow = kernel->flow;
    if (flow->letters.n_lying <= FEW_LETTERS && receiver->n_listed < LETTERS_LISTED)
        return false;
    if (flow->letters.n_lying > kernel->most_messages)
        return !flow_give_up(kernel);
    if (flow->n_runnable == 0)
        return false;
    flow_add_runnable(flow, rank);
    return true;
}

/* False when the rank has to be called again, or the run has failed. The send has begun where *count is advanced. */
static inline bool send(struct kernel *kernel, int rank, const struct op *op, int context)
{
    struct rank *self = &kernel->ranks[rank], *receiver = &kernel->ranks[op->peer];
    const struct price *price = kernel_way(kernel, rank, op->peer, op->bytes, op->exchanges);
    if (kernel->failed || op->mode == SEND_SYNCHRONOUS || op->bytes > price->eager_limit)
        return flow_give_up(kernel);
    if (price->send_ps > 0 && !kernel_send_overhead(kernel, rank, op))
        return false;
    if (price->alone_ps > PS_MAX - self->clock_ps)
        return flow_give_up(kernel);
    const struct letter letter = flow_letter(self, rank, op, context, price->alone_ps, price->receive_ps);
    uint32_t index = MAP_NOTHING;
    if (waits_for(receiver, &letter))
        give(kernel, op->peer, &letter);
    else
        index = letters_put(&kernel->flow->letters, receiver, op->peer, &letter);
    flow_end_send(kernel, rank, op, &letter, index);
    return index == MAP_NOTHING || !let_others_run(kernel, rank, receiver);
}

/* A receive that a collective posts ahead is done where it is waited for: nothing that is not a rendezvous depends on
 * when it is posted. Of sends that are begun there are none here. */
static inline enum op_kind kind_here(const struct op *op, int context)
{
    return context != 0 && op->kind == OP_WAIT && op->request != 0 ? OP_RECV : (enum op_kind)op->kind;
}

/* Send or receive, and go on where that has been done: false when the rank has to be called again, or the run fails. */
static inline bool do_message(struct kernel *kernel, int rank, const struct op *op, int context)
{
    if (!kernel_recv_overhead(kernel, rank))
        return false;
    enum op_kind kind = kind_here(op, context);
    if (context != 0 && kind == OP_IRECV)
        return true;
    if ((uint32_t)op->peer >= (uint32_t)kernel->flow->n_ranks || kind > OP_RECV)
        return flow_give_up(kernel);
    return kind == OP_SEND ? send(kernel, rank, op, context) : receive(kernel, rank, op, context);
}

bool flow_do_message(struct kernel *kernel, int rank, const struct op *op, int context, int64_t *count)
{
    ++*count; /* where it does not begin, the run has failed */
    return do_message(kernel, rank, op, context);
}

/* --- from the beginning to the end --- */

void flow_open(struct kernel *kernel)
{
    int n_ranks = kernel->run->placement->n_ranks;
    struct flow *flow = xcalloc(1, sizeof *flow);
    *flow = (struct flow){.n_ranks = n_ranks, .meetings = meetings_new(kernel->groups.n_groups)};
    flow->presents = xcalloc((size_t)n_ranks, sizeof *flow->presents);
    flow->runnable = xcalloc((size_t)n_ranks, sizeof *flow->runnable);
    kernel->flow = flow;
}

void flow_close(struct kernel *kernel)
{
    struct flow *flow = kernel->flow;
    if (flow == NULL)
        return;
    meetings_free(flow->meetings);
    letters_dispose(&flow->letters);
    free(flow->presents);
    free(flow->runnable);
    free(flow);
}

/* What kernel_run_rank() does. Most ops are messages. */
static void run_rank(struct kernel *kernel, int rank)
{
    struct rank *self = &kernel->ranks[rank];
    struct listed_step *listed;
    self->status = RANK_RUNNING;
    while ((listed = kernel_list_step(kernel, rank)) != NULL) {
        while (self->op < listed->list.count) {
            const struct op *op = &listed->list.ops[self->op];
            if (op->kind != OP_SEND && op->kind != OP_RECV) {
                if (!kernel_do_op(kernel, rank, listed))
                    return;
                continue;
            }
            self->op++;
            if (!do_message(kernel, rank, op, 0))
                return;
        }
        self->op = 0;
        self->step++;
    }
    kernel_end_rank(kernel, rank);
}

void flow_run(struct kernel *kernel)
{
    struct flow *flow = kernel->flow;
    for (int rank = 0; rank < flow->n_ranks; rank++)
        flow_add_runnable(flow, rank);
    kernel->stats.events = flow->n_ranks;
    while (!kernel->failed && (flow->n_runnable > 0 || meetings_break_up(kernel)))
        run_rank(kernel, take_runnable(flow));
}

bool flow_is_complete(const struct kernel *kernel)
{
    return kernel->n_done == kernel->flow->n_ranks && kernel->flow->letters.n_lying == 0;
}
