/* Reads a plain platform from its document. */
#include "sim/platform/plain_internal.h"

#include "base/memory.h"

#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 100 };

/* ---- Elements ---- */

static bool is(const xmlNode *element, const char *name)
{
    return strcmp((const char *)element->name, name) == 0;
}

/* The next element from a node on; NULL if there is none. *fine becomes false where there is anything but comments. */
static const xmlNode *element_from(const xmlNode *node, bool *fine)
{
    for (; node != NULL && node->type != XML_ELEMENT_NODE; node = node->next)
        if (node->type != XML_COMMENT_NODE && !(node->type == XML_TEXT_NODE && xmlIsBlankNode(node)))
            *fine = false;
    return node;
}

static bool is_empty(const xmlNode *element)
{
    bool fine = true;
    return element_from(element->children, &fine) == NULL && fine;
}

/* The value of an attribute where it is plain text; else NULL. */
static const char *get(const xmlNode *element, const char *name)
{
    for (const xmlAttr *attribute = element->properties; attribute != NULL; attribute = attribute->next)
        if (strcmp((const char *)attribute->name, name) == 0)
            return attribute->children != NULL && attribute->children->next == NULL &&
                           attribute->children->type == XML_TEXT_NODE
                       ? (const char *)attribute->children->content
                       : NULL;
    return NULL;
}

