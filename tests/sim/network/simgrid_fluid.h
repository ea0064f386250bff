/* SimGrid's own engine as a network: the oracle of `fluid`.
 *
 * A run lives in an actor of SimGrid, which sleeps until the kernel's next moment; each transfer is a send from
 * host to host. SimGrid's clock goes on from one run of a process to the next, so that their last digits differ.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SIMGRID_FLUID_H
#define TESTS_SIMGRID_FLUID_H

#include "sim/kernel/kernel.h"

/* Set SimGrid up for flows, before the process loads its machine: latency and bandwidth as the platform has them,
 * opposite directions apart, TCP's window no limit, and a clock fine enough for short messages. */
void simgrid_fluid_prepare(void);

/* SimGrid's host of a number, an sg_host_t. */
void *simgrid_fluid_host(const struct machine *machine, int host);

/* As kernel_run(), on SimGrid's network in place of the run's own. The machine is the one that the process has
 * loaded. */
int simgrid_fluid_run(struct kernel_stats *stats, const struct kernel_run *run, struct sim_error *error);

#endif
