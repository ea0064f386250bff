/* The routes of a machine, found when they are first asked for and then remembered; and what its hosts and links are.
 *
 * Where they come from is a source: a topology computes them, a platform has SimGrid find them. */
#ifndef SIM_MACHINE_ROUTES_H
#define SIM_MACHINE_ROUTES_H

#include "sim/machine/machine.h"

#include <stddef.h>

struct route_source {
    /* The route between two hosts, made by route_new(); NULL if there is none. */
    struct route *(*find)(void *self, int from, int to);
    double (*host_speed)(const void *self, int host); /* in flop/s */
    /* Names, valid until the next is asked for. */
    const char *(*host_name)(void *self, int host);
    const char *(*link_name)(void *self, int link);
    void (*link_speed)(const void *self, int link, double *bandwidth_Bps, double *latency_s);
    void (*close)(void *self);
};

/* A table without routes. It takes `self`, and the wires, which are on the heap: n_links of them, or one for all. */
struct route_table *machine_routes_new(const struct route_source *source, void *self, int n_hosts, int n_links,
                                       struct wire *wires);
/* The routes that a topology computes; one wire for all links. */
struct route_table *machine_routes_compute(const struct topology *topology, const struct topology_style *style);
void machine_routes_close(struct route_table *routes);

/* A route without wires, with room for as many; and a further wire for it. */
struct route *route_new(int from, int to, size_t most_hops);
void route_add(struct route *route, int link, const struct wire *wire);

/* The table's source, where it is of that kind; else NULL. */
void *machine_routes_source(const struct route_table *routes, const struct route_source *source);
/* Of machine_routes_compute(), borrowed. */
const struct topology *machine_routes_topology(const struct route_table *routes);
int machine_routes_host_count(const struct route_table *routes);
const struct wire *machine_routes_wires(const struct route_table *routes);

#endif
