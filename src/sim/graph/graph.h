/* A graph of hosts, routers and links, and the routes through it: the connections of a machine that are listed one by
 * one. Where it searches for routes, its edges are one link each, and the shortest route between any two hosts is the
 * only one of its length: any way to find it finds the same.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_GRAPH_GRAPH_H
#define SIM_GRAPH_GRAPH_H

#include "sim/machine/machine.h"

#include <stdbool.h>
#include <stddef.h>

/* A host, or a router, which has no speed. */
struct graph_node {
    char *name;
    double speed_flopps;
};

struct graph_link {
    char *name;
    double bandwidth_Bps, latency_s;
    int number; /* of the wire, 0 until all are known; -1: a FATPIPE, which stands for none and may have INFINITY */
};

/* A way in one direction: n_links of the links in `hops` from `first` on. From a host to itself it is that of messages
 * between two of its ranks, and never a part of another. */
struct graph_edge {
    int from, to; /* nodes */
    int first, n_links;
};

struct graph {
    bool searches; /* for the shortest route over several edges, of one link each; otherwise each route is an edge */
    struct graph_node *nodes;
    struct graph_link *links;
    struct graph_edge *edges; /* in order of from, to */
    int *hops;
    size_t n_nodes, n_links, n_edges, n_hops;
    size_t node_capacity, link_capacity, edge_capacity, hop_capacity;
};

/* One more node, or link, whose name is copied; an edge from node to node; and a further link of the last edge. */
void graph_add_node(struct graph *graph, const char *name, double speed_flopps);
void graph_add_link(struct graph *graph, const struct graph_link *link);
void graph_add_edge(struct graph *graph, int from, int to);
void graph_add_hop(struct graph *graph, int link);
void graph_dispose(struct graph *graph);

/* Nodes and links by name; `zone` is no node's name, or NULL: any may be. NULL if a name is there twice. To be freed
 * with graph_names_free(). Their numbers, or -1. */
struct graph_names;
struct graph_names *graph_names_new(const struct graph *graph, const char *zone);
void graph_names_free(struct graph_names *names);
int graph_find_node(const struct graph_names *names, const char *name);
int graph_find_link(const struct graph_names *names, const char *name);

/* True if ways lead from each host to each other. */
bool graph_is_connected(const struct graph *graph);

/* A number with a unit, as SimGrid takes it: "1.36Mf", "2.5MBps", "50us". False if it is written otherwise. */
enum graph_quantity { GRAPH_SPEED, GRAPH_BANDWIDTH, GRAPH_LATENCY };
bool graph_value(double *value, const char *text, enum graph_quantity quantity);

/* The hosts, wires and routes; NULL, and in `why` what is wrong, if there are no hosts, the routes are not all there,
 * or not the only ones, or they are too many. It takes what it is given. And the graph that routes are of; NULL if they
 * are of none. */
struct route_table *graph_routes(struct graph *graph, char *why, size_t why_size);
const struct graph *graph_of(const struct route_table *routes);

/* The order in which hosts are numbered: host i is the one at order[i] of the names. */
void graph_order_hosts(int *order, const char *const *names, int n);

#endif
