/* The routes of a graph: between any two hosts the only one, or the only shortest one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/graph/graph.h"

#include "base/memory.h"
#include "base/sort.h"
#include "sim/graph/internal.h"
#include "sim/machine/routes.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most entries of the table of routes, and the most edges that finding them may follow; what is more is refused. */
static const int64_t most_entries = INT64_C(1) << 24, most_steps = INT64_C(1) << 28;

struct source {
    struct graph graph;
    int n_hosts;
    int *hosts; /* the node of each */
    const struct wire *wires;
    int *last;  /* [host * n_nodes + node]: the last edge of the route from there to here; -1: none */
    int *trail; /* room for the edges of a route */
    char *why;  /* what is wrong with the routes, while they are found */
    size_t why_size;
};

/* Say what is wrong between two nodes. */
static bool complain(struct source *source, const char *what, int from, int to)
{
    snprintf(source->why, source->why_size, "from '%s' to '%s' %s", source->graph.nodes[from].name,
             source->graph.nodes[to].name, what);
    return false;
}

/* ---- Numbers of hosts and wires ---- */

static void number_hosts(struct source *source, struct route_ends *ends)
{
    const struct graph *graph = &source->graph;
    const char **names = xcalloc(graph->n_nodes, sizeof *names);
    int *nodes = xcalloc(graph->n_nodes, sizeof *nodes), *order = xcalloc(graph->n_nodes, sizeof *order);
    for (size_t i = 0; i < graph->n_nodes; i++)
        if (graph->nodes[i].speed_flopps > 0) {
            names[source->n_hosts] = graph->nodes[i].name;
            nodes[source->n_hosts++] = (int)i;
        }
    graph_order_hosts(order, names, source->n_hosts);
    source->hosts = xcalloc(graph->n_nodes, sizeof *source->hosts);
    ends->n_hosts = source->n_hosts;
    ends->hosts = xcalloc(graph->n_nodes, sizeof *ends->hosts);
    for (int i = 0; i < source->n_hosts; i++) {
        const struct graph_node *node = &graph->nodes[nodes[order[i]]];
        source->hosts[i] = nodes[order[i]];
        ends->hosts[i] = (struct listed_host){.name = node->name, .speed_flopps = node->speed_flopps};
    }
    free(order);
    free(nodes);
    free(names);
}

/* In the order of their names, as SimGrid has them. */
static void number_wires(struct source *source, struct route_ends *ends)
{
    struct graph_link *links = source->graph.links;
    struct graph_name *names = xcalloc(source->graph.n_links + 1, sizeof *names);
    ends->links = xcalloc(source->graph.n_links + 1, sizeof *ends->links);
    ends->wires = xcalloc(source->graph.n_links + 1, sizeof *ends->wires);
    for (size_t i = 0; i < source->graph.n_links; i++)
        if (links[i].number >= 0)
            names[ends->n_links++] = (struct graph_name){links[i].name, (int)i};
    sort_stable(names, (size_t)ends->n_links, sizeof *names, graph_compare_names);
    for (int number = 0; number < ends->n_links; number++) {
        struct graph_link *link = &links[names[number].place];
        link->number = number;
        ends->links[number] = (struct listed_link){link->name, link->bandwidth_Bps, link->latency_s};
        ends->wires[number] = wire_of(link->bandwidth_Bps, link->latency_s);
    }
    source->wires = ends->wires;
    free(names);
}

/* ---- The table of routes ---- */

static int by_ends(const void *left, const void *right)
{
    const struct graph_edge *a = left, *b = right;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (a->to > b->to) - (a->to < b->to);
}

/* False if there are two edges between the same nodes. */
static bool sort_edges(struct source *source)
{
    struct graph *graph = &source->graph;
    if (graph->n_edges > 0)
        sort_stable(graph->edges, graph->n_edges, sizeof *graph->edges, by_ends);
    for (size_t i = 1; i < graph->n_edges; i++)
        if (by_ends(&graph->edges[i - 1], &graph->edges[i]) == 0)
            return complain(source, "there are two", graph->edges[i].from, graph->edges[i].to);
    return true;
}

