/* How much there is to simulate, found beforehand: from a few ranks, steps and ops of a program, without simulating it.
 *
 * Amounts that are counted exactly are refused if they are too large; what is estimated is only said. Nothing is known
 * of programs that share memory (dsm_check_run() has their bounds) and of replays: their ops depend on what has
 * happened.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_EXTENT_H
#define SIM_KERNEL_EXTENT_H

#include "sim/kernel/kernel.h"

/* About how many messages a program sends: exact where ranks and steps are alike. 0 where nothing is known. */
double extent_messages(const struct kernel_run *run);

/* Check that the messages that a single collective may have under way at once are few enough (MAILBOX_MOST); -1 with
 * SIM_BAD_INPUT, what they would take and what is allowed. */
int extent_check(const struct kernel_run *run, struct sim_error *error);

#endif
