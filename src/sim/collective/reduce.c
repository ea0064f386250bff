/* Reduce: vectors of all are combined at one rank. The receiver combines.
 * SPDX-License-Identifier: BSD-3-Clause */
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

/* From the last rank to the first. */
static bool reduce_flat(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t other = call->n_ranks - 1 - i;
    if (rank != call->root)
        return i == 0 && coll_send(op, call->root, call->bytes, SEND_STANDARD);
    return other > 0 && coll_combine(op, (int)(other - (other <= call->root)), call->bytes);
}

/* From the one that is the farthest from the root, each takes over what those before it have put together. */
static bool along_chain(const struct coll_call *call, int rank, int64_t i, struct op *op, int64_t segment)
{
    int64_t p = call->n_ranks, r = (rank - call->root + p) % p, n_sends = r > 0, s = i;
    const struct coll_pipe pipe = {(int)((rank + INT64_C(1)) % p), RECV_COMBINES, call->bytes, segment, n_sends};
    if (r < p - 1 && coll_pipe_receives(&pipe, &i, &s, op))
        return true;
    if (r == p - 1)
        i = s < coll_segment_count(call->bytes, segment) ? 0 : 1;
    return i < n_sends &&
           coll_send_part(op, (int)((rank + p - 1) % p), coll_segment(call->bytes, segment, s), SEND_STANDARD);
}

static bool chain_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return along_chain(call, rank, i, op, call->bytes);
}

static bool chain_segmented_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return along_chain(call, rank, i, op, call->options->segment_bytes);
}

static bool ompi_binomial_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return coll_one_ahead(call, rank, i, op, coll_reduce_binomial);
}

static const struct coll_spec spec_binomial = {
    .name = "binomial",
    .summary = "binomial tree, from the leaves up",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = coll_reduce_binomial,
};
static const struct coll_spec spec_flat = {
    .name = "flat", .summary = "the root receives from one rank after another, last first", .next = reduce_flat};
static const struct coll_spec spec_chain = {
    .name = "chain", .summary = "each rank adds to what it receives and passes it on", .next = chain_next};
static const struct coll_spec spec_chain_segmented = {
    .name = "chain_segmented",
    .summary = "like chain, in segments of broadcast_segment",
    .source = "Pjesivac-Grbovic et al. 2007",
    .is_segmented = true,
    .next = chain_segmented_next,
};

static const struct coll_spec spec_ompi_binomial = {
    .name = "ompi_binomial",
    .summary = "like binomial, but each receive is posted before waiting for the previous one",
    .source = "Open MPI's",
    .imitates = true,
    .next = ompi_binomial_next,
};

#define ROWS(ROW) ROW(binomial) ROW(flat) ROW(chain) ROW(chain_segmented) ROW(ompi_binomial)
COLL_TABLES(reduce, ROWS, {"flat_tree", "flat"}, {"ompi_basic_linear", "flat"}, {"NTSL", "chain_segmented"},
            {"ompi_pipeline", "chain_segmented"});
