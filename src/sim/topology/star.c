/* Star: a tree of one level, all hosts on one switch. */
#include "sim/topology/internal.h"

/* A tree of one level. */
static int star_build(struct topology *topology, char *why, size_t why_size)
{
    if (refuse_up(topology, why, why_size) != 0 || count_hosts(topology, TOPOLOGY_MAX_HOSTS, why, why_size) != 0)
        return -1;
    topology->dimensions = (struct dimensions){.n = 1, .side = {topology->n_hosts}, .n_up = 1, .up = {1}};
    return fat_tree_build(topology, why, why_size);
}

static void star_write(FILE *stream, const struct topology *topology, const struct topology_text *text)
{
    write_cluster(stream, topology, text, NULL, NULL);
}

const struct topology_spec topology_star = {
    .name = "star",
    .summary = "all hosts on one switch",
    .counts_hosts = true,
    .form = "HOSTS",
    .routing = "through the switch",
    .choose = line_choose,
    .build = star_build,
    .route = fat_tree_route,
    .ends = fat_tree_ends,
    .zone_routing = "Full",
    .write = star_write,
};
