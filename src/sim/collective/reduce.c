/* Reduce: vectors of all are combined at one rank. Who receives combines. */
#include "sim/collective/collective.h"

/* The binomial tree of the broadcast, from its leaves to its root: counted from the root, rank r takes what the ranks
 * r + 2^k have put together, for all 2^k below its lowest set bit, the smallest first, and hands it on to r without
 * that bit. */
bool coll_reduce_binomial(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, r = (rank - call->root + p) % p;
    for (int64_t step = 1; step < p; step *= 2) {
        if ((r & step) != 0)
            return i == 0 && coll_send(op, (int)((r - step + call->root) % p), call->bytes, SEND_STANDARD);
        if (r + step < p && i-- == 0)
            return coll_combine(op, (int)((r + step + call->root) % p), call->bytes);
    }
    return false;
}

bool coll_reduce_flat(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    if (rank != call->root)
        return i == 0 && coll_send(op, call->root, call->bytes, SEND_STANDARD);
    return i < call->n_ranks - 1 && coll_combine(op, (int)(i + (i >= call->root)), call->bytes);
}

/* From the one that is the farthest from the root, each takes over what those before it have put together. */
static bool along_chain(const struct coll_call *call, int rank, int64_t i, struct op *op, int64_t segment)
{
    int64_t p = call->n_ranks, r = (rank - call->root + p) % p, receives = r < p - 1, ops = receives + (r > 0);
    if (ops == 0 || i / ops >= coll_segment_count(call->bytes, segment))
        return false;
    struct coll_part part = coll_segment(call->bytes, segment, i / ops);
    if (receives && i % ops == 0)
        return coll_combine(op, (int)((rank + INT64_C(1)) % p), part.bytes);
    return coll_send_part(op, (int)((rank + p - 1) % p), part, SEND_STANDARD);
}

static bool chain_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return along_chain(call, rank, i, op, call->bytes);
}

static bool chain_segmented_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return along_chain(call, rank, i, op, call->options->segment_bytes);
}

static const struct coll_spec spec_binomial = {
    .name = "binomial",
    .summary = "binomial tree, from its leaves",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = coll_reduce_binomial,
};
static const struct coll_spec spec_flat = {
    .name = "flat", .summary = "the root receives from one after another", .next = coll_reduce_flat};
static const struct coll_spec spec_chain = {
    .name = "chain", .summary = "each rank adds to what comes and passes it on", .next = chain_next};
static const struct coll_spec spec_chain_segmented = {
    .name = "chain_segmented",
    .summary = "the same, in segments of broadcast_segment",
    .source = "Pjesivac-Grbovic et al. 2007",
    .is_segmented = true,
    .next = chain_segmented_next,
};

#define ROWS(ROW) ROW(binomial) ROW(flat) ROW(chain) ROW(chain_segmented)
COLL_TABLES(reduce, ROWS, {"ompi_binomial", "binomial"}, {"flat_tree", "flat"}, {"ompi_basic_linear", "flat"},
            {"NTSL", "chain_segmented"}, {"ompi_pipeline", "chain_segmented"});
