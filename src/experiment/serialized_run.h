/* The outcome of a run in another process, as bytes: its index, and the run or its error.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_SERIALIZED_RUN_H
#define EXPERIMENT_SERIALIZED_RUN_H

#include "experiment/workers.h"

#include <stddef.h>

/* Write a run that has been simulated, or one that has failed, as error->status says; to be freed. */
char *serialized_run_write(size_t *size, int index, struct study_run *run, struct sim_error *error);

/* Put the run in its place, and call task->done(). A run's failure is kept, not returned, since others that have been
 * begun come to their end: *failed, INT32_MAX before, is the first one that has failed, and *error its error. -1: the
 * bytes are no serialized run, or done() fails. */
int serialized_run_read(int *failed, struct study *study, const struct workers_task *task, const unsigned char *bytes,
                        size_t size, struct sim_error *error);

/* Somebody has ended early. Returns -1. */
int serialized_run_fail(struct sim_error *error);

#endif
