/* Puts operations in order: a heap of those that are ready, and one of those under way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/order.h"

#include "base/memory.h"
#include "trace/record/record.h"

#include <inttypes.h>
#include <stdlib.h>

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
    if (order->take == NULL) {
        order->deferred = xgrow(order->deferred, order->n_deferred, &order->deferred_capacity, sizeof *order->deferred);
        order->deferred[order->n_deferred++] = index | (waits ? GOAL_DEFERRED_WAIT : 0);
        return 0;
    }
    if (waits && becomes_blocking(order, index))
        return 0;
    int status = flush(order, error);
    enum record_kind kind = waits ? RECORD_WAIT : kinds[op->kind];
    order->last =
        (struct goal_step){op->amount, op->position, op->peer, op->tag, kind != RECORD_COMPUTE ? index : 0, kind};
    order->has_last = true;
    return status;
}

/* --- what is armed --- */

static void arm(struct goal_order *order, uint32_t index)
{
    struct goal_arm *self = &order->arms[index];
    bool is_armed = self->missing > 0 && self->missing < GOAL_ENDED && self->missing == self->under_way;
    if (is_armed == (self->armed_at != 0))
        return;
    if (is_armed) {
        order->armed = xgrow(order->armed, order->n_armed, &order->armed_capacity, sizeof *order->armed);
        order->armed[order->n_armed++] = index;
        self->armed_at = (uint32_t)order->n_armed;
        return;
    }
    uint32_t moved = order->armed[--order->n_armed];
    order->armed[self->armed_at - 1] = moved;
    order->arms[moved].armed_at = self->armed_at;
    self->armed_at = 0;
}

/* A send or receive is under way, or no longer: so many more operations that its dependents wait for are. */
static void count_under_way(struct goal_order *order, uint32_t index, uint32_t more)
{
    uint64_t hash = (index + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 31;
    for (uint32_t i = order->first[index]; i < order->first[index + 1]; i++) {
        const struct goal_edge *edge = &order->graph->edges[order->further[i]];
        if (edge->start)
            continue;
        order->arms[edge->after].under_way += more;
        order->arms[edge->after].whom += more == 1 ? hash : -hash;
        arm(order, edge->after);
    }
}

/* True if it matters what is waited for first: two operations wait for different ones under way. */
static bool is_choice(const struct goal_order *order)
{
    for (size_t i = 1; i < order->n_armed; i++)
        if (order->arms[order->armed[i]].whom != order->arms[order->armed[0]].whom)
            return true;
    return false;
}

/* True if an armed operation waits for this one, which is under way. */
static bool has_armed(const struct goal_order *order, uint32_t index)
{
    for (uint32_t i = order->first[index]; i < order->first[index + 1]; i++) {
        const struct goal_edge *edge = &order->graph->edges[order->further[i]];
        if (!edge->start && order->arms[edge->after].armed_at != 0)
            return true;
    }
    return false;
}

/* --- dependencies --- */

static void make_ready(struct goal_order *order, uint32_t index)
{
    uint8_t kind = order->graph->ops[index].kind;
    heap_push(&order->ready,
              (struct heap_entry){.key = kind == GOAL_RECV ? -1 : order->batch, .order = kind, .item = index});
}

void goal_order_satisfy(struct goal_order *order, uint32_t index, bool start)
{
    const struct goal_edge *edges = order->graph->edges;
    order->batch++;
    for (uint32_t i = order->first[index]; i < order->first[index + 1]; i++) {
        const struct goal_edge *edge = &edges[order->further[i]];
        if (edge->start != start)
            continue;
        if (--order->arms[edge->after].missing == 0)
            make_ready(order, edge->after);
        arm(order, edge->after);
    }
}

/* A send or receive is under way. Those that nothing waits for come last. Of several for one operation, receives come
 * first, in the order in which they were begun, as where a program waits for all: taking a message in takes a
 * processor's time. The order of dependencies does not matter, which the two forms of a schedule have different. */
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
    count_under_way(order, index, 1);
}

