/* The topologies that there are. */
#include "sim/topology/topology.h"

#include <stddef.h>

#define TOPOLOGY(name) extern const struct topology_spec topology_##name;
#include "sim/topology/list.def"
#undef TOPOLOGY

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
