/* The routes of a machine, found when they are first asked for and then remembered; and what its hosts and links are.
 *
 * Where they come from is a source: a topology computes them, a platform has SimGrid find them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_ROUTES_H
#define SIM_MACHINE_ROUTES_H

#include "sim/machine/machine.h"

#include <stddef.h>

struct route_source {
    /* The route between two hosts, made by route_new(); NULL if there is none. From a host to itself it is what
     * messages between two of its ranks take; NULL: nothing. */
    struct route *(*find)(void *self, int from, int to);
    void (*close)(void *self);
};

/* The hosts and wires of a source, by number: arrays on the heap, names borrowed from it. Those of a topology have no
 * names; one wire is all of theirs where topology_is_uniform(). */
struct listed_host {
    const char *name;
    double speed_flopps;
    int cores; /* 0: unknown */
};

struct listed_link {
    const char *name;
    double bandwidth_Bps, latency_s;
};

struct route_ends {
    int n_hosts, n_links;
    struct listed_host *hosts; /* NULL: of a topology */
    struct listed_link *links;
    struct wire *wires;
};

/* A table without routes. It takes `self` and the arrays. */
struct route_table *machine_routes_new(const struct route_source *source, void *self, const struct route_ends *ends);
/* The wire of a link. */
struct wire wire_of(double bandwidth_Bps, double latency_s);
/* The routes that a topology computes; one wire for all links where topology_is_uniform(). */
struct route_table *machine_routes_compute(const struct topology *topology, const struct topology_style *style);
void machine_routes_close(struct route_table *routes);

/* A route without wires, with room for as many; and a further wire for it. And what stands for no wire (FATPIPE): it is
 * no hop and messages do not queue there, but no message is faster, and each has its latency. */
struct route *route_new(int from, int to, size_t most_hops);
void route_add(struct route *route, int link, const struct wire *wire);
void route_add_pipe(struct route *route, const struct wire *pipe);

/* The table's source, where it is of that kind; else NULL. */
void *machine_routes_source(const struct route_table *routes, const struct route_source *source);
/* Messages within a host take the route that the source has from it to itself. Before, they take no time. */
void machine_routes_take_loops(struct route_table *routes);
bool machine_routes_have_loops(const struct route_table *routes);
int machine_routes_host_count(const struct route_table *routes);
/* The fewest cores that a host has, and the most; 0: unknown. */
void machine_routes_cores(const struct route_table *routes, int *least, int *most);
const struct wire *machine_routes_wires(const struct route_table *routes);

#endif
