/* The networks that there are.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/network.h"

#include <stddef.h>

const struct network_spec *const network_specs[] = {
#define NETWORK(name) &network_##name,
#include "sim/network/list.def"
#undef NETWORK
    NULL,
};