int goal_order_begin(struct goal_order *order, uint32_t index, struct sim_error *error)
{
    order->arms[index].missing = GOAL_BEGUN;
    order->n_begun++;
    order->waits = false;
    int status = give(order, index, false, error);
    goal_order_satisfy(order, index, true);
    if (order->graph->ops[index].kind != GOAL_CALC)
        note_under_way(order, index);
    return status;
}

int goal_order_wait(struct goal_order *order, uint32_t index, struct sim_error *error)
{
    order->waits = true;
    order->arms[index].missing = GOAL_ENDED;
    int status = give(order, index, true, error);
    count_under_way(order, index, UINT32_MAX);
    goal_order_satisfy(order, index, false);
    return status;
}

/* --- cycles --- */

static bool has_begun(const struct goal_order *order, uint32_t index)
{
    return order->arms[index].missing >= GOAL_ENDED;
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
    order->arms = xcalloc(graph->n_ops + 1, sizeof *order->arms);
    for (size_t i = 0; i < graph->n_edges; i++) {
        order->first[graph->edges[i].before + 2]++;
        order->arms[graph->edges[i].after].missing++;
    }
    for (size_t i = 2; i < graph->n_ops + 2; i++)
        order->first[i] += order->first[i - 1];
    for (size_t i = 0; i < graph->n_edges; i++)
        order->further[order->first[graph->edges[i].before + 1]++] = (uint32_t)i;
}

void goal_order_init(struct goal_order *order, const struct goal_graph *graph, goal_take *take, void *self)
{
    *order = (struct goal_order){.graph = graph, .take = take, .self = self};
    index_edges(order);
    for (uint32_t i = 0; i < graph->n_ops; i++)
        if (order->arms[i].missing == 0)
            make_ready(order, i);
}

void goal_order_dispose(struct goal_order *order)
{
    heap_dispose(&order->ready);
    heap_dispose(&order->under_way);
    free(order->first);
    free(order->further);
    free(order->arms);
    free(order->armed);
    free(order->deferred);
}

bool goal_order_is_required(const struct goal_order *order, uint32_t index)
{
    uint32_t i = order->first[index];
    while (i < order->first[index + 1] && order->graph->edges[order->further[i]].start)
        i++;
    return i < order->first[index + 1];
}

/* Begin one that is ready, or else wait for one: 1, or 0 if there is neither, or -1. */
static int advance(struct goal_order *order, struct sim_error *error)
{
    if (order->ready.count > 0) {
        uint32_t index = heap_pop(&order->ready).item;
        int status = goal_order_begin(order, index, error);
        if (order->graph->ops[index].kind == GOAL_CALC)
            goal_order_satisfy(order, index, false);
        return status == 0 ? 1 : -1;
    }
    bool is_needed = heap_first_key(&order->under_way) < INT64_MAX;
    if (order->under_way.count == 0 || (!is_needed && order->n_begun < order->graph->n_ops))
        return 0;
    uint32_t index = heap_pop(&order->under_way).item;
    if (order->arms[index].missing == GOAL_ENDED) /* it has been waited for */
        return 1;
    bool chooses = is_needed && (!has_armed(order, index) || (!order->waits && is_choice(order)));
    order->has_choice = order->has_choice || chooses;
    return goal_order_wait(order, index, error) == 0 ? 1 : -1;
}

int goal_order_finish(struct goal_order *order, goal_take *take, void *self, struct sim_error *error)
{
    int status = 0;
    order->take = take;
    order->self = self;
    for (size_t i = 0; status == 0 && i < order->n_deferred; i++)
        status = give(order, order->deferred[i] & ~GOAL_DEFERRED_WAIT, (order->deferred[i] & GOAL_DEFERRED_WAIT) != 0,
                      error);
    for (int more = status == 0; more == 1;)
        more = status = advance(order, error);
    if (status == 0)
        status = flush(order, error);
    if (status == 0 && order->n_begun < order->graph->n_ops)
        status = fail_cycle(order, error);
    return status;
}

int goal_order(const struct goal_graph *graph, bool *has_choice, goal_take *take, void *self, struct sim_error *error)
{
    struct goal_order order;
    goal_order_init(&order, graph, take, self);
    int status = goal_order_finish(&order, take, self, error);
    *has_choice = *has_choice || order.has_choice;
    goal_order_dispose(&order);
    return status;
}
