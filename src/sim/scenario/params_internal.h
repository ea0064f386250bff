/* The steps in which the parameters of a scenario get their values, as it is read.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_SCENARIO_PARAMS_INTERNAL_H
#define SIM_SCENARIO_PARAMS_INTERNAL_H

#include "sim/scenario/scenario.h"
#include "sim/scenario/xml.h"

/* Give every parameter, of all scenarios and of the application, its default; one without stays without values. */
void scenario_params_init(struct scenario *scenario);

/* Then the values that the file gives them. One that is unknown, set twice, out of range or missing, and too many runs,
 * are errors. */
int scenario_params_read(struct scenario *scenario, const struct scenario_text *text, struct sim_error *error);

/* See that the title's {NAME|TEXT} name parameters, or platform. */
int scenario_title_check(const struct scenario *scenario, long line, struct sim_error *error);

/* See that there is something to decide between; --set may leave one candidate, the file may not. */
int scenario_params_decide(const struct scenario *scenario, long line, struct sim_error *error);

#endif
