/* Puts operations in order: a heap of those that are ready, and one of those under way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/order.h"

#include "base/heap.h"
#include "base/memory.h"
#include "trace/record/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct goal_order {
    const struct goal_graph *graph;
    uint32_t *first;   /* of each operation, and one more: where its dependents begin in */
    uint32_t *further; /* indices of edges */
    uint32_t *missing; /* of each operation: what has to come before it; or GOAL_BEGUN, GOAL_ENDED */
    struct heap ready, under_way;
    size_t n_begun;
    int64_t batch; /* what becomes ready together */
    goal_take *take;
    void *self;
    struct goal_step last; /* not given on yet */
    bool has_last;
};
#define GOAL_BEGUN UINT32_MAX
#define GOAL_ENDED (UINT32_MAX - 1)

/* --- steps --- */

static int flush(struct goal_order *order, struct sim_error *error)
{
    if (!order->has_last)
        return 0;
    order->has_last = false;
    return order->take(order->self, &order->last, error);
}

/* A message that is waited for as soon as it is begun is a blocking one. */
static bool becomes_blocking(struct goal_order *order, uint32_t index)
{
    struct goal_step *last = &order->last;
    if (!order->has_last || last->request != index || (last->kind != RECORD_ISEND && last->kind != RECORD_IRECV))
        return false;
    last->kind = last->kind == RECORD_ISEND ? RECORD_SEND : RECORD_RECV;
    last->request = 0;
    return true;
}

static int give(struct goal_order *order, uint32_t index, bool waits, struct sim_error *error)
{
    static const enum record_kind kinds[] = {
        [GOAL_SEND] = RECORD_ISEND, [GOAL_RECV] = RECORD_IRECV, [GOAL_CALC] = RECORD_COMPUTE};
    const struct goal_op *op = &order->graph->ops[index];
    if (waits && becomes_blocking(order, index))
        return 0;
    int status = flush(order, error);
    enum record_kind kind = waits ? RECORD_WAIT : kinds[op->kind];
    order->last =
        (struct goal_step){op->amount, op->position, op->peer, op->tag, kind != RECORD_COMPUTE ? index : 0, kind};
    order->has_last = true;
    return status;
}

/* --- dependencies --- */

static void make_ready(struct goal_order *order, uint32_t index)
{
    uint8_t kind = order->graph->ops[index].kind;
    heap_push(&order->ready,
              (struct heap_entry){.key = kind == GOAL_RECV ? -1 : order->batch, .order = kind, .item = index});
}

static void satisfy(struct goal_order *order, uint32_t index, bool start)
{
    const struct goal_edge *edges = order->graph->edges;
    order->batch++;
    for (uint32_t i = order->first[index]; i < order->first[index + 1]; i++) {
        const struct goal_edge *edge = &edges[order->further[i]];
        if (edge->start != start)
            continue;
        if (--order->missing[edge->after] == 0)
            make_ready(order, edge->after);
    }
}

/* A send or receive is under way. Those that nothing waits for come last. If there are several for one operation,
 * receives come first, in the order in which they were begun, as where a program waits for all: taking a message in
 * takes a processor's time. The order of dependencies does not matter, which the two forms of a schedule have
 * different. */
static void note_under_way(struct goal_order *order, uint32_t index)
{
    const struct goal_edge *edges = order->graph->edges;
    uint32_t sends = order->graph->ops[index].kind == GOAL_SEND;
    struct heap_entry entry = {.key = INT64_MAX, .order = sends << 31 | (uint32_t)order->n_begun, .item = index};
    for (uint32_t i = order->first[index]; i < order->first[index + 1]; i++) {
        const struct goal_edge *edge = &edges[order->further[i]];
        if (!edge->start && edge->after < entry.key)
            entry.key = edge->after;
    }
    heap_push(&order->under_way, entry);
}

static int begin_op(struct goal_order *order, uint32_t index, struct sim_error *error)
{
    order->missing[index] = GOAL_BEGUN;
    order->n_begun++;
    int status = give(order, index, false, error);
    satisfy(order, index, true);
    if (order->graph->ops[index].kind != GOAL_CALC)
        note_under_way(order, index);
    return status;
}

