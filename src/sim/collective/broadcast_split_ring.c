/* From the root the message runs both ways round the ring of ranks, upward to the p/2 that follow.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static bool split_ring_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int p = call->n_ranks, distance = (rank - call->root + p) % p, last_up = p / 2;
    int up = (int)(((int64_t)rank + 1) % p), down = (rank + p - 1) % p;
    if (distance > 0 && i-- == 0)
        return coll_recv(op, distance <= last_up ? down : up, call->bytes);
    if (distance < last_up && i-- == 0)
        return coll_send(op, up, call->bytes, call->options->mode);
    bool sends_down = distance == 0 ? p > 2 : distance > last_up + 1;
    return sends_down && i == 0 && coll_send(op, down, call->bytes, call->options->mode);
}

const struct coll_spec coll_split_ring = {
    .name = "split_ring",
    .summary = "from the root both ways around the ring of ranks",
    .source = "BLACS, topology s",
    .next = split_ring_next,
};
