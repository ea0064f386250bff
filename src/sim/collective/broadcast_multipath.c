/* The ranks that follow the root are cut into paths, the longer ones first; the root sends to the first of each path,
 * and along a path each rank passes the message to the next.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

/* Which of n paths the rank at a distance from the root is on: the first (p - 1) mod n have one rank more. */
static int path_of(int distance, int p, int n)
{
    int length = (p - 1) / n, longer = (p - 1) % n * (length + 1), index = distance - 1;
    return index < longer ? index / (length + 1) : (p - 1) % n + (index - longer) / length;
}

static bool multipath_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int p = call->n_ranks, distance = (rank - call->root + p) % p;
    int64_t wanted = call->options->radix < 2 ? 2 : call->options->radix;
    int n = wanted < p - 1 ? (int)wanted : p - 1;
    if (distance == 0) {
        if (i >= n)
            return false;
        int64_t first = 1 + coll_share_start(p - 1, n, (int)i);
        return coll_send(op, (int)((call->root + first) % p), call->bytes, call->options->mode);
    }
    int path = path_of(distance, p, n);
    int64_t first = 1 + coll_share_start(p - 1, n, path), last = coll_share_start(p - 1, n, path + 1);
    if (i == 0)
        return coll_recv(op, distance == first ? call->root : (rank + p - 1) % p, call->bytes);
    return i == 1 && distance < last && coll_send(op, (int)(((int64_t)rank + 1) % p), call->bytes, call->options->mode);
}

const struct coll_spec coll_multipath = {
    .name = "multipath",
    .summary = "parallel chains, broadcast_radix of them",
    .source = "BLACS, topology m",
    .uses = COLL_USES_RADIX,
    .next = multipath_next,
};
