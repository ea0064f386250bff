/* Star: a tree of one level, all hosts on one switch.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

#include <math.h>

static void star_write(FILE *stream, const struct topology *topology, const struct topology_text *text)
{
    write_cluster(stream, topology, text, NULL, NULL);
}

/* The switch is in the middle. */
static void star_place(double at[3], const struct topology *topology, int node)
{
    if (node < topology->n_hosts)
        place_on_circle(at, node, topology->n_hosts, fmax(circle_radius(topology->n_hosts), 1));
}

const struct topology_spec topology_star = {
    .name = "star",
    .summary = "all hosts on one switch",
    .most_hosts = DIMENSIONS_MAX_SIDE,
    .form = "HOSTS",
    .routing = "through the switch",
    .routings = ROUTING_BIT(MINIMAL),
    .choose = line_choose,
    .build = tree_build,
    .segment = fat_tree_segment,
    .hops = fat_tree_hops,
    .ends = fat_tree_ends,
    .facts = fat_tree_facts,
    .place = star_place,
    .zone_routing = "Full",
    .write = star_write,
};
