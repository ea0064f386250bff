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

static void add_node(struct plain *plain, const char *name, double speed_flopps)
{
    plain->nodes = xgrow(plain->nodes, plain->n_nodes, &plain->node_capacity, sizeof *plain->nodes);
    plain->nodes[plain->n_nodes++] = (struct plain_node){xstrdup(name), speed_flopps};
}

static void add_link(struct plain *plain, const struct plain_link *link)
{
    plain->links = xgrow(plain->links, plain->n_links, &plain->link_capacity, sizeof *plain->links);
    plain->links[plain->n_links] = *link;
    plain->links[plain->n_links++].name = xstrdup(link->name);
}

static void add_edge(struct plain *plain, int from, int to)
{
    plain->edges = xgrow(plain->edges, plain->n_edges, &plain->edge_capacity, sizeof *plain->edges);
    plain->edges[plain->n_edges++] = (struct plain_edge){from, to, (int)plain->n_hops, 0};
}

/* A further link of the last edge. */
static void add_hop(struct plain *plain, int link)
{
    plain->hops = xgrow(plain->hops, plain->n_hops, &plain->hop_capacity, sizeof *plain->hops);
    plain->hops[plain->n_hops++] = link;
    plain->edges[plain->n_edges - 1].n_links++;
}

static bool read_host(struct plain *plain, const xmlNode *element)
{
    const char *id = get(element, "id"), *speed = get(element, "speed");
    double flopps;
    if (!has_only(element, (const char *const[]){"id", "speed", NULL}) || !is_name(id) || speed == NULL ||
        !plain_value(&flopps, speed, PLAIN_SPEED))
        return false;
    add_node(plain, id, flopps);
    return true;
}

static bool read_router(struct plain *plain, const xmlNode *element)
{
    const char *id = get(element, "id");
    if (!has_only(element, (const char *const[]){"id", NULL}) || !is_name(id))
        return false;
    add_node(plain, id, 0);
    return true;
}

/* A wire has the number 0 until all are known: plain_routes.c numbers them in the order of their names. */
static bool read_link(struct plain *plain, const xmlNode *element)
{
    const char *id = get(element, "id"), *bandwidth = get(element, "bandwidth"), *latency = get(element, "latency");
    const char *policy = get(element, "sharing_policy");
    bool is_shared = policy == NULL || strcmp(policy, "SHARED") == 0;
    struct plain_link link = {.name = (char *)(uintptr_t)id, .number = is_shared ? 0 : -1};
    if (!has_only(element, (const char *const[]){"id", "bandwidth", "latency", "sharing_policy", NULL}) ||
        !is_name(id) || bandwidth == NULL || !plain_value(&link.bandwidth_Bps, bandwidth, PLAIN_BANDWIDTH) ||
        latency == NULL || !plain_value(&link.latency_s, latency, PLAIN_LATENCY) ||
        (!is_shared && strcmp(policy, "FATPIPE") != 0))
        return false;
    add_link(plain, &link);
    return true;
}

/* ---- Names ---- */

/* The names of all nodes or links, in order, each with its place. */
struct name {
    const char *text;
    int place;
};

static int by_text(const void *left, const void *right)
{
    const struct name *a = left, *b = right;
    return strcmp(a->text, b->text);
}

/* False if a name is there twice. */
static bool sort_names(struct name *names, size_t n)
{
    qsort(names, n, sizeof *names, by_text);
    for (size_t i = 1; i < n; i++)
        if (strcmp(names[i - 1].text, names[i].text) == 0)
            return false;
    return true;
}

/* The place of a name; -1 if it is not there. */
static int find_name(const struct name *names, size_t n, const char *text)
{
    const struct name key = {text, 0};
    const struct name *found = text != NULL && n > 0 ? bsearch(&key, names, n, sizeof key, by_text) : NULL;
    return found != NULL ? found->place : -1;
}

/* What is called by name: nodes, and the zone itself, which is of their kind; and links. */
struct names {
    struct name *nodes, *links;
    size_t n_nodes, n_links;
};

