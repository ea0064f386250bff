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
