/* The root sends to one receiver after another (Zemerly95, eq. 14).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

/* The i-th receiver, i = 0 ... p-2. */
static int receiver(const struct coll_call *call, int i)
{
    int p = call->n_ranks, root = call->root;
    switch (call->options->order) {
    case ORDER_REVERSE:
        return p - 1 - i <= root ? p - 2 - i : p - 1 - i;
    case ORDER_UPWARD:
        return (int)(((int64_t)root + 1 + i) % p);
    case ORDER_DOWNWARD:
        return (int)(((int64_t)root + p - 1 - i) % p);
    case ORDER_RANK:
    default:
        return i + (i >= root);
    }
}

static bool flat_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    if (rank != call->root)
        return i == 0 && coll_recv(op, call->root, call->bytes);
    return i < call->n_ranks - 1 && coll_send(op, receiver(call, (int)i), call->bytes, call->options->mode);
}

const struct coll_spec coll_flat = {
    .name = "flat",
    .summary = "the root sends to one rank after another",
    .source = "Zemerly95, eq. 14",
    .uses = COLL_USES_ORDER,
    .next = flat_next,
};
