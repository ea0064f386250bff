/* Declarations that locks.c and barriers.c share, of what is in sync.c; and their jobs, for the table there.
 *
 * Checkpoints of departures: 0 ... n-1 are the nodes' own (dsm_wait), then one for each lock, then two for each node's
 * arrivals at barriers, in turn.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_DSM_SYNC_INTERNAL_H
#define SIM_DSM_SYNC_INTERNAL_H

#include "sim/dsm/internal.h"

/* The bytes of a request for a lock, or of an arrival without its intervals. */
static inline int64_t dsm_request_bytes(const struct dsm *dsm)
{
    return DSM_REQUEST_BYTES + dsm_vector_bytes(dsm);
}
/* `known` becomes the larger of both, one by one. */
void dsm_learn_vector(int32_t *known, const int32_t *other, int n);
/* Close the node's interval; what that takes. */
int64_t dsm_close_ps(struct dsm *dsm, struct node *node);
/* Learn of the intervals in `vector`; what that takes. */
int64_t dsm_learn_ps(struct dsm *dsm, struct node *node, const int32_t *vector, bool controller);
/* The synchronization is over: go on, after asking for what it has invalidated. True if there is nothing to ask for. */
bool dsm_go_on(struct dsm *dsm, struct node *node);

/* A request for a lock comes to its manager; it is passed on to who asked last before. */
int64_t dsm_begin_lock_request(struct dsm *dsm, struct node *node, struct packet *packet, bool controller);
void dsm_end_lock_request(struct dsm *dsm, struct node *node, struct packet *packet);
int64_t dsm_begin_forward(struct dsm *dsm, struct node *node, struct packet *packet, bool controller);
void dsm_end_forward(struct dsm *dsm, struct node *node, struct packet *packet);
/* A node has come to a barrier. */
int64_t dsm_begin_arrival(struct dsm *dsm, struct node *manager, struct packet *packet, bool controller);
void dsm_end_arrival(struct dsm *dsm, struct node *manager, struct packet *packet);

#endif
