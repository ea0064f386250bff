/* Performance models of a sweep, as the command model and its options --over and --predict ask for them. */
#ifndef SIMRUN_MODEL_MODEL_H
#define SIMRUN_MODEL_MODEL_H

#include "base/error.h"
#include "sim/scenario/scenario.h"
#include "simrun/options.h"
#include "study/run.h"

/* Whether the scenario varies what the models are to be over, before anything is simulated. Without options->model
 * all is well. */
int model_check(const struct scenario *scenario, const struct options *options, struct sim_error *error);

/* Set study->models; NULL without options->model, or after an error. */
int model_fit(struct study *study, const struct scenario *scenario, const struct options *options,
              struct sim_error *error);
/* Model traces, options->files, over their ranks or over --over, a parameter that the programs say, and report. */
int model_traces(const struct options *options, struct sim_error *error);
void model_dispose(struct study *study);

#endif
