/* Ring: a torus of one side.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

static void ring_place(double at[3], const struct topology *topology, int node)
{
    place_on_circle(at, node, topology->n_hosts, circle_radius(topology->n_hosts));
}

const struct topology_spec topology_ring = {
    .name = "ring",
    .summary = "each host is wired to the next",
    .most_hosts = DIMENSIONS_MAX_SIDE,
    .form = "HOSTS",
    .routing = "the shorter way around",
    .routings = ROUTING_BIT(DIMENSION_ORDER),
    .is_grid = true,
    .wraps = true,
    .choose = line_choose,
    .build = grid_build,
    .segment = grid_segment,
    .hops = grid_hops,
    .ends = grid_ends,
    .facts = grid_facts,
    .place = ring_place,
    .zone_routing = "Full",
    .write = torus_write,
};
