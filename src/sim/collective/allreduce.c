/* Allreduce: vectors of all are combined, and all get the result.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

/* An exchange of which what comes is combined, or kept as it is. */
static bool exchange(struct op *op, int64_t i, int to, struct coll_part given, int from, struct coll_part taken,
                     bool combines)
{
    bool any = coll_exchange(op, i, to, given, from, taken, SEND_STANDARD);
    if (any && op->kind == OP_RECV && combines)
        op->mode = RECV_COMBINES;
    return any;
}

/* In round k each of 2^m ranks exchanges its vector with the one whose number differs in bit k. Those that are too many
 * hand theirs to a neighbor before, and get the result from it. */
bool coll_allreduce_doubling(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    const struct coll_fold fold = coll_fold_of(call->n_ranks, 1);
    const struct coll_part whole = {0, call->bytes};
    int64_t number = coll_fold_number(&fold, rank);
    if (number < 0)
        return i == 0 ? coll_send(op, rank + 1, call->bytes, SEND_STANDARD)
                      : i == 1 && coll_recv(op, rank + 1, call->bytes);
    bool paired = coll_fold_paired(&fold, rank);
    if (paired && i-- == 0)
        return coll_combine(op, rank - 1, call->bytes);
    int64_t round = i / COLL_EXCHANGE_OPS;
    if (round < fold.rounds) {
        int peer = (int)coll_fold_rank(&fold, number ^ INT64_C(1) << round);
        return exchange(op, i % COLL_EXCHANGE_OPS, peer, whole, peer, whole, true);
    }
    return paired && i == fold.rounds * COLL_EXCHANGE_OPS && coll_send(op, rank - 1, call->bytes, SEND_STANDARD);
}

/* The vector is cut into p parts, each of which goes round the ring twice: first the ranks add theirs to it, then they
 * keep a copy of it. */
static bool ring_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, round = i / COLL_EXCHANGE_OPS;
    const struct coll_layout layout = {call->bytes, 1, call->n_ranks, 0};
    if (round >= 2 * (p - 1))
        return false;
    int64_t given = (rank + 2 * p - round) % p, taken = (given + p - 1) % p;
    return exchange(op, i % COLL_EXCHANGE_OPS, (int)((rank + INT64_C(1)) % p), coll_parts(&layout, given, given + 1),
                    (int)((rank + p - 1) % p), coll_parts(&layout, taken, taken + 1), round < p - 1);
}

/* The number with its `bits` lowest bits in reverse order. */
static int64_t reversed(int64_t number, int64_t bits)
{
    int64_t result = 0;
    for (int64_t bit = 0; bit < bits; bit++)
        result = result << 1 | (number >> bit & 1);
    return result;
}

/* The exchange of a round of halving or doubling: groups of 2 * size parts, each half of which its ranks have, or get.
 * The part of a number is that with its bits reversed, so that the largest halves go to the nearest. */
static bool exchange_halves(struct op *op, int64_t i, const struct coll_fold *fold, const struct coll_layout *layout,
                            int64_t number, int64_t size, bool halves)
{
    int64_t part = reversed(number, fold->rounds), own = part / size * size, others = own ^ size;
    struct coll_part mine = coll_parts(layout, own, own + size), theirs = coll_parts(layout, others, others + size);
    int peer = (int)coll_fold_rank(fold, reversed(part ^ size, fold->rounds));
    return exchange(op, i, peer, halves ? theirs : mine, peer, halves ? mine : theirs, halves);
}

/* As in recursive doubling, but of the vector each keeps only the half that it goes on with, until everyone has the
 * result of one part; then the parts are gathered by recursive doubling. */
static bool rabenseifner_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    const struct coll_fold fold = coll_fold_of(call->n_ranks, 1);
    const struct coll_layout layout = {call->bytes, 1, 1 << fold.rounds, 0};
    int64_t number = coll_fold_number(&fold, rank);
    if (number < 0)
        return i == 0 ? coll_send(op, rank + 1, call->bytes, SEND_STANDARD)
                      : i == 1 && coll_recv(op, rank + 1, call->bytes);
    bool paired = coll_fold_paired(&fold, rank);
    if (paired && i-- == 0)
        return coll_combine(op, rank - 1, call->bytes);
    int64_t round = i / COLL_EXCHANGE_OPS;
    if (round < fold.rounds)
        return exchange_halves(op, i % COLL_EXCHANGE_OPS, &fold, &layout, number,
                               INT64_C(1) << (fold.rounds - 1 - round), true);
    if (round < 2 * fold.rounds)
        return exchange_halves(op, i % COLL_EXCHANGE_OPS, &fold, &layout, number, INT64_C(1) << (round - fold.rounds),
                               false);
    return paired && i == 2 * fold.rounds * COLL_EXCHANGE_OPS && coll_send(op, rank - 1, call->bytes, SEND_STANDARD);
}

static const struct coll_spec spec_recursive_doubling = {
    .name = "recursive_doubling",
    .summary = "pairs exchange whole vectors, at doubling distances",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = coll_allreduce_doubling,
};
static const struct coll_spec spec_ring = {
    .name = "ring",
    .summary = "each part goes around the ring twice",
    .source = "Patarasuk, Yuan 2009",
    .next = ring_next,
};
static const struct coll_spec spec_rabenseifner = {
    .name = "rabenseifner",
    .summary = "recursive halving, then recursive-doubling allgather",
    .source = "Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005",
    .next = rabenseifner_next,
};
static const struct coll_spec spec_reduce_broadcast = {
    .name = "reduce_broadcast",
    .summary = "binomial reduce to the first rank, then binomial broadcast",
    .next = coll_barrier_tree,
};

#define ROWS(ROW) ROW(recursive_doubling) ROW(ring) ROW(rabenseifner) ROW(reduce_broadcast)
COLL_TABLES(allreduce, ROWS, {"rdb", "recursive_doubling"}, {"lr", "ring"}, {"rab_rdb", "rabenseifner"});
