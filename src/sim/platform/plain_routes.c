/* The routes of a plain platform: between any two hosts the only one, or the only shortest one. */
#include "sim/platform/internal.h"

#include "base/memory.h"
#include "sim/platform/plain_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What is more is left to SimGrid: entries of the table of routes, and edges that finding them may follow. */
static const int64_t most_entries = INT64_C(1) << 24, most_steps = INT64_C(1) << 28;

struct source {
    struct plain plain;
    int n_hosts;
    int *hosts; /* the node of each */
    const struct wire *wires;
    int *last;  /* [host * n_nodes + node]: the last edge of the route from there to here; -1: none */
    int *trail; /* room for the edges of a route */
};

/* ---- Numbers of hosts and wires ---- */

static void number_hosts(struct source *source, struct route_ends *ends)
{
    const struct plain *plain = &source->plain;
    const char **names = xcalloc(plain->n_nodes, sizeof *names);
    int *nodes = xcalloc(plain->n_nodes, sizeof *nodes), *order = xcalloc(plain->n_nodes, sizeof *order);
    for (size_t i = 0; i < plain->n_nodes; i++)
        if (plain->nodes[i].speed_flopps > 0) {
            names[source->n_hosts] = plain->nodes[i].name;
            nodes[source->n_hosts++] = (int)i;
        }
    machine_order_hosts(order, names, source->n_hosts);
    source->hosts = xcalloc(plain->n_nodes, sizeof *source->hosts);
    ends->n_hosts = source->n_hosts;
    ends->hosts = xcalloc(plain->n_nodes, sizeof *ends->hosts);
    for (int i = 0; i < source->n_hosts; i++) {
        const struct plain_node *node = &plain->nodes[nodes[order[i]]];
        source->hosts[i] = nodes[order[i]];
        ends->hosts[i] = (struct listed_host){node->name, node->speed_flopps};
    }
    free(order);
    free(nodes);
    free(names);
}

static int by_link_name(const void *left, const void *right, void *data)
{
    const struct plain_link *links = data;
    return strcmp(links[*(const int *)left].name, links[*(const int *)right].name);
}

/* In the order of their names, as SimGrid has them. */
static void number_wires(struct source *source, struct route_ends *ends)
{
    struct plain_link *links = source->plain.links;
    int *order = xcalloc(source->plain.n_links + 1, sizeof *order);
    ends->links = xcalloc(source->plain.n_links + 1, sizeof *ends->links);
    ends->wires = xcalloc(source->plain.n_links + 1, sizeof *ends->wires);
    for (size_t i = 0; i < source->plain.n_links; i++)
        if (links[i].number >= 0)
            order[ends->n_links++] = (int)i;
    qsort_r(order, (size_t)ends->n_links, sizeof *order, by_link_name, links);
    for (int number = 0; number < ends->n_links; number++) {
        struct plain_link *link = &links[order[number]];
        link->number = number;
        ends->links[number] = (struct listed_link){link->name, link->bandwidth_Bps, link->latency_s};
        ends->wires[number] = wire_of(link->bandwidth_Bps, link->latency_s);
    }
    source->wires = ends->wires;
    free(order);
}

/* ---- The table of routes ---- */

static int by_ends(const void *left, const void *right)
{
    const struct plain_edge *a = left, *b = right;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (a->to > b->to) - (a->to < b->to);
}

/* False if there are two edges between the same nodes. */
static bool sort_edges(struct plain *plain)
{
    if (plain->n_edges > 0)
        qsort(plain->edges, plain->n_edges, sizeof *plain->edges, by_ends);
    for (size_t i = 1; i < plain->n_edges; i++)
        if (by_ends(&plain->edges[i - 1], &plain->edges[i]) == 0)
            return false;
    return true;
}

/* A search from one host over all edges, which are one link each. */
struct search {
    const struct plain *plain;
    int *first;  /* edge of each node, and one more */
    int *length; /* of the shortest route to each node; FAR: none yet */
    int *queue;  /* nodes in the order in which they are reached */
};

enum { FAR = INT_MAX };

static void search_open(struct search *search, const struct plain *plain)
{
    *search = (struct search){.plain = plain};
    search->first = xcalloc(plain->n_nodes + 1, sizeof *search->first);
    search->length = xcalloc(plain->n_nodes, sizeof *search->length);
    search->queue = xcalloc(plain->n_nodes, sizeof *search->queue);
    for (size_t e = 0; e < plain->n_edges; e++)
        search->first[plain->edges[e].from + 1]++;
    for (size_t i = 0; i < plain->n_nodes; i++)
        search->first[i + 1] += search->first[i];
}

static void search_close(struct search *search)
{
    free(search->first);
    free(search->length);
    free(search->queue);
}

