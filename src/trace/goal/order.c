/* Puts operations in order: a heap of those that are ready, and one of those under way that something waits for. */
#include "trace/goal/order.h"

#include "base/heap.h"
#include "base/memory.h"
#include "trace/record/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct order {
    const struct goal_graph *graph;
    uint32_t *first;   /* of each operation, and one more: where its dependents begin in */
    uint32_t *further; /* indices of edges */
    uint32_t *missing; /* of each operation: what has to come before it; BEGUN */
    struct heap ready, under_way;
    size_t n_begun;
    int64_t batch; /* what becomes ready together */
    goal_take *take;
    void *self;
    struct goal_step last; /* not given on yet */
    bool has_last;
};

#define BEGUN UINT32_MAX

/* --- steps --- */

static int flush(struct order *order, struct sim_error *error)
{
    if (!order->has_last)
        return 0;
    order->has_last = false;
    return order->take(order->self, &order->last, error);
}

/* A message that is waited for as soon as it is begun is a blocking one. */
static int give(struct order *order, enum record_kind kind, uint32_t index, struct sim_error *error)
{
    const struct goal_op *op = &order->graph->ops[index];
    struct goal_step *last = &order->last;
    if (kind == RECORD_WAIT && order->has_last && last->request == index &&
        (last->kind == RECORD_ISEND || last->kind == RECORD_IRECV)) {
        last->kind = last->kind == RECORD_ISEND ? RECORD_SEND : RECORD_RECV;
        last->request = 0;
        return 0;
    }
    int status = flush(order, error);
    *last = (struct goal_step){op->amount, op->place, op->peer, op->tag, kind != RECORD_COMPUTE ? index : 0, kind};
    order->has_last = true;
    return status;
}

/* --- dependencies --- */

static void make_ready(struct order *order, uint32_t index)
{
    uint8_t kind = order->graph->ops[index].kind;
    heap_push(&order->ready,
              (struct heap_entry){.key = kind == GOAL_RECV ? -1 : order->batch, .order = kind, .item = index});
}

/* The operation has begun, or ended. */
static void satisfy(struct order *order, uint32_t index, bool start)
{
    const struct goal_edge *edges = order->graph->edges;
    order->batch++;
    for (uint32_t i = order->first[index]; i < order->first[index + 1]; i++) {
        const struct goal_edge *edge = &edges[order->further[i]];
        if (edge->start == start && --order->missing[edge->after] == 0)
            make_ready(order, edge->after);
    }
}

/* A send or receive is under way. Those that nothing waits for come last, in the order in which they were begun. */
static void note_under_way(struct order *order, uint32_t index)
{
    const struct goal_edge *edges = order->graph->edges;
    struct heap_entry entry = {.key = INT64_MAX, .order = (uint32_t)order->n_begun, .item = index};
    for (uint32_t i = order->first[index]; i < order->first[index + 1]; i++) {
        const struct goal_edge *edge = &edges[order->further[i]];
        if (edge->start || edge->after >= entry.key)
            continue;
        entry.key = edge->after;
        entry.order = order->further[i];
    }
    heap_push(&order->under_way, entry);
}

static int begin(struct order *order, uint32_t index, struct sim_error *error)
{
    static const enum record_kind kinds[] = {
        [GOAL_SEND] = RECORD_ISEND, [GOAL_RECV] = RECORD_IRECV, [GOAL_CALC] = RECORD_COMPUTE};
    uint8_t kind = order->graph->ops[index].kind;
    order->missing[index] = BEGUN;
    order->n_begun++;
    int status = give(order, kinds[kind], index, error);
    satisfy(order, index, true);
    if (kind == GOAL_CALC)
        satisfy(order, index, false);
    else
        note_under_way(order, index);
    return status;
}

/* --- cycles --- */

/* Something waits for itself: what has not begun waits for something else that has not, and so on round a circle. */
static int fail_cycle(const struct order *order, struct sim_error *error)
{
    const struct goal_graph *graph = order->graph;
    uint32_t at = 0;
    uint32_t *before = xmalloc((graph->n_ops + 1) * sizeof *before);
    for (size_t i = 0; i < graph->n_edges; i++) {
        const struct goal_edge *edge = &graph->edges[i];
        if (order->missing[edge->before] != BEGUN && order->missing[edge->after] != BEGUN)
            before[edge->after] = edge->before;
    }
    while (order->missing[at] == BEGUN)
        at++;
    for (size_t i = 0; i < graph->n_ops; i++)
        at = before[at];
    int64_t place = graph->ops[at].place, other = graph->ops[before[at]].place;
    free(before);
    if (place == other)
        return goal_fail(error, graph, place, "requires itself");
    return goal_fail(error, graph, place, "requires itself, by way of the operation %s %" PRId64,
                     graph->is_text ? "in line" : "with number", other);
}

/* --- the whole --- */

/* Edges by what comes before, in their order. */
static void index_edges(struct order *order)
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

/* Begin one that is ready, or else wait for one: 1, or 0 if there is neither, or -1. */
static int advance(struct order *order, struct sim_error *error)
{
    if (order->ready.count > 0)
        return begin(order, heap_pop(&order->ready).item, error) == 0 ? 1 : -1;
    bool waits = heap_first_key(&order->under_way) < INT64_MAX;
    if (order->under_way.count == 0 || (!waits && order->n_begun < order->graph->n_ops))
        return 0;
    uint32_t index = heap_pop(&order->under_way).item;
    int status = give(order, RECORD_WAIT, index, error);
    satisfy(order, index, false);
    return status == 0 ? 1 : -1;
}

int goal_order(const struct goal_graph *graph, goal_take *take, void *self, struct sim_error *error)
{
    struct order order = {.graph = graph, .take = take, .self = self};
    int status = 1;
    index_edges(&order);
    for (uint32_t i = 0; i < graph->n_ops; i++)
        if (order.missing[i] == 0)
            make_ready(&order, i);
    while (status == 1)
        status = advance(&order, error);
    if (status == 0)
        status = flush(&order, error);
    if (status == 0 && order.n_begun < graph->n_ops)
        status = fail_cycle(&order, error);
    heap_dispose(&order.ready);
    heap_dispose(&order.under_way);
    free(order.first);
    free(order.further);
    free(order.missing);
    return status;
}
