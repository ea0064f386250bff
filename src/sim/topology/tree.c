/* Tree: a fat tree with one wire up from every node.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

int tree_build(struct topology *topology, char *why, size_t why_size)
{
    struct dimensions *dimensions = &topology->dimensions;
    for (int l = 0; l < dimensions->n; l++)
        dimensions->up[l] = 1;
    dimensions->n_up = dimensions->n;
    return fat_tree_build(topology, why, why_size);
}

const struct topology_spec topology_tree = {
    .name = "tree",
    .summary = "hosts under levels of switches, with one uplink from each",
    .form = "DOWNxDOWN..., levels from the hosts up",
    .routing = "up to the first common switch and down",
    .routings = ROUTING_BIT(MINIMAL),
    .choose = fat_tree_choose,
    .build = tree_build,
    .segment = fat_tree_segment,
    .hops = fat_tree_hops,
    .level = fat_tree_level,
    .ends = fat_tree_ends,
    .facts = fat_tree_facts,
    .place = fat_tree_place,
    .zone_routing = "Full",
    .write = fat_tree_write,
};
