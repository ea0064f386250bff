/* The runs of a scenario before they are simulated: which there are, with what parameters, and what was measured of
 * them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_PLAN_H
#define EXPERIMENT_PLAN_H

#include "base/error.h"
#include "experiment/run.h"
#include "study/run.h"

/* How many runs the scenario has, on one platform or on all; how many of the first `place` are in the shard; and the
 * place among all runs of a run of the shard. */
int plan_count_of_platform(const struct run_context *context);
int plan_count(const struct run_context *context);
int plan_count_before(const struct run_context *context, int place);
int plan_place(const struct run_context *context, int index);

/* Fill in the study: its runs, in the order of the scenario, on one platform after the other, have their parameters
 * and no measures. Only those of the shard are there. sweep_dispose() frees it. */
void plan_open(struct study *study, const struct run_context *context);

/* Set the runs beside those of the scenario's reference file, if it names one. They have their times by now. A file
 * that cannot be read, or has what the scenario does not know, is SIM_BAD_INPUT. */
int plan_match_references(struct study *study, const struct scenario *scenario, struct sim_error *error);

#endif
