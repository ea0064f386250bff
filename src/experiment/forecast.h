/* What an application's own formula says of a run, and where the difference to the simulated time comes from. */
#ifndef EXPERIMENT_FORECAST_H
#define EXPERIMENT_FORECAST_H

#include "metrics/result.h"
#include "sim/kernel/app.h"
#include "sim/machine/machine.h"

#include <stdbool.h>

/* The formula, with the machine's costs between its first two hosts. False where the application has none, the machine
 * no wires whose costs it could take, or ranks share a host, which the formulas know nothing of. */
bool forecast_make(struct forecast *forecast, const struct program *program, const struct placement *placement,
                   struct machine *machine);

/* Add forecast_s, forecast_error and the group "forecast" to the measures of a run. `quiet` has those of the same run
 * without contention and may be the same. With all times in picoseconds,
 *
 *     time_s = forecast.time_s + computation_difference_s + communication_difference_s + contention_s
 *
 * holds exactly. */
void forecast_compare(struct result *result, const struct forecast *forecast, const struct result *quiet);

#endif
