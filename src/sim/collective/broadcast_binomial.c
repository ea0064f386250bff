/* Binomial tree: who has the message passes it on to the rank half as far away as in the round before.
 *
 * Counted from the root, rank r receives from r with its lowest set bit cleared, then sends to r + 2^k for all 2^k
 * below that bit, the largest first.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

#include "base/range.h"

/* The largest power of two that is not above n; 0 where there is none. */
static int64_t power_below(int64_t n)
{
    return n > 0 ? INT64_C(1) << (63 - __builtin_clzll((unsigned long long)n)) : 0;
}

/* The rank of a number below p that is counted from the root. */
static int rank_of(const struct coll_call *call, int64_t r)
{
    int64_t rank = r + call->root;
    return (int)(rank < call->n_ranks ? rank : rank - call->n_ranks);
}

static bool binomial_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int p = call->n_ranks, r = rank - call->root + (rank < call->root ? p : 0);
    int64_t bit = r & -r, first = power_below(p - 1 - r);
    if (r != 0 && i-- == 0)
        return coll_recv(op, rank_of(call, r - bit), call->bytes);
    if (r != 0)
        first = int64_min(first, bit / 2);
    return i < 31 && first >> i > 0 && coll_send(op, rank_of(call, r + (first >> i)), call->bytes, call->options->mode);
}

const struct coll_spec coll_binomial = {
    .name = "binomial",
    .summary = "binomial tree, ceil(log2 p) rounds",
    .source = "Johnsson, Ho 1989",
    .next = binomial_next,
};
