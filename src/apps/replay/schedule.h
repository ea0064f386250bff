/* A schedule whose ranks do several things at once: its operations are strands, which begin when what they require has
 * begun or ended.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_REPLAY_SCHEDULE_H
#define APPS_REPLAY_SCHEDULE_H

#include "sim/program/op.h"
#include "trace/goal/graph.h"

#include <stdbool.h>
#include <stdint.h>

struct schedule_replay;

/* Of the graphs of so many ranks, which are borrowed. */
struct schedule_replay *schedule_replay_new(const struct goal_graph *graphs, int n_ranks);
void schedule_replay_free(struct schedule_replay *replay);

/* The graphs. */
const struct goal_graph *schedule_replay_graphs(const struct schedule_replay *replay);
/* How many processors the ranks have: one more than the largest cpu. */
int schedule_replay_processors(const struct schedule_replay *replay);
/* Whether they receive from any source, or under any tag. */
bool schedule_replay_has_any_source(const struct schedule_replay *replay);

/* The position of the operation that a strand does; 0: it does none. */
int64_t schedule_replay_position(const struct schedule_replay *replay, int rank, int64_t line);

/* See emit_strand() in sim/kernel/app.h. */
bool schedule_replay_emit(struct schedule_replay *replay, int rank, int64_t line, int64_t step, struct op_list *list);
#endif
