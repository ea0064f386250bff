/* The binomial tree with digits to the base k (broadcast_radix) in place of bits.
 *
 * Counted from the root, rank r receives from r with its lowest digit that is not 0 cleared, then sends to r + j k^e
 * for all e below that digit, the largest first, and j = 1 ... k - 1.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static bool knomial_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, r = (rank - call->root + p) % p, k = call->options->radix, step = 1;
    k = k < 2 ? 2 : k < p ? k : p + (p < 2);
    while (step < p && r % (step * k) == 0)
        step *= k;
    if (r != 0 && i-- == 0)
        return coll_recv(op, (int)((r - r / step % k * step + call->root) % p), call->bytes);
    for (step /= k; step > 0; step /= k)
        for (int64_t to = r + step; to < r + step * k && to < p; to += step)
            if (i-- == 0)
                return coll_send(op, (int)((to + call->root) % p), call->bytes, call->options->mode);
    return false;
}

const struct coll_spec coll_knomial = {
    .name = "knomial",
    .summary = "k-nomial tree, k = broadcast_radix",
    .source = "BLACS, topologies 1 to 9: k = 2 to 10",
    .uses = COLL_USES_RADIX,
    .next = knomial_next,
};
