/* The platforms of a scenario: usually one; several are compared like the values of a parameter called platform.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_SCENARIO_PLATFORMS_H
#define SIM_SCENARIO_PLATFORMS_H

#include "base/error.h"
#include "sim/scenario/scenario.h"

enum { SCENARIO_MAX_PLATFORMS = 64 };

/* Take "a.xml,b.xml", relative to the scenario's folder, for the scenario's platforms. */
int scenario_platforms_read(struct scenario *scenario, const char *files, long line, struct sim_error *error);

/* Keep those of them that are named: the files' names without folder and extension. `label` begins the message. */
int scenario_platforms_select(struct scenario *scenario, const char *names, const char *label, struct sim_error *error);

/* In place of them all these, whose paths are absolute. */
int scenario_platforms_replace(struct scenario *scenario, const char *files, struct sim_error *error);

void scenario_platforms_dispose(struct scenario *scenario);

#endif
