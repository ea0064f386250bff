/* Platforms that may lack routes, told by their documents.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "sim/graph/graph.h"

#include <libxml/tree.h>
#include <string.h>
#include <strings.h>

static bool is_any(const xmlNode *node, const char *const *names)
{
    while (*names != NULL && strcmp(*names, (const char *)node->name) != 0)
        names++;
    return node->type == XML_ELEMENT_NODE && *names != NULL;
}

static const char *const ends[] = {"host", "router", "zone", "AS", "cluster", "peer", NULL};
static const char *const routes[] = {"route", "zoneRoute", "ASroute", NULL};
static const char *const zones[] = {"zone", "AS", NULL};

static bool has(const xmlNode *node, const char *attribute, const char *value)
{
    xmlChar *found = xmlGetNoNsProp(node, (const xmlChar *)attribute);
    bool is = found != NULL && strcasecmp((const char *)found, value) == 0;
    xmlFree(found);
    return is;
}

static bool is_single(const xmlNode *route)
{
    return has(route, "symmetrical", "NO");
}

/* ---- Zones that search ---- */

/* Routers are on ways, but no messages go to them. */
static void add_ends(struct graph *graph, const xmlNode *zone)
{
    for (const xmlNode *node = zone->children; node != NULL; node = node->next) {
        xmlChar *name = is_any(node, ends) ? xmlGetNoNsProp(node, (const xmlChar *)"id") : NULL;
        if (name != NULL)
            graph_add_node(graph, (const char *)name, strcmp((const char *)node->name, "router") != 0);
        xmlFree(name);
    }
}

static int find(const struct graph_names *names, const xmlNode *route, const char *attribute)
{
    xmlChar *name = xmlGetNoNsProp(route, (const xmlChar *)attribute);
    int node = name != NULL ? graph_find_node(names, (const char *)name) : -1;
    xmlFree(name);
    return node;
}

static void add_ways(struct graph *graph, const struct graph_names *names, const xmlNode *zone)
{
    for (const xmlNode *node = zone->children; node != NULL; node = node->next) {
        int from = is_any(node, routes) ? find(names, node, "src") : -1;
        int to = from >= 0 ? find(names, node, "dst") : -1;
        if (to >= 0)
            graph_add_edge(graph, from, to);
        if (to >= 0 && !is_single(node))
            graph_add_edge(graph, to, from);
    }
}

/* SimGrid refuses what has a name twice. */
bool zone_is_connected(const xmlNode *zone)
{
    struct graph graph = {.searches = true};
    add_ends(&graph, zone);
    struct graph_names *names = graph_names_new(&graph, NULL);
    if (names != NULL)
        add_ways(&graph, names, zone);
    bool is = names == NULL || graph_is_connected(&graph);
    graph_names_free(names);
    graph_dispose(&graph);
    return is;
}

/* ---- All zones ---- */

static bool leads_back(const xmlNode *route)
{
    xmlChar *from = xmlGetNoNsProp(route, (const xmlChar *)"src");
    bool is = from != NULL && has(route, "dst", (const char *)from);
    xmlFree(from);
    return is;
}

/* For a zone that lists all routes. */
static bool lacks_any(const xmlNode *zone)
{
    double n_ends = 0, n_ways = 0;
    for (const xmlNode *node = zone->children; node != NULL; node = node->next) {
        n_ends += is_any(node, ends);
        n_ways += !is_any(node, routes) || leads_back(node) ? 0 : is_single(node) ? 1 : 2;
    }
    return n_ways < n_ends * (n_ends - 1);
}

bool zone_searches(const xmlNode *zone)
{
    return has(zone, "routing", "Floyd") || has(zone, "routing", "Dijkstra") || has(zone, "routing", "DijkstraCache");
}

static bool zone_may_lack(const xmlNode *zone)
{
    if (zone_searches(zone))
        return !zone_is_connected(zone);
    return has(zone, "routing", "None") || (has(zone, "routing", "Full") && lacks_any(zone));
}

/* libxml2 has bounded the depth. */
bool routes_may_lack(const xmlNode *parent)
{
    for (const xmlNode *node = parent->children; node != NULL; node = node->next)
        if (is_any(node, zones) && (zone_may_lack(node) || routes_may_lack(node)))
            return true;
    return false;
}
