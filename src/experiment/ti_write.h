/* Programs as TI traces: every rank's ops, collectives as the messages that they are made of.
 *
 * Computation is written as the operations that a rank's host does meanwhile, with so many digits that the time on that
 * host is the same to the picosecond; I/O, links and what takes the same time on any host as sleep. Synchronous sends
 * and control of parallelism are words at the end of a line, which SimGrid passes over. Scopes are lost. */
#ifndef EXPERIMENT_TI_WRITE_H
#define EXPERIMENT_TI_WRITE_H

#include "base/error.h"
#include "sim/kernel/app.h"
#include "sim/machine/machine.h"
#include "sim/program/placement.h"
#include "trace/trace.h"

#include <stdbool.h>

/* Whether the trace, NULL for none, wants the program and not its events. */
bool ti_is_wanted(const struct trace *trace);

/* Whether the program can be written: not one that shares memory. */
int ti_check(const struct program *program, struct sim_error *error);

/* Write all of the program, which is asked for its steps from the beginning. Where it wants the fastest collectives it
 * has been simulated, and program->collectives.autotune is what they were. */
int ti_write(const struct trace *trace, const struct program *program, struct machine *machine,
             const struct placement *placement, struct sim_error *error);

#endif
