/* A schedule whose ranks do several things at once: its operations are strands, which begin when what they require has
 * begun or ended.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_REPLAY_SCHEDULE_H
#define APPS_REPLAY_SCHEDULE_H

#include "base/error.h"
#include "sim/program/op.h"
#include "trace/goal/file.h"

#include <stdbool.h>
#include <stdint.h>

/* The position of the operation that a strand does; 0: it does none. */
int64_t schedule_position(struct goal_file *file, int rank, int64_t line);

/* See emit_strand() in sim/kernel/app.h: 1, or 0 where it is false, or -1 with an error. `speed`: of the computer that
 * the times are of, flop/s; 0: computations take their time on any host. */
int schedule_emit(struct goal_file *file, double speed, int rank, int64_t line, int64_t step, struct op_list *list,
                  struct sim_error *error);

/* So many strands have been begun besides the ranks' own, and no more will: -1 with an error where the others wait for
 * themselves. */
int schedule_finished(struct goal_file *file, int64_t n_started, struct sim_error *error);

#endif
