/* Running ranks ahead of the present: who can go on goes on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/ahead.h"

#include "sim/kernel/joint_collective.h"
#include "sim/kernel/price.h"

#include "base/debug.h"
#include "base/memory.h"

#include <stdlib.h>

/* Lines of debug output come in the order of time, but for those about running ahead. */
bool ahead_suits(const struct kernel_run *run)
{
    if (run->program->n_processors > 0 || run->program->knows_sources)
        return false; /* what is ready first has the processor, or what comes first is told */
    if ((debug_categories & ~(debug_bit(DEBUG_RUN) | debug_bit(DEBUG_AHEAD))) != 0)
        return false;
    return run->network->is_quiet && run->loads == NULL && (run->n_sinks == 0 || run->restart != NULL) &&
           !run->splits_messages;
}

void ahead_open(struct kernel *kernel)
{
    kernel->runs_ahead = true;
    kernel->requests.runs_ahead = true;
    kernel->ready = xcalloc((size_t)kernel->run->placement->n_ranks, sizeof *kernel->ready);
    kernel->collectives = joint_collectives_new(kernel->groups.n_groups);
}

void ahead_close(struct kernel *kernel)
{
    if (kernel->collectives != NULL)
        joint_collectives_free(kernel->collectives);
    free(kernel->ready);
}

static int take_ready(struct kernel *kernel)
{
    int rank = kernel->ready[kernel->first_ready++];
    if (kernel->first_ready == kernel->run->placement->n_ranks)
        kernel->first_ready = 0;
    kernel->n_ready--;
    assert(kernel->n_ready >= 0 && kernel->ranks[rank].status == RANK_RUNNING);
    return rank;
}

void ahead_run(struct kernel *kernel)
{
    int n_ranks = kernel->run->placement->n_ranks;
    for (int rank = 0; rank < n_ranks; rank++)
        kernel_make_ready(kernel, rank);
    while (!kernel->failed && (kernel->n_ready > 0 || joint_collectives_break_up(kernel))) {
        kernel->running = take_ready(kernel);
        DEBUG(AHEAD, kernel->ranks[kernel->running].clock_ps, "rank", kernel->running,
              "has its turn; %d others can go on, %zu messages wait", kernel->n_ready, kernel->mailbox.n_waiting);
        kernel_run_rank(kernel, kernel->running);
        kernel->stats.events++;
    }
    kernel->stats.events += kernel->stats.messages;
    if (kernel->n_done < n_ranks)
        kernel_needs_order(kernel);
}

/* The request has waited for its message, or is no more. */
static void release(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    assert(message->n_keepers > 0);
    message->n_keepers--;
    kernel_free_message(kernel, index);
}

void ahead_keep(struct kernel *kernel, uint32_t request, uint32_t index)
{
    struct pending *item = &kernel->requests.items[request];
    struct message *message = &kernel->mailbox.messages[index];
    item->message = index;
    message->n_keepers++;
    request_table_complete(&kernel->requests, request, message->bytes, message->serial, kernel->now_ps);
}

void ahead_end_wait(struct kernel *kernel, uint32_t request)
{
    const struct pending item = kernel->requests.items[request];
    request_table_remove(&kernel->requests, request);
    if (item.message == NO_MESSAGE)
        return;
    kernel->now_ps = item.complete_ps;
    if (item.is_receive)
        kernel_end_receive(kernel, item.rank, item.message);
    else
        kernel_end_isend(kernel, item.rank, item.message);
    release(kernel, item.message);
}

void ahead_forget_sends(struct kernel *kernel, int rank, int64_t until_ps)
{
    uint32_t request;
    while ((request = request_table_first_send(&kernel->requests, rank)) != NO_PENDING) {
        const struct pending item = kernel->requests.items[request];
        if (!item.complete || item.complete_ps > until_ps)
            return;
        request_table_remove(&kernel->requests, request);
        release(kernel, item.message);
    }
}

void ahead_end_sends(struct kernel *kernel, int rank)
{
    uint32_t last = request_table_last_send(&kernel->requests, rank);
    if (last != NO_PENDING)
        ahead_end_wait(kernel, last);
    ahead_forget_sends(kernel, rank, INT64_MAX);
}

