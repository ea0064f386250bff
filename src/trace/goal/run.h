/* Orders all ranks of a schedule together, where a rank has a choice of what to wait for: they run on a network that
 * takes no time, and each rank waits for what comes first. So no rank waits for what comes of its own later steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_RUN_H
#define TRACE_GOAL_RUN_H

#include "base/error.h"
#include "trace/goal/schedule.h"

/* Write the steps of all ranks, whose graphs schedule->graphs has, to the spool. */
int goal_run(struct goal_schedule *schedule, struct sim_error *error);

#endif
