/* The hosts of a machine and the wires between them. It does not change once it is made, but that it remembers what was
 * asked of it; machines that differ in their costs alone share it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_INTERCONNECT_H
#define SIM_MACHINE_INTERCONNECT_H

#include "sim/topology/topology.h"

#include <stdbool.h>
#include <stdint.h>

/* A wire in one direction; used by machines without message cost formula. */
struct wire {
    int64_t latency_ps;
    double byte_ps;
};

enum { ROUTE_COMPUTED = -1 }; /* its links are not there, as the topology computes them */

/* The wires from one host to another, in order. */
struct route {
    int32_t from, to;
    int32_t hops;
    int32_t
        number; /* of the routes asked for so far, from 0 on; that of a host to itself has none; or ROUTE_COMPUTED */
    int64_t latency_ps; /* sum over the wires, and what stands for none */
    int64_t beside_ps;  /* of it, of links that stand for no wire */
    double byte_ps;     /* of the slowest wire, or of what stands for none where that is slower */
    int32_t links[];
};

struct machine_profiles;
struct route_table;
struct hop_trees;

struct interconnect {
    int n_hosts;
    int mesh_width, mesh_height; /* 0, 0 where the hosts are no mesh */
    int mesh_pitch;              /* host number of mesh node (x, y) = y * mesh_pitch + x */

    const struct wire *wires; /* machine_link_count() of them, or one for all links; borrowed from routes */
    bool one_wire;

    struct topology wiring; /* which host has a wire to which; spec NULL: not known but for a mesh, see placement.h */
    const struct topology *topology; /* that, in a machine made by machine_derive(); else NULL */
    struct topology_style
        style; /* of a base machine, or a derived one: its hosts and wires; of others what its props say */

    struct machine_profiles *profiles; /* opaque; NULL: none */
    struct route_table *routes;  /* opaque: asked from their source once, then remembered; NULL of a base machine */
    struct hop_trees *hop_trees; /* opaque: see hop_tree.h */

    int n_machines; /* that have it */
};

/* One of which nothing is known, for one machine. To release it is to free it, where it is the last machine's. */
struct interconnect *interconnect_new(void);
void interconnect_release(struct interconnect *net);

/* Give it its hosts and wires, which are the table's from now on. */
void interconnect_take_routes(struct interconnect *net, struct route_table *routes);

/* Hosts and wires of one kind, connected as the topology says. Routes are computed. */
struct interconnect *interconnect_of(const struct topology *topology, const struct topology_style *style);

#endif
