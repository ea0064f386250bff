/* Every rank passes the message to the next segment by segment, so that all links of the chain work at once. */
#include "sim/collective/collective.h"

bool coll_chain_next(const struct coll_call *call, int rank, int64_t i, struct op *op, int64_t segment)
{
    int p = call->n_ranks;
    int place = (int)(((int64_t)rank - call->root + p) % p);
    bool receives = place > 0, sends = place < p - 1;
    int64_t ops_per_segment = receives + sends;
    if (ops_per_segment == 0 || i / ops_per_segment >= coll_segment_count(call->bytes, segment))
        return false;
    struct coll_part part = coll_segment(call->bytes, segment, i / ops_per_segment);
    if (receives && i % ops_per_segment == 0)
        return coll_recv(op, (rank + p - 1) % p, part.bytes);
    return coll_send_part(op, (int)(((int64_t)rank + 1) % p), part, call->options->mode);
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
