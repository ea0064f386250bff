/* Torus: a mesh whose sides close, with routes the shorter way around.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

const struct topology_spec topology_torus = {
    .name = "torus",
    .summary = "a grid with wraparound",
    .form = "SIDExSIDE...",
    .routing = "dimension order, in each the shorter way around",
    .routings = ROUTING_BIT(DIMENSION_ORDER) | ROUTING_BIT(ADAPTIVE),
    .is_grid = true,
    .wraps = true,
    .choose = grid_choose,
    .build = grid_build,
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
