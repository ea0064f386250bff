/* The message is dealt to all along a binomial tree, and the parts are gathered round the ring.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

/* A rank round the ring, from one that is less than twice round: without a division, of which an op would take
 * many. */
static int64_t wrap(int64_t rank, int64_t p)
{
    return rank < p ? rank : rank - p;
}

static bool scatter_ring_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, r = wrap(rank - call->root + p, p);
    const struct coll_layout layout = {call->bytes, 1, call->n_ranks, 0};
    if (coll_scatter_tree(op, &i, p, r, &layout, call->options->mode)) {
        op->peer = (int)wrap((int64_t)op->peer + call->root, p);
        return true;
    }
    int64_t round = i / COLL_EXCHANGE_OPS;
    if (round >= p - 1)
        return false;
    int64_t given = wrap(r - round + p, p), taken = wrap(given + p - 1, p);
    return coll_exchange(op, i % COLL_EXCHANGE_OPS, (int)wrap(rank + INT64_C(1), p),
                         coll_parts(&layout, given, given + 1), (int)wrap(rank + p - 1, p),
                         coll_parts(&layout, taken, taken + 1), call->options->mode);
}

const struct coll_spec coll_scatter_ring = {
    .name = "scatter_ring",
    .summary = "binomial scatter, then ring allgather",
    .source = "Barnett et al. 1994; Thakur, Rabenseifner, Gropp 2005",
    .next = scatter_ring_next,
};
