/* Scatter, gather, reduce: from one rank to all, or from all to one. */
#include "sim/coll.h"

/* One to all, block by block in the order of the ranks: scatter, and gather with the directions reversed. */
static bool dealt_next(const struct coll_call *call, int rank, int64_t i, struct op *op, bool from_root)
{
    if (rank == call->root ? i >= call->n_ranks - 1 : i >= 1)
        return false;
    int other = rank != call->root ? call->root : (int)i + ((int)i >= call->root);
    int holder = rank == call->root ? other : rank;
    int64_t bytes = call->bytes * coll_share(call->times, call->n_ranks, holder);
    if ((rank == call->root) == from_root)
        return coll_send(op, other, bytes, SEND_STANDARD);
    return coll_recv(op, other, bytes);
}

static bool scatter_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return dealt_next(call, rank, i, op, true);
}

static bool gather_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return dealt_next(call, rank, i, op, false);
}

/* The binomial tree of the broadcast, from its leaves to its root: counted from the root, rank r takes what the ranks
 * r + 2^k have put together, for all 2^k below its lowest set bit, the smallest first, and hands it on to r without
 * that bit. */
static bool reduce_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, r = (rank - call->root + p) % p;
    for (int64_t step = 1; step < p; step *= 2) {
        if ((r & step) != 0)
            return i == 0 && coll_send(op, (int)((r - step + call->root) % p), call->bytes, SEND_STANDARD);
        if (r + step < p && i-- == 0)
            return coll_recv(op, (int)((r + step + call->root) % p), call->bytes);
    }
    return false;
}

const struct coll_spec coll_scatter = {
    .name = "scatter", .summary = "the root sends to one after another", .next = scatter_next};
const struct coll_spec coll_gather = {
    .name = "gather", .summary = "the root receives from one after another", .next = gather_next};
const struct coll_spec coll_reduce = {
    .name = "reduce",
    .summary = "binomial tree",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = reduce_next,
};
