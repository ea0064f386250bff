/* The parameters that every simulation has.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/settings.h"

#include "sim/network/network.h"
#include "sim/program/placement.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const network_choices[] = {
    "auto",
#define NETWORK(name) #name,
#include "sim/network/list.def"
#undef NETWORK
    NULL,
};

const struct param_spec common_params[N_COMMON_PARAMS] = {
    [COMMON_RANKS] = {"ranks", PARAM_COUNT, "1", .min = 1, .max = 16777216, .summary = "number of processes",
                      .concerns = SUBJECT_RANKS},
    [COMMON_NETWORK] = {"network", PARAM_CHOICE, "auto", .choices = network_choices,
                        .summary = "network model; auto: that of the machine", .concerns = SUBJECT_NETWORK},
    [COMMON_RANKS_PER_HOST] = {"ranks_per_host", PARAM_COUNT, "1", .min = 1, .max = 1048576,
                               .summary = "number of consecutive ranks on one host"},
    [COMMON_MESH] = {"mesh", PARAM_MESH, "auto", .summary = "the sub-mesh to use; auto: near-square"},
    [COMMON_LAYOUT] = {"layout", PARAM_CHOICE, "snake", .choices = layout_names,
                       .summary = "order of the ranks on the mesh"},
    [COMMON_ROOT] = {"root", PARAM_CHOICE, "edge", .choices = root_place_names,
                     .summary = "position on the mesh of the rank that does I/O", .concerns = SUBJECT_IO},
    [COMMON_TOPOLOGY] = {"topology", PARAM_CHOICE, "auto", .choices = topology_choices,
                         .summary = "how the hosts are wired; auto: as in the platform", .concerns = SUBJECT_TOPOLOGY},
    [COMMON_DIMENSIONS] = {"dimensions", PARAM_DIMENSIONS, "auto",
                           .summary = "dimensions of the topology; auto: enough for all ranks",
                           .concerns = SUBJECT_DIMENSIONS},
    [COMMON_ROUTING] = {"routing", PARAM_CHOICE, "auto", .choices = routing_names,
                        .summary = "how messages find their way on the topology; auto: its first routing",
                        .concerns = SUBJECT_ROUTING},
    [COMMON_ROUTING_SEED] = {"routing_seed", PARAM_COUNT, "1", .min = 1, .max = 1000000,
                             .summary = "seed of what a routing draws", .concerns = SUBJECT_ROUTING},
    [COMMON_PLACEMENT] = {"placement", PARAM_PLACEMENT, "auto",
                          .summary = "order of the ranks on their hosts; auto: as many on one after the other"},
};

/* The dimensions that the values ask for; the part of the mesh that is used is what there is, if nothing else is
 * said. */
static struct dimensions asked_dimensions(const struct topology_spec *spec, const int64_t *values, int n_hosts)
{
    struct dimensions dimensions = dimensions_of(values[COMMON_DIMENSIONS]);
    int width = PARAM_MESH_WIDTH(values[COMMON_MESH]), height = PARAM_MESH_HEIGHT(values[COMMON_MESH]);
    if (dimensions.n == 0 && spec->is_grid && spec->most_hosts == 0 && (int64_t)width * height >= n_hosts)
        dimensions = (struct dimensions){.n = 2, .side = {width, height}};
    return dimensions;
}

/* -1 if the topology has another routing than these. */
static int set_routing(struct topology *topology, const int64_t *values, struct sim_error *error)
{
    char known[300] = "";
    enum routing routing = (enum routing)values[COMMON_ROUTING];
    if (topology_set_routing(topology, routing, (uint32_t)values[COMMON_ROUTING_SEED]))
        return 0;
    for (int i = 0; i < N_ROUTINGS; i++)
        if (topology->spec->routings >> i & 1)
            snprintf(known + strlen(known), sizeof known - strlen(known), " %s", routing_names[i]);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter 'routing': a %s has no '%s'; allowed: auto%s",
                         topology->spec->name, routing_names[routing], known);
}

/* The parameters that say more of a topology need one. */
static int refuse_without(const int64_t *values, struct sim_error *error)
{
    const char *name = values[COMMON_DIMENSIONS] != 0 ? "dimensions" : values[COMMON_ROUTING] != 0 ? "routing" : NULL;
    if (name == NULL)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "parameter '%s' belongs to a topology; set 'topology' as well",
                         name);
}

int settings_topology(struct topology *topology, const int64_t *values, struct sim_error *error)
{
    *topology = (struct topology){.spec = NULL};
    if (values[COMMON_TOPOLOGY] == 0)
        return refuse_without(values, error);
    const struct topology_spec *spec = topology_specs[values[COMMON_TOPOLOGY] - 1];
    int n_hosts = (int)((values[COMMON_RANKS] - 1) / values[COMMON_RANKS_PER_HOST] + 1);
    struct dimensions dimensions = asked_dimensions(spec, values, n_hosts);
    if (topology_init(topology, spec, &dimensions, n_hosts, error) == 0)
        return set_routing(topology, values, error);
    size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, ", in the run of %d ranks",
             (int)values[COMMON_RANKS]);
    return -1;
}
