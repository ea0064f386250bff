/* The building blocks of collectives: parts of a whole, the tree that deals them, ranks in powers of two, and the order
 * in which messages are posted.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

/* Where the part begins, counted from the first. */
static int64_t start_of(const struct coll_layout *layout, int64_t part)
{
    int64_t number = layout->first + part, round = number / layout->parts;
    int64_t before = coll_share_start(layout->blocks, layout->parts, (int)(number % layout->parts));
    return layout->block_bytes * (before + round * layout->blocks);
}

struct coll_part coll_parts(const struct coll_layout *layout, int64_t from, int64_t to)
{
    int64_t at = start_of(layout, from), whole = layout->block_bytes * layout->blocks;
    return (struct coll_part){whole > 0 ? at % whole : 0, start_of(layout, to) - at};
}

/* The ops of number r: it receives, unless it has all, and sends to each r + 2^k < n with 2^k below the lowest bit of
 * r. */
static int64_t count_tree_ops(int64_t n, int64_t r)
{
    if (n < 2)
        return 0;
    int64_t before_end = r == n - 1 ? 0 : 64 - __builtin_clzll((unsigned long long)(n - 1 - r));
    int64_t below_bit = r == 0 ? before_end : __builtin_ctzll((unsigned long long)r);
    return (r != 0) + (below_bit < before_end ? below_bit : before_end);
}

bool coll_scatter_tree(struct op *op, int64_t *i, int64_t n, int64_t r, const struct coll_layout *layout,
                       enum send_mode mode)
{
    int64_t step = 1, n_ops = count_tree_ops(n, r); /* as in the binomial broadcast */
    if (*i >= n_ops) {
        *i -= n_ops;
        return false;
    }
    while (step < n && (r & step) == 0)
        step *= 2;
    if (r != 0 && (*i)-- == 0)
        return coll_recv(op, (int)(r - step), coll_parts(layout, r, r + step < n ? r + step : n).bytes);
    for (; step > 1; step /= 2) {
        int64_t from = r + step / 2, to = r + step < n ? r + step : n;
        if (from < n && (*i)-- == 0)
            return coll_send_part(op, (int)from, coll_parts(layout, from, to), mode);
    }
    return false;
}

struct coll_fold coll_fold_of(int64_t p, int keeps)
{
    int64_t rounds = 0;
    while (INT64_C(2) << rounds <= p)
        rounds++;
    return (struct coll_fold){p - (INT64_C(1) << rounds), rounds, keeps};
}

bool coll_fold_paired(const struct coll_fold *fold, int64_t rank)
{
    return rank < 2 * fold->folded;
}

int64_t coll_fold_number(const struct coll_fold *fold, int64_t rank)
{
    if (!coll_fold_paired(fold, rank))
        return rank - fold->folded;
    return rank % 2 == fold->keeps ? rank / 2 : -1;
}

int64_t coll_fold_rank(const struct coll_fold *fold, int64_t number)
{
    return coll_fold_first(fold, number) + (number < fold->folded ? fold->keeps : 0);
}

int64_t coll_fold_first(const struct coll_fold *fold, int64_t number)
{
    return number < fold->folded ? 2 * number : number + fold->folded;
}

bool coll_at_once(const struct coll_call *call, int rank, int64_t i, struct op *op, coll_next *next)
{
    if (next(call, rank, i, op)) {
        if (op->kind == OP_SEND)
            coll_begin_send(op, op->peer, (struct coll_part){op->offset, op->bytes}, (enum send_mode)op->mode, i + 1);
        return true;
    }
    return i > 0 && next(call, rank, i - 1, op) && op->kind == OP_SEND && coll_wait_all(op);
}

bool coll_one_ahead(const struct coll_call *call, int rank, int64_t i, struct op *op, coll_next *next)
{
    int64_t n = 0;
    while (next(call, rank, n, op) && op->kind == OP_RECV)
        n++;
    if (i >= 2 * n)
        return next(call, rank, i - n, op);
    bool posts = i == 0 || (i % 2 == 1 && i < 2 * n - 1);
    int64_t which = posts ? (i + 1) / 2 : i % 2 == 0 ? i / 2 - 1 : n - 1;
    next(call, rank, which, op);
    enum recv_mode mode = (enum recv_mode)op->mode;
    return posts ? coll_begin_recv(op, op->peer, op->bytes, which + 1, mode)
                 : coll_end_recv(op, op->peer, op->bytes, which + 1, mode);
}

bool coll_backwards(const struct coll_call *call, int rank, int64_t i, struct op *op, coll_next *next)
{
    int64_t n = 0;
    while (next(call, rank, n, op))
        n++;
    int64_t first = n > 0 && next(call, rank, 0, op) && op->kind == OP_RECV;
    return i < n && next(call, rank, i < first ? i : n - 1 - (i - first), op);
}
