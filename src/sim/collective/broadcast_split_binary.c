/* Each half of the message runs down a binary tree of its own, in segments; then ranks of the two trees exchange
 * halves.
 *
 * Counted from the root, the odd ranks 2q + 1 are the tree of the left half, the even ones 2q + 2 that of the right
 * one, where q passes it on to 2q + 1 and 2q + 2. Ranks 2q + 1 and 2q + 2 are a pair; the root itself serves the last
 * one where there is an odd number of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

struct split {
    const struct coll_call *call;
    int64_t p, left;
    int64_t segments[2]; /* of the left half, and of the right one */
};

static int rank_at(const struct split *split, int64_t relative_rank)
{
    return (int)((relative_rank + split->call->root) % split->p);
}

static struct coll_part half(const struct split *split, int side)
{
    if (side == 0)
        return (struct coll_part){0, split->left};
    return (struct coll_part){split->left, split->call->bytes - split->left};
}

static struct coll_part segment_of(const struct split *split, int side, int64_t s)
{
    struct coll_part whole = half(split, side);
    struct coll_part part = coll_segment(whole.bytes, split->call->options->segment_bytes, s);
    part.at += whole.at;
    return part;
}

/* Segments of both halves in turn, as far as there are ranks; the left one may have one more. */
static bool root_next(const struct split *split, int64_t i, struct op *op)
{
    enum send_mode mode = split->call->options->mode;
    int64_t both = split->p > 2 ? 2 * split->segments[1] : 0;
    int64_t all = both > 0 ? split->segments[0] + split->segments[1] : split->p > 1 ? split->segments[0] : 0;
    if (i < both)
        return coll_send_part(op, rank_at(split, 1 + i % 2), segment_of(split, (int)(i % 2), i / 2), mode);
    if (i < all)
        return coll_send_part(op, rank_at(split, 1), segment_of(split, 0, i - both / 2), mode);
    return i == all && split->p % 2 == 0 && coll_send_part(op, rank_at(split, split->p - 1), half(split, 1), mode);
}

static bool other_next(const struct split *split, int64_t relative_rank, int64_t i, struct op *op)
{
    int side = relative_rank % 2 == 0;
    int64_t q = (relative_rank - 1) / 2, child = 4 * q + 3 + side; /* 2q + 1 of the same tree; the next is 2 further */
    int64_t n_sends = (child < split->p) + (child + 2 < split->p), s = 0;
    const struct coll_part whole = half(split, side);
    const struct coll_pipe pipe = {rank_at(split, q == 0 ? 0 : 2 * ((q - 1) / 2) + 1 + side), RECV_KEEPS, whole.bytes,
                                   split->call->options->segment_bytes, n_sends};
    if (coll_pipe_receives(&pipe, &i, &s, op))
        return true;
    if (i < n_sends)
        return coll_send_part(op, rank_at(split, child + 2 * i), segment_of(split, side, s),
                              split->call->options->mode);
    i -= n_sends;
    int64_t partner = side == 0 ? relative_rank + 1 : relative_rank - 1;
    if (partner == split->p)
        return i == 0 && coll_recv(op, split->call->root, half(split, 1).bytes);
    int peer = rank_at(split, partner);
    return i < COLL_EXCHANGE_OPS &&
           coll_exchange(op, i, peer, half(split, side), peer, half(split, !side), split->call->options->mode);
}

static bool split_binary_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    struct split split = {.call = call, .p = call->n_ranks, .left = call->bytes - call->bytes / 2};
    int64_t relative_rank = (rank - call->root + split.p) % split.p;
    for (int side = 0; side < 2; side++)
        split.segments[side] = coll_segment_count(half(&split, side).bytes, call->options->segment_bytes);
    return relative_rank == 0 ? root_next(&split, i, op) : other_next(&split, relative_rank, i, op);
}

const struct coll_spec coll_split_binary = {
    .name = "split_binary",
    .summary = "one half down each of two binary trees, then the halves are exchanged",
    .source = "Pjesivac-Grbovic et al. 2007",
    .is_segmented = true,
    .next = split_binary_next,
};
