/* The forecast of a run by its application's own formula, and where the difference to the simulated time comes from.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_FORECAST_H
#define CORE_FORECAST_H

#include "base/error.h"
#include "core/simulation.h"
#include "metrics/result.h"

/* Add forecast_s, forecast_error and the group "forecast" to the measures of a run, made with the machine's costs
 * between its first two hosts. Nothing is added where the application has no formula, the machine no wires whose costs
 * it could take, or ranks share a host, which the formulas know nothing of. With all times in picoseconds,
 *
 *     time_s = forecast.time_s + computation_difference_s + communication_difference_s + contention_s
 *
 * holds exactly. The last is found by another run, without contention. */
int forecast_add(struct result *result, const struct simulation *simulation, struct sim_error *error);

/* The formulas' λ + bytes τ for wires that take so much. λ and τ are from process to process: they include what the
 * processors do at both ends. */
struct forecast_costs forecast_costs_of(const struct machine *machine, double latency_s, double byte_s);

/* The application's formula, where it has one, for messages that cost so much, and kernels what they cost on the
 * machine. -1 with the error where that does not know them. */
int forecast_make(struct forecast *forecast, const struct simulation *simulation, const struct forecast_costs *messages,
                  struct sim_error *error);

/* The 95 % band of the computation of a forecast that forecast_make() has made of the same, by the laws of its kernels,
 * those of several kernels in quadrature. An unknown end is INFINITY. */
struct forecast_band {
    double low_s, high_s;
};
int forecast_make_band(struct forecast_band *band, const struct forecast *forecast, const struct simulation *simulation,
                       const struct forecast_costs *messages, struct sim_error *error);

#endif
