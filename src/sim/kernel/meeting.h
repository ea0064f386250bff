/* Collectives that all ranks of a group do together, where ranks run ahead.
 *
 * A rank that comes to a collective waits until all members of its group are there. Then each send of the collective
 * finds its receive, in an order that depends only on the call: the schedule. So its messages pass one after the other,
 * and none has to lie anywhere. Schedules are kept, since programs do the same collective again and again.
 *
 * Waiting for others is not part of most collectives. Where it leads to nothing, because those others need a rank that
 * waits, all ranks do their collectives alone from then on: see kernel_collective(). What each rank does when is the
 * same either way. */
#ifndef SIM_KERNEL_MEETING_H
#define SIM_KERNEL_MEETING_H

#include "sim/kernel/internal.h"

struct meetings;

struct meetings *meetings_new(int n_groups);
void meetings_free(struct meetings *meetings);

enum meeting_outcome {
    MEETING_ALONE, /* the rank does the collective itself */
    MEETING_WAITS, /* the rank is called again when the others have come */
    MEETING_DONE,  /* so have they, and all have done it */
};

/* A rank comes to a collective. `listed` is NULL before it is known what it has to do there: then the answer is
 * MEETING_ALONE unless others wait for the same, whose call takes no time. */
enum meeting_outcome meeting_join(struct kernel *kernel, int rank, const struct op *op,
                                  const struct listed_step *listed);

/* Let all ranks that wait for others go on alone; false where none waits. */
bool meetings_break_up(struct kernel *kernel);

#endif
