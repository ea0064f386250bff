/* Ring: a torus of one side. */
#include "sim/topology/internal.h"

/* Whatever the factors are, the ring is of their product. */
static int ring_build(struct topology *topology, char *why, size_t why_size)
{
    if (refuse_up(topology, why, why_size) != 0 || count_hosts(topology, TOPOLOGY_MAX_HOSTS, why, why_size) != 0)
        return -1;
    topology->dimensions = (struct dimensions){.n = 1, .side = {topology->n_hosts}};
    return grid_build(topology, why, why_size);
}

const struct topology_spec topology_ring = {
    .name = "ring",
    .summary = "every host has a wire to the next",
    .counts_hosts = true,
    .form = "HOSTS",
    .routing = "the shorter way round",
    .is_grid = true,
    .choose = line_choose,
    .build = ring_build,
    .route = torus_route,
    .ends = torus_ends,
    .zone_routing = "Full",
    .write = torus_write,
};
