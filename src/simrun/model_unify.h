/* Runs of several traces, or of a store, as one study: with the same parameters in the same order.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_MODEL_UNIFY_H
#define SIMRUN_MODEL_UNIFY_H

#include "study/run.h"

/* Marks that tell a run apart beside its parameters. Names and texts are borrowed. */
enum { RUN_MARKS = 6 };
struct run_marks {
    const char *texts[RUN_MARKS];
};
extern const char *const run_mark_names[RUN_MARKS];

/* Give the runs, which come with parameters of their own, parameters of all of them. A parameter that a run lacks has
 * the text "". `marks`, one for each run or NULL: those that differ become parameters, too. There is room for `n_more`
 * further ones. The new parameters, study->runs[0].parameters for all runs, are to be freed; names stay those of the
 * runs. */
void unify_parameters(struct study *study, const struct run_marks *marks, int n_more);

#endif
