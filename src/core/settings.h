/* The settings of every simulation beside its application's parameters, and the topology that follows from them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_SETTINGS_H
#define CORE_SETTINGS_H

#include "base/error.h"
#include "sim/program/param.h"
#include "sim/topology/topology.h"

#include <stdint.h>

/* The values of a simulation are those of common_params, in this order, and behind them those of its application. The
 * value of COMMON_NETWORK is 0 for the machine's own network, else 1 + its index in network_specs; COMMON_TOPOLOGY
 * likewise. */
enum common_param {
    COMMON_RANKS,
    COMMON_NETWORK,
    COMMON_RANKS_PER_HOST,
    COMMON_MESH,
    COMMON_LAYOUT,
    COMMON_ROOT,
    COMMON_TOPOLOGY,
    COMMON_DIMENSIONS,
    COMMON_ROUTING,
    COMMON_ROUTING_SEED,
    COMMON_PLACEMENT,
    N_COMMON_PARAMS
};
extern const struct param_spec common_params[N_COMMON_PARAMS];

/* The topology that the values ask for; spec NULL: the machine's own. -1 on dimensions that do not fit, or without
 * topology. */
int settings_topology(struct topology *topology, const int64_t *values, struct sim_error *error);

#endif