static bool collect_names(struct names *names, const struct plain *plain, const char *zone)
{
    names->nodes = xcalloc(plain->n_nodes + 1, sizeof *names->nodes);
    names->links = xcalloc(plain->n_links + 1, sizeof *names->links);
    for (size_t i = 0; i < plain->n_nodes; i++)
        names->nodes[i] = (struct name){plain->nodes[i].name, (int)i};
    names->nodes[plain->n_nodes] = (struct name){zone, -1};
    for (size_t i = 0; i < plain->n_links; i++)
        names->links[i] = (struct name){plain->links[i].name, (int)i};
    names->n_nodes = plain->n_nodes + 1;
    names->n_links = plain->n_links;
    return sort_names(names->nodes, names->n_nodes) && sort_names(names->links, names->n_links);
}

/* ---- Routes ---- */

static bool read_hops(struct plain *plain, const xmlNode *route, const struct names *names)
{
    bool fine = true;
    const xmlNode *hop = element_from(route->children, &fine);
    for (; fine && hop != NULL; hop = element_from(hop->next, &fine)) {
        int link = find_name(names->links, names->n_links, get(hop, "id"));
        if (!is(hop, "link_ctn") || !has_only(hop, (const char *const[]){"id", NULL}) || !is_empty(hop) || link < 0)
            return false;
        add_hop(plain, link);
    }
    int n_links = plain->edges[plain->n_edges - 1].n_links;
    return fine && n_links > 0 && (n_links == 1 || !plain->searches);
}

/* The last edge the other way round. */
static void add_reverse(struct plain *plain)
{
    const struct plain_edge edge = plain->edges[plain->n_edges - 1];
    add_edge(plain, edge.to, edge.from);
    for (int i = edge.n_links - 1; i >= 0; i--)
        add_hop(plain, plain->hops[edge.first + i]);
}

static bool read_route(struct plain *plain, const xmlNode *element, const struct names *names)
{
    const char *symmetrical = get(element, "symmetrical");
    bool is_symmetrical = symmetrical == NULL || strcmp(symmetrical, "YES") == 0;
    int from = find_name(names->nodes, names->n_nodes, get(element, "src"));
    int to = find_name(names->nodes, names->n_nodes, get(element, "dst"));
    if (!has_only(element, (const char *const[]){"src", "dst", "symmetrical", NULL}) || from < 0 || to < 0 ||
        from == to || (!is_symmetrical && strcmp(symmetrical, "NO") != 0))
        return false;
    add_edge(plain, from, to);
    if (!read_hops(plain, element, names))
        return false;
    if (is_symmetrical)
        add_reverse(plain);
    return true;
}

/* ---- Zones ---- */

static bool read_routes(struct plain *plain, const xmlNode *element, const char *zone)
{
    struct names names;
    bool fine = collect_names(&names, plain, zone);
    for (; fine && element != NULL; element = element_from(element->next, &fine))
        fine = is(element, "route") && read_route(plain, element, &names) && fine;
    free(names.nodes);
    free(names.links);
    return fine;
}

/* Hosts, routers and links first, then routes: so all that routes name is there. */
static bool read_parts(struct plain *plain, const xmlNode *element, const char *zone)
{
    bool fine = true;
    for (; fine && element != NULL && !is(element, "route"); element = element_from(element->next, &fine)) {
        bool known = is(element, "host")     ? read_host(plain, element)
                     : is(element, "router") ? read_router(plain, element)
                     : is(element, "link")   ? read_link(plain, element)
                                             : false;
        fine = fine && known && is_empty(element);
    }
    return fine && read_routes(plain, element, zone);
}

/* "0-N": N + 1; otherwise 0. */
static int cluster_size(const char *radical)
{
    const char *last = radical != NULL && strncmp(radical, "0-", 2) == 0 ? radical + 2 : "";
    size_t length = strlen(last);
    return length > 0 && length <= 4 && strspn(last, "0123456789") == length ? atoi(last) + 1 : 0;
}

