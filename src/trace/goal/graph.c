/* Operations and dependencies in arrays that grow.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/graph.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void goal_graph_begin(struct goal_graph *graph, int rank)
{
    graph->rank = rank;
    graph->n_ops = graph->n_edges = 0;
}

void goal_graph_dispose(struct goal_graph *graph)
{
    free(graph->ops);
    free(graph->edges);
}

void goal_graph_add_op(struct goal_graph *graph, const struct goal_op *op)
{
    graph->ops = xgrow(graph->ops, graph->n_ops, &graph->ops_capacity, sizeof *graph->ops);
    graph->ops[graph->n_ops++] = *op;
}

void goal_graph_add_edge(struct goal_graph *graph, struct goal_edge edge)
{
    graph->edges = xgrow(graph->edges, graph->n_edges, &graph->edges_capacity, sizeof *graph->edges);
    graph->edges[graph->n_edges++] = edge;
}

static bool has_cpus(const struct goal_graph *graph)
{
    for (size_t i = 0; i < graph->n_ops; i++)
        if (graph->ops[i].cpu != 0)
            return true;
    return false;
}

bool goal_graph_is_chain(const struct goal_graph *graph)
{
    /* The operation that requires an operation's end, and how many edges lead from it. A chain has n - 1 edges. */
    uint32_t *next = xcalloc(graph->n_ops + 1, sizeof *next), first = UINT32_MAX;
    bool *has_before = xcalloc(graph->n_ops + 1, sizeof *has_before);
    bool is_chain = (graph->n_edges + 1 == graph->n_ops || graph->n_ops == 0) && !has_cpus(graph);
    for (size_t i = 0; is_chain && i < graph->n_edges; i++) {
        const struct goal_edge *edge = &graph->edges[i];
        is_chain = !edge->start && next[edge->before] == 0 && !has_before[edge->after];
        next[edge->before] = edge->after + 1;
        has_before[edge->after] = true;
    }
    for (uint32_t i = 0; is_chain && i < graph->n_ops && first == UINT32_MAX; i++)
        if (!has_before[i])
            first = i;
    size_t length = 0;
    for (uint32_t at = first; is_chain && at != UINT32_MAX && length <= graph->n_ops; at = next[at] - 1)
        length++;
    free(next);
    free(has_before);
    return is_chain && length == graph->n_ops;
}

int goal_fail(struct sim_error *error, const struct goal_graph *graph, int64_t position, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (graph->is_text || position == 0)
        return sim_error_set(error, SIM_BAD_INPUT, graph->file, (long)position, "%s", text);
    return sim_error_set(error, SIM_BAD_INPUT, graph->file, 0, "operation %" PRId64 " of rank %d: %s", position,
                         graph->rank, text);
}
