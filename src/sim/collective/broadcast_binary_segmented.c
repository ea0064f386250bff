/* A binary tree in which every rank passes each segment on to both of its children before it receives the next. */
#include "sim/collective/collective.h"

bool coll_binary_next(const struct coll_call *call, int rank, int64_t i, struct op *op, int64_t segment)
{
    int64_t p = call->n_ranks, r = (rank - call->root + p) % p, child = 2 * r + 1;
    int64_t receives = r > 0, ops = receives + (child < p) + (child + 1 < p);
    if (ops == 0 || i / ops >= coll_segment_count(call->bytes, segment))
        return false;
    struct coll_part part = coll_segment(call->bytes, segment, i / ops);
    if (receives && i % ops == 0)
        return coll_recv(op, (int)(((r - 1) / 2 + call->root) % p), part.bytes);
    child += i % ops - receives;
    return coll_send_part(op, (int)((child + call->root) % p), part, call->options->mode);
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
