/* Performance models of a sweep, as the command model and its options --over and --predict ask for them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_MODEL_H
#define SIMRUN_MODEL_H

#include "base/error.h"
#include "experiment/run.h"
#include "sim/scenario/scenario.h"
#include "simrun/options.h"
#include "study/run.h"

/* Check that the scenario varies what the models are to be over, before anything is simulated. Without options->model
 * all is well. */
int model_check(const struct scenario *scenario, const struct options *options, struct sim_error *error);

/* Set study->models; NULL without options->model, or after an error. */
int model_fit(struct study *study, const struct scenario *scenario, const struct options *options,
              struct sim_error *error);

/* Add to the scenario the values at which the widest band of its models would become narrower, unless all are as narrow
 * as options->until, and supported. Their text, "ranks=256", to be freed; NULL: nothing is added. Sizes that cannot be
 * simulated are passed over. */
char *model_extend(struct scenario *scenario, struct run_context *context, const struct study *study,
                   const struct options *options);

/* Model traces, options->files, over the numbers that vary or over --over, and report. Those are the ranks, parameters
 * that the programs say, and, with --over, what all runs have counted. */
int model_traces(const struct options *options, struct sim_error *error);
/* The same of the runs of a store, the first of options->files, that fulfill the conditions in the others. */
int model_stored(const struct options *options, struct sim_error *error);
/* The same of measured values in a table (dataset/dataset.h), which are chosen by conditions likewise. */
int model_dataset(const struct options *options, struct sim_error *error);
void model_dispose(struct study *study);

#endif
