/* The parts of an opened simulation, for those who forecast it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_SIMRUN_INTERNAL_H
#define CORE_SIMRUN_INTERNAL_H

#include "core/simrun.h"
#include "core/simulation.h"

/* Valid as long as it is open. */
const struct simulation *opened_simulation(const struct simrun *opened);

/* The same problem on one rank; to be disposed of by simulation_dispose(). */
int opened_on_one_rank(struct simulation *simulation, const struct simrun *opened, struct sim_error *error);

#endif
