/* Ways between all hosts of a graph: are there any?
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/graph/graph.h"

#include "base/memory.h"

#include <stdlib.h>

/* Edges by where they begin, or where they end. */
struct ways {
    int *first; /* place of each node's, and one more */
    int *next;  /* the node at the other end */
};

static int begin_of(const struct graph_edge *edge, bool backwards)
{
    return backwards ? edge->to : edge->from;
}

static void ways_open(struct ways *ways, const struct graph *graph, bool backwards)
{
    ways->first = xcalloc(graph->n_nodes + 2, sizeof *ways->first);
    ways->next = xcalloc(graph->n_edges + 1, sizeof *ways->next);
    int *first = ways->first + 1; /* where the next edge of each goes */
    for (size_t e = 0; e < graph->n_edges; e++)
        first[begin_of(&graph->edges[e], backwards) + 1]++;
    for (size_t i = 0; i < graph->n_nodes; i++)
        first[i + 1] += first[i];
    for (size_t e = 0; e < graph->n_edges; e++)
        ways->next[first[begin_of(&graph->edges[e], backwards)]++] = begin_of(&graph->edges[e], !backwards);
}

/* True if ways lead from a node to all hosts; or backwards, from all hosts to it. */
static bool reaches_hosts(const struct graph *graph, int from, bool backwards)
{
    struct ways ways;
    bool *reached = xcalloc(graph->n_nodes, sizeof *reached), all = true;
    int *queue = xcalloc(graph->n_nodes, sizeof *queue), n = 1;
    ways_open(&ways, graph, backwards);
    queue[0] = from;
    reached[from] = true;
    for (int i = 0; i < n; i++)
        for (int w = ways.first[queue[i]]; w < ways.first[queue[i] + 1]; w++)
            if (!reached[ways.next[w]]) {
                reached[ways.next[w]] = true;
                queue[n++] = ways.next[w];
            }
    for (size_t i = 0; i < graph->n_nodes; i++)
        all &= reached[i] || graph->nodes[i].speed_flopps <= 0;
    free(ways.first);
    free(ways.next);
    free(reached);
    free(queue);
    return all;
}

bool graph_is_connected(const struct graph *graph)
{
    size_t host = 0;
    while (host < graph->n_nodes && graph->nodes[host].speed_flopps <= 0)
        host++;
    return host == graph->n_nodes || (reaches_hosts(graph, (int)host, false) && reaches_hosts(graph, (int)host, true));
}
