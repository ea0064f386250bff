/* The gate of simrun compare: --fail-if and --junit.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_COMPARE_GATE_H
#define SIMRUN_COMPARE_GATE_H

#include "base/error.h"
#include "simrun/options.h"
#include "study/compare/compare.h"

/* Check that all conditions can be understood, before anything is read. */
int compare_gate_parse(const struct options *options, struct sim_error *error);
/* Hold all versions against the first, and write --junit. -1 with SIM_GATE and one line that says why if a condition
 * fails. */
int compare_gate_check(const struct comparison *comparison, const struct options *options, struct sim_error *error);

#endif
