/* The topologies that there are.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/topology.h"

#include <stddef.h>

const struct topology_spec *const topology_specs[] = {
#define TOPOLOGY(name) &topology_##name,
#include "sim/topology/list.def"
#undef TOPOLOGY
    NULL,
};

const char *const topology_choices[] = {
    "auto",
#define TOPOLOGY(name) #name,
#include "sim/topology/list.def"
#undef TOPOLOGY
    NULL,
};
