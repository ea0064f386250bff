/* Ranks run ahead of the present on their own clocks as far as nothing outside can touch them: through computation and
 * into a receive. Ops that change the network are done at the present only, so a rank that wants to send later than now
 * asks to be called again at that moment. A blocked rank holds no stack: its program is asked for the step once more,
 * unless that is still listed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/internal.h"

#include "sim/kernel/ahead.h"
#include "sim/kernel/arrivals.h"
#include "sim/kernel/first_come.h"
#include "sim/kernel/ports.h"
#include "sim/kernel/price.h"
#include "sim/kernel/strand.h"

#include "base/debug.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The most ranks whose steps stay listed; the steps of more would only be in the way of what else is in cache. */
enum { MOST_LISTED = 1024 };

void kernel_flush(struct kernel *kernel)
{
    const struct interval_batch *batch = &kernel->batch;
    for (int i = 0; i < kernel->run->n_sinks; i++)
        interval_sink_give(&kernel->run->sinks[i], batch->intervals, batch->count);
    if (batch->is_more)
        memset(kernel->batch.intervals, 0, (size_t)batch->count * sizeof batch->intervals[0]);
    kernel->batch.is_more = false;
    kernel->batch.count = 0;
}

void kernel_emit(struct kernel *kernel, const struct interval *interval)
{
    if (kernel->run->n_sinks == 0)
        return;
    struct interval *place = kernel_next_interval(kernel);
    *place = *interval;
    kernel->batch.is_more = true;
    if (interval->work_ps != NULL)
        place->work_ps = memcpy(kernel->batch.work_ps[place - kernel->batch.intervals], interval->work_ps,
                                sizeof kernel->batch.work_ps[0]);
    if (interval->parts_ps != NULL)
        place->parts_ps = memcpy(kernel->batch.parts_ps[place - kernel->batch.intervals], interval->parts_ps,
                                 sizeof kernel->batch.parts_ps[0]);
}

/* The queue's tie order: by the rank that acts, its own going on before its messages. */
void kernel_call_rank(struct kernel *kernel, int rank, int64_t at_ps)
{
    if (kernel->places != NULL) {
        strand_call_again(kernel, rank, at_ps);
        return;
    }
    DEBUG(SCHEDULE, kernel->now_ps, "rank", rank, "is to be called at %.12f s", DEBUG_S(at_ps));
    assert(at_ps >= kernel->now_ps && kernel->ranks[rank].status != RANK_DONE && !kernel->runs_ahead);
    event_queue_push(&kernel->queue,
                     (struct heap_entry){.key = at_ps, .order = (uint32_t)rank * 2, .item = (uint32_t)rank});
}

void kernel_call_message(struct kernel *kernel, uint32_t message, int64_t at_ps)
{
    assert(message < kernel->mailbox.n_messages && at_ps >= kernel->now_ps && !kernel->runs_ahead);
    uint32_t order = kernel_message_order(&kernel->mailbox.messages[message]);
    event_queue_push(&kernel->queue, (struct heap_entry){.key = at_ps, .order = order, .item = message});
}

void kernel_call_moved(struct kernel *kernel, uint32_t message, int64_t at_ps)
{
    if (at_ps > PS_MAX)
        kernel_fail_clock(kernel, kernel->mailbox.messages[message].sender);
    kernel_call_message(kernel, message, at_ps);
}

void kernel_fail_clock(struct kernel *kernel, int rank)
{
    engine_fail_clock(kernel->error, &kernel->failed, rank);
}

void kernel_fail_memory(struct kernel *kernel, const char *what, double count, double bytes)
{
    double at_s = units_seconds(kernel->now_ps);
    engine_fail(kernel->error, &kernel->failed, SIM_UNFINISHED,
                "after %.3g simulated s and %lld messages there are more than %.0f %s, which take %.1f GB of memory, "
                "the most that is allowed; make the problem smaller",
                at_s, (long long)kernel->stats.messages, count, what, bytes / 1e9);
}

void kernel_fail_messages(struct kernel *kernel)
{
    double most = (double)kernel->most_messages;
    kernel_fail_memory(kernel, "messages under way at once", most, most * MAILBOX_MESSAGE_BYTES);
}

/* --- running a rank's program --- */

