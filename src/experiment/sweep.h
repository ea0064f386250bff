/* All runs of a scenario, some of them side by side.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_SWEEP_H
#define EXPERIMENT_SWEEP_H

#include "base/error.h"
#include "experiment/run.h"
#include "study/run.h"

#include <stdbool.h>

/* Simulate every run and fill in study->runs, n_runs and the rest of *study but `verbose`. With jobs > 1 the runs
 * are dealt to that many child processes; the results are the same to the last bit. Runs that context->cache has are
 * taken from there, and the others added to it, each when it is done. */
int sweep_simulate(struct study *study, const struct run_context *context, int jobs, bool progress,
                   struct sim_error *error);

/* Check every run without simulating, and count those that a decision would discard, and about how many messages
 * they all send. */
int sweep_check(const struct run_context *context, int *n_discarded, double *messages, struct sim_error *error);

void sweep_dispose(struct study *study);

#endif
