/* On a network without contention, how long messages are on a rank's own wire that others are on already: how far from
 * the truth a machine is on which a rank has one wire each way.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_OWN_WIRES_H
#define SIM_KERNEL_OWN_WIRES_H

#include "sim/kernel/internal.h"

struct own_wires *own_wires_new(int n_ranks);
void own_wires_free(struct own_wires *wires);

/* A message starts now. Time that it waits, except for its length, is no time on the wire. */
void own_wires_send(struct kernel *kernel, const struct message *message);

#endif
