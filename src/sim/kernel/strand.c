/* Strands: what each does next, and whose turn it is on a processor.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/strand.h"

#include "sim/kernel/arrivals.h"
#include "sim/kernel/own_wires.h"
#include "sim/kernel/price.h"

#include "base/debug.h"
#include "base/range.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct strand_processor *processor_of(struct kernel *kernel, int strand)
{
    return &kernel->processors[kernel->places[strand].location];
}

/* --- the queue for a processor: a pairing heap (Fredman and others 1986) --- */

static bool is_before(const struct strand_place *a, const struct strand_place *b)
{
    if (a->begun != b->begun)
        return a->begun < b->begun;
    if (a->class != b->class)
        return a->class < b->class;
    return (int32_t)(a->number - b->number) < 0;
}

/* Two heaps to one; neither is empty. */
static uint32_t meld(struct strand_place *places, uint32_t a, uint32_t b)
{
    if (is_before(&places[b], &places[a])) {
        uint32_t swapped = a;
        a = b;
        b = swapped;
    }
    places[b].next = places[a].child;
    places[a].child = b;
    return a;
}

/* Take out the first: those behind it are melded in pairs, then all from the last on. */
static uint32_t pop(struct strand_place *places, uint32_t *heap)
{
    uint32_t first = *heap, rest = places[first].child, pairs = NO_STRAND, whole = NO_STRAND;
    while (rest != NO_STRAND) {
        uint32_t a = rest, b = places[a].next, pair = a;
        rest = b == NO_STRAND ? NO_STRAND : places[b].next;
        if (b != NO_STRAND)
            pair = meld(places, a, b);
        places[pair].next = pairs;
        pairs = pair;
    }
    while (pairs != NO_STRAND) {
        uint32_t pair = pairs;
        pairs = places[pair].next;
        whole = whole == NO_STRAND ? pair : meld(places, whole, pair);
    }
    *heap = whole;
    return first;
}

static bool is_free(const struct kernel *kernel, const struct strand_processor *processor)
{
    return processor->current == NO_STRAND && processor->clock_ps <= kernel->now_ps;
}

/* The heap whose first has the processor's next turn; NULL: nobody has one. */
static uint32_t *next_heap(const struct kernel *kernel, struct strand_processor *processor)
{
    if (!is_free(kernel, processor))
        return processor->first_late != NO_STRAND ? &processor->first_late : NULL;
    uint32_t op = processor->first, post = processor->first_post;
    if (op == NO_STRAND || post == NO_STRAND)
        return op != NO_STRAND ? &processor->first : post != NO_STRAND ? &processor->first_post : NULL;
    return is_before(&kernel->places[post], &kernel->places[op]) ? &processor->first_post : &processor->first;
}

static void make_due(struct kernel *kernel, int location)
{
    struct strand_processor *processor = &kernel->processors[location];
    const uint32_t *heap = next_heap(kernel, processor);
    if (heap == NULL || (processor->is_due && processor->due_begun <= kernel->places[*heap].begun))
        return;
    processor->is_due = true;
    processor->due_begun = kernel->places[*heap].begun;
    heap_push(&kernel->due, (struct heap_entry){.key = processor->due_begun, .item = (uint32_t)location});
}

/* The strand waits for a turn. */
static void wait_for_turn(struct kernel *kernel, int strand, enum strand_turn turn, bool sends)
{
    struct strand_place *place = &kernel->places[strand];
    struct strand_processor *processor = &kernel->processors[place->location];
    uint32_t *heap = turn == TURN_POST ? &processor->first_post : &processor->first;
    place->child = place->next = NO_STRAND;
    place->number = kernel->n_asked++;
    place->turn = (uint8_t)turn;
    place->class = turn == TURN_TAKE_IN ? CLASS_MESSAGE
                   : turn == TURN_POST  ? CLASS_RECEIVE
                   : sends              ? CLASS_SEND
                                        : CLASS_OTHER;
    *heap = *heap == NO_STRAND ? (uint32_t)strand : meld(kernel->places, *heap, (uint32_t)strand);
    make_due(kernel, place->location);
}

/* What follows the strand's op, or what it has waited for, has its place in queues from now on. */
static void begin_op(struct kernel *kernel, int strand)
{
    kernel->places[strand].begun = kernel->n_begun++;
}

