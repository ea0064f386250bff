/* Measures of what simulating took of this computer: time and memory of a run may be modeled like those of a
 * program.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_MODELS_HOST_H
#define STUDY_MODELS_HOST_H

#include "base/error.h"
#include "study/run.h"

#include <stdbool.h>

/* True if a list of measures has one of these. */
bool host_is_meant(const char *measures);

/* Add them to the measures of each run, under the names that they have in JSON: host.wall_s, events, peak_rss_bytes. It
 * is an error if no run was simulated. */
int host_add(struct study *study, struct sim_error *error);

#endif
