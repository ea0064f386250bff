/* A binary tree in which every rank passes each segment on to both of its children before it receives the next.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

bool coll_binary_next(const struct coll_call *call, int rank, int64_t i, struct op *op, int64_t segment)
{
    int64_t p = call->n_ranks, r = (rank - call->root + p) % p, child = 2 * r + 1;
    int64_t n_sends = (child < p) + (child + 1 < p), s = 0;
    const struct coll_pipe pipe = {(int)(((r - 1) / 2 + call->root) % p), RECV_KEEPS, call->bytes, segment, n_sends};
    if (r > 0 && coll_pipe_receives(&pipe, &i, &s, op))
        return true;
    if (r == 0 && n_sends > 0) {
        s = i / n_sends;
        i = s < coll_segment_count(call->bytes, segment) ? i % n_sends : n_sends;
    }
    return i < n_sends && coll_send_part(op, (int)((child + i + call->root) % p), coll_segment(call->bytes, segment, s),
                                         call->options->mode);
}

static bool binary_segmented_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return coll_binary_next(call, rank, i, op, call->options->segment_bytes);
}

const struct coll_spec coll_binary_segmented = {
    .name = "binary_segmented",
    .summary = "binary tree, in segments",
    .source = "Pjesivac-Grbovic et al. 2007",
    .is_segmented = true,
    .next = binary_segmented_next,
};
