/* Runs the graphs of all ranks in order of time. A computation takes its time; a message comes when it is sent, and a
 * send is complete then, or, if it is longer than LogGOPSim sends at once, when it is received.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/run.h"

#include "base/heap.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/range.h"
#include "trace/goal/order.h"

#include <stdlib.h>

enum { EAGER_BYTES = 65535 };
#define LATEST_NS (INT64_MAX / 2)

struct run_rank {
    struct goal_order order;
    int64_t free_ns;     /* when its computation ends */
    uint32_t running;    /* 1 + that computation; 0: none */
    struct heap arrived; /* what it may wait for without waiting, by time */
};

/* A send or receive whose other side has not come. */
struct half {
    uint32_t op;
    uint32_t next; /* of the same ranks and tag; in the chain of free ones: of these */
};

struct run {
    const struct goal_schedule *schedule;
    struct run_rank *ranks;
    struct heap visits;        /* of ranks, in order of time */
    uint32_t number;           /* of visits and arrivals: who is first of those at one time */
    struct map sent, received; /* receiver, sender, tag: a queue of halves */
    struct half *halves;
    size_t n_halves, capacity;
    uint32_t free; /* MAP_NOTHING: none */
};

/* --- halves --- */

static void put_half(struct run *run, struct map *map, struct map_key key, uint32_t op)
{
    uint32_t slot = run->free;
    if (slot != MAP_NOTHING)
        run->free = run->halves[slot].next;
    else {
        run->halves = xgrow(run->halves, run->n_halves, &run->capacity, sizeof *run->halves);
        slot = (uint32_t)run->n_halves++;
    }
    run->halves[slot] = (struct half){op, MAP_NOTHING};
    uint32_t before = queue_append(map_add(map, key), slot);
    if (before != MAP_NOTHING)
        run->halves[before].next = slot;
}

static bool take_half(struct run *run, struct map *map, struct map_key key, uint32_t *op)
{
    struct map_entry *entry = map_find(map, key);
    if (entry == NULL)
        return false;
    uint32_t slot = entry->index;
    *op = run->halves[slot].op;
    queue_drop_first(map, entry, run->halves[slot].next);
    run->halves[slot].next = run->free;
    run->free = slot;
    return true;
}

/* --- events --- */

static void visit_later(struct run *run, uint32_t rank, int64_t time_ns)
{
    heap_push(&run->visits, (struct heap_entry){.key = time_ns, .order = run->number++, .item = rank});
}

/* A send or receive is complete. */
static void complete(struct run *run, uint32_t rank, uint32_t op, int64_t now_ns)
{
    if (!goal_order_is_required(&run->ranks[rank].order, op))
        return;
    heap_push(&run->ranks[rank].arrived, (struct heap_entry){.key = now_ns, .order = run->number++, .item = op});
    visit_later(run, rank, now_ns);
}

static void meet(struct run *run, uint32_t rank, uint32_t index, int64_t now_ns)
{
    const struct goal_op *op = &run->ranks[rank].order.graph->ops[index];
    bool sends = op->kind == GOAL_SEND;
    uint32_t receiver = sends ? op->peer : rank, sender = sends ? rank : op->peer, other;
    uint32_t tag = goal_schedule_tag(run->schedule, receiver, sender, op->tag);
    struct map_key key = map_key((int32_t)receiver, (int32_t)sender, (int32_t)tag, 0);
    bool found = take_half(run, sends ? &run->received : &run->sent, key, &other), is_eager = op->amount <= EAGER_BYTES;
    if (!found)
        put_half(run, sends ? &run->sent : &run->received, key, index);
    if (found || (sends && is_eager))
        complete(run, rank, index, now_ns);
    if (found && (sends || run->ranks[sender].order.graph->ops[other].amount > EAGER_BYTES))
        complete(run, op->peer, other, now_ns);
}

/* Do something that the rank can do at that moment: an operation, or a wait that does not wait. False if there is
 * none. */
static bool act(struct run *run, uint32_t rank, int64_t now_ns, struct sim_error *error)
{
    struct run_rank *self = &run->ranks[rank];
    struct goal_order *order = &self->order;
    bool receives = heap_first_key(&order->ready) == -1;
    if (!receives && self->running != 0)
        return false;
    if (order->ready.count == 0) {
        if (self->arrived.count == 0)
            return false;
        goal_order_wait(order, heap_pop(&self->arrived).item, error); /* what is deferred cannot fail */
        return true;
    }
    uint32_t index = heap_pop(&order->ready).item;
    goal_order_begin(order, index, error);
    if (order->graph->ops[index].kind != GOAL_CALC) {
        meet(run, rank, index, now_ns);
        return true;
    }
    self->running = index + 1;
    self->free_ns = int64_min(now_ns, LATEST_NS) + order->graph->ops[index].amount;
    visit_later(run, rank, self->free_ns);
    return true;
}

static void visit(struct run *run, uint32_t rank, int64_t now_ns, struct sim_error *error)
{
    struct run_rank *self = &run->ranks[rank];
    if (self->running != 0 && self->free_ns <= now_ns) {
        goal_order_satisfy(&self->order, self->running - 1, false);
        self->running = 0;
    }
    while (act(run, rank, now_ns, error))
        continue;
}

/* --- the whole --- */

/* Write the ranks; operations left after the last event wait for what never comes, or are complete and nothing requires
 * their end. */
static int write_ranks(struct run *run, struct goal_spool *spool, struct sim_error *error)
{
    int status = 0;
    for (int r = 0; status == 0 && r < run->schedule->n_ranks; r++) {
        goal_spool_begin(spool, r);
        status = goal_order_finish(&run->ranks[r].order, goal_spool_take, spool, error);
        goal_spool_end(spool, r);
    }
    return status;
}

static void dispose(struct run *run)
{
    for (int r = 0; r < run->schedule->n_ranks; r++) {
        goal_order_dispose(&run->ranks[r].order);
        heap_dispose(&run->ranks[r].arrived);
    }
    heap_dispose(&run->visits);
    map_dispose(&run->sent);
    map_dispose(&run->received);
    free(run->halves);
    free(run->ranks);
}

int goal_run(struct goal_schedule *schedule, struct sim_error *error)
{
    struct run run = {.schedule = schedule, .free = MAP_NOTHING};
    run.ranks = xcalloc((size_t)schedule->n_ranks, sizeof *run.ranks);
    for (int r = 0; r < schedule->n_ranks; r++) {
        goal_order_init(&run.ranks[r].order, &schedule->graphs[r], NULL, NULL);
        visit_later(&run, (uint32_t)r, 0);
    }
    while (run.visits.count > 0) {
        struct heap_entry next = heap_pop(&run.visits);
        visit(&run, next.item, next.key, error);
    }
    int status = write_ranks(&run, &schedule->spool, error);
    dispose(&run);
    return status;
}
