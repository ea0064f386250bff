/* Strands: what each does next, from the beginning of a run to its end.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/strand_turns.h"

#include "sim/kernel/arrivals.h"
#include "sim/kernel/loggops.h"
#include "sim/kernel/own_wires.h"

#include "base/range.h"

#include <stdlib.h>
#include <string.h>

/* Number the strand's op, or what it has waited for: what follows has its place in queues by that. */
void strand_begin_op(struct kernel *kernel, int strand)
{
    kernel->places[strand].begun = kernel->n_begun++;
}

void strand_go_on(struct kernel *kernel, int strand)
{
    kernel->ranks[strand].status = RANK_RUNNING;
    strand_begin_op(kernel, strand);
    strand_wait_for_turn(kernel, strand, TURN_GO_ON, false);
}

void strand_call_again(struct kernel *kernel, int strand, int64_t at_ps)
{
    struct strand_processor *processor = strand_processor_of(kernel, strand);
    assert(at_ps >= kernel->now_ps);
    processor->calls_again = true;
    processor->again_ps = at_ps;
}

/* --- a strand's steps --- */

static int new_strand(struct kernel *kernel, int rank, int location, int64_t line)
{
    uint32_t index = kernel->free_strand;
    if (index != NO_STRAND) {
        kernel->free_strand = kernel->places[index].next;
    } else {
        if (kernel->n_strands == kernel->strands_capacity) {
            kernel->strands_capacity *= 2;
            struct rank *ranks = xcalloc_lines(kernel->strands_capacity);
            memcpy(ranks, kernel->ranks, kernel->n_strands * sizeof *ranks);
            free(kernel->ranks);
            kernel->ranks = ranks;
            kernel->places = xrealloc(kernel->places, kernel->strands_capacity * sizeof *kernel->places);
            request_table_grow(&kernel->requests, (int)kernel->strands_capacity);
        }
        index = (uint32_t)kernel->n_strands++;
    }
    kernel->ranks[index] = (struct rank){.host = kernel->ranks[rank].host, .pending = NO_PENDING};
    kernel->places[index] = (struct strand_place){.line = line, .rank = rank, .location = location};
    struct listed_step *listed = &kernel->listed[index & kernel->listed_mask];
    if (listed->rank == (int32_t)index)
        listed->rank = -1;
    return (int)index;
}

static void free_strand(struct kernel *kernel, int strand)
{
    kernel->places[strand].next = kernel->free_strand;
    kernel->free_strand = (uint32_t)strand;
}

static void end_strand(struct kernel *kernel, int strand)
{
    int n_ranks = kernel->run->placement->n_ranks;
    kernel->ranks[strand].status = RANK_DONE;
    kernel->stats.end_ps = int64_max(kernel->stats.end_ps, strand_processor_of(kernel, strand)->clock_ps);
    if (--kernel->n_alive == 0)
        network_end_run(kernel->network, kernel->stats.end_ps);
    if (strand >= n_ranks) /* else, what is known of the rank is there */
        free_strand(kernel, strand);
}

/* The processor has had nothing to do, and has something now, because another one of its rank begins a strand there. */
static void account_start(struct kernel *kernel, int location, int starter)
{
    struct strand_processor *processor = &kernel->processors[location];
    if (processor->clock_ps >= kernel->now_ps)
        return;
    struct interval interval = {.start_ps = processor->clock_ps,
                                .end_ps = kernel->now_ps,
                                .origin_ps = kernel->now_ps,
                                .location = location,
                                .peer = starter,
                                .state = STATE_IDLE,
                                .kind = INTERVAL_COMMUNICATE,
                                .cause = CAUSE_PEER};
    kernel_emit(kernel, &interval);
    processor->clock_ps = kernel->now_ps;
}

static struct map_key join_key(int rank, const struct op *op)
{
    return map_key(rank, 0, (int32_t)(op->line >> 32), (int32_t)op->line);
}

/* One of those has come that begin a strand together, or that a strand waits for. True if it is the last; *begun is
 * then the latest of their numbers. */
