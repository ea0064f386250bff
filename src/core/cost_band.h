/* The band that a run's answer has because its costs do: laws of tables (sim/machine/kernel_law.h) may be off.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_COST_BAND_H
#define CORE_COST_BAND_H

#include "core/simulation.h"

/* Add to the measures of a run the group "cost_band", with 95 % bands of time, speedup and efficiency, and the table
 * "costs", with the laws of its kernels. Nothing where no kernel of the program has a law.
 *
 * A law is off for all calls of its kernel together; laws of different kernels are off apart from each other. So one
 * more run counts the calls, and two runs for each kernel, with its cost scaled down and up, tell the share a of the
 * time T that its cost is responsible for. If tau is the time of all its calls, and ' that of the run on one rank,
 *
 *     dT/T = a dtau/tau,    dS/S = dtau'/T' - a dtau/tau
 *
 * Each is a weighted sum of the law's values at the calls' sizes, whose band regression_sum() gives. The bands of
 * kernels are added in quadrature. docs/explain/models/costs.md holds it against draws of whole laws.
 *
 * `sequential`: the same problem on one rank, or NULL: then there is no band of the speedup. An infinite band is no
 * measure. */
int cost_band_add(struct result *result, const struct simulation *simulation, const struct simulation *sequential,
                  struct sim_error *error);

/* True if any kernel of the program has a law. */
bool cost_band_is_there(const struct simulation *simulation);

#endif