/* Whether the element has no attributes but those in a NULL-terminated list. */
static bool has_only(const xmlNode *element, const char *const *names)
{
    for (const xmlAttr *attribute = element->properties; attribute != NULL; attribute = attribute->next) {
        size_t i = 0;
        while (names[i] != NULL && strcmp(names[i], (const char *)attribute->name) != 0)
            i++;
        if (names[i] == NULL || attribute->ns != NULL)
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

static bool read_host(struct graph *graph, const xmlNode *element)
{
    const char *id = get(element, "id"), *speed = get(element, "speed");
    double flopps;
    if (!has_only(element, (const char *const[]){"id", "speed", NULL}) || !is_name(id) || speed == NULL ||
        !graph_value(&flopps, speed, GRAPH_SPEED))
        return false;
    graph_add_node(graph, id, flopps);
    return true;
}

static bool read_router(struct graph *graph, const xmlNode *element)
{
    const char *id = get(element, "id");
    if (!has_only(element, (const char *const[]){"id", NULL}) || !is_name(id))
        return false;
    graph_add_node(graph, id, 0);
    return true;
}

static bool read_link(struct graph *graph, const xmlNode *element)
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

static bool read_hops(struct graph *graph, const xmlNode *route, const struct graph_names *names)
{
    bool fine = true;
    const xmlNode *hop = element_from(route->children, &fine);
    for (; fine && hop != NULL; hop = element_from(hop->next, &fine)) {
        int link = graph_find_link(names, get(hop, "id"));
        if (!is(hop, "link_ctn") || !has_only(hop, (const char *const[]){"id", NULL}) || !is_empty(hop) || link < 0)
            return false;
        graph_add_hop(graph, link);
    }
    int n_links = graph->edges[graph->n_edges - 1].n_links;
    return fine && n_links > 0 && (n_links == 1 || !graph->searches);
}

/* The last edge the other way round. */
static void add_reverse(struct graph *graph)
{
    const struct graph_edge edge = graph->edges[graph->n_edges - 1];
    graph_add_edge(graph, edge.to, edge.from);
    for (int i = edge.n_links - 1; i >= 0; i--)
        graph_add_hop(graph, graph->hops[edge.first + i]);
}

static bool read_route(struct graph *graph, const xmlNode *element, const struct graph_names *names)
{
    const char *symmetrical = get(element, "symmetrical");
    bool is_symmetrical = symmetrical == NULL || strcmp(symmetrical, "YES") == 0;
    int from = graph_find_node(names, get(element, "src"));
    int to = graph_find_node(names, get(element, "dst"));
    if (!has_only(element, (const char *const[]){"src", "dst", "symmetrical", NULL}) || from < 0 || to < 0 ||
        from == to || (!is_symmetrical && strcmp(symmetrical, "NO") != 0))
        return false;
    graph_add_edge(graph, from, to);
    if (!read_hops(graph, element, names))
        return false;
    if (is_symmetrical)
        add_reverse(graph);
    return true;
}

/* ---- Zones ---- */

static bool read_routes(struct graph *graph, const xmlNode *element, const char *zone)
{
    struct graph_names *names = graph_names_new(graph, zone);
    bool fine = names != NULL;
    for (; fine && element != NULL; element = element_from(element->next, &fine))
        fine = is(element, "route") && read_route(graph, element, names) && fine;
    graph_names_free(names);
    return fine;
}

/* Hosts, routers and links first, then routes: so all that routes name is there. */
static bool read_parts(struct graph *graph, const xmlNode *element, const char *zone)
{
    bool fine = true;
    for (; fine && element != NULL && !is(element, "route"); element = element_from(element->next, &fine)) {
        bool known = is(element, "host")     ? read_host(graph, element)
                     : is(element, "router") ? read_router(graph, element)
                     : is(element, "link")   ? read_link(graph, element)
                                             : false;
        fine = fine && known && is_empty(element);
    }
    return fine && read_routes(graph, element, zone);
}

/* "0-N": N + 1; otherwise 0. */
static int cluster_size(const char *radical)
{
    const char *last = radical != NULL && strncmp(radical, "0-", 2) == 0 ? radical + 2 : "";
    size_t length = strlen(last);
    return length > 0 && length <= 4 && strspn(last, "0123456789") == length ? atoi(last) + 1 : 0;
}

/* A host of a cluster, and its wire to the node that joins them all: two links. */
static void add_member(struct graph *graph, const xmlNode *cluster, int i, double speed_flopps,
                       const struct graph_link *wire)
{
    static const char *const directions[] = {"UP", "DOWN"};
    const int hub = 0, host = (int)graph->n_nodes;
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
}

static bool read_cluster(struct graph *graph, const xmlNode *cluster, const char *zone)
{
    static const char *const known[] = {"id", "prefix", "suffix", "radical", "speed", "bw", "lat", NULL};
    const char *id = get(cluster, "id"), *suffix = get(cluster, "suffix");
    const char *speed = get(cluster, "speed"), *bandwidth = get(cluster, "bw"), *latency = get(cluster, "lat");
    struct graph_link wire = {.number = 0};
    double flopps;
    int n = cluster_size(get(cluster, "radical"));
    if (!has_only(cluster, known) || !is_empty(cluster) || !is_name(id) || strcmp(id, zone) == 0 ||
        !is_name(get(cluster, "prefix")) || (suffix != NULL && suffix[0] != '\0' && !is_name(suffix)) || n == 0)
        return false;
    if (speed == NULL || !graph_value(&flopps, speed, GRAPH_SPEED) || bandwidth == NULL ||
        !graph_value(&wire.bandwidth_Bps, bandwidth, GRAPH_BANDWIDTH) || latency == NULL ||
        !graph_value(&wire.latency_s, latency, GRAPH_LATENCY))
        return false;
    graph->searches = true;
    graph_add_node(graph, id, 0);
    for (int i = 0; i < n; i++)
        add_member(graph, cluster, i, flopps, &wire);
    return read_routes(graph, NULL, zone);
}

static bool read_zone(struct graph *graph, const xmlNode *zone)
{
    static const char *const searching[] = {"Floyd", "Dijkstra", "DijkstraCache"};
    const char *id = get(zone, "id"), *routing = get(zone, "routing");
    bool fine = true;
    if (!is(zone, "zone") || !has_only(zone, (const char *const[]){"id", "routing", NULL}) || !is_name(id) ||
        routing == NULL)
        return false;
    for (size_t i = 0; i < sizeof searching / sizeof searching[0]; i++)
        graph->searches |= strcmp(routing, searching[i]) == 0;
    if (!graph->searches && strcmp(routing, "Full") != 0)
        return false;
    const xmlNode *element = element_from(zone->children, &fine);
    while (fine && element != NULL && is(element, "prop"))
        element = element_from(element->next, &fine);
    if (!fine || element == NULL)
        return false;
    if (!is(element, "cluster"))
        return read_parts(graph, element, id);
    return !graph->searches && element_from(element->next, &fine) == NULL && fine && read_cluster(graph, element, id);
}

bool plain_read(struct graph *graph, const struct _xmlDoc *document)
{
    bool fine = true;
    const xmlNode *root = xmlDocGetRootElement(document);
    const char *version = get(root, "version");
    const xmlNode *zone = element_from(root->children, &fine);
    *graph = (struct graph){.searches = false};
    fine = fine && version != NULL && strcmp(version, "4.1") == 0 &&
           has_only(root, (const char *const[]){"version", NULL}) && zone != NULL &&
           element_from(zone->next, &fine) == NULL && fine && read_zone(graph, zone);
    if (!fine)
        graph_dispose(graph);
    return fine;
}
