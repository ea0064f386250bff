/* The machines of a scenario: its platform, or, where the parameter `topology` says so, the platform's hosts and wires
 * put together otherwise, for each run its own.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_MACHINES_H
#define EXPERIMENT_MACHINES_H

#include "base/error.h"
#include "sim/machine/machine.h"
#include "sim/scenario/scenario.h"

struct machines;

/* Load the scenario's platform; *platform is borrowed. Where a run has a topology, SimGrid is left free for that. -1
 * and *machines NULL on any fault. */
int machines_open(struct machines **machines, struct machine **platform, const struct scenario *scenario,
                  struct sim_error *error);
void machines_close(struct machines *machines);

/* The machine of the run with these values, until the next call. Dimensions that do not fit are an error without place.
 * The machine of a run without topology may lack its routes before machines_prepare(). */
int machines_find(struct machine **machine, struct machines *machines, const int64_t *values, struct sim_error *error);

/* Make the machine of the run ready for simulating. */
int machines_prepare(struct machines *machines, const int64_t *values, struct sim_error *error);

/* The machine's name, for as long as `machines`. */
const char *machines_name(struct machines *machines, const struct machine *machine);

/* Write the machine that all runs of the scenario have: a derived one as a platform file, any as text for the library.
 * No such, or several, is an error. */
int machines_write(struct machines *machines, const struct scenario *scenario, const char *file, bool as_text,
                   struct sim_error *error);

#endif
