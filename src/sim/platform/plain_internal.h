/* Plain platforms: those whose routes need no SimGrid. They have one zone, and in it either hosts, routers, links and
 * routes, or one cluster of hosts with a wire each; and every wire is as it is written, at all times. Where a zone
 * searches for routes, its edges are one link each, and the shortest route between any two hosts is the only one of its
 * length: any way to find it finds the same.
 *
 * Whatever is written in a way that is not known here, or might be wrong, is not plain. It is left to SimGrid, whose
 * messages say what is wrong. */
#ifndef SIM_PLATFORM_PLAIN_INTERNAL_H
#define SIM_PLATFORM_PLAIN_INTERNAL_H

#include "sim/machine/interconnect.h"

#include <stdbool.h>
#include <stddef.h>

/* A host, or a router, which has no speed. */
struct plain_node {
    char *name;
    double speed_flopps;
};

struct plain_link {
    char *name;
    double bandwidth_Bps, latency_s;
    int number; /* of the wire; -1: a FATPIPE, which stands for none */
};

/* What a <route> says in one direction: n_links of the links in `hops` from `first` on. */
struct plain_edge {
    int from, to; /* nodes */
    int first, n_links;
};

struct plain {
    bool searches; /* for the shortest route over several edges, of one link each; otherwise each route is an edge */
    struct plain_node *nodes;
    struct plain_link *links;
    struct plain_edge *edges; /* in order of from, to */
    int *hops;
    size_t n_nodes, n_links, n_edges, n_hops;
    size_t node_capacity, link_capacity, edge_capacity, hop_capacity;
};

/* Read a checked document. False, and nothing to be disposed of, if it is not plain. */
struct _xmlDoc;
bool plain_read(struct plain *plain, const struct _xmlDoc *document);
void plain_dispose(struct plain *plain);

/* A number with a unit, as SimGrid takes it. False if it is written otherwise. */
enum plain_quantity { PLAIN_SPEED, PLAIN_BANDWIDTH, PLAIN_LATENCY };
bool plain_value(double *value, const char *text, enum plain_quantity quantity);

/* The hosts, wires and routes; NULL if the routes are not all there, or not the only ones. It takes what it is
 * given. */
struct route_table;
struct route_table *plain_routes_new(struct plain *plain);

#endif
