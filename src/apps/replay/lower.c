/* Lowers scans and collectives with blocks of different lengths to sends and receives.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/lower.h"

#include <stddef.h>

typedef bool (*next_function)(const struct lowered *lowered, int64_t i, struct op *op);

static int64_t block_of(const struct lowered *lowered, int64_t group_rank)
{
    return lowered->blocks != NULL ? lowered->blocks[group_rank] : lowered->bytes;
}

/* The part of the block that a receive gets. */
static int64_t received_of(const struct lowered *lowered, int64_t group_rank)
{
    return lowered->varies && lowered->blocks == NULL ? -1 : block_of(lowered, group_rank);
}

static bool make(struct op *op, enum op_kind kind, int64_t peer, int64_t bytes)
{
    *op = (struct op){.kind = (uint8_t)kind, .peer = (int32_t)peer, .bytes = bytes};
    op->request = kind == OP_ISEND || kind == OP_WAIT ? LOWERED_REQUEST : 0;
    return true;
}

/* The i-th op, i = 0, 1, 2, of sending to one while receiving from another. */
static bool exchange(struct op *op, int64_t i, int64_t to, int64_t bytes, int64_t from, int64_t received_bytes)
{
    if (i == 0)
        return make(op, OP_ISEND, to, bytes);
    return i == 1 ? make(op, OP_RECV, from, received_bytes) : make(op, OP_WAIT, to, 0);
}

/* A chain: take over what those before have put together, and hand it on. */
static bool scan_next(const struct lowered *lowered, int64_t i, struct op *op)
{
    if (lowered->group_rank > 0 && i-- == 0)
        return make(op, OP_RECV, lowered->group_rank - 1, lowered->bytes);
    return lowered->group_rank < lowered->n_members - 1 && i == 0 &&
           make(op, OP_SEND, lowered->group_rank + 1, lowered->bytes);
}

/* Pairwise: in round k, 1 to p - 1, each sends its block to the one k ahead and receives from the one k behind. Without
 * the blocks of all, the length of received messages is unknown. */
static bool pairwise_next(const struct lowered *lowered, int64_t i, struct op *op)
{
    int64_t p = lowered->n_members, k = i / 3 + 1, to = (lowered->group_rank + k) % p;
    bool is_known = lowered->blocks != NULL && lowered->collective != RECORD_ALLTOALL;
    int64_t received = is_known ? block_of(lowered, lowered->group_rank) : -1;
    return k < p && exchange(op, i % 3, to, block_of(lowered, to), (lowered->group_rank + p - k) % p, received);
}

/* p - 1 rounds round the ring: each passes on the block that it has received last, its own first. Where only that is
 * known, the others count as long as that. */
static bool allgather_next(const struct lowered *lowered, int64_t i, struct op *op)
{
    int64_t p = lowered->n_members, k = i / 3, holder = (lowered->group_rank + p - k % p) % p,
            before = (holder + p - 1) % p;
    return k < p - 1 && exchange(op, i % 3, (lowered->group_rank + 1) % p, block_of(lowered, holder),
                                 (lowered->group_rank + p - 1) % p, received_of(lowered, before));
}

/* The root receives from, or sends to, one after another. */
static bool rooted_next(const struct lowered *lowered, int64_t i, struct op *op)
{
    bool gathers = lowered->collective == RECORD_GATHER, is_root = lowered->group_rank == lowered->root;
    if (i >= (is_root ? lowered->n_members - 1 : 1))
        return false;
    int64_t other = !is_root ? lowered->root : i + (i >= lowered->root), holder = is_root ? other : lowered->group_rank;
    bool receives = is_root == gathers;
    return make(op, receives ? OP_RECV : OP_SEND, other,
                receives ? received_of(lowered, holder) : block_of(lowered, holder));
}

/* Rounds of dissemination: in round k an empty message to the one 2^k ahead, and one from the one 2^k behind. */
static bool dissemination_next(const struct lowered *lowered, int64_t i, struct op *op)
{
    int64_t p = lowered->n_members, round = i / 3, distance = round < 62 ? INT64_C(1) << round : p;
    return distance < p &&
           exchange(op, i % 3, (lowered->group_rank + distance) % p, 0, (lowered->group_rank + p - distance) % p, 0);
}

static const struct {
    next_function next;
    bool only_if_differs;
} ways[N_RECORD_COLLECTIVES] = {
    [RECORD_SCAN] = {scan_next, false},
    [RECORD_EXSCAN] = {scan_next, false},
    [RECORD_REDUCE_SCATTER] = {pairwise_next, false},
    [RECORD_ALLTOALL] = {pairwise_next, true},
    [RECORD_ALLGATHER] = {allgather_next, true},
    [RECORD_GATHER] = {rooted_next, true},
    [RECORD_SCATTER] = {rooted_next, true},
    [RECORD_FENCE] = {dissemination_next, false},
    [RECORD_HANDLE] = {dissemination_next, false},
    [RECORD_FILE] = {dissemination_next, false},
};

bool lowered_is_needed(enum record_collective collective, bool differs)
{
    return ways[collective].next != NULL && (differs || !ways[collective].only_if_differs);
}

bool lowered_next(const struct lowered *lowered, int64_t i, struct op *op)
{
    return ways[lowered->collective].next(lowered, i, op);
}
