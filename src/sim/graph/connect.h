/* Gives a machine its hosts and wires.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_GRAPH_CONNECT_H
#define SIM_GRAPH_CONNECT_H

#include "base/error.h"
#include "sim/machine/machine.h"
#include "sim/machine/prop.h"

/* The routes are the machine's from now on. -1 if they are not those of the mesh or the topology that its props
 * name. */
int machine_connect(struct machine *machine, struct route_table *routes, struct machine_props *props,
                    struct sim_error *error);

#endif