bool kernel_do_op(struct kernel *kernel, int rank, struct listed_step *listed)
{
    struct rank *self = &kernel->ranks[rank];
    const struct op *op = &listed->list.ops[self->op];
    int64_t begun = 0;
    bool done = false;
    if (!kernel_recv_overhead(kernel, rank))
        return false;
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
    case OP_ISEND:
    case OP_RECV:
    case OP_IRECV:
    case OP_WAIT:
    case OP_MARK:
        done = kernel_do_message(kernel, rank, op, 0, &begun);
        self->op = (uint8_t)(self->op + begun);
        return done;
    case OP_PROBE:
        return kernel_probe(kernel, rank, op);
    case OP_COMPUTE:
    case OP_FLOPS:
    case OP_DELAY:
    case OP_READ:
    case OP_WRITE:
    case OP_LINK_INIT:
        done = kernel_work(kernel, rank, op);
        break;
    case OP_BROADCAST:
    case OP_SCATTER:
    case OP_GATHER:
    case OP_BARRIER:
    case OP_REDUCE:
    case OP_ALLREDUCE:
    case OP_ALLGATHER:
    case OP_ALLTOALL:
        done = kernel_collective(kernel, rank, op, listed);
        break;
    default:
        assert(false && "an op of strands, see sim/kernel/strand.c, or of programs that share memory");
        break;
    }
    self->op = (uint8_t)(self->op + done);
    return done;
}

struct listed_step *kernel_list_anew(struct kernel *kernel, int rank)
{
    struct listed_step *listed = &kernel->listed[(uint32_t)rank & kernel->listed_mask];
    const struct program *program = kernel->run->program;
    listed->list.count = 0;
    listed->list.is_last = false;
    listed->rank = rank;
    listed->in_collective = false;
    listed->step = kernel->ranks[rank].step;
    bool has_step = kernel->places == NULL
                        ? program->app->emit(program->config, rank, listed->step, &listed->list)
                        : program->app->emit_strand(program->config, kernel->places[rank].rank,
                                                    kernel->places[rank].line, listed->step, &listed->list);
    if (has_step)
        return listed;
    listed->rank = -1;
    if (program->app->failed != NULL && !kernel->failed)
        kernel->failed = program->app->failed(program->config, kernel->error) != 0;
    return NULL;
}

void kernel_end_rank(struct kernel *kernel, int rank)
{
    struct rank *self = &kernel->ranks[rank];
    if (kernel->failed || !kernel_recv_overhead(kernel, rank))
        return;
    assert(self->status == RANK_RUNNING && kernel->n_done < kernel->run->placement->n_ranks);
    self->status = RANK_DONE;
    kernel->stats.end_ps = int64_max(kernel->stats.end_ps, self->clock_ps);
    DEBUG(SCHEDULE, self->clock_ps, "rank", rank, "ends, %d of %d", kernel->n_done + 1,
          kernel->run->placement->n_ranks);
    if (++kernel->n_done == kernel->run->placement->n_ranks)
        network_end_run(kernel->network, kernel->stats.end_ps);
}

void kernel_run_rank(struct kernel *kernel, int rank)
{
    struct rank *self = &kernel->ranks[rank];
    struct listed_step *listed;
    assert(self->status != RANK_DONE && self->clock_ps >= 0);
    self->status = RANK_RUNNING;
    DEBUG(SCHEDULE, self->clock_ps, "rank", rank, "goes on at step %lld, op %d", (long long)self->step, self->op);
    while ((listed = kernel_list_step(kernel, rank)) != NULL) {
        while (self->op < listed->list.count)
            if (!kernel_do_op(kernel, rank, listed))
                return;
        self->op = 0;
        self->step++;
    }
    kernel_end_rank(kernel, rank);
}

/* --- from the beginning to the end --- */

void kernel_close_locations(struct kernel *kernel)
{
    if (kernel->places != NULL) {
        strands_close_locations(kernel);
        return;
    }
    for (int r = 0; r < kernel->run->placement->n_ranks; r++) {
        struct interval interval = {.start_ps = kernel->ranks[r].clock_ps,
                                    .end_ps = kernel->stats.end_ps,
                                    .location = r,
                                    .peer = -1,
                                    .state = STATE_IDLE,
                                    .kind = INTERVAL_COMMUNICATE};
        assert(kernel->ranks[r].status == RANK_DONE && interval.start_ps <= interval.end_ps);
        if (interval.start_ps < interval.end_ps)
            kernel_emit(kernel, &interval);
    }
    kernel_flush(kernel);
}

/* Put the messages whose transfers end on the network not later than the queue's next event, nor than `until_ps`, into
 * the queue. So ends are ordered like all else that happens at the same time. */
