/* Hypercube: a torus with sides of 2; routes go by the lowest bit that differs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

/* A torus of sides of 2: hosts whose numbers differ in one bit are wired. */
static int hypercube_build(struct topology *topology, char *why, size_t why_size)
{
    int n = topology->n_hosts, bits = 0;
    while (1 << bits < n)
        bits++;
    if (1 << bits != n)
        return sim_error_why(why, why_size, "the number of hosts must be a power of two; %d and %d are the next",
                             1 << (bits - 1), 1 << bits);
    topology->dimensions = (struct dimensions){.n = bits > 0 ? bits : 1, .side = {1}};
    for (int bit = 0; bit < bits; bit++)
        topology->dimensions.side[bit] = 2;
    return grid_build(topology, why, why_size);
}

static void hypercube_choose(struct dimensions *dimensions, int n_hosts)
{
    int n = 1;
    while (n < n_hosts)
        n *= 2;
    line_choose(dimensions, n);
}

const struct topology_spec topology_hypercube = {
    .name = "hypercube",
    .summary = "hosts whose numbers differ in one bit are wired",
    .most_hosts = DIMENSIONS_MAX_SIDE,
    .form = "HOSTS, a power of two",
    .wraps = true,
    .routing = "e-cube: the lowest bit that differs first",
    .routings = ROUTING_BIT(DIMENSION_ORDER) | ROUTING_BIT(ADAPTIVE),
    .choose = hypercube_choose,
    .build = hypercube_build,
    .segment = grid_segment,
    .options = grid_options,
    .option = grid_option,
    .hops = grid_hops,
    .ends = grid_ends,
    .facts = grid_facts,
    .place = grid_place,
    .zone_routing = "Full",
    .write = torus_write,
};
