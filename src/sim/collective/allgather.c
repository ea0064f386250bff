/* Allgather: every rank gets the block of each.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static struct coll_layout layout_of(const struct coll_call *call)
{
    return (struct coll_layout){call->n_ranks, call->bytes, call->n_ranks, 0};
}

/* p - 1 rounds round the ring: each rank passes on what it has received last, its own block first. */
static bool ring_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, round = i / COLL_EXCHANGE_OPS;
    const struct coll_layout layout = layout_of(call);
    if (round >= p - 1)
        return false;
    int64_t given = (rank + p - round) % p, taken = (given + p - 1) % p;
    return coll_exchange(op, i % COLL_EXCHANGE_OPS, (int)((rank + INT64_C(1)) % p),
                         coll_parts(&layout, given, given + 1), (int)((rank + p - 1) % p),
                         coll_parts(&layout, taken, taken + 1), SEND_STANDARD);
}

/* For an even p: pairs exchange their blocks; then, p/2 - 1 times, each rank gives the two blocks that it has received
 * last, or its pair's, to the neighbors on either side by turns. Else round the ring. */
static bool neighbour_exchange_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, round = i / COLL_EXCHANGE_OPS, side = rank % 2 == 0 ? 1 : -1;
    const struct coll_layout layout = layout_of(call);
    if (p % 2 != 0)
        return ring_next(call, rank, i, op);
    if (round >= p / 2)
        return false;
    int peer = (int)((rank + p + (round % 2 == 0 ? side : -side)) % p);
    if (round == 0)
        return coll_exchange(op, i, peer, coll_parts(&layout, rank, rank + 1), peer,
                             coll_parts(&layout, peer, peer + 1), SEND_STANDARD);
    int64_t before = round - 1, pair = rank - rank % 2 + p;
    int64_t given = (pair + side * (before % 2 == 0 ? before : -before - 1)) % p;
    int64_t taken = (pair + side * (round % 2 == 0 ? round : -round - 1)) % p;
    return coll_exchange(op, i % COLL_EXCHANGE_OPS, peer, coll_parts(&layout, given, given + 2), peer,
                         coll_parts(&layout, taken, taken + 2), SEND_STANDARD);
}

/* An all-to-all in which a rank has the same block, its own, for each. */
static bool own_block(const struct coll_call *call, int rank, bool is_op, struct op *op)
{
    op->offset = call->bytes * rank;
    return is_op;
}

static bool exchange_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return own_block(call, rank, coll_alltoall_exchange(call, rank, i, op), op);
}

/* All receives are posted, then all sends are begun, both from the next rank on: as SMPI's spreading_simple. */
static bool linear_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t others = call->n_ranks - 1, k = others > 0 ? i % others + 1 : 0;
    int other = (int)((rank + k) % call->n_ranks);
    if (i < others)
        return coll_begin_recv(op, other, call->bytes, 0, RECV_KEEPS);
    if (i >= 2 * others)
        return others > 0 && i == 2 * others && coll_wait_all(op);
    coll_begin_send(op, other, (struct coll_part){call->bytes * rank, call->bytes}, SEND_STANDARD, k);
    op->exchanges = true;
    return true;
}

/* In round k each of 2^m ranks exchanges what it has with the one whose number differs in bit k. Those that are too
 * many hand their block to a neighbor before, and get all from it. */
static bool recursive_doubling_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, all = call->bytes * p;
    const struct coll_fold fold = coll_fold_of(p, 1);
    const struct coll_layout layout = layout_of(call);
    int64_t number = coll_fold_number(&fold, rank);
    if (number < 0)
        return i == 0 ? coll_send_part(op, rank + 1, coll_parts(&layout, rank, rank + 1), SEND_STANDARD)
                      : i == 1 && coll_recv(op, rank + 1, all);
    bool paired = coll_fold_paired(&fold, rank);
    if (paired && i-- == 0)
        return coll_recv(op, rank - 1, call->bytes);
    int64_t round = i / COLL_EXCHANGE_OPS;
    if (round < fold.rounds) {
        int64_t size = INT64_C(1) << round, own = number / size * size, others = own ^ size;
        int peer = (int)coll_fold_rank(&fold, number ^ size);
        return coll_exchange(op, i % COLL_EXCHANGE_OPS, peer,
                             coll_parts(&layout, coll_fold_first(&fold, own), coll_fold_first(&fold, own + size)), peer,
                             coll_parts(&layout, coll_fold_first(&fold, others), coll_fold_first(&fold, others + size)),
                             SEND_STANDARD);
    }
    return paired && i == fold.rounds * COLL_EXCHANGE_OPS && coll_send(op, rank - 1, all, SEND_STANDARD);
}

/* In round k each rank sends what it has, or what is lacking, to the one 2^k behind. */
static bool bruck_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, round = i / COLL_EXCHANGE_OPS, distance = round < 31 ? INT64_C(1) << round : p;
    const struct coll_layout layout = layout_of(call);
    if (distance >= p)
        return false;
    int64_t count = distance < p - distance ? distance : p - distance, from = (rank + distance) % p;
    return coll_exchange(op, i % COLL_EXCHANGE_OPS, (int)((rank + p - distance) % p),
                         coll_parts(&layout, rank, rank + count), (int)from, coll_parts(&layout, from, from + count),
                         SEND_STANDARD);
}

static bool gather_broadcast_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    struct coll_options options = *call->options;
    struct coll_call gather = *call, broadcast = *call;
    options.mode = SEND_STANDARD;
    gather.root = broadcast.root = 0;
    gather.blocks = call->n_ranks;
    broadcast.options = &options;
    broadcast.bytes = call->bytes * call->n_ranks;
    return coll_sequence(&gather, coll_gather_binomial, &broadcast, coll_binomial.next, rank, i, op);
}

static const struct coll_spec spec_ring = {
    .name = "ring",
    .summary = "around the ring, each rank passes on what it received last",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = ring_next,
};
static const struct coll_spec spec_recursive_doubling = {
    .name = "recursive_doubling",
    .summary = "pairs exchange all they have, at doubling distances",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = recursive_doubling_next,
};
static const struct coll_spec spec_bruck = {
    .name = "bruck",
    .summary = "growing numbers of blocks to ranks at doubling distances",
    .source = "Bruck et al. 1997",
    .next = bruck_next,
};
static const struct coll_spec spec_neighbour_exchange = {
    .name = "neighbour_exchange",
    .summary = "two blocks at a time, with each neighbor in turn; ring if the number of ranks is odd",
    .source = "Chen et al. 2005",
    .next = neighbour_exchange_next,
};
static const struct coll_spec spec_exchange = {
    .name = "exchange",
    .summary = "different pairs in each round; pairwise unless the ranks are a power of two",
    .next = exchange_next,
};
static const struct coll_spec spec_linear = {.name = "linear", .summary = "all messages at once", .next = linear_next};
static const struct coll_spec spec_gather_broadcast = {
    .name = "gather_broadcast",
    .summary = "binomial gather to the first rank, then binomial broadcast",
    .next = gather_broadcast_next,
};

#define ROWS(ROW)                                                                                                      \
    ROW(ring) ROW(recursive_doubling) ROW(bruck) ROW(neighbour_exchange) ROW(exchange) ROW(linear) ROW(gather_broadcast)
COLL_TABLES(allgather, ROWS, {"NTSLR", "ring"}, {"NTSLR_NB", "ring"}, {"ompi_neighborexchange", "neighbour_exchange"},
            {"pair", "exchange"}, {"spreading_simple", "linear"}, {"GB", "gather_broadcast"});
