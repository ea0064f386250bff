/* Puts a graph together; its names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/graph/graph.h"

#include "base/memory.h"
#include "base/sort.h"
#include "sim/graph/internal.h"

#include <stdlib.h>
#include <string.h>

void graph_add_node(struct graph *graph, const char *name, double speed_flopps)
{
    graph->nodes = xgrow(graph->nodes, graph->n_nodes, &graph->node_capacity, sizeof *graph->nodes);
    graph->nodes[graph->n_nodes++] = (struct graph_node){xstrdup(name), speed_flopps};
}

void graph_add_link(struct graph *graph, const struct graph_link *link)
{
    graph->links = xgrow(graph->links, graph->n_links, &graph->link_capacity, sizeof *graph->links);
    graph->links[graph->n_links] = *link;
    graph->links[graph->n_links++].name = xstrdup(link->name);
}

void graph_add_edge(struct graph *graph, int from, int to)
{
    graph->edges = xgrow(graph->edges, graph->n_edges, &graph->edge_capacity, sizeof *graph->edges);
    graph->edges[graph->n_edges++] = (struct graph_edge){from, to, (int)graph->n_hops, 0};
}

void graph_add_hop(struct graph *graph, int link)
{
    graph->hops = xgrow(graph->hops, graph->n_hops, &graph->hop_capacity, sizeof *graph->hops);
    graph->hops[graph->n_hops++] = link;
    graph->edges[graph->n_edges - 1].n_links++;
}

void graph_dispose(struct graph *graph)
{
    for (size_t i = 0; i < graph->n_nodes; i++)
        free(graph->nodes[i].name);
    for (size_t i = 0; i < graph->n_links; i++)
        free(graph->links[i].name);
    free(graph->nodes);
    free(graph->links);
    free(graph->edges);
    free(graph->hops);
    *graph = (struct graph){.searches = false};
}

/* ---- Names ---- */

/* The names in order: of nodes, and of the zone itself, which is of their kind; and of links. */
struct graph_names {
    struct graph_name *nodes, *links;
    size_t n_nodes, n_links;
};

int graph_compare_names(const void *left, const void *right)
{
    const struct graph_name *a = left, *b = right;
    return strcmp(a->text, b->text);
}

/* False if a name is there twice. */
static bool sort_names(struct graph_name *names, size_t n)
{
    sort_stable(names, n, sizeof *names, graph_compare_names);
    for (size_t i = 1; i < n; i++)
        if (strcmp(names[i - 1].text, names[i].text) == 0)
            return false;
    return true;
}

struct graph_names *graph_names_new(const struct graph *graph, const char *zone)
{
    struct graph_names *names = xcalloc(1, sizeof *names);
    names->nodes = xcalloc(graph->n_nodes + 1, sizeof *names->nodes);
    names->links = xcalloc(graph->n_links + 1, sizeof *names->links);
    for (; names->n_nodes < graph->n_nodes; names->n_nodes++)
        names->nodes[names->n_nodes] = (struct graph_name){graph->nodes[names->n_nodes].name, (int)names->n_nodes};
    if (zone != NULL)
        names->nodes[names->n_nodes++] = (struct graph_name){zone, -1};
    for (; names->n_links < graph->n_links; names->n_links++)
        names->links[names->n_links] = (struct graph_name){graph->links[names->n_links].name, (int)names->n_links};
    if (sort_names(names->nodes, names->n_nodes) && sort_names(names->links, names->n_links))
        return names;
    graph_names_free(names);
    return NULL;
}

void graph_names_free(struct graph_names *names)
{
    if (names == NULL)
        return;
    free(names->nodes);
    free(names->links);
    free(names);
}

static int find_name(const struct graph_name *names, size_t n, const char *text)
{
    const struct graph_name key = {text, 0};
    const struct graph_name *found =
        text != NULL && n > 0 ? bsearch(&key, names, n, sizeof key, graph_compare_names) : NULL;
    return found != NULL ? found->place : -1;
}

int graph_find_node(const struct graph_names *names, const char *name)
{
    return find_name(names->nodes, names->n_nodes, name);
}

int graph_find_link(const struct graph_names *names, const char *name)
{
    return find_name(names->links, names->n_links, name);
}
