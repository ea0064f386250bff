/* Ring: a torus of one side. */
#include "sim/topology/internal.h"

const struct topology_spec topology_ring = {
    .name = "ring",
    .summary = "every host has a wire to the next",
    .most_hosts = TOPOLOGY_MAX_HOSTS,
    .form = "HOSTS",
    .routing = "the shorter way round",
    .is_grid = true,
    .wraps = true,
    .choose = line_choose,
    .build = grid_build,
    .route = grid_route,
    .ends = grid_ends,
    .zone_routing = "Full",
    .write = torus_write,
};