/* The lengths of the shortest routes from a node. */
static void measure(struct search *search, int from)
{
    int n_reached = 1;
    for (size_t i = 0; i < search->plain->n_nodes; i++)
        search->length[i] = FAR;
    search->length[from] = 0;
    search->queue[0] = from;
    for (int i = 0; i < n_reached; i++)
        for (int e = search->first[search->queue[i]]; e < search->first[search->queue[i] + 1]; e++) {
            int to = search->plain->edges[e].to;
            if (search->length[to] != FAR)
                continue;
            search->length[to] = search->length[search->queue[i]] + 1;
            search->queue[n_reached++] = to;
        }
}

enum { NO_EDGE = -1, SEVERAL = -2 };

/* The last edge of the shortest route to each node; what is on no shortest route has no part in it. */
static void find_last_edges(int *last, const struct search *search)
{
    const struct plain *plain = search->plain;
    for (size_t i = 0; i < plain->n_nodes; i++)
        last[i] = NO_EDGE;
    for (size_t e = 0; e < plain->n_edges; e++) {
        const struct plain_edge *edge = &plain->edges[e];
        if (search->length[edge->from] != FAR && search->length[edge->from] + 1 == search->length[edge->to])
            last[edge->to] = last[edge->to] == NO_EDGE ? (int)e : SEVERAL;
    }
}

/* Whether one way alone leads back from the node. */
static bool leads_back(const struct plain *plain, const int *last, int from, int node)
{
    while (node != from && last[node] >= 0)
        node = plain->edges[last[node]].from;
    return node == from;
}

static bool search_all(struct source *source)
{
    const struct plain *plain = &source->plain;
    struct search search;
    bool fine = true;
    search_open(&search, plain);
    for (int h = 0; fine && h < source->n_hosts; h++) {
        int *last = source->last + (size_t)h * plain->n_nodes;
        measure(&search, source->hosts[h]);
        find_last_edges(last, &search);
        for (int to = 0; fine && to < source->n_hosts; to++)
            fine = leads_back(plain, last, source->hosts[h], source->hosts[to]);
    }
    search_close(&search);
    return fine;
}

/* Each route is an edge. */
static bool take_edges(struct source *source)
{
    const struct plain *plain = &source->plain;
    int *host = xcalloc(plain->n_nodes, sizeof *host), n = source->n_hosts;
    int64_t n_routes = 0;
    for (size_t i = 0; i < plain->n_nodes; i++)
        host[i] = -1;
    for (int h = 0; h < n; h++)
        host[source->hosts[h]] = h;
    for (size_t e = 0; e < plain->n_edges; e++) {
        int from = host[plain->edges[e].from], to = plain->edges[e].to;
        if (from < 0 || host[to] < 0)
            continue;
        source->last[(size_t)from * plain->n_nodes + (size_t)to] = (int)e;
        n_routes++;
    }
    free(host);
    return n_routes == (int64_t)n * (n - 1);
}

static bool fill_table(struct source *source)
{
    size_t n_nodes = source->plain.n_nodes;
    if (source->n_hosts == 0 || (int64_t)n_nodes * source->n_hosts > most_entries ||
        (int64_t)source->plain.n_edges * source->n_hosts > most_steps || !sort_edges(&source->plain))
        return false;
    source->trail = xcalloc(n_nodes, sizeof *source->trail);
    source->last = xmalloc((size_t)source->n_hosts * n_nodes * sizeof *source->last);
    return source->plain.searches ? search_all(source) : take_edges(source);
}

/* ---- The source ---- */

static struct route *find_route(void *data, int from, int to)
{
    struct source *source = data;
    const struct plain *plain = &source->plain;
    const int *last = source->last + (size_t)from * plain->n_nodes;
    size_t n_links = 0;
    int n_edges = 0;
    for (int node = source->hosts[to]; node != source->hosts[from]; node = plain->edges[last[node]].from) {
        source->trail[n_edges++] = last[node];
        n_links += (size_t)plain->edges[last[node]].n_links;
    }
    struct route *route = route_new(from, to, n_links);
    while (n_edges > 0) {
        const struct plain_edge *edge = &plain->edges[source->trail[--n_edges]];
        for (int i = 0; i < edge->n_links; i++) {
            int wire = plain->links[plain->hops[edge->first + i]].number;
            if (wire >= 0)
                route_add(route, wire, &source->wires[wire]);
        }
    }
    return route;
}

static void close_plain(void *data)
{
    struct source *source = data;
    plain_dispose(&source->plain);
    free(source->hosts);
    free(source->last);
    free(source->trail);
    free(source);
}

static const struct route_source plain_source = {.find = find_route, .close = close_plain};

struct route_table *plain_routes_new(struct plain *plain)
{
    struct source *source = xcalloc(1, sizeof *source);
    struct route_ends ends = {.n_hosts = 0};
    source->plain = *plain;
    number_hosts(source, &ends);
    number_wires(source, &ends);
    if (fill_table(source))
        return machine_routes_new(&plain_source, source, &ends);
    free(ends.hosts);
    free(ends.links);
    free(ends.wires);
    close_plain(source);
    return NULL;
}

bool machine_routes_are_plain(const struct route_table *routes)
{
    return machine_routes_source(routes, &plain_source) != NULL;
}