static void queue_ends(struct kernel *kernel, int64_t until_ps)
{
    uint32_t message;
    int64_t at;
    while (!network_rests(kernel->network) &&
           network_next(kernel->network, int64_min(event_queue_next(&kernel->queue), until_ps), &message, &at)) {
        assert(message < kernel->mailbox.n_messages && !kernel->mailbox.messages[message].transfer.done);
        kernel->mailbox.messages[message].transfer.done = true;
        DEBUG(NETWORK, kernel->now_ps, "message", message, "comes at %.12f s", DEBUG_S(at));
        kernel_call_moved(kernel, message, at);
    }
}

/* The memory of the event that comes next, most likely, is on its way to the processor while this one is dealt with. */
static inline void prefetch_next(const struct kernel *kernel)
{
    const struct heap_entry *next = run_heap_next(&kernel->queue.events);
    if (next != NULL && next->order % 2 != 0)
        __builtin_prefetch(&kernel->mailbox.messages[next->item]);
}

/* Do what comes next; false when there is nothing left. */
static bool next_event(struct kernel *kernel)
{
    struct heap_entry event;
    while (!kernel->failed && run_heap_count(&kernel->due) > 0) { /* which may put something on the network now */
        queue_ends(kernel, kernel->now_ps);
        if (event_queue_next(&kernel->queue) <= kernel->now_ps)
            break;
        strands_do_due(kernel);
    }
    if (kernel->failed)
        return false;
    if (run_heap_count(&kernel->due) == 0)
        queue_ends(kernel, INT64_MAX);
    if (!event_queue_pop(&kernel->queue, &event))
        return false;
    prefetch_next(kernel);
    assert(event.key >= kernel->now_ps); /* time never runs backwards */
    kernel->now_ps = event.key;
    network_reach(kernel->network, event);
    if (event.order % 2 != 0)
        kernel_handle_message(kernel, event.item);
    else if (kernel->places == NULL)
        kernel_run_rank(kernel, (int)event.item);
    else
        strands_call(kernel, (int)(event.item & ~STRAND_EVENT));
    return true;
}

static void count_unreceived(struct kernel *kernel)
{
    uint32_t first;
    int64_t n_messages = kernel->arrivals != NULL ? arrivals_count(kernel->arrivals, &kernel->mailbox, &first)
                                                  : mailbox_count(&kernel->mailbox, &first);
    assert(mailbox_is_sound(&kernel->mailbox, !kernel->runs_ahead && kernel->arrivals == NULL));
    kernel->stats.most_messages = (int64_t)kernel->mailbox.n_messages;
    if (first == NO_MESSAGE)
        return;
    const struct message *message = &kernel->mailbox.messages[first];
    kernel->stats.unreceived = (struct unreceived){.n_messages = n_messages,
                                                   .from = message->sender,
                                                   .to = message->receiver,
                                                   .tag = message->tag,
                                                   .at_ps = message->start_ps,
                                                   .bytes = message->bytes};
}

static void run_events(struct kernel *kernel)
{
    int n_ranks = kernel->run->placement->n_ranks;
    if (kernel->places != NULL)
        strands_begin(kernel);
    for (int r = 0; r < n_ranks && kernel->places == NULL; r++)
        kernel_call_rank(kernel, r, 0);
    while (!kernel->failed && next_event(kernel))
        kernel->stats.events++;
    kernel->stats.events += kernel->network->n_moves;
    kernel->stats.most_queued = (int64_t)kernel->queue.most;
    if (kernel->places != NULL)
        strands_check_finished(kernel);
    for (int r = 0; r < n_ranks && !kernel->failed; r++)
        if (kernel->ranks[r].status != RANK_DONE)
            kernel_fail_deadlock(kernel);
}

static void open_steps(struct kernel *kernel)
{
    uint32_t count = 1, n_ranks = (uint32_t)kernel->run->placement->n_ranks;
    if (kernel->run->program->n_processors > 0)
        n_ranks = MOST_LISTED; /* strands are more, and take turns more often */
    while (n_ranks <= MOST_LISTED && count < n_ranks)
        count *= 2;
    kernel->listed = xmalloc(count * sizeof *kernel->listed);
    kernel->listed_mask = count - 1;
    for (uint32_t i = 0; i < count; i++) {
        kernel->listed[i].rank = -1;
        kernel->listed[i].list.places = NULL;
    }
}

/* True if a message within a host takes no time on the network. */
static bool is_free_within(struct machine *machine)
{
    struct route room;
    const struct route *route = machine_way(machine, 0, 0, &room);
    return !cost_model_has_formula(&machine->costs, 0) && route->latency_ps == 0 && !(route->byte_ps > 0);
}

