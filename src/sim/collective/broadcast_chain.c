/* Every rank passes the whole message to the next.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static bool chain_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return coll_chain_next(call, rank, i, op, call->bytes);
}

const struct coll_spec coll_chain = {
    .name = "chain",
    .summary = "each rank passes the whole message to the next",
    .next = chain_next,
};