static int wait_for(struct goal_order *order, uint32_t index, struct sim_error *error)
{
    order->missing[index] = GOAL_ENDED;
    int status = give(order, index, true, error);
    satisfy(order, index, false);
    return status;
}

/* --- cycles --- */

static bool has_begun(const struct goal_order *order, uint32_t index)
{
    return order->missing[index] >= GOAL_ENDED;
}

/* Something waits for itself: what has not begun waits for something else that has not, and so on round a circle. */
static int fail_cycle(const struct goal_order *order, struct sim_error *error)
{
    const struct goal_graph *graph = order->graph;
    uint32_t at = 0;
    uint32_t *before = xmalloc((graph->n_ops + 1) * sizeof *before);
    for (size_t i = 0; i < graph->n_edges; i++) {
        const struct goal_edge *edge = &graph->edges[i];
        if (!has_begun(order, edge->before) && !has_begun(order, edge->after))
            before[edge->after] = edge->before;
    }
    while (has_begun(order, at))
        at++;
    for (size_t i = 0; i < graph->n_ops; i++)
        at = before[at];
    int64_t position = graph->ops[at].position, other = graph->ops[before[at]].position;
    free(before);
    if (position == other)
        return goal_fail(error, graph, position, "requires itself");
    return goal_fail(error, graph, position, "requires itself, by way of the operation %s %" PRId64,
                     graph->is_text ? "on line" : "with number", other);
}

/* --- the whole --- */

/* Edges by what comes before, in their order. */
static void index_edges(struct goal_order *order)
{
    const struct goal_graph *graph = order->graph;
    order->first = xcalloc(graph->n_ops + 2, sizeof *order->first);
    order->further = xmalloc((graph->n_edges + 1) * sizeof *order->further);
    order->missing = xcalloc(graph->n_ops + 1, sizeof *order->missing);
    for (size_t i = 0; i < graph->n_edges; i++) {
        order->first[graph->edges[i].before + 2]++;
        order->missing[graph->edges[i].after]++;
    }
    for (size_t i = 2; i < graph->n_ops + 2; i++)
        order->first[i] += order->first[i - 1];
    for (size_t i = 0; i < graph->n_edges; i++)
        order->further[order->first[graph->edges[i].before + 1]++] = (uint32_t)i;
}

static void begin(struct goal_order *order)
{
    const struct goal_graph *graph = order->graph;
    index_edges(order);
    for (uint32_t i = 0; i < graph->n_ops; i++)
        if (order->missing[i] == 0)
            make_ready(order, i);
}

static void dispose(struct goal_order *order)
{
    heap_dispose(&order->ready);
    heap_dispose(&order->under_way);
    free(order->first);
    free(order->further);
    free(order->missing);
}

/* Begin one that is ready, or else wait for one: 1, or 0 if there is neither, or -1. */
static int advance(struct goal_order *order, struct sim_error *error)
{
    if (order->ready.count > 0) {
        uint32_t index = heap_pop(&order->ready).item;
        int status = begin_op(order, index, error);
        if (order->graph->ops[index].kind == GOAL_CALC)
            satisfy(order, index, false);
        return status == 0 ? 1 : -1;
    }
    bool is_needed = heap_first_key(&order->under_way) < INT64_MAX;
    if (order->under_way.count == 0 || (!is_needed && order->n_begun < order->graph->n_ops))
        return 0;
    uint32_t index = heap_pop(&order->under_way).item;
    if (order->missing[index] == GOAL_ENDED) /* it has been waited for */
        return 1;
    return wait_for(order, index, error) == 0 ? 1 : -1;
}

int goal_order(const struct goal_graph *graph, goal_take *take, void *self, struct sim_error *error)
{
    struct goal_order order = {.graph = graph, .take = take, .self = self};
    int status = 1;
    begin(&order);
    while (status == 1)
        status = advance(&order, error);
    if (status == 0)
        status = flush(&order, error);
    if (status == 0 && order.n_begun < graph->n_ops)
        status = fail_cycle(&order, error);
    dispose(&order);
    return status;
}