int kernel_open(struct kernel *kernel, const struct kernel_run *run, struct sim_error *error)
{
    const struct program *program = run->program;
    const struct placement *placement = run->placement;
    kernel->run = run;
    kernel->machine = run->machine;
    kernel->error = error;
    if (engine_bind_kernels(&kernel->kernel_costs, run, error) != 0 ||
        groups_init(&kernel->groups, program->groups, program->n_groups, placement->n_ranks, error) != 0)
        return -1;
    kernel->ranks = xcalloc_lines((size_t)placement->n_ranks);
    for (int r = 0; r < placement->n_ranks; r++)
        kernel->ranks[r].host = placement_host(placement, r);
    if (placement->ranks_per_host > kernel->machine->cores)
        kernel->cpus =
            xcalloc((size_t)kernel->machine->net->n_hosts * (size_t)kernel->machine->cores, sizeof *kernel->cpus);
    kernel->counts_local = placement->ranks_per_host > 1 && is_free_within(kernel->machine);
    kernel->ports = ports_new(run);
    kernel->network = network_open(kernel->run->network, kernel->machine, kernel->run->loads);
    mailbox_init(&kernel->mailbox, placement->n_ranks);
    kernel->most_messages = kernel->run->most_messages > 0 ? (size_t)kernel->run->most_messages : MAILBOX_MOST;
    request_table_init(&kernel->requests, placement->n_ranks);
    kernel_open_prices(kernel);
    open_steps(kernel);
    if (program->knows_sources)
        kernel->first_come = first_come_new(placement->n_ranks);
    if (program->n_processors > 0)
        strands_open(kernel);
    return 0;
}

void kernel_close(struct kernel *kernel)
{
    ahead_close(kernel);
    strands_close(kernel);
    first_come_free(kernel->first_come);
    ports_free(kernel->ports);
    free(kernel->listed);
    free(kernel->prices);
    free(kernel->transfers);
    event_queue_dispose(&kernel->queue);
    mailbox_dispose(&kernel->mailbox);
    request_table_dispose(&kernel->requests);
    groups_dispose(&kernel->groups);
    autotune_dispose(&kernel->own_autotune);
    free(kernel->host_speeds);
    if (kernel->network != NULL)
        kernel->run->network->close(kernel->network);
    free(kernel->cpus);
    free(kernel->ranks);
    free(kernel->kernel_costs);
}

bool kernel_needs_order(struct kernel *kernel)
{
    if (kernel->runs_ahead && !kernel->failed)
        sim_error_set(kernel->error, SIM_UNFINISHED, NULL, 0, "needs the order of time");
    if (kernel->runs_ahead)
        DEBUG(AHEAD, kernel->now_ps, "rank", kernel->running, "needs the order of time, in which the run begins again");
    kernel->failed = kernel->failed || kernel->runs_ahead;
    return kernel->runs_ahead;
}

/* Run the program once, its ranks ahead of the present or in the order of time. */
static int run_once(struct kernel_stats *stats, const struct kernel_run *run, bool ahead, struct sim_error *error)
{
    struct kernel kernel = {.run = NULL};
    if (kernel_open(&kernel, run, error) != 0) {
        kernel_close(&kernel);
        return -1;
    }
    DEBUG(RUN, 0, "ranks", run->placement->n_ranks, "begin %s on %s, network %s, %s", run->program->app->name,
          run->machine->name, run->network->name, ahead ? "running ahead" : "in the order of time");
    if (ahead)
        ahead_open(&kernel);
    (ahead ? ahead_run : run_events)(&kernel);
    if (!kernel.failed) {
        count_unreceived(&kernel);
        kernel_close_locations(&kernel);
        *stats = kernel.stats;
    }
    DEBUG(RUN, kernel.failed ? kernel.now_ps : kernel.stats.end_ps, "ranks", run->placement->n_ranks,
          "%s after %lld messages and %lld events", kernel.failed ? "fail" : "end", (long long)kernel.stats.messages,
          (long long)kernel.stats.events);
    kernel_flush(&kernel);
    kernel_close(&kernel);
    return kernel.failed ? -1 : 0;
}

int kernel_run(struct kernel_stats *stats, const struct kernel_run *run, struct sim_error *error)
{
    if (!ahead_suits(run))
        return run_once(stats, run, false, error);
    if (run_once(stats, run, true, error) == 0)
        return 0;
    if (run->restart != NULL)
        run->restart(run->restarted);
    return run_once(stats, run, false, error);
}
