/* simrun --platform FILE TRACE: a trace is replayed on a machine, without a scenario; and what was traced, beside what
 * is simulated of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_REPLAY_H
#define SIMRUN_REPLAY_H

#include "base/error.h"
#include "interval/part.h"
#include "sim/scenario/scenario.h"
#include "study/run.h"

/* The platforms of --platform, "a.xml,NAME": files, or names of those that simrun has, as paths that hold anywhere,
 * with commas between; to be freed. NULL with an error that names the one that is none. */
char *replay_find_platforms(const char *platforms, struct sim_error *error);
/* A scenario that replays a part of the trace on these. */
int replay_load(struct scenario *scenario, const char *trace, const struct part_request *part, const char *platforms,
                struct sim_error *error);

/* Analyze the trace that the scenario replays, if it replays one that has times, and give each run the measures of the
 * group "traced". */
int replay_add_traced(struct study *study, const struct scenario *scenario, struct sim_error *error);

#endif
