/* Collectives for which the kernel has no op: as sends and receives, one at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_REPLAY_LOWER_H
#define APPS_REPLAY_LOWER_H

#include "sim/program/op.h"
#include "trace/record/record.h"

#include <stdbool.h>
#include <stdint.h>

/* One rank's part in a collective. Ranks are group ranks. */
struct lowered {
    enum record_collective collective;
    int n_members, group_rank, root;
    int64_t bytes;   /* see struct record */
    int64_t *blocks; /* on the heap; NULL: every one has `bytes`, ... */
    bool varies;     /* ... or that is this rank's own, and those of the others are not known */
};

/* The request of the sends that a lowered collective begins before it receives. */
#define LOWERED_REQUEST UINT32_MAX

/* True if the kernel has no op for a collective, of which the blocks may differ or not. */
bool lowered_is_needed(enum record_collective collective, bool differs);

/* The i-th op (i = 0, 1, ...): kind, request, bytes, and as peer a group rank; false when there is none. The bytes of a
 * receive in an all-to-all with blocks, or with blocks that vary, are unknown here: -1. */
bool lowered_next(const struct lowered *lowered, int64_t i, struct op *op);

#endif