static bool join(struct kernel *kernel, int rank, const struct op *op, int64_t *begun)
{
    struct map_entry *entry = map_add(&kernel->joins, join_key(rank, op));
    if (entry->index == MAP_NOTHING)
        entry->index = 0;
    else
        *begun = int64_max(*begun, turns_whole_number(kernel, entry->last));
    entry->last = (uint32_t)*begun;
    if (++entry->index < op->needed)
        return false;
    map_remove(&kernel->joins, entry);
    return true;
}

/* Let the strand go on that waits for those which have been joined; false if none does. */
static bool go_on_joined(struct kernel *kernel, const struct op *op, const struct strand_place *from, int64_t begun)
{
    struct map_entry *entry = map_find(&kernel->waiters, join_key(from->rank, op));
    if (entry == NULL)
        return false;
    uint32_t waiter = entry->index;
    map_remove(&kernel->waiters, entry);
    account_start(kernel, kernel->places[waiter].location, from->location);
    kernel->places[waiter].begun = begun;
    kernel->ranks[waiter].status = RANK_RUNNING;
    strand_wait_for_turn(kernel, (int)waiter, TURN_GO_ON, false);
    return true;
}

/* A strand that has been started goes on after its starter, in turn: see strand_advance(). */
static void start(struct kernel *kernel, int starter, const struct op *op)
{
    const struct strand_place from = kernel->places[starter];
    int n_processors = kernel->run->program->n_processors;
    if (op->processor < 0 || op->processor >= n_processors) {
        kernel_fail(kernel, "rank %d starts a strand on its processor %d; there are 0 to %d", from.rank, op->processor,
                    n_processors - 1);
        return;
    }
    int64_t begun = from.begun;
    if (op->needed > 1 && !join(kernel, from.rank, op, &begun))
        return;
    if (kernel->waiters.count > 0 && go_on_joined(kernel, op, &from, begun))
        return;
    if (kernel->n_alive >= (size_t)kernel->run->placement->n_ranks + kernel->most_messages) {
        double most = (double)kernel->most_messages;
        kernel_fail_memory(kernel, "operations under way at once", most, most * STRAND_BYTES);
        return;
    }
    int location = op->processor * kernel->run->placement->n_ranks + from.rank;
    uint32_t strand = (uint32_t)new_strand(kernel, from.rank, location, op->line);
    kernel->n_alive++;
    kernel->n_started++;
    account_start(kernel, location, from.location);
    kernel->places[strand].next = NO_STRAND;
    kernel->places[strand].begun = begun;
    if (kernel->first_started == NO_STRAND)
        kernel->first_started = strand;
    else
        kernel->places[kernel->last_started].next = strand;
    kernel->last_started = strand;
}

/* True if those have come that the strand waits for. */
static bool wait_for_others(struct kernel *kernel, int strand, const struct op *op)
{
    struct strand_place *place = &kernel->places[strand];
    if (join(kernel, place->rank, op, &place->begun))
        return true;
    map_add(&kernel->waiters, join_key(place->rank, op))->index = (uint32_t)strand;
    kernel->ranks[strand].status = RANK_JOINING;
    return false;
}

/* Do what comes next in the strand's step; false when it waits, for something or for a turn. */
static bool do_next(struct kernel *kernel, int strand, struct listed_step *listed)
{
    const struct op *op = &listed->list.ops[kernel->ranks[strand].op];
    switch (op->kind) {
    case OP_START:
        kernel->ranks[strand].op++;
        start(kernel, strand, op);
        return !kernel->failed;
    case OP_JOIN:
        kernel->ranks[strand].op++;
        return wait_for_others(kernel, strand, op);
    case OP_WAIT:
    case OP_MARK:
        if (!kernel_do_op(kernel, strand, listed) || kernel->failed)
            return false;
        if (kernel->ranks[strand].owes_recv_overhead)
            strand_wait_for_turn(kernel, strand, TURN_GO_ON, false);
        return !kernel->ranks[strand].owes_recv_overhead;
    case OP_RECV:
    case OP_IRECV:
        strand_wait_for_turn(kernel, strand, TURN_POST, false);
        return false;
    default:
        strand_wait_for_turn(kernel, strand, TURN_OP, op->kind == OP_SEND || op->kind == OP_ISEND);
        return false;
    }
}

