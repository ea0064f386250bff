/* Runs a program: with the event kernel, or, where it shares memory, with the engine for that.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_SIMULATE_H
#define SIM_SIMULATE_H

#include "sim/kernel/kernel.h"

/* The contract is that of kernel_run(). */
int simulate_run(struct kernel_stats *stats, const struct kernel_run *run, struct sim_error *error);

#endif
