/* A profile by libeppa as a run, for comparisons.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_COMPARE_PROFILE_H
#define SIMRUN_COMPARE_PROFILE_H

#include "base/error.h"
#include "study/run.h"

/* A profile has totals alone. What its run has of them: the time, the states of the ranks, functions, call sites, and
 * counts of messages. The critical path is estimated: the computation of the rank that computes longest, and of each
 * function the time of the rank that is in it for the shortest time, since that one hardly waits. To be disposed of by
 * analyse_run_dispose(). */
int compare_profile_load(struct study_run *run, const char *file, struct sim_error *error);

#endif
