/* GOAL as a format to write. Like a TI trace it is what the program does, so that the intervals say nothing to it, and
 * the operations come from who exports the program: rank after rank, from 0 on.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_WRITER_H
#define TRACE_GOAL_WRITER_H

#include "base/error.h"
#include "trace/goal/file.h"
#include "trace/record/writer.h"

#include <stdint.h>

extern const struct trace_format trace_goal;

/* Write all of a schedule. */
int trace_goal_write(void *self, struct goal_file *file, struct sim_error *error);

/* `self` is that of the open trace. */
void trace_goal_begin(void *self, int n_ranks);
void trace_goal_begin_rank(void *self);
/* An operation; its number, by which dependencies name it. */
uint32_t trace_goal_add(void *self, const struct goal_op *op);
/* The last operation begins only when the one `before` has begun, or ended. */
void trace_goal_depend(void *self, uint32_t before, bool start);
/* -1 if the rank cannot be kept. */
int trace_goal_end_rank(void *self, struct sim_error *error);

#endif