void strand_go_on(struct kernel *kernel, int strand)
{
    kernel->ranks[strand].status = RANK_RUNNING;
    begin_op(kernel, strand);
    wait_for_turn(kernel, strand, TURN_GO_ON, false);
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
    kernel->places[index] =
        (struct strand_place){.line = line, .rank = rank, .location = location, .message = NO_MESSAGE};
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

/* One of those has come that begin a strand together, or that a strand waits for (`waiter`: it is this one that has;
 * else NO_STRAND). True if it is the last: *begun is then the latest of their numbers, and *waiter that strand. */
static bool join(struct kernel *kernel, int rank, const struct op *op, int64_t *begun, uint32_t *waiter)
{
    struct map_key key = map_key(rank, 0, (int32_t)(op->line >> 32), (int32_t)op->line);
    struct map_entry *entry = map_add(&kernel->joins, key);
    if (entry->index == MAP_NOTHING) {
        uint32_t index = kernel->free_join;
        if (index != NO_STRAND) {
            kernel->free_join = kernel->join_items[index].n_named;
        } else {
            kernel->join_items =
                xgrow(kernel->join_items, kernel->n_joins, &kernel->joins_capacity, sizeof *kernel->join_items);
            index = (uint32_t)kernel->n_joins++;
        }
        kernel->join_items[index] = (struct strand_join){*begun, 1, *waiter};
        entry->index = index;
        return false;
    }
    uint32_t index = entry->index;
    struct strand_join *item = &kernel->join_items[index];
    item->begun = int64_max(item->begun, *begun);
    item->waiter = *waiter != NO_STRAND ? *waiter : item->waiter;
    *begun = item->begun;
    *waiter = item->waiter;
    if (++item->n_named < op->needed)
        return false;
    item->n_named = kernel->free_join;
    kernel->free_join = index;
    map_remove(&kernel->joins, entry);
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
    uint32_t waiter = NO_STRAND;
    if (op->needed > 1 && !join(kernel, from.rank, op, &begun, &waiter))
        return;
    if (waiter != NO_STRAND) {
        account_start(kernel, kernel->places[waiter].location, from.location);
        kernel->places[waiter].begun = begun;
        kernel->ranks[waiter].status = RANK_RUNNING;
        wait_for_turn(kernel, (int)waiter, TURN_GO_ON, false);
        return;
    }
    int location = op->processor * kernel->run->placement->n_ranks + from.rank;
    uint32_t strand = (uint32_t)new_strand(kernel, from.rank, location, op->line);
    kernel->n_alive++;
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
    uint32_t waiter = (uint32_t)strand;
    if (join(kernel, place->rank, op, &place->begun, &waiter))
        return true;
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
        if (!kernel_do_op(kernel, strand, listed) || kernel->failed)
            return false;
        if (kernel->ranks[strand].owes_recv_overhead)
            wait_for_turn(kernel, strand, TURN_GO_ON, false);
        return !kernel->ranks[strand].owes_recv_overhead;
    case OP_RECV:
    case OP_IRECV:
        wait_for_turn(kernel, strand, TURN_POST, false);
        return false;
    default:
        wait_for_turn(kernel, strand, TURN_OP, op.kind == OP_SEND || op.kind == OP_ISEND);
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
        wait_for_turn(kernel, strand, TURN_GO_ON, false);
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
static void occupy(struct kernel *kernel, int strand, enum strand_then then, int64_t until_ps)
{
    const struct strand_place *place = &kernel->places[strand];
    struct strand_processor *processor = &kernel->processors[place->location];
    processor->current = (uint32_t)strand;
    processor->then = (uint8_t)then;
    event_queue_push(&kernel->queue, (struct heap_entry){.key = until_ps,
                                                         .order = (uint32_t)place->rank * 2,
                                                         .item = (uint32_t)place->location | STRAND_EVENT});
}

/* After a part of the strand's op, or all of it (`done`). */
static void follow_op(struct kernel *kernel, int strand, bool done)
{
    struct strand_processor *processor = processor_of(kernel, strand);
    strand_end_account(kernel, strand);
    bool runs = kernel->ranks[strand].status == RANK_RUNNING;
    if (processor->calls_again) {
        processor->calls_again = false;
        occupy(kernel, strand, STRAND_AGAIN, processor->again_ps);
    } else if (processor->clock_ps > kernel->now_ps) {
        occupy(kernel, strand, runs ? STRAND_ADVANCES : STRAND_WAITS, processor->clock_ps);
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

static void take_in(struct kernel *kernel, uint32_t message)
{
    int strand = kernel_take_in(kernel, message);
    if (strand < 0)
        return;
    kernel->ranks[strand].status = RANK_RUNNING;
    if (is_free(kernel, processor_of(kernel, strand)))
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
    const struct strand_processor *processor = &kernel->processors[location];
    bool is_alone = processor->first == NO_STRAND && processor->first_post == NO_STRAND &&
                    event_queue_next(&kernel->queue) > kernel->now_ps;
    if (is_free(kernel, processor) && is_alone) {
        take_in(kernel, index);
        return;
    }
    int place = new_strand(kernel, message->receiver, location, 0);
    kernel->places[place].message = index;
    uint32_t ago = (uint32_t)kernel->n_begun - kernel->mailbox.messages[index].begun;
    kernel->places[place].begun = kernel->n_begun - ago;
    wait_for_turn(kernel, place, TURN_TAKE_IN, false);
}

/* Post a receive, or wait for what is posted; see to what comes then. */
static void post(struct kernel *kernel, int strand)
{
    struct listed_step *listed = kernel_list_step(kernel, strand);
    begin_op(kernel, strand);
    strand_begin_account(kernel, strand);
    if (listed != NULL && kernel_do_op(kernel, strand, listed) && !kernel->failed)
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

static void take_turn(struct kernel *kernel, int strand)
{
    struct strand_place *place = &kernel->places[strand];
    uint32_t message = place->message;
    assert(processor_of(kernel, strand)->clock_ps >= kernel->now_ps || message != NO_MESSAGE);
    switch ((enum strand_turn)place->turn) {
    case TURN_TAKE_IN:
        free_strand(kernel, strand);
        take_in(kernel, message);
        break;
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

void strands_do_due(struct kernel *kernel)
{
    while (kernel->due.count > 0 && !kernel->failed) {
        int location = (int)heap_pop(&kernel->due).item;
        struct strand_processor *processor = &kernel->processors[location];
        uint32_t *heap = next_heap(kernel, processor);
        if (!processor->is_due)
            continue;
        processor->is_due = false;
        if (heap == NULL)
            continue;
        bool was_free = is_free(kernel, processor);
        take_turn(kernel, (int)pop(kernel->places, heap));
        if (was_free && !is_free(kernel, processor)) {
            processor->first_late = processor->first_post;
            processor->first_post = NO_STRAND;
        }
        make_due(kernel, location);
    }
}

void strands_call(struct kernel *kernel, int location)
{
    struct strand_processor *processor = &kernel->processors[location];
    int strand = (int)processor->current;
    assert(processor->current != NO_STRAND && processor->clock_ps <= kernel->now_ps);
    processor->current = NO_STRAND;
    if (processor->then == STRAND_AGAIN)
        do_op(kernel, strand);
    else if (processor->then == STRAND_ADVANCES)
        advance_all(kernel, strand);
    make_due(kernel, location);
}

/* --- the whole run --- */

void strands_open(struct kernel *kernel)
{
    int n_ranks = kernel->run->placement->n_ranks;
    size_t n_locations = (size_t)n_ranks * (size_t)kernel->run->program->n_processors;
    kernel->n_strands = kernel->strands_capacity = (size_t)n_ranks;
    kernel->n_alive = (size_t)n_ranks;
    kernel->places = xcalloc((size_t)n_ranks, sizeof *kernel->places);
    if (kernel->run->network->is_quiet)
        kernel->own_wires = own_wires_new(n_ranks);
    if (kernel->run->program->has_any_source)
        kernel->arrivals = arrivals_new(n_ranks);
    kernel->processors = xcalloc(n_locations, sizeof *kernel->processors);
    kernel->free_strand = kernel->first_started = kernel->free_join = NO_STRAND;
    kernel->n_begun = n_ranks;
    for (int r = 0; r < n_ranks; r++)
        kernel->places[r] = (struct strand_place){.begun = r, .rank = r, .location = r, .message = NO_MESSAGE};
    for (size_t i = 0; i < n_locations; i++)
        kernel->processors[i] = (struct strand_processor){
            .first = NO_STRAND, .first_post = NO_STRAND, .first_late = NO_STRAND, .current = NO_STRAND};
}

void strands_close(struct kernel *kernel)
{
    free(kernel->places);
    free(kernel->processors);
    heap_dispose(&kernel->due);
    map_dispose(&kernel->joins);
    free(kernel->join_items);
    arrivals_free(kernel->arrivals);
    own_wires_free(kernel->own_wires);
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

/* "rank 3 waits to receive from rank 5 (tag 7)", of so many strands at most. */
void strands_fail_deadlock(struct kernel *kernel)
{
    enum { MOST_LISTED = 10 };
    const struct program *program = kernel->run->program;
    char text[900] = "", why[200] = "";
    size_t used = 0;
    int n_waiting = 0;
    for (size_t s = 0; s < kernel->n_strands; s++) {
        const struct rank *self = &kernel->ranks[s];
        if (self->status != RANK_WAITING_ONE || n_waiting++ >= MOST_LISTED)
            continue;
        const struct pending *pending = &kernel->requests.items[self->pending];
        const struct strand_place *at = &kernel->places[s];
        char place[200] = "";
        if (program->app->describe_strand != NULL)
            program->app->describe_strand(program->config, at->rank, at->line, place, sizeof place);
        char peer[32] = "any rank";
        if (pending->peer >= 0)
            snprintf(peer, sizeof peer, "rank %d", pending->peer);
        int n =
            snprintf(text + used, sizeof text - used, "%srank %d%s%s%s waits for its %s %s (tag %d)",
                     used > 0 ? ", " : "", at->rank, place[0] != '\0' ? " (" : "", place, place[0] != '\0' ? ")" : "",
                     pending->is_receive ? "receive from" : "send to", peer, pending->tag);
        used = n > 0 && used + (size_t)n < sizeof text ? used + (size_t)n : used;
    }
    if (program->app->explain != NULL)
        program->app->explain(program->config, why, sizeof why);
    sim_error_set(kernel->error, SIM_UNFINISHED, NULL, 0, "deadlock after %.6g s, %zu operations under way: %s%s%s",
                  units_seconds(kernel->now_ps), kernel->n_alive, text, n_waiting > MOST_LISTED ? ", ..." : "", why);
    kernel->failed = true;
}
