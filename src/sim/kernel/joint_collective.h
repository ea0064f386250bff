/* Collectives that all ranks of a group do together, where ranks run ahead.
 *
 * A rank that comes to a collective waits until all members of its group are there. Then each send of the collective
 * finds its receive, in an order that depends only on the call: the schedule. So its messages pass one after the other,
 * and none has to lie anywhere. Schedules are kept, since programs do the same collective again and again.
 *
 * Waiting for others is not part of most collectives. Where it leads to nothing, because those others need a rank that
 * waits, all ranks do their collectives alone from then on: see kernel_collective(). Actions of ranks and their times
 * are the same either way.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_JOINT_COLLECTIVE_H
#define SIM_KERNEL_JOINT_COLLECTIVE_H

#include "sim/kernel/internal.h"

struct joint_collectives;

struct joint_collectives *joint_collectives_new(int n_groups);
void joint_collectives_free(struct joint_collectives *collectives);

enum joint_outcome {
    JOINT_ALONE, /* the rank does the collective itself */
    JOINT_WAITS, /* the rank is called again when the others have come */
    JOINT_DONE,  /* so have they, and all have done it */
};

/* A rank comes to a collective. `listed` is NULL before it is known what it has to do there: then the answer is
 * JOINT_ALONE unless others wait for the same, whose call takes no time. */
enum joint_outcome joint_collective_enter(struct kernel *kernel, int rank, const struct op *op,
                                          const struct listed_step *listed);

/* Let all ranks that wait for others go on alone; false where none waits. */
bool joint_collectives_break_up(struct kernel *kernel);

#endif
