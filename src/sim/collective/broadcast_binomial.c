/* Binomial tree: who has the message passes it on to the rank half as far away as in the round before.
 *
 * Counted from the root, rank r receives from r with its lowest set bit cleared, then sends to r + 2^k for all 2^k
 * below that bit, the largest first. */
#include "sim/collective/collective.h"

static bool binomial_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, r = (rank - call->root + p) % p;
    int64_t step = 1; /* lowest set bit of r; of the root, the first power of two not below p */
    while (step < p && (r & step) == 0)
        step *= 2;
    if (r != 0 && i-- == 0)
        return coll_recv(op, (int)((r - step + call->root) % p), call->bytes);
    for (step /= 2; step > 0; step /= 2)
        if (r + step < p && i-- == 0)
            return coll_send(op, (int)((r + step + call->root) % p), call->bytes, call->options->mode);
    return false;
}

const struct coll_spec coll_binomial = {
    .name = "binomial",
    .summary = "binomial tree, ceil(log2 p) rounds",
    .source = "Johnsson, Ho 1989",
    .next = binomial_next,
};
