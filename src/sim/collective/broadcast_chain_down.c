/* Every rank passes the whole message to the one before it: a decreasing ring of the BLACS.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static bool chain_down_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int p = call->n_ranks, distance = (call->root - rank + p) % p;
    if (distance > 0 && i-- == 0)
        return coll_recv(op, (rank + 1) % p, call->bytes);
    return i == 0 && distance < p - 1 && coll_send(op, (rank + p - 1) % p, call->bytes, call->options->mode);
}

const struct coll_spec coll_chain_down = {
    .name = "chain_down",
    .summary = "each rank passes the whole message to the previous one",
    .source = "BLACS, topology d",
    .next = chain_down_next,
};
