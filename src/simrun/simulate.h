/* A scenario on the command line, simulated and reported.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_SIMULATE_H
#define SIMRUN_SIMULATE_H

#include "simrun/options.h"

/* Simulate the scenario and write the report, with what the options ask for. 0, or -1 with an error. */
int simulate_scenario(const char *file, const struct options *options, struct sim_error *error);

#endif
