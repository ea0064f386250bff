/* Star: a tree of one level, all hosts on one switch. */
#include "sim/topology/internal.h"

static void star_write(FILE *stream, const struct topology *topology, const struct topology_text *text)
{
    write_cluster(stream, topology, text, NULL, NULL);
}

const struct topology_spec topology_star = {
    .name = "star",
    .summary = "all hosts on one switch",
    .most_hosts = TOPOLOGY_MAX_HOSTS,
    .form = "HOSTS",
    .routing = "through the switch",
    .choose = line_choose,
    .build = tree_build,
    .route = fat_tree_route,
    .ends = fat_tree_ends,
    .zone_routing = "Full",
    .write = star_write,
};
