/* The runs of a scenario before they are simulated: which there are, with what parameters, and what was measured of
 * them. */
#ifndef EXPERIMENT_PLAN_H
#define EXPERIMENT_PLAN_H

#include "base/error.h"
#include "experiment/run.h"
#include "study/run.h"

/* Fill in the study: its runs, in the order of the scenario, on one platform after the other, have their parameters
 * and no measures. sweep_dispose() frees it. */
void plan_open(struct study *study, const struct run_context *context);

/* Set the runs beside those of the scenario's reference file, if it names one. They have their times by now. A file
 * that cannot be read, or has what the scenario does not know, is SIM_BAD_INPUT. */
int plan_match_references(struct study *study, const struct scenario *scenario, struct sim_error *error);

#endif
