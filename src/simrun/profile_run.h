/* A profile as a run, for comparisons and models.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_PROFILE_RUN_H
#define SIMRUN_PROFILE_RUN_H

#include "base/error.h"
#include "dataset/run_profile.h"
#include "study/run.h"

#include <stdbool.h>

/* A profile by libeppa or in Cube's format? */
bool profile_run_takes(const char *file);
/* A profile has totals alone. What its run has of them: the time, the states of the ranks, functions, call sites, and
 * counts of messages; of one in Cube's format functions, and the user's as scopes. The critical path is estimated: the
 * computation of the rank that computes longest, and of each function the time of the rank that is in it for the
 * shortest time, since that one hardly waits. To be disposed of by analyse_run_dispose(). */
int profile_run_load(struct study_run *run, const char *file, struct sim_error *error);

/* Time of a rank in a function of the user's. */
struct profile_scope {
    const char *name;
    int rank;
    double time_s;
};
/* Read a profile in Cube's format, of which each location is a rank: functions of MPI, and in *scopes those of the
 * user, n_scopes of them, whose room is the caller's to free; their names are interned. -1 with an error. */
int cube_run_load(struct run_profile *profile, struct profile_scope **scopes, size_t *n_scopes, const char *file,
                  struct sim_error *error);

#endif
