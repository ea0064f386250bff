/* Every rank passes the message to the next segment by segment, so that all links of the chain work at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

bool coll_chain_next(const struct coll_call *call, int rank, int64_t i, struct op *op, int64_t segment)
{
    int p = call->n_ranks;
    int relative_rank = (int)(((int64_t)rank - call->root + p) % p);
    int64_t n_sends = relative_rank < p - 1, s = i;
    const struct coll_pipe pipe = {(rank + p - 1) % p, RECV_KEEPS, call->bytes, segment, n_sends};
    if (relative_rank > 0 && coll_pipe_receives(&pipe, &i, &s, op))
        return true;
    if (relative_rank == 0)
        i = s < coll_segment_count(call->bytes, segment) ? 0 : 1;
    return i < n_sends && coll_send_part(op, (int)(((int64_t)rank + 1) % p), coll_segment(call->bytes, segment, s),
                                         call->options->mode);
}

static bool chain_segmented_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return coll_chain_next(call, rank, i, op, call->options->segment_bytes);
}

const struct coll_spec coll_chain_segmented = {
    .name = "chain_segmented",
    .summary = "each rank passes the message to the next in segments",
    .is_segmented = true,
    .next = chain_segmented_next,
};
