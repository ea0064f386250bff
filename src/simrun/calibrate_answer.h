/* A calibration from tables, and what is said of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_CALIBRATE_ANSWER_H
#define SIMRUN_CALIBRATE_ANSWER_H

#include "bring/trial.h"
#include "document/document.h"
#include "fabric/fabric.h"

struct calibration {
    struct benchmarks benchmarks;
    struct fabric fabric;
    struct series_list series;
    struct model model;
    struct made_platform platform;
    struct trial *trials; /* one for each series */
    size_t n_trials;
    const char *output; /* NULL: the platform is not written */
};

/* An answer_make of a struct calibration. */
int calibrate_say(struct document *document, void *calibration, struct sim_error *error);

#endif
