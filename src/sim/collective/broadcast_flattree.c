/* As flat, but the root begins all its sends at once: SMPI's flattree, and Open MPI's basic_linear.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static bool flattree_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return coll_at_once(call, rank, i, op, coll_flat.next);
}

const struct coll_spec coll_flattree = {
    .name = "flattree",
    .summary = "like flat, but the root does not wait between its sends",
    .source = "SMPI's; Open MPI's basic_linear",
    .imitates = true,
    .uses = COLL_USES_ORDER,
    .next = flattree_next,
};
