/* All-to-all: every rank has a block for each.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

static int ahead(const struct coll_call *call, int rank, int64_t distance)
{
    return (int)((rank + distance) % call->n_ranks);
}

static int behind(const struct coll_call *call, int rank, int64_t distance)
{
    return (int)((rank + call->n_ranks - distance) % call->n_ranks);
}

/* In round k, 1 to p - 1, each rank sends to the one k ahead and receives from the one k behind. */
static bool pairwise_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t k = i / COLL_EXCHANGE_OPS + 1;
    const struct coll_part block = {0, call->bytes};
    return k < call->n_ranks && coll_exchange(op, i % COLL_EXCHANGE_OPS, ahead(call, rank, k), block,
                                              behind(call, rank, k), block, SEND_STANDARD);
}

/* In round k each rank exchanges with the one whose number is its own with the bits of k turned over. */
bool coll_alltoall_exchange(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t k = i / COLL_EXCHANGE_OPS + 1;
    const struct coll_part block = {0, call->bytes};
    if ((call->n_ranks & (call->n_ranks - 1)) != 0)
        return pairwise_next(call, rank, i, op);
    return k < call->n_ranks &&
           coll_exchange(op, i % COLL_EXCHANGE_OPS, (int)(rank ^ k), block, (int)(rank ^ k), block, SEND_STANDARD);
}

/* All receives are posted, then all sends are begun, from the next rank on and from the one before. */
static bool linear_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t others = call->n_ranks - 1, k = others > 0 ? i % others + 1 : 0;
    if (i < others)
        return coll_begin_recv(op, ahead(call, rank, k), call->bytes, 0, RECV_KEEPS);
    if (i >= 2 * others)
        return others > 0 && i == 2 * others && coll_wait_all(op);
    coll_begin_send(op, behind(call, rank, k), (struct coll_part){0, call->bytes}, SEND_STANDARD, k);
    op->exchanges = true;
    return true;
}

/* How many of the numbers 1 ... p - 1 have a bit. */
static int64_t count_with(int64_t bit, int64_t p)
{
    int64_t rest = p % (2 * bit) - bit;
    return p / (2 * bit) * bit + (rest > 0 ? rest : 0);
}

/* Blocks are counted by how far ahead they have to go. In round k each rank sends those that have bit k in this number
 * to the one 2^k ahead, in one message. */
static bool bruck_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t round = i / COLL_EXCHANGE_OPS, distance = round < 31 ? INT64_C(1) << round : INT32_MAX;
    if (distance >= call->n_ranks)
        return false;
    const struct coll_part blocks = {0, call->bytes * count_with(distance, call->n_ranks)};
    return coll_exchange(op, i % COLL_EXCHANGE_OPS, ahead(call, rank, distance), blocks, behind(call, rank, distance),
                         blocks, SEND_STANDARD);
}

static const struct coll_spec spec_pairwise = {
    .name = "pairwise",
    .summary = "to one rank after another, shifted by one more in each round",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = pairwise_next,
};
static const struct coll_spec spec_exchange = {
    .name = "exchange",
    .summary = "different pairs in each round; pairwise unless the ranks are a power of two",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .next = coll_alltoall_exchange,
};
static const struct coll_spec spec_linear = {.name = "linear", .summary = "all messages at once", .next = linear_next};
static const struct coll_spec spec_bruck = {
    .name = "bruck",
    .summary = "combined blocks, in ceil(log2 p) rounds",
    .source = "Bruck et al. 1997",
    .next = bruck_next,
};

#define ROWS(ROW) ROW(pairwise) ROW(exchange) ROW(linear) ROW(bruck)
COLL_TABLES(alltoall, ROWS, {"ring", "pairwise"}, {"pair", "exchange"}, {"basic_linear", "linear"});
