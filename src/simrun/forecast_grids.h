/* Declarations that the files of answers for grids share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_FORECAST_GRIDS_H
#define SIMRUN_FORECAST_GRIDS_H

#include "simrun/forecast.h"

enum { MOST_SHOWN = 10 }; /* grids to readers */

/* True if others use its hosts or wires, which a simulation knows nothing of. */
bool grid_is_loaded(const struct grid *grid);
/* How far a model's time is off the simulation, as a share of it; NAN: there is none to compare with. */
double grid_off(double model_s, const struct grid *grid);
/* True if the formula of the simulated algorithm is more than 15 % off the simulation. */
bool grid_is_far_off(const struct grid *grid);
/* "4x8"; the document's. */
const char *grid_show(struct document *document, const struct grid *grid);

/* All that readers are told: a line with the answer, a table, notes. */
void grids_say(const struct answer *answer, struct document *document);

#endif
