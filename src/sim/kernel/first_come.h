/* The message that a receive would get by the clock, where a replay gives it the one that it got when it was traced.
 *
 * A receive from any source gets the message of the traced run, so that its program does what it did. Beside that, all
 * receives of such a run are matched here once more, as MPI would in the simulated order: a message goes to the receive
 * that was posted first of those that it suits, a receive gets the message that came first (MPI 4.1, section 3.5). The
 * result depends only on the order of a rank's postings and on that of the messages, not on when a message arrives
 * among the postings. Tags are those of the traced messages, even if the receive would have taken any.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_FIRST_COME_H
#define SIM_KERNEL_FIRST_COME_H

#include "sim/kernel/kernel.h"
#include "sim/program/op.h"

struct first_come;

struct first_come *first_come_new(int n_ranks);
void first_come_free(struct first_come *self);

/* A rank posts an OP_RECV or OP_IRECV. */
void first_come_post(struct first_come *self, struct first_come_stats *stats, int rank, const struct op *op,
                     int64_t posted_ps);
/* A message, or its RTS, comes. `since_ps`: since when its receiver has been blocked in a receive of it; -1: it has
 * not. */
void first_come_arrive(struct first_come *self, struct first_come_stats *stats, int receiver, int sender, int tag,
                       int64_t now_ps, int64_t since_ps);

#endif
