/* Questions to a store: which runs it holds.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_STORE_QUESTIONS_H
#define SIMRUN_STORE_QUESTIONS_H

#include "base/error.h"
#include "document/document.h"
#include "simrun/options.h"
#include "store/store.h"
#include "study/sections/listing.h"

/* A question, and the runs that have been loaded for the answer. */
struct store_question {
    struct store *store;
    const struct options *options; /* the first of its files is the store */
    struct store_run *runs;
    struct listing_run *listed;
    int count;
};
/* Open the store, the first of the files, to be asked. is_again: it has been opened before. */
int store_question_open(struct store_question *question, const struct options *options, bool is_again,
                        struct sim_error *error);
/* Load all runs, or those that fulfill the conditions in the other files. */
int store_question_load(struct store_question *question, struct sim_error *error);
/* Load the runs of these numbers. */
int store_question_load_runs(struct store_question *question, const int64_t *ids, int n_ids, struct sim_error *error);
void store_question_dispose(struct store_question *question);

/* The answer, as simrun/answer.h makes it: all runs, or those that fulfill the conditions in the other files. */
int store_list_runs(struct document *document, void *question, struct sim_error *error);

#endif