/* A send that is complete by the rank's clock is no request any more; false where it is not. */
static bool forget_past_send(struct kernel *kernel, int rank, uint32_t request)
{
    const struct pending item = kernel->requests.items[request];
    if (item.is_receive || !item.complete || item.complete_ps > kernel->ranks[rank].clock_ps)
        return false;
    request_table_remove(&kernel->requests, request);
    release(kernel, item.message);
    return true;
}

uint32_t ahead_find_request(struct kernel *kernel, int rank, uint32_t number, bool collective)
{
    uint32_t request;
    while ((request = request_table_find(&kernel->requests, rank, number, collective)) != NO_PENDING)
        if (!forget_past_send(kernel, rank, request))
            return request;
    return NO_PENDING;
}

uint32_t ahead_next_request(struct kernel *kernel, int rank, enum request_kind kind)
{
    uint32_t request;
    while ((request = request_table_next(&kernel->requests, rank, kind)) != NO_PENDING)
        if (kind == REQUEST_MARKED || !forget_past_send(kernel, rank, request))
            return request;
    return NO_PENDING;
}

/* The network's time for a message between two ranks that nothing is in the way of. */
static int64_t alone_ps(struct kernel *kernel, int from, int to, int64_t bytes, bool exchanges)
{
    return kernel_message_cost(kernel, from, to, bytes, exchanges)->alone_ps;
}

/* False, with the run failed, where the clock ends before. */
static bool add_ps(struct kernel *kernel, int rank, int64_t *clock_ps, int64_t ps)
{
    if (ps > PS_MAX - *clock_ps)
        kernel_fail_clock(kernel, rank);
    else
        *clock_ps += ps;
    return !kernel->failed;
}

void ahead_conclude(struct kernel *kernel, uint32_t index)
{
    struct message *message = &kernel->mailbox.messages[index];
    int from = message->sender, to = message->receiver;
    int64_t at_ps = message->arrived_ps, control_bytes = kernel->machine->costs.control_bytes;
    if (message->phase == PHASE_RTS) {
        kernel_note_posting(kernel, index);
        at_ps = int64_max(message->arrived_ps, message->posted_ps);
        if (!add_ps(kernel, to, &at_ps, alone_ps(kernel, to, from, control_bytes, false)) ||
            !add_ps(kernel, from, &at_ps, alone_ps(kernel, from, to, message->bytes, message->exchanges)))
            return;
        assert(at_ps >= message->posted_ps);
        message->phase = PHASE_RENDEZVOUS_DATA;
    }
    DEBUG(AHEAD, at_ps, "message", index, "comes from rank %d to %d, tag %d, %lld bytes", from, to, message->tag,
          (long long)message->bytes);
    kernel->now_ps = at_ps;
    kernel_deliver(kernel, index);
}

bool ahead_send(struct kernel *kernel, int rank, const struct op *op, uint32_t index)
{
    struct rank *self = &kernel->ranks[rank];
    struct message *message = &kernel->mailbox.messages[index];
    bool eager = message->phase == PHASE_DATA;
    int64_t bytes = eager ? message->bytes : kernel->machine->costs.control_bytes;
    message->arrived = 1;
    message->arrived_ps = message->start_ps;
    if (!add_ps(kernel, rank, &message->arrived_ps,
                alone_ps(kernel, rank, message->receiver, bytes, eager && message->exchanges)))
        return false;
    if (message->awaited) {
        ahead_conclude(kernel, index);
        return !kernel->failed && self->status == RANK_RUNNING;
    }
    kernel->now_ps = message->arrived_ps;
    if (eager && message->tracked)
        kernel_complete_isend(kernel, index);
    if (eager && message->blocks) { /* its receiver has posted other receives */
        const struct ahead_message as = {message->start_ps, message->arrived_ps, message->bytes, message->receive_ps,
                                         message->serial};
        message->blocks = 0;
        self->status = RANK_RUNNING;
        ahead_end_send(kernel, rank, op, &as, index);
    }
    return self->status == RANK_RUNNING && !ahead_yields(kernel, rank, message->receiver);
}
