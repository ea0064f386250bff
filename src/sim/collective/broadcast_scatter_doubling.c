/* The message is dealt along a binomial tree to 2^m of the ranks, 2^m <= p, which gather the parts by recursive
 * doubling and give all to those that are too many.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static int rank_of(const struct coll_call *call, int64_t relative_rank)
{
    return (int)((relative_rank + call->root) % call->n_ranks);
}

static bool scatter_doubling_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, relative_rank = (rank - call->root + p) % p;
    const struct coll_fold fold = coll_fold_of(p, 0); /* so that the root takes part */
    int64_t number = coll_fold_number(&fold, relative_rank), n = INT64_C(1) << fold.rounds;
    const struct coll_layout layout = {call->bytes, 1, (int)n, 0};
    enum send_mode mode = call->options->mode;
    if (number < 0)
        return i == 0 && coll_recv(op, rank_of(call, relative_rank - 1), call->bytes);
    if (coll_scatter_tree(op, &i, n, number, &layout, mode)) {
        op->peer = rank_of(call, coll_fold_rank(&fold, op->peer));
        return true;
    }
    int64_t round = i / COLL_EXCHANGE_OPS;
    if (round < fold.rounds) {
        int64_t size = INT64_C(1) << round, given = number / size * size, taken = given ^ size;
        int peer = rank_of(call, coll_fold_rank(&fold, number ^ size));
        return coll_exchange(op, i % COLL_EXCHANGE_OPS, peer, coll_parts(&layout, given, given + size), peer,
                             coll_parts(&layout, taken, taken + size), mode);
    }
    return i == fold.rounds * COLL_EXCHANGE_OPS && coll_fold_paired(&fold, relative_rank) &&
           coll_send(op, rank_of(call, relative_rank + 1), call->bytes, mode);
}

const struct coll_spec coll_scatter_doubling = {
    .name = "scatter_doubling",
    .summary = "binomial scatter, then recursive-doubling allgather",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = scatter_doubling_next,
};
