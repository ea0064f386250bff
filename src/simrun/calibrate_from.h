/* simrun calibrate --from FILE...: a platform from tables that benchmarks printed.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_CALIBRATE_FROM_H
#define SIMRUN_CALIBRATE_FROM_H

#include "simrun/options.h"

/* Make the platform, write it where the options say, and answer how well it fits. */
int calibrate_from(const struct options *options, struct sim_error *error);

#endif
