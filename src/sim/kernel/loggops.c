/* The charges of the LogGOPS model, and the turns that wait for a wire.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/loggops.h"

#include "sim/kernel/price.h"
#include "sim/kernel/strand.h"

#include "base/range.h"
#include "base/units.h"

#include <stdlib.h>

struct loggops *loggops_new(const struct kernel *kernel, size_t n_locations)
{
    struct loggops *loggops = xcalloc(1, sizeof *loggops);
    size_t n_ranks = (size_t)kernel->run->placement->n_ranks;
    loggops->has_wires = kernel->run->network->is_loggp;
    loggops->out_ps = xcalloc(n_ranks, sizeof *loggops->out_ps);
    loggops->in_ps = xcalloc(n_ranks, sizeof *loggops->in_ps);
    loggops->sends = xcalloc(n_locations, sizeof *loggops->sends);
    loggops->comers = xcalloc(n_locations, sizeof *loggops->comers);
    loggops->wakes_ps = xcalloc(n_locations, sizeof *loggops->wakes_ps);
    loggops->released = -1;
    return loggops;
}

void loggops_free(struct loggops *loggops, size_t n_locations)
{
    for (size_t i = 0; loggops != NULL && i < n_locations; i++) {
        run_heap_dispose(&loggops->sends[i]);
        run_heap_dispose(&loggops->comers[i]);
    }
    if (loggops == NULL)
        return;
    free(loggops->out_ps);
    free(loggops->in_ps);
    free(loggops->sends);
    free(loggops->comers);
    free(loggops->wakes_ps);
    free(loggops);
}

/* --- charges --- */

/* The wire is busy from now on for g + (s - 1) G. */
static void take_wire(const struct kernel *kernel, int64_t *free_ps, int64_t length_ps)
{
    if (kernel->loggops->has_wires)
        *free_ps = units_clamp((wide_int)kernel->now_ps + kernel->machine->costs.gap_ps + length_ps);
}

int64_t loggops_send_ps(const struct cost_model *costs, int64_t bytes, bool local)
{
    return cost_model_send_ps(costs, int64_min(bytes, 1), local);
}

/* The processor has had nothing to do but wait for the wire. */
static void account_wire(struct kernel *kernel, int strand, const struct op *op)
{
    struct rank *self = &kernel->ranks[strand];
    int64_t parts_ps[N_MESSAGE_PARTS] = {[MESSAGE_CONTENTION] = kernel->now_ps - self->clock_ps};
    struct interval wait = {.start_ps = self->clock_ps,
                            .end_ps = kernel->now_ps,
                            .location = kernel->places[strand].location,
                            .peer = op->peer,
                            .parts_ps = kernel->run->splits_messages ? parts_ps : NULL,
                            .state = STATE_SEND,
                            .kind = INTERVAL_COMMUNICATE,
                            .scope = op->scope};
    if (wait.start_ps >= wait.end_ps)
        return;
    kernel_emit(kernel, &wait);
    self->clock_ps = kernel->now_ps;
}

void loggops_begin_send(struct kernel *kernel, int strand, const struct op *op, struct price *price)
{
    int rank = kernel->places[strand].rank;
    account_wire(kernel, strand, op);
    take_wire(kernel, &kernel->loggops->out_ps[rank], kernel_transfer(kernel, price)->inject_ps);
}

/* True if messages of the two ranks stay within a host. */
static bool are_neighbours(const struct kernel *kernel, int from, int to)
{
    return kernel->run->placement->ranks_per_host > 1 && kernel->ranks[from].host == kernel->ranks[to].host;
}

void loggops_end_send(struct kernel *kernel, int strand, const struct op *op)
{
    const struct cost_model *costs = &kernel->machine->costs;
    bool local = are_neighbours(kernel, kernel->places[strand].rank, op->peer);
    int64_t rest_ps = cost_model_send_ps(costs, op->bytes, local) - loggops_send_ps(costs, op->bytes, local);
    struct interval interval = {
        .end_ps = rest_ps, .peer = -1, .state = STATE_SEND, .kind = INTERVAL_COMMUNICATE, .scope = op->scope};
    if (rest_ps > 0 && !kernel->failed)
        kernel_occupy(kernel, strand, &interval);
}

static struct interval interval_of(const struct message *message, int location, enum location_state state,
                                   int64_t start_ps, int64_t end_ps)
{
    return (struct interval){.start_ps = start_ps,
                             .end_ps = end_ps,
                             .location = location,
                             .peer = message->sender,
                             .state = (uint8_t)state,
                             .kind = INTERVAL_COMMUNICATE,
                             .scope = message->scope};
}

