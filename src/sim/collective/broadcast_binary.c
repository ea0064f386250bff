/* Counted from the root, rank r passes the whole message to 2r + 1 and 2r + 2.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static bool binary_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return coll_binary_next(call, rank, i, op, call->bytes);
}

const struct coll_spec coll_binary = {
    .name = "binary",
    .summary = "binary tree, each rank passes the message to two",
    .source = "Pjesivac-Grbovic et al. 2007",
    .next = binary_next,
};
