/* Networks by their names, for tests.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SIM_NETWORK_NAMED_H
#define TESTS_SIM_NETWORK_NAMED_H

#include "sim/network/network.h"

#include <stdlib.h>
#include <string.h>

static inline const struct network_spec *network_named(const char *name)
{
    for (int i = 0; network_specs[i] != NULL; i++)
        if (strcmp(network_specs[i]->name, name) == 0)
            return network_specs[i];
    abort();
}

#endif
