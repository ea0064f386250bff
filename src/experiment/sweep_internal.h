/* Shared by simulating and checking the runs of a scenario: the runs on one of its platforms.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_SWEEP_INTERNAL_H
#define EXPERIMENT_SWEEP_INTERNAL_H

#include "experiment/progress.h"
#include "experiment/sweep.h"

struct sweep {
    struct run_context context; /* its machine NULL until it is loaded, in a child */
    struct scenario scenario;   /* as if it were the only platform */
    int platform;
    int first, n_runs; /* its runs among those of the study */
    int n_discarded;   /* of sweep_check() */
    double messages;   /* likewise */
    struct progress *progress;
};

void sweep_init(struct sweep *sweep, const struct run_context *context, int platform);
/* For the workers, whose `self` is the sweep. */
int sweep_load_platform(void *sweep, struct sim_error *error);

#endif