/* A search from one host over all edges, which are one link each. */
struct search {
    int *first;  /* edge of each node, and one more */
    int *to;     /* of each edge */
    int *length; /* of the shortest route to each node; FAR: none yet */
    int *queue;  /* nodes in the order in which they are reached */
    bool *alone; /* whether the shortest route to each node is the only one */
};

enum { FAR = INT_MAX };

static void search_open(struct search *search, const struct graph *graph)
{
    search->first = xcalloc(graph->n_nodes + 1, sizeof *search->first);
    search->length = xcalloc(graph->n_nodes, sizeof *search->length);
    search->queue = xcalloc(graph->n_nodes, sizeof *search->queue);
    search->alone = xcalloc(graph->n_nodes, sizeof *search->alone);
    search->to = xcalloc(graph->n_edges + 1, sizeof *search->to);
    for (size_t e = 0; e < graph->n_edges; e++) {
        search->first[graph->edges[e].from + 1]++;
        search->to[e] = graph->edges[e].to;
    }
    for (size_t i = 0; i < graph->n_nodes; i++)
        search->first[i + 1] += search->first[i];
}

static void search_close(struct search *search)
{
    free(search->first);
    free(search->length);
    free(search->queue);
    free(search->alone);
    free(search->to);
}

enum { NO_EDGE = -1, SEVERAL = -2 };

/* The last edge of the shortest route from a node to each. When a node is taken from the queue, all that are nearer
 * have been: so its last edge is known, and whether the way to where that begins is the only one. */
static void search_from(struct search *search, const struct graph *graph, int from, int *last)
{
    int n_reached = 1;
    for (size_t i = 0; i < graph->n_nodes; i++) {
        search->length[i] = FAR;
        last[i] = NO_EDGE;
    }
    search->length[from] = 0;
    search->queue[0] = from;
    for (int i = 0; i < n_reached; i++) {
        int node = search->queue[i], further = search->length[node] + 1;
        search->alone[node] = node == from || (last[node] >= 0 && search->alone[graph->edges[last[node]].from]);
        for (int e = search->first[node]; e < search->first[node + 1]; e++) {
            int to = search->to[e];
            if (search->length[to] == FAR) {
                search->length[to] = further;
                search->queue[n_reached++] = to;
                last[to] = e;
            } else if (search->length[to] == further)
                last[to] = SEVERAL;
        }
    }
}

/* True if there is one shortest way between any two hosts. */
static bool search_all(struct source *source)
{
    const struct graph *graph = &source->graph;
    struct search search;
    bool fine = true;
    search_open(&search, graph);
    for (int h = 0; fine && h < source->n_hosts; h++) {
        search_from(&search, graph, source->hosts[h], source->last + (size_t)h * graph->n_nodes);
        for (int to = 0; fine && to < source->n_hosts; to++) {
            int node = source->hosts[to];
            bool is_far = search.length[node] == FAR;
            fine = (!is_far && search.alone[node]) ||
                   complain(source, is_far ? "there is no way" : "there are several shortest ways", source->hosts[h],
                            node);
        }
    }
    search_close(&search);
    return fine;
}

/* Each route is an edge. */
static bool take_edges(struct source *source)
{
    const struct graph *graph = &source->graph;
    int *host = xcalloc(graph->n_nodes, sizeof *host), n = source->n_hosts;
    bool fine = true;
    for (size_t i = 0; i < graph->n_nodes; i++)
        host[i] = -1;
    for (int h = 0; h < n; h++)
        host[source->hosts[h]] = h;
    memset(source->last, 0xff, (size_t)n * graph->n_nodes * sizeof *source->last);
    for (size_t e = 0; e < graph->n_edges; e++) {
        int from = host[graph->edges[e].from], to = graph->edges[e].to;
        if (from < 0 || host[to] < 0)
            continue;
        source->last[(size_t)from * graph->n_nodes + (size_t)to] = (int)e;
    }
    free(host);
    for (int from = 0; fine && from < n; from++)
        for (int to = 0; fine && to < n; to++)
            fine = from == to || source->last[(size_t)from * graph->n_nodes + (size_t)source->hosts[to]] >= 0 ||
                   complain(source, "there is no route", source->hosts[from], source->hosts[to]);
    return fine;
}

