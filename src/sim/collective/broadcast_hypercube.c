/* Along the edges of a hypercube, in which ranks are neighbors whose numbers differ in one bit; each rank serves the
 * lowest bit first. Where the number of ranks is no power of two it is the binomial tree, as in the BLACS.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static bool hypercube_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, relative_rank = rank ^ call->root, bit = 1;
    if ((p & (p - 1)) != 0)
        return coll_binomial.next(call, rank, i, op);
    while (bit <= relative_rank)
        bit *= 2;
    if (relative_rank > 0 && i-- == 0)
        return coll_recv(op, (int)(rank ^ bit / 2), call->bytes);
    for (; bit < p; bit *= 2)
        if (i-- == 0)
            return coll_send(op, (int)(rank ^ bit), call->bytes, call->options->mode);
    return false;
}

const struct coll_spec coll_hypercube = {
    .name = "hypercube",
    .summary = "along a hypercube, lowest bit first; binomial unless the ranks are a power of two",
    .source = "BLACS, topology h",
    .next = hypercube_next,
};