/* Idle until it was sent, then receiving, on account of its send. */
void loggops_account_wait(struct kernel *kernel, int location, uint32_t index)
{
    const struct message *message = &kernel->mailbox.messages[index];
    struct strand_processor *processor = &kernel->processors[location];
    int64_t began = processor->clock_ps, sent = int64_max(began, message->start_ps);
    if (began >= kernel->now_ps)
        return;
    struct interval idle = interval_of(message, location, STATE_IDLE, began, sent);
    if (began < sent)
        kernel_emit(kernel, &idle);
    int64_t all_ps = kernel->now_ps - message->origin_ps;
    int64_t parts_ps[N_MESSAGE_PARTS] = {[MESSAGE_LATENCY] = int64_min(message->transfer.latency_ps, all_ps)};
    parts_ps[MESSAGE_CONTENTION] = all_ps - parts_ps[MESSAGE_LATENCY];
    struct interval wait = interval_of(message, location, STATE_RECEIVE, sent, kernel->now_ps);
    wait.cause = CAUSE_CHECKPOINT;
    wait.origin_ps = message->origin_ps;
    wait.message = index;
    wait.parts_ps = kernel->run->splits_messages ? parts_ps : NULL;
    kernel_emit(kernel, &wait);
    processor->clock_ps = kernel->now_ps;
}

/* The processor is busy with the message for so long, once the core is free that it may share; of that, `length_ps`
 * because of the message's length. */
static void receive(struct kernel *kernel, int location, const struct message *message, int64_t all_ps,
                    int64_t length_ps)
{
    struct strand_processor *processor = &kernel->processors[location];
    int64_t start_ps = kernel->now_ps, parts_ps[N_MESSAGE_PARTS] = {0};
    struct interval body = interval_of(message, location, STATE_RECEIVE, start_ps, start_ps);
    if (kernel->cpus != NULL && all_ps > 0)
        start_ps = kernel_take_cpu(kernel, &body, start_ps, all_ps);
    int64_t end_ps = units_clamp((wide_int)start_ps + all_ps);
    if (end_ps > PS_MAX)
        kernel_fail_clock(kernel, message->receiver);
    if (kernel->failed)
        return;
    body = interval_of(message, location, STATE_RECEIVE, start_ps, start_ps + length_ps);
    struct interval rest = interval_of(message, location, STATE_RECEIVE, body.end_ps, end_ps);
    parts_ps[MESSAGE_LENGTH] = length_ps;
    body.parts_ps = kernel->run->splits_messages ? parts_ps : NULL;
    if (length_ps > 0)
        kernel_emit(kernel, &body);
    if (rest.start_ps < rest.end_ps)
        kernel_emit(kernel, &rest);
    processor->clock_ps = end_ps;
}

void loggops_take_in(struct kernel *kernel, int location, uint32_t index)
{
    const struct message *message = &kernel->mailbox.messages[index];
    const struct cost_model *costs = &kernel->machine->costs;
    bool local = are_neighbours(kernel, message->sender, message->receiver);
    int64_t length_ps = message->transfer.inject_ps;
    int64_t first_ps = cost_model_receive_ps(costs, int64_min(message->bytes, 1), local);
    int64_t others_ps = cost_model_receive_ps(costs, message->bytes, local) - first_ps;
    take_wire(kernel, &kernel->loggops->in_ps[message->receiver], length_ps);
    receive(kernel, location, message, units_clamp((wide_int)first_ps + int64_max(others_ps, length_ps)), length_ps);
}

int loggops_release(struct kernel *kernel, uint32_t index, int location)
{
    const struct message *message = &kernel->mailbox.messages[index];
    if (!message->tracked)
        return -1;
    int sender = kernel->requests.items[message->pending].rank;
    kernel->loggops->releaser = location;
    return kernel_complete_isend(kernel, index) ? sender : -1;
}

/* --- turns --- */

struct run_heap *loggops_next_heap(const struct kernel *kernel, int location, struct run_heap *best)
{
    const struct loggops *loggops = kernel->loggops;
    int rank = location % kernel->run->placement->n_ranks;
    struct run_heap *sends = &loggops->sends[location], *comers = &loggops->comers[location];
    if (run_heap_count(sends) > 0 && loggops->out_ps[rank] <= kernel->now_ps &&
        (best == NULL || heap_is_before(run_heap_first(sends), run_heap_first(best))))
        best = sends;
    if (run_heap_count(comers) > 0 && loggops->in_ps[rank] <= kernel->now_ps &&
        (best == NULL || heap_is_before(run_heap_first(comers), run_heap_first(best))))
        best = comers;
    return best;
}

void loggops_wake(struct kernel *kernel, int location)
{
    struct loggops *loggops = kernel->loggops;
    int rank = location % kernel->run->placement->n_ranks;
    int64_t at_ps = run_heap_count(&loggops->sends[location]) > 0 ? loggops->out_ps[rank] : INT64_MAX;
    if (run_heap_count(&loggops->comers[location]) > 0)
        at_ps = int64_min(at_ps, loggops->in_ps[rank]);
    bool is_called = loggops->wakes_ps[location] > kernel->now_ps && loggops->wakes_ps[location] <= at_ps;
    if (at_ps > PS_MAX || is_called)
        return;
    loggops->wakes_ps[location] = at_ps;
    event_queue_push(
        &kernel->queue,
        (struct heap_entry){.key = at_ps, .order = (uint32_t)rank * 2, .item = (uint32_t)location | STRAND_EVENT});
}