static bool fill_table(struct source *source)
{
    size_t n_nodes = source->graph.n_nodes, n_entries = (size_t)source->n_hosts * n_nodes;
    bool is_small =
        (int64_t)n_entries <= most_entries && (int64_t)source->graph.n_edges * source->n_hosts <= most_steps;
    if (source->n_hosts == 0 || !is_small)
        snprintf(source->why, source->why_size,
                 is_small ? "there are no hosts" : "there are more hosts and routes than can be searched");
    if (source->n_hosts == 0 || !is_small || !sort_edges(source))
        return false;
    source->trail = xcalloc(n_nodes, sizeof *source->trail);
    source->last = xmalloc(n_entries * sizeof *source->last);
    return source->graph.searches ? search_all(source) : take_edges(source);
}

/* ---- The source ---- */

static void add_links(struct route *route, const struct source *source, const struct graph_edge *edge)
{
    const struct graph *graph = &source->graph;
    for (int i = 0; i < edge->n_links; i++) {
        const struct graph_link *link = &graph->links[graph->hops[edge->first + i]];
        const struct wire pipe = wire_of(link->bandwidth_Bps, link->latency_s);
        if (link->number >= 0)
            route_add(route, link->number, &source->wires[link->number]);
        else
            route_add_pipe(route, &pipe);
    }
}

/* From a host to itself: its own edge, or what SimGrid has for a host without. */
static struct route *find_loop(const struct source *source, int host)
{
    static const struct wire loopback = {.latency_ps = 0, .byte_ps = 1e12 / 10e9};
    const struct graph *graph = &source->graph;
    const struct graph_edge key = {.from = source->hosts[host], .to = source->hosts[host]};
    const struct graph_edge *edge =
        graph->n_edges > 0 ? bsearch(&key, graph->edges, graph->n_edges, sizeof key, by_ends) : NULL;
    struct route *route = route_new(host, host, edge != NULL ? (size_t)edge->n_links : 0);
    if (edge != NULL)
        add_links(route, source, edge);
    else
        route_add_pipe(route, &loopback);
    return route;
}

static struct route *find_route(void *data, int from, int to)
{
    struct source *source = data;
    const struct graph *graph = &source->graph;
    if (from == to)
        return find_loop(source, from);
    const int *last = source->last + (size_t)from * graph->n_nodes;
    size_t n_links = 0;
    int n_edges = 0;
    for (int node = source->hosts[to]; node != source->hosts[from]; node = graph->edges[last[node]].from) {
        source->trail[n_edges++] = last[node];
        n_links += (size_t)graph->edges[last[node]].n_links;
    }
    struct route *route = route_new(from, to, n_links);
    while (n_edges > 0)
        add_links(route, source, &graph->edges[source->trail[--n_edges]]);
    return route;
}

static void close_graph(void *data)
{
    struct source *source = data;
    graph_dispose(&source->graph);
    free(source->hosts);
    free(source->last);
    free(source->trail);
    free(source);
}

static const struct route_source graph_source = {.find = find_route, .close = close_graph};

struct route_table *graph_routes(struct graph *graph, char *why, size_t why_size)
{
    struct source *source = xcalloc(1, sizeof *source);
    struct route_ends ends = {.n_hosts = 0};
    source->graph = *graph;
    source->why = why;
    source->why_size = why_size;
    number_hosts(source, &ends);
    number_wires(source, &ends);
    if (fill_table(source))
        return machine_routes_new(&graph_source, source, &ends);
    free(ends.hosts);
    free(ends.links);
    free(ends.wires);
    close_graph(source);
    return NULL;
}

const struct graph *graph_of(const struct route_table *routes)
{
    const struct source *source = machine_routes_source(routes, &graph_source);
    return source != NULL ? &source->graph : NULL;
}