/* A host of a cluster, and its wire to the node that joins them all: two links. */
static void add_member(struct plain *plain, const xmlNode *cluster, int i, double speed_flopps,
                       const struct plain_link *wire)
{
    static const char *const directions[] = {"UP", "DOWN"};
    const int hub = 0, host = (int)plain->n_nodes;
    char *name =
        xformat("%s%d%s", get(cluster, "prefix"), i, get(cluster, "suffix") != NULL ? get(cluster, "suffix") : "");
    add_node(plain, name, speed_flopps);
    free(name);
    for (int d = 0; d < 2; d++) {
        struct plain_link link = *wire;
        link.name = xformat("%s_link_%d_%s", get(cluster, "id"), i, directions[d]);
        add_edge(plain, d == 0 ? host : hub, d == 0 ? hub : host);
        add_hop(plain, (int)plain->n_links);
        add_link(plain, &link);
        free(link.name);
    }
}

static bool read_cluster(struct plain *plain, const xmlNode *cluster, const char *zone)
{
    static const char *const known[] = {"id", "prefix", "suffix", "radical", "speed", "bw", "lat", NULL};
    const char *id = get(cluster, "id"), *suffix = get(cluster, "suffix");
    const char *speed = get(cluster, "speed"), *bandwidth = get(cluster, "bw"), *latency = get(cluster, "lat");
    struct plain_link wire = {.number = 0};
    double flopps;
    int n = cluster_size(get(cluster, "radical"));
    if (!has_only(cluster, known) || !is_empty(cluster) || !is_name(id) || strcmp(id, zone) == 0 ||
        !is_name(get(cluster, "prefix")) || (suffix != NULL && suffix[0] != '\0' && !is_name(suffix)) || n == 0)
        return false;
    if (speed == NULL || !plain_value(&flopps, speed, PLAIN_SPEED) || bandwidth == NULL ||
        !plain_value(&wire.bandwidth_Bps, bandwidth, PLAIN_BANDWIDTH) || latency == NULL ||
        !plain_value(&wire.latency_s, latency, PLAIN_LATENCY))
        return false;
    plain->searches = true;
    add_node(plain, id, 0);
    for (int i = 0; i < n; i++)
        add_member(plain, cluster, i, flopps, &wire);
    return read_routes(plain, NULL, zone);
}

static bool read_zone(struct plain *plain, const xmlNode *zone)
{
    static const char *const searching[] = {"Floyd", "Dijkstra", "DijkstraCache"};
    const char *id = get(zone, "id"), *routing = get(zone, "routing");
    bool fine = true;
    if (!is(zone, "zone") || !has_only(zone, (const char *const[]){"id", "routing", NULL}) || !is_name(id) ||
        routing == NULL)
        return false;
    for (size_t i = 0; i < sizeof searching / sizeof searching[0]; i++)
        plain->searches |= strcmp(routing, searching[i]) == 0;
    if (!plain->searches && strcmp(routing, "Full") != 0)
        return false;
    const xmlNode *element = element_from(zone->children, &fine);
    while (fine && element != NULL && is(element, "prop"))
        element = element_from(element->next, &fine);
    if (!fine || element == NULL)
        return false;
    if (!is(element, "cluster"))
        return read_parts(plain, element, id);
    return !plain->searches && element_from(element->next, &fine) == NULL && fine && read_cluster(plain, element, id);
}

bool plain_read(struct plain *plain, const struct _xmlDoc *document)
{
    bool fine = true;
    const xmlNode *root = xmlDocGetRootElement(document);
    const char *version = get(root, "version");
    const xmlNode *zone = element_from(root->children, &fine);
    *plain = (struct plain){.searches = false};
    fine = fine && version != NULL && strcmp(version, "4.1") == 0 &&
           has_only(root, (const char *const[]){"version", NULL}) && zone != NULL &&
           element_from(zone->next, &fine) == NULL && fine && read_zone(plain, zone);
    if (!fine)
        plain_dispose(plain);
    return fine;
}

void plain_dispose(struct plain *plain)
{
    for (size_t i = 0; i < plain->n_nodes; i++)
        free(plain->nodes[i].name);
    for (size_t i = 0; i < plain->n_links; i++)
        free(plain->links[i].name);
    free(plain->nodes);
    free(plain->links);
    free(plain->edges);
    free(plain->hops);
    *plain = (struct plain){.searches = false};
}
