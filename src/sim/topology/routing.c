/* The routings that there are, and what they choose of a route.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/topology.h"

#include "base/hash.h"

#include <assert.h>
#include <stddef.h>

const struct routing_spec routing_specs[N_ROUTINGS] = {
    [ROUTING_AUTO] = {"auto", "the first of the topology"},
    [ROUTING_MINIMAL] = {"minimal", "a shortest way, always the same between two hosts"},
    [ROUTING_DIMENSION_ORDER] = {"dimension_order", "along one dimension after the other"},
    [ROUTING_DMODK] = {"dmodk", "the destination determines the way up"},
    [ROUTING_VALIANT] = {"valiant", "by a switch or group that is drawn for each message, and from there minimal"},
    [ROUTING_UGAL_L] = {"ugal_l", "minimal or as valiant, by the queues and lengths of the two ways; the queue is that "
                                  "which the first switch sees: before its link, and, by credits, behind it"},
    [ROUTING_UGAL_G] = {"ugal_g", "the same, by the queues of all links of the two ways"},
    [ROUTING_ECMP] = {"ecmp", "of equally long ways one by a hash of source and destination, at each switch"},
    [ROUTING_LEAST_LOADED] = {"least_loaded", "of equally long ways, at each switch, that whose link is free first"},
    [ROUTING_ADAPTIVE] = {"adaptive", "at each node, of the dimensions in which the way goes on, that whose link is "
                                      "free first"},
};

const char *const routing_names[N_ROUTINGS + 1] = {
    "auto", "minimal", "dimension_order", "dmodk", "valiant", "ugal_l", "ugal_g", "ecmp", "least_loaded", "adaptive",
};

bool topology_set_routing(struct topology *topology, enum routing routing, uint32_t seed)
{
    uint32_t own = topology->spec->routings;
    if (routing == ROUTING_AUTO)
        routing = (enum routing)__builtin_ctz(own);
    if ((own >> routing & 1) == 0)
        return false;
    topology->routing = routing;
    topology->seed = seed;
    topology->is_drawn = routing == ROUTING_VALIANT || routing == ROUTING_ECMP;
    topology->adapts = routing_adapts(routing);
    return true;
}

uint32_t topology_detour(const struct topology *topology, int from, int to, uint64_t random)
{
    int node = topology->spec->detour(topology, from, to, random);
    assert(node < topology->n_hosts + topology->n_switches);
    return (uint32_t)(node + 1);
}

static uint64_t pair_random(const struct topology *topology, int from, int to)
{
    return pseudo_random(topology->seed, (uint64_t)(uint32_t)from << 32 | (uint32_t)to);
}

uint32_t topology_draw(const struct topology *topology, int from, int to, uint64_t random)
{
    if (topology->routing == ROUTING_VALIANT)
        return topology_detour(topology, from, to, random);
    return (uint32_t)(pair_random(topology, from, to) >> 33) | 1;
}

uint32_t topology_draw_pair(const struct topology *topology, int from, int to)
{
    return topology->is_drawn ? topology_draw(topology, from, to, pair_random(topology, from, to)) : 0;
}

void topology_follow(const struct topology *topology, int from, int to, uint32_t *drawn,
                     struct topology_segment *segment)
{
    const struct topology_spec *spec = topology->spec;
    int options = topology->routing == ROUTING_ECMP && *drawn != 0 ? spec->options(topology, from, to) : 1;
    if (options > 1) {
        uint64_t hash = pseudo_random(*drawn, (uint64_t)from);
        spec->option(topology, from, to, (int)(hash % (uint64_t)options), segment);
        return;
    }
    if (topology->routing != ROUTING_ECMP && (int)*drawn == from + 1)
        *drawn = 0;
    spec->segment(topology, from, topology->routing != ROUTING_ECMP && *drawn != 0 ? (int)*drawn - 1 : to, segment);
}
