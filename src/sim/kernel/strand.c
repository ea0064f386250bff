/* Strands: what each does next, and whose turn it is on a processor.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/strand_turns.h"

#include "sim/kernel/arrivals.h"
#include "sim/kernel/loggops.h"
#include "sim/kernel/own_wires.h"
#include "sim/kernel/price.h"

#include "base/debug.h"
#include "base/range.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

static struct strand_processor *processor_of(struct kernel *kernel, int strand)
{
    return &kernel->processors[kernel->places[strand].location];
}

/* Number the strand's op, or what it has waited for: what follows has its place in queues by that. */
static void begin_op(struct kernel *kernel, int strand)
{
    kernel->places[strand].begun = kernel->n_begun++;
}

void strand_go_on(struct kernel *kernel, int strand)
{
    kernel->ranks[strand].status = RANK_RUNNING;
    begin_op(kernel, strand);
    strand_wait_for_turn(kernel, strand, TURN_GO_ON, false);
}

void strand_call_again(struct kernel *kernel, int strand, int64_t at_ps)
{
    struct strand_processor *processor = processor_of(kernel, strand);
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
    kernel->stats.end_ps = int64_max(kernel->stats.end_ps, processor_of(kernel, strand)->clock_ps);
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

/* The number of an op, of which the low bits are given. */
static int64_t whole_number(const struct kernel *kernel, uint32_t low)
{
    return kernel->n_begun - ((uint32_t)kernel->n_begun - low);
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
        *begun = int64_max(*begun, whole_number(kernel, entry->last));
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

/* A strand that has been started goes on after its starter, in turn: see advance_all(). */
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
    const struct op op = listed->list.ops[kernel->ranks[strand].op];
    switch (op.kind) {
    case OP_START:
        kernel->ranks[strand].op++;
        start(kernel, strand, &op);
        return !kernel->failed;
    case OP_JOIN:
        kernel->ranks[strand].op++;
        return wait_for_others(kernel, strand, &op);
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
        strand_wait_for_turn(kernel, strand, TURN_OP, op.kind == OP_SEND || op.kind == OP_ISEND);
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
        kernel->ranks[strand].op = 0;
        kernel->ranks[strand].step++;
    }
    if (!kernel->failed)
        end_strand(kernel, strand);
}

/* The same, then of those that it has started, and that these have. */
static void advance_all(struct kernel *kernel, int strand)
{
    advance(kernel, strand);
    while (kernel->first_started != NO_STRAND && !kernel->failed) {
        uint32_t started = kernel->first_started;
        kernel->first_started = kernel->places[started].next;
        advance(kernel, (int)started);
    }
}

/* --- turns --- */

/* The processor is busy until its clock, or has to do the strand's op again at that moment. */
static void occupy(struct kernel *kernel, int location, int strand, enum strand_then then, int64_t until_ps)
{
    struct strand_processor *processor = &kernel->processors[location];
    int rank = location % kernel->run->placement->n_ranks;
    processor->current = (uint32_t)strand;
    processor->then = (uint8_t)then;
    event_queue_push(
        &kernel->queue,
        (struct heap_entry){.key = until_ps, .order = (uint32_t)rank * 2, .item = (uint32_t)location | STRAND_EVENT});
}

/* After a part of the strand's op, or all of it (`done`). */
static void follow_op(struct kernel *kernel, int strand, bool done)
{
    struct strand_processor *processor = processor_of(kernel, strand);
    int location = kernel->places[strand].location;
    strand_end_account(kernel, strand);
    bool runs = kernel->ranks[strand].status == RANK_RUNNING;
    if (processor->calls_again) {
        processor->calls_again = false;
        occupy(kernel, location, strand, STRAND_AGAIN, processor->again_ps);
    } else if (processor->clock_ps > kernel->now_ps) {
        occupy(kernel, location, strand, runs ? STRAND_ADVANCES : STRAND_WAITS, processor->clock_ps);
    } else if (done && runs) {
        advance_all(kernel, strand);
    }
}

static void do_op(struct kernel *kernel, int strand)
{
    struct listed_step *listed = kernel_list_step(kernel, strand);
    strand_begin_account(kernel, strand);
    if (listed != NULL)
        follow_op(kernel, strand, kernel_do_op(kernel, strand, listed));
}

/* The strand goes on, its processor having nothing else to do. */
static void go_on_at_once(struct kernel *kernel, int strand)
{
    begin_op(kernel, strand);
    if (!kernel->ranks[strand].owes_recv_overhead) {
        advance_all(kernel, strand);
        return;
    }
    strand_begin_account(kernel, strand);
    kernel_do_recv_overhead(kernel, strand);
    follow_op(kernel, strand, true);
}

/* Number a receive and a send, either -1, whose message has met: what follows each goes on in the order of ranks. */
static void number_matched(struct kernel *kernel, int receiver, int sender)
{
    struct strand_place *places = kernel->places;
    if (sender >= 0 && (receiver < 0 || places[sender].rank < places[receiver].rank))
        begin_op(kernel, sender);
    if (receiver >= 0)
        begin_op(kernel, receiver);
    if (sender >= 0 && receiver >= 0 && places[sender].rank == places[receiver].rank)
        places[sender].begun = places[receiver].begun;
    else if (sender >= 0 && receiver >= 0 && places[sender].rank > places[receiver].rank)
        begin_op(kernel, sender);
}

static void let_go_on(struct kernel *kernel, int strand)
{
    kernel->ranks[strand].status = RANK_RUNNING;
    advance_all(kernel, strand);
}

/* By LogGOPS, the processor is busy with the message whether or not somebody waits for it. */
static void take_in_by_loggops(struct kernel *kernel, int location, uint32_t index)
{
    struct strand_processor *processor = &kernel->processors[location];
    loggops_account_wait(kernel, location, index);
    kernel->mailbox.messages[index].n_keepers++;
    int receiver = kernel_take_in(kernel, index), sender = -1;
    struct message *message = &kernel->mailbox.messages[index];
    if (message->awaited)
        sender = loggops_release(kernel, index, location);
    loggops_take_in(kernel, location, index);
    message->n_keepers--;
    kernel_free_message(kernel, index);
    number_matched(kernel, receiver, sender);
    bool is_busy = processor->clock_ps > kernel->now_ps;
    bool waits = is_busy && receiver >= 0 && kernel->places[receiver].location == location;
    if (is_busy)
        occupy(kernel, location, waits ? receiver : 0, waits ? STRAND_ADVANCES : STRAND_WAITS, processor->clock_ps);
    if (waits)
        kernel->ranks[receiver].status = RANK_RUNNING;
    if (sender >= 0)
        let_go_on(kernel, sender);
    if (receiver >= 0 && !waits)
        let_go_on(kernel, receiver);
}

static void take_in(struct kernel *kernel, int location, uint32_t message)
{
    if (kernel->loggops != NULL) {
        take_in_by_loggops(kernel, location, message);
        return;
    }
    int strand = kernel_take_in(kernel, message);
    if (strand < 0)
        return;
    kernel->ranks[strand].status = RANK_RUNNING;
    if (strand_is_free(kernel, processor_of(kernel, strand)))
        go_on_at_once(kernel, strand);
    else
        strand_go_on(kernel, strand);
}

/* See to it that the message is taken in. */
static void receive(struct kernel *kernel, uint32_t index)
{
    const struct message *message = &kernel->mailbox.messages[index];
    /* One that nobody waits for is on the processor of its sender's number. */
    int n_ranks = kernel->run->placement->n_ranks, location = message->processor * n_ranks + message->receiver;
    if (message->awaited)
        location =
            kernel->places[kernel->requests.items[kernel->mailbox.messages[message->posted].pending].rank].location;
    struct strand_processor *processor = &kernel->processors[location];
    int64_t key = turn_key(whole_number(kernel, message->begun), CLASS_MESSAGE);
    if (kernel->loggops != NULL) {
        turns_queue(kernel, &kernel->loggops->comers[location], key, index, location);
        return;
    }
    bool is_alone =
        processor->ops.count == 0 && processor->posts.count == 0 && event_queue_next(&kernel->queue) > kernel->now_ps;
    if (strand_is_free(kernel, processor) && is_alone) {
        take_in(kernel, location, index);
        return;
    }
    turns_queue(kernel, &processor->ops, key, index, location);
}

/* Post a receive, or wait for what is posted; see to what comes then. */
static void post(struct kernel *kernel, int strand)
{
    struct listed_step *listed = kernel_list_step(kernel, strand);
    begin_op(kernel, strand);
    strand_begin_account(kernel, strand);
    bool done = listed != NULL && kernel_do_op(kernel, strand, listed);
    int sender = kernel->loggops != NULL ? kernel->loggops->released : -1;
    if (sender >= 0 && !kernel->failed) {
        kernel->loggops->released = -1;
        number_matched(kernel, strand, sender);
        let_go_on(kernel, sender);
    }
    if (done && !kernel->failed)
        advance_all(kernel, strand);
}

void strands_receive(struct kernel *kernel, uint32_t index)
{
    const struct message *message = &kernel->mailbox.messages[index];
    bool is_eager = message->phase == PHASE_DATA;
    kernel_come(kernel, index);
    if (kernel->arrivals == NULL || !is_eager) {
        receive(kernel, index);
        return;
    }
    if (!arrivals_is_next(kernel->arrivals, &kernel->mailbox, index))
        return;
    while (index != NO_MESSAGE) {
        uint32_t next = arrivals_next(kernel->arrivals, &kernel->mailbox, index);
        receive(kernel, index);
        index = next;
    }
}

static void take_turn(struct kernel *kernel, int location, struct heap_entry entry)
{
    int strand = (int)entry.item;
    if (entry.key % CLASSES == CLASS_MESSAGE) {
        take_in(kernel, location, entry.item);
        return;
    }
    switch ((enum strand_turn)kernel->places[strand].turn) {
    case TURN_GO_ON:
        go_on_at_once(kernel, strand);
        break;
    case TURN_OP:
        begin_op(kernel, strand);
        do_op(kernel, strand);
        break;
    case TURN_POST:
        post(kernel, strand);
        break;
    }
}

static bool is_same_turn(struct heap_entry a, struct heap_entry b)
{
    return a.key == b.key && a.order == b.order;
}

void strands_do_due(struct kernel *kernel)
{
    while (kernel->due.count > 0 && !kernel->failed) {
        struct heap_entry due = heap_pop(&kernel->due);
        int location = (int)due.item;
        struct strand_processor *processor = &kernel->processors[location];
        if (!processor->is_due || !is_same_turn(due, processor->due))
            continue; /* it has been due for something earlier, or is for something later */
        struct heap *heap = turns_next_heap(kernel, processor);
        processor->is_due = false;
        if (heap == NULL || !is_same_turn(due, heap->entries[0])) { /* another processor of the rank has the wire */
            turns_make_due(kernel, location);
            continue;
        }
        bool was_free = strand_is_free(kernel, processor);
        take_turn(kernel, location, heap_pop(heap));
        if (was_free && !strand_is_free(kernel, processor)) {
            struct heap empty = processor->late;
            assert(empty.count == 0);
            processor->late = processor->posts;
            processor->posts = empty;
        }
        turns_make_due(kernel, location);
    }
}

void strands_call(struct kernel *kernel, int location)
{
    struct strand_processor *processor = &kernel->processors[location];
    int strand = (int)processor->current;
    assert(kernel->loggops != NULL || (processor->current != NO_STRAND && processor->clock_ps <= kernel->now_ps));
    if (processor->current == NO_STRAND || processor->clock_ps > kernel->now_ps) { /* a wire may be free */
        turns_make_due(kernel, location);
        return;
    }
    processor->current = NO_STRAND;
    if (processor->then == STRAND_AGAIN)
        do_op(kernel, strand);
    else if (processor->then == STRAND_ADVANCES)
        advance_all(kernel, strand);
    turns_make_due(kernel, location);
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
        heap_dispose(&kernel->processors[i].ops);
        heap_dispose(&kernel->processors[i].posts);
        heap_dispose(&kernel->processors[i].late);
    }
    free(kernel->places);
    free(kernel->processors);
    heap_dispose(&kernel->due);
    map_dispose(&kernel->joins);
    map_dispose(&kernel->waiters);
    arrivals_free(kernel->arrivals);
    own_wires_free(kernel->own_wires);
    loggops_free(kernel->loggops, (size_t)n_locations);
}

void strands_begin(struct kernel *kernel)
{
    for (int r = 0; r < kernel->run->placement->n_ranks && !kernel->failed; r++)
        advance_all(kernel, r);
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
