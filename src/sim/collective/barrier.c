/* Barrier: no rank leaves before all have come. Messages have the bytes of the call.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

/* In round k every rank tells the one 2^k ahead; after ceil(log2 p) rounds all have heard of all. */
static bool dissemination_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t distance = i / 2 < 31 ? INT64_C(1) << (i / 2) : INT32_MAX;
    if (distance >= call->n_ranks)
        return false;
    if (i % 2 == 0)
        return coll_send(op, (int)((rank + distance) % call->n_ranks), call->bytes, SEND_STANDARD);
    return coll_recv(op, (int)((rank + call->n_ranks - distance) % call->n_ranks), call->bytes);
}

/* The first rank posts all receives, and tells all others when it has heard of them: as basic_linear of Open MPI and
 * SMPI. */
static bool flat_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t others = call->n_ranks - 1;
    if (rank != 0)
        return i == 0 ? coll_send(op, 0, call->bytes, SEND_STANDARD) : i == 1 && coll_recv(op, 0, call->bytes);
    if (i < others)
        return coll_begin_recv(op, (int)i + 1, call->bytes, 0, RECV_KEEPS);
    if (i == others)
        return others > 0 && coll_wait_all(op);
    return i <= 2 * others && coll_send(op, (int)(i - others), call->bytes, SEND_STANDARD);
}

/* Up to the first rank and down again. */
bool coll_barrier_tree(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    struct coll_options options = *call->options;
    struct coll_call rooted = *call;
    options.mode = SEND_STANDARD;
    rooted.options = &options;
    rooted.root = 0;
    return coll_sequence(&rooted, coll_reduce_binomial, &rooted, coll_binomial.next, rank, i, op);
}

static const struct coll_spec spec_dissemination = {
    .name = "dissemination",
    .summary = "each rank notifies another, at doubling distances",
    .source = "Hensgen, Finkel, Manber 1988",
    .next = dissemination_next,
};
static const struct coll_spec spec_flat = {
    .name = "flat", .summary = "all ranks notify the first, which notifies all", .next = flat_next};
static const struct coll_spec spec_tree = {
    .name = "tree", .summary = "up a binomial tree and down again", .next = coll_barrier_tree};
static const struct coll_spec spec_recursive_doubling = {
    .name = "recursive_doubling",
    .summary = "pairs notify each other, at doubling distances",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = coll_allreduce_doubling,
};

#define ROWS(ROW) ROW(dissemination) ROW(flat) ROW(tree) ROW(recursive_doubling)
COLL_TABLES(barrier, ROWS, {"ompi_bruck", "dissemination"}, {"ompi_recursivedoubling", "recursive_doubling"},
            {"mvapich2_pair", "recursive_doubling"}, {"ompi_basic_linear", "flat"}, {"ompi_tree", "tree"});