/* The strand goes on: see to what comes next, until it waits. */
static void advance(struct kernel *kernel, int strand)
{
    struct listed_step *listed;
    strand_begin_account(kernel, strand);
    assert(kernel->ranks[strand].status == RANK_RUNNING && kernel->ranks[strand].clock_ps >= kernel->now_ps);
    if (kernel->ranks[strand].owes_recv_overhead) {
        strand_wait_for_turn(kernel, strand, TURN_GO_ON, false);
        return;
    }
    while ((listed = kernel_list_step(kernel, strand)) != NULL) {
        while (kernel->ranks[strand].op < listed->list.count)
            if (!do_next(kernel, strand, listed))
                return;
        if (listed->list.is_last)
            break;
        kernel->ranks[strand].op = 0;
        kernel->ranks[strand].step++;
    }
    if (!kernel->failed)
        end_strand(kernel, strand);
}

/* The same, then of those that it has started, and that these have. */
void strand_advance(struct kernel *kernel, int strand)
{
    advance(kernel, strand);
    while (kernel->first_started != NO_STRAND && !kernel->failed) {
        uint32_t started = kernel->first_started;
        kernel->first_started = kernel->places[started].next;
        advance(kernel, (int)started);
    }
}

/* --- the whole run --- */

void strands_open(struct kernel *kernel)
{
    int n_ranks = kernel->run->placement->n_ranks;
    size_t n_locations = (size_t)n_ranks * (size_t)kernel->run->program->n_processors;
    kernel->n_strands = kernel->strands_capacity = (size_t)n_ranks;
    kernel->n_alive = (size_t)n_ranks;
    kernel->places = xcalloc((size_t)n_ranks, sizeof *kernel->places);
    if (kernel->run->program->by_loggops)
        kernel->loggops = loggops_new(kernel, n_locations);
    else if (kernel->run->network->is_quiet)
        kernel->own_wires = own_wires_new(n_ranks);
    if (kernel->run->program->has_any_source)
        kernel->arrivals = arrivals_new(n_ranks);
    kernel->processors = xcalloc(n_locations, sizeof *kernel->processors);
    kernel->free_strand = kernel->first_started = NO_STRAND;
    kernel->requests.has_no_lists = kernel->run->program->waits_for_each;
    kernel->n_begun = n_ranks;
    for (int r = 0; r < n_ranks; r++)
        kernel->places[r] = (struct strand_place){.begun = r, .rank = r, .location = r};
    for (size_t i = 0; i < n_locations; i++)
        kernel->processors[i].current = NO_STRAND;
}

void strands_close(struct kernel *kernel)
{
    int n_locations = kernel->run->placement->n_ranks * kernel->run->program->n_processors;
    for (int i = 0; kernel->processors != NULL && i < n_locations; i++) {
        run_heap_dispose(&kernel->processors[i].ops);
        run_heap_dispose(&kernel->processors[i].posts);
        run_heap_dispose(&kernel->processors[i].late);
    }
    free(kernel->places);
    free(kernel->processors);
    run_heap_dispose(&kernel->due);
    map_dispose(&kernel->joins);
    map_dispose(&kernel->waiters);
    arrivals_free(kernel->arrivals);
    own_wires_free(kernel->own_wires);
    loggops_free(kernel->loggops, (size_t)n_locations);
}

void strands_begin(struct kernel *kernel)
{
    for (int r = 0; r < kernel->run->placement->n_ranks && !kernel->failed; r++)
        strand_advance(kernel, r);
}

void strands_close_locations(struct kernel *kernel)
{
    int n_locations = kernel->run->placement->n_ranks * kernel->run->program->n_processors;
    for (int i = 0; i < n_locations; i++) {
        struct interval interval = {.start_ps = kernel->processors[i].clock_ps,
                                    .end_ps = kernel->stats.end_ps,
                                    .location = i,
                                    .peer = -1,
                                    .state = STATE_IDLE,
                                    .kind = INTERVAL_COMMUNICATE};
        if (interval.start_ps < interval.end_ps)
            kernel_emit(kernel, &interval);
    }
    kernel_flush(kernel);
}
