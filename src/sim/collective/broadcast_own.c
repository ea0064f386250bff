/* The broadcast `own`: the lines of a scenario's <broadcast> file (sim/user_broadcast/user_broadcast.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"
#include "sim/user_broadcast/user_broadcast.h"

#include <stddef.h>

static bool own_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    const struct user_broadcast_messages *own = call->options->own;
    int p = call->n_ranks, self = (rank - call->root + p) % p;
    if (own == NULL || i >= own->starts[self + 1] - own->starts[self])
        return false;
    const struct user_broadcast_op *what = &own->ops[own->starts[self] + i];
    int peer = (int)(((int64_t)what->peer + call->root) % p), end = what->first + what->count;
    int64_t at = coll_share_start(call->bytes, own->n_segments, what->first),
            to = end == own->n_segments ? call->bytes : coll_share_start(call->bytes, own->n_segments, end);
    return what->is_send ? coll_send_part(op, peer, (struct coll_part){at, to - at}, call->options->mode)
                         : coll_recv(op, peer, to - at);
}

const struct coll_spec coll_own = {
    .name = "own",
    .summary = "as described by the file of the scenario's <broadcast>",
    .of_all_ranks = true,
    .next = own_next,
};
