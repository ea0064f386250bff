/* Runs of stores, for comparisons.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_COMPARE_STORE_H
#define SIMRUN_COMPARE_STORE_H

#include "simrun/store_questions.h"
#include "study/compare/parts.h"

/* The runs that a version has from a store, with what it says of the first of them. */
struct compare_stored {
    struct options options; /* whose files are the store and conditions */
    struct store_question question;
    struct compare_origin origin;
    char *scenario_text, *platform_text;
};

/* Load the runs that fulfill the conditions: one that was simulated, or traces of one number of ranks. `files` are the
 * store and the conditions; is_again: the store is open already. *stored stays where it is until it is disposed of,
 * also after an error. */
int compare_stored_load(struct compare_stored *stored, char **files, int n_files, bool is_again,
                        const struct options *options, struct sim_error *error);
/* Load the run of that number, as store diff has it. */
int compare_stored_load_run(struct compare_stored *stored, const char *number, bool is_again,
                            const struct options *options, struct sim_error *error);
void compare_stored_dispose(struct compare_stored *stored);

#endif
