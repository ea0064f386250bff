/* The input of simrun compare: the words of the command line become versions of a program, each with its runs.
 *
 * A word is a trace, a profile by libeppa, a scenario, or a store with the conditions that come next. Without the word
 * `vs` each is a version of its own; else `vs` stands between versions.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_COMPARE_INPUTS_H
#define SIMRUN_COMPARE_INPUTS_H

#include "base/error.h"
#include "simrun/options.h"
#include "study/compare/compare.h"

struct compare_source;

struct compare_inputs {
    struct compare_version *versions;
    int n_versions;
    struct compare_source **sources; /* what owns the runs */
    size_t n_sources, capacity;
};

/* Read all of it. After an error compare_inputs_dispose() is in place as well. */
int compare_inputs_load(struct compare_inputs *inputs, const struct options *options, struct sim_error *error);
/* The same of a store and the numbers of two of its runs, as store diff has them. */
int compare_inputs_load_runs(struct compare_inputs *inputs, const struct options *options, struct sim_error *error);
void compare_inputs_dispose(struct compare_inputs *inputs);

#endif
