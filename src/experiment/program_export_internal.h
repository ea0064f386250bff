/* The state of an export of a program: program_export.c goes through its ops, program_export_messages.c writes messages
 * and waits.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_PROGRAM_EXPORT_INTERNAL_H
#define EXPERIMENT_PROGRAM_EXPORT_INTERNAL_H

#include "experiment/program_export.h"

#include "base/units.h"
#include "sim/program/groups.h"

struct program_export {
    const struct export_writer *writer;
    void *state;
    struct export_position position;
    const struct program *program;
    struct machine *machine;
    const struct placement *placement;
    struct kernel_cost *costs;
    struct groups groups;
    struct export_request *begun; /* requests that are not waited for yet, in their order */
    size_t n_begun, capacity;
    bool is_loggp; /* the network on which the program has run */
};

/* Write a time in which the rank does not compute. */
static inline void export_sleep(struct program_export *self, wide_int time_ps)
{
    self->writer->sleep(self->state, &self->position, units_clamp(time_ps));
}

/* Write a send, a receive, a wait or a mark; `context`: 0, or one more than the group of the collective that it is
 * in. */
void export_message(struct program_export *self, const struct op *op, int context);

#endif
