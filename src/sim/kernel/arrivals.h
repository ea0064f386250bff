/* Matching where a rank may receive from any source: by what comes first, not by what is sent first.
 *
 * Elsewhere a message meets its receive when it is sent, since each receive names its sender. Here it does when it is
 * taken in (sim/kernel/strand.h): it goes to the receive that was posted first of those that it suits; a receive gets
 * the message that came first of those that suit it. A message that has come before one that its sender sent earlier
 * waits for that one: between two ranks messages are in the order of sending (MPI 4.1, section 3.5).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_ARRIVALS_H
#define SIM_KERNEL_ARRIVALS_H

#include "sim/kernel/internal.h"

struct arrivals;

struct arrivals *arrivals_new(int n_ranks);
void arrivals_free(struct arrivals *arrivals);

/* Post a receive (its message's `sender` is -1: from any source; `exchanges`: under any tag), which nothing that has
 * come suits. */
void arrivals_post(struct arrivals *arrivals, struct mailbox *mailbox, uint32_t receive);
/* The message that has come and suits such a receive, which is taken out; NO_MESSAGE. */
uint32_t arrivals_take(struct arrivals *arrivals, struct mailbox *mailbox, int receiver, int sender, int tag,
                       bool any_tag, int context);
/* A message has come: the receive that it suits, which is taken out. NO_MESSAGE: it is kept. */
uint32_t arrivals_come(struct arrivals *arrivals, struct mailbox *mailbox, uint32_t message);
/* Number of messages that have arrived and were not received; one of them. */
int64_t arrivals_count(const struct arrivals *arrivals, const struct mailbox *mailbox, uint32_t *first);

/* A message is sent. */
void arrivals_send(struct arrivals *arrivals, struct mailbox *mailbox, uint32_t message);
/* A message, or its RTS, has come to the receiver's node: true if it is its turn, false if it waits for an earlier one
 * of its sender. Then, whose turn comes with it; NO_MESSAGE: no turn. */
bool arrivals_is_next(struct arrivals *arrivals, struct mailbox *mailbox, uint32_t message);
uint32_t arrivals_next(struct arrivals *arrivals, struct mailbox *mailbox, uint32_t message);

#endif
