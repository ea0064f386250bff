/* Routings: how the way of a message is chosen where there are several. The topology's spec lists its routings
 * (topology.h).
 *
 * Those that are drawn choose by numbers that look random, from a seed; those that adapt look at the links that a
 * message would cross, when it comes to a node. The others always go the same way between two hosts.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_TOPOLOGY_ROUTING_H
#define SIM_TOPOLOGY_ROUTING_H

#include <stdbool.h>
#include <stdint.h>

enum routing {
    ROUTING_AUTO, /* the topology's first */
    ROUTING_MINIMAL,
    ROUTING_DIMENSION_ORDER,
    ROUTING_DMODK,
    ROUTING_VALIANT,
    ROUTING_UGAL_L,
    ROUTING_UGAL_G,
    ROUTING_ECMP,
    ROUTING_LEAST_LOADED,
    ROUTING_ADAPTIVE,
    N_ROUTINGS
};
#define ROUTING_BIT(name) (UINT32_C(1) << ROUTING_##name)

struct routing_spec {
    const char *name;
    const char *summary;
};
extern const struct routing_spec routing_specs[N_ROUTINGS];
extern const char *const routing_names[N_ROUTINGS + 1]; /* NULL-terminated */

/* True of one that looks at the load of links: when a message comes to a node, or at the first switch alone. */
static inline bool routing_adapts(enum routing routing)
{
    return routing == ROUTING_UGAL_L || routing == ROUTING_UGAL_G || routing == ROUTING_LEAST_LOADED ||
           routing == ROUTING_ADAPTIVE;
}

#endif
