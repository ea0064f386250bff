/* Strands: what a processor does in its turns, ops of strands and taking messages in.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/strand_turns.h"

#include "sim/kernel/arrivals.h"
#include "sim/kernel/loggops.h"

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
    struct strand_processor *processor = strand_processor_of(kernel, strand);
    int location = kernel->places[strand].location;
    strand_end_account(kernel, strand);
    bool runs = kernel->ranks[strand].status == RANK_RUNNING;
    if (processor->calls_again) {
        processor->calls_again = false;
        occupy(kernel, location, strand, STRAND_AGAIN, processor->again_ps);
    } else if (processor->clock_ps > kernel->now_ps) {
        occupy(kernel, location, strand, runs ? STRAND_ADVANCES : STRAND_WAITS, processor->clock_ps);
    } else if (done && runs) {
        strand_advance(kernel, strand);
    }
}

/* The processor has become busy at the present: what waits to post a receive does so all the same. */
static void let_posts_pass(struct strand_processor *processor)
{
    struct run_heap empty = processor->late;
    assert(run_heap_count(&empty) == 0);
    processor->late = processor->posts;
    processor->posts = empty;
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
    strand_begin_op(kernel, strand);
    if (!kernel->ranks[strand].owes_recv_overhead) {
        strand_advance(kernel, strand);
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
        strand_begin_op(kernel, sender);
    if (receiver >= 0)
        strand_begin_op(kernel, receiver);
    if (sender >= 0 && receiver >= 0 && places[sender].rank == places[receiver].rank)
        places[sender].begun = places[receiver].begun;
    else if (sender >= 0 && receiver >= 0 && places[sender].rank > places[receiver].rank)
        strand_begin_op(kernel, sender);
}

static void let_go_on(struct kernel *kernel, int strand)
{
    kernel->ranks[strand].status = RANK_RUNNING;
    strand_advance(kernel, strand);
}

/* By LogGOPS, the processor is busy with the message whether or not a strand waits for it. */
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
    if (is_busy) {
        occupy(kernel, location, waits ? receiver : 0, waits ? STRAND_ADVANCES : STRAND_WAITS, processor->clock_ps);
        let_posts_pass(processor); /* but not those that follow the message */
    }
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
    if (strand_is_free(kernel, strand_processor_of(kernel, strand)))
        go_on_at_once(kernel, strand);
    else
        strand_go_on(kernel, strand);
}

/* See to it that the message is taken in. */
static void receive(struct kernel *kernel, uint32_t index)
{
    const struct message *message = &kernel->mailbox.messages[index];
    /* One that is not waited for is on the processor of its sender's number. */
    int n_ranks = kernel->run->placement->n_ranks, location = message->processor * n_ranks + message->receiver;
    if (message->awaited)
        location =
            kernel->places[kernel->requests.items[kernel->mailbox.messages[message->posted].pending].rank].location;
    struct strand_processor *processor = &kernel->processors[location];
    int64_t key = turn_key(turns_whole_number(kernel, message->begun), CLASS_MESSAGE);
    if (kernel->loggops != NULL) {
        turns_queue(kernel, &kernel->loggops->comers[location], key, index, location);
        return;
    }
    bool is_alone = run_heap_count(&processor->ops) == 0 && run_heap_count(&processor->posts) == 0 &&
                    run_heap_count(&kernel->due) == 0 && event_queue_next(&kernel->queue) > kernel->now_ps;
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
    strand_begin_op(kernel, strand);
    strand_begin_account(kernel, strand);
    bool done = listed != NULL && kernel_do_op(kernel, strand, listed);
    int sender = kernel->loggops != NULL ? kernel->loggops->released : -1;
    if (sender >= 0 && !kernel->failed) {
        kernel->loggops->released = -1;
        number_matched(kernel, strand, sender);
        let_go_on(kernel, sender);
    }
    if (done && !kernel->failed)
        strand_advance(kernel, strand);
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
        strand_begin_op(kernel, strand);
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
    while (run_heap_count(&kernel->due) > 0 && !kernel->failed) {
        struct heap_entry due = run_heap_pop(&kernel->due);
        int location = (int)due.item;
        struct strand_processor *processor = &kernel->processors[location];
        if (!processor->is_due || !is_same_turn(due, processor->due))
            continue; /* it has been due for something earlier, or is for something later */
        struct run_heap *heap = turns_next_heap(kernel, processor);
        processor->is_due = false;
        if (heap == NULL || !is_same_turn(due, run_heap_first(heap))) { /* another processor of the rank has the wire */
            turns_make_due(kernel, location);
            continue;
        }
        bool passes_itself = kernel->loggops != NULL && due.key % CLASSES == CLASS_MESSAGE;
        bool was_free = strand_is_free(kernel, processor);
        take_turn(kernel, location, run_heap_pop(heap));
        if (was_free && !strand_is_free(kernel, processor) && !passes_itself)
            let_posts_pass(processor);
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
        strand_advance(kernel, strand);
    turns_make_due(kernel, location);
}
