/* The elements of a plain platform, one by one as they stand in the file: what each adds to its graph.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/plain_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 100 };

/* ---- Elements ---- */

static bool is(const struct plain_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

/* The value of an attribute, or NULL. */
static const char *get(const struct plain_element *element, const char *name)
{
    for (int i = 0; i < element->n_attributes; i++)
        if (strcmp(element->attributes[i].name, name) == 0)
            return element->attributes[i].value;
    return NULL;
}

/* True if the element has no attributes but those in a NULL-terminated list. */
static bool has_only(const struct plain_element *element, const char *const *names)
{
    for (int a = 0; a < element->n_attributes; a++) {
        size_t i = 0;
        while (names[i] != NULL && strcmp(names[i], element->attributes[a].name) != 0)
            i++;
        if (names[i] == NULL)
            return false;
    }
    return true;
}

static bool is_name(const char *text)
{
    static const char known[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t length = text != NULL ? strlen(text) : 0;
    return length > 0 && length <= MAX_NAME && strspn(text, known) == length && strncmp(text, "__", 2) != 0;
}

/* ---- Nodes and links ---- */

static bool read_host(struct graph *graph, const struct plain_element *element)
{
    const char *id = get(element, "id"), *speed = get(element, "speed");
    double flopps;
    if (!has_only(element, (const char *const[]){"id", "speed", NULL}) || !is_name(id) || speed == NULL ||
        !graph_value(&flopps, speed, GRAPH_SPEED))
        return false;
    graph_add_node(graph, id, flopps);
    return true;
}

static bool read_router(struct graph *graph, const struct plain_element *element)
{
    const char *id = get(element, "id");
    if (!has_only(element, (const char *const[]){"id", NULL}) || !is_name(id))
        return false;
    graph_add_node(graph, id, 0);
    return true;
}

static bool read_link(struct graph *graph, const struct plain_element *element)
{
    const char *id = get(element, "id"), *bandwidth = get(element, "bandwidth"), *latency = get(element, "latency");
    const char *policy = get(element, "sharing_policy");
    bool is_shared = policy == NULL || strcmp(policy, "SHARED") == 0;
    struct graph_link link = {.name = (char *)(uintptr_t)id, .number = is_shared ? 0 : -1};
    if (!has_only(element, (const char *const[]){"id", "bandwidth", "latency", "sharing_policy", NULL}) ||
        !is_name(id) || bandwidth == NULL || !graph_value(&link.bandwidth_Bps, bandwidth, GRAPH_BANDWIDTH) ||
        latency == NULL || !graph_value(&link.latency_s, latency, GRAPH_LATENCY) ||
        (!is_shared && strcmp(policy, "FATPIPE") != 0))
        return false;
    graph_add_link(graph, &link);
    return true;
}

/* ---- Routes ---- */

/* All that routes name has been read. False if a name is there twice. */
static bool take_names(struct plain *plain)
{
    if (plain->names == NULL)
        plain->names = graph_names_new(&plain->graph, plain->zone);
    return plain->names != NULL;
}

static bool begin_route(struct plain *plain, const struct plain_element *element)
{
    if (!take_names(plain))
        return false;
    const char *symmetrical = get(element, "symmetrical");
    int from = graph_find_node(plain->names, get(element, "src")),
        to = graph_find_node(plain->names, get(element, "dst"));
    plain->is_symmetrical = symmetrical == NULL || strcmp(symmetrical, "YES") == 0;
    if (!has_only(element, (const char *const[]){"src", "dst", "symmetrical", NULL}) || from < 0 || to < 0 ||
        from == to || (!plain->is_symmetrical && strcmp(symmetrical, "NO") != 0))
        return false;
    graph_add_edge(&plain->graph, from, to);
    return true;
}

static bool read_hop(struct plain *plain, const struct plain_element *element)
{
    int link = graph_find_link(plain->names, get(element, "id"));
    if (!is(element, "link_ctn") || !has_only(element, (const char *const[]){"id", NULL}) || link < 0)
        return false;
    graph_add_hop(&plain->graph, link);
    return true;
}

/* The last edge the other way round. */
static void add_reverse(struct graph *graph)
{
    const struct graph_edge edge = graph->edges[graph->n_edges - 1];
    graph_add_edge(graph, edge.to, edge.from);
    for (int i = edge.n_links - 1; i >= 0; i--)
        graph_add_hop(graph, graph->hops[edge.first + i]);
}

static bool end_route(struct plain *plain)
{
    int n_links = plain->graph.edges[plain->graph.n_edges - 1].n_links;
    if (n_links == 0 || (n_links > 1 && plain->graph.searches))
        return false;
    if (plain->is_symmetrical)
        add_reverse(&plain->graph);
    return true;
}

/* ---- Clusters ---- */

/* "0-N": N + 1; otherwise 0. */
static int cluster_size(const char *radical)
{
    const char *last = radical != NULL && strncmp(radical, "0-", 2) == 0 ? radical + 2 : "";
    size_t length = strlen(last);
    return length > 0 && length <= 4 && strspn(last, "0123456789") == length ? atoi(last) + 1 : 0;
}

/* A host of a cluster, and its wire to the node that joins them all: two links. */
static void add_member(struct graph *graph, const struct plain_element *cluster, int i, double speed_flopps,
                       const struct graph_link *wire)
{
    static const char *const directions[] = {"UP", "DOWN"};
    const int hub = 0, host = (int)graph->n_nodes, first_link = (int)graph->n_links;
    char *name =
        xformat("%s%d%s", get(cluster, "prefix"), i, get(cluster, "suffix") != NULL ? get(cluster, "suffix") : "");
    graph_add_node(graph, name, speed_flopps);
    free(name);
    for (int d = 0; d < 2; d++) {
        struct graph_link link = *wire;
        link.name = xformat("%s_link_%d_%s", get(cluster, "id"), i, directions[d]);
        graph_add_edge(graph, d == 0 ? host : hub, d == 0 ? hub : host);
        graph_add_hop(graph, (int)graph->n_links);
        graph_add_link(graph, &link);
        free(link.name);
    }
    graph_add_edge(graph, host, host);
    graph_add_hop(graph, first_link);
    graph_add_hop(graph, first_link + 1);
}

static bool read_cluster(struct graph *graph, const struct plain_element *cluster, const char *zone)
{
    static const char *const known[] = {"id", "prefix", "suffix", "radical", "speed", "bw", "lat", NULL};
    const char *id = get(cluster, "id"), *suffix = get(cluster, "suffix");
    const char *speed = get(cluster, "speed"), *bandwidth = get(cluster, "bw"), *latency = get(cluster, "lat");
    struct graph_link wire = {.number = 0};
    double flopps;
    int n = cluster_size(get(cluster, "radical"));
    if (!has_only(cluster, known) || !is_name(id) || strcmp(id, zone) == 0 || !is_name(get(cluster, "prefix")) ||
        (suffix != NULL && suffix[0] != '\0' && !is_name(suffix)) || n == 0)
        return false;
    if (speed == NULL || !graph_value(&flopps, speed, GRAPH_SPEED) || bandwidth == NULL ||
        !graph_value(&wire.bandwidth_Bps, bandwidth, GRAPH_BANDWIDTH) || latency == NULL ||
        !graph_value(&wire.latency_s, latency, GRAPH_LATENCY))
        return false;
    graph->searches = true;
    graph_add_node(graph, id, 0);
    for (int i = 0; i < n; i++)
        add_member(graph, cluster, i, flopps, &wire);
    return true;
}

/* ---- The zone ---- */

static bool read_prop(struct plain *plain, const struct plain_element *element)
{
    const char *id = get(element, "id"), *value = get(element, "value");
    if (id == NULL || value == NULL || machine_props_find(plain->props, id) != NULL)
        return false;
    machine_props_append(plain->props, plain->props->file, element->line, id, value);
    return true;
}

/* Props first, then one cluster, or hosts, routers and links before routes. */
static bool read_part(struct plain *plain, const struct plain_element *element)
{
    enum plain_stage before = plain->stage;
    struct graph *graph = &plain->graph;
    if (is(element, "prop"))
        return before == PLAIN_PROPS && read_prop(plain, element);
    plain->stage = is(element, "cluster") ? PLAIN_CLUSTER : is(element, "route") ? PLAIN_ROUTES : PLAIN_PARTS;
    if (before > plain->stage || before == PLAIN_CLUSTER)
        return false;
    if (plain->stage == PLAIN_CLUSTER)
        return before == PLAIN_PROPS && !graph->searches && read_cluster(graph, element, plain->zone);
    if (plain->stage == PLAIN_ROUTES)
        return begin_route(plain, element);
    return is(element, "host")     ? read_host(graph, element)
           : is(element, "router") ? read_router(graph, element)
           : is(element, "link")   ? read_link(graph, element)
                                   : false;
}

static bool begin_zone(struct plain *plain, const struct plain_element *zone)
{
    static const char *const searching[] = {"Floyd", "Dijkstra", "DijkstraCache"};
    const char *id = get(zone, "id"), *routing = get(zone, "routing");
    if (plain->zone != NULL || !is(zone, "zone") || !has_only(zone, (const char *const[]){"id", "routing", NULL}) ||
        !is_name(id) || routing == NULL)
        return false;
    plain->zone = xstrdup(id);
    plain->props->zone_line = zone->line;
    for (size_t i = 0; i < sizeof searching / sizeof searching[0]; i++)
        plain->graph.searches |= strcmp(routing, searching[i]) == 0;
    return plain->graph.searches || strcmp(routing, "Full") == 0;
}

/* ---- The platform ---- */

static bool begin_platform(const struct plain_element *element)
{
    const char *version = get(element, "version");
    return is(element, "platform") && version != NULL && strcmp(version, "4.1") == 0 &&
           has_only(element, (const char *const[]){"version", NULL});
}

bool plain_begin(struct plain *plain, const struct plain_element *element, int depth)
{
    switch (depth) {
    case 0:
        return begin_platform(element);
    case 1:
        return begin_zone(plain, element);
    case 2:
        return read_part(plain, element);
    case 3:
        return plain->stage == PLAIN_ROUTES && read_hop(plain, element);
    default:
        return false;
    }
}

bool plain_end(struct plain *plain, int depth)
{
    if (depth == 2)
        return plain->stage != PLAIN_ROUTES || end_route(plain);
    if (depth == 1)
        return plain->stage != PLAIN_PROPS && take_names(plain);
    return true;
}
