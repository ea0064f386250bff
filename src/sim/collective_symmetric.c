/* Barrier, allreduce, allgather, alltoall: all ranks do the same. Where a rank sends and receives at once, it begins the
 * send before it receives, so that none waits for another in a circle. */
#include "sim/coll.h"

/* In round k every rank tells the one 2^k ahead; after ceil(log2 p) rounds all have heard of all. */
static bool barrier_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t distance = i / 2 < 31 ? INT64_C(1) << (i / 2) : INT32_MAX;
    if (distance >= call->n_ranks)
        return false;
    if (i % 2 == 0)
        return coll_send(op, (int)((rank + distance) % call->n_ranks), call->bytes, SEND_STANDARD);
    return coll_recv(op, (int)((rank + call->n_ranks - distance) % call->n_ranks), call->bytes);
}

/* Recursive doubling among the first 2^m ranks that 2^m <= p allows: in round k each exchanges its vector with the one
 * whose number differs in bit k. Of the p - 2^m ranks that are too many, each first hands its vector to a neighbour,
 * which takes part for both, and gets the result from it: ranks 2j and 2j + 1 for j < p - 2^m. */
struct doubling {
    int64_t folded; /* p - 2^m */
    int64_t rounds; /* m */
};

static struct doubling doubling_of(int64_t p)
{
    int64_t rounds = 0;
    while (INT64_C(2) << rounds <= p)
        rounds++;
    return (struct doubling){p - (INT64_C(1) << rounds), rounds};
}

static bool allreduce_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    struct doubling doubling = doubling_of(call->n_ranks);
    bool folded = rank < 2 * doubling.folded;
    if (folded && rank % 2 == 0) {
        if (i == 0)
            return coll_send(op, rank + 1, call->bytes, SEND_STANDARD);
        return i == 1 && coll_recv(op, rank + 1, call->bytes);
    }
    if (folded && i-- == 0)
        return coll_recv(op, rank - 1, call->bytes);
    int64_t number = folded ? rank / 2 : rank - doubling.folded;
    if (i < doubling.rounds * COLL_EXCHANGE_OPS) {
        int64_t other = number ^ INT64_C(1) << i / COLL_EXCHANGE_OPS;
        int peer = (int)(other < doubling.folded ? 2 * other + 1 : other + doubling.folded);
        return coll_exchange(op, i % COLL_EXCHANGE_OPS, peer, peer, call->bytes);
    }
    return folded && i == doubling.rounds * COLL_EXCHANGE_OPS && coll_send(op, rank - 1, call->bytes, SEND_STANDARD);
}

/* p - 1 rounds round the ring: each rank passes on what it has received last, its own block first. */
static bool allgather_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks;
    if (i >= (p - 1) * COLL_EXCHANGE_OPS)
        return false;
    return coll_exchange(op, i % COLL_EXCHANGE_OPS, (int)((rank + 1) % p), (int)((rank + p - 1) % p), call->bytes);
}

/* In round k, 1 to p - 1, each rank sends to the one k ahead and receives from the one k behind. */
static bool alltoall_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, k = i / COLL_EXCHANGE_OPS + 1;
    if (k >= p)
        return false;
    return coll_exchange(op, i % COLL_EXCHANGE_OPS, (int)((rank + k) % p), (int)((rank + p - k) % p), call->bytes);
}

const struct coll_spec coll_barrier = {
    .name = "barrier",
    .summary = "dissemination",
    .source = "Hensgen, Finkel, Manber 1988",
    .is_symmetric = true,
    .next = barrier_next,
};
const struct coll_spec coll_allreduce = {
    .name = "allreduce",
    .summary = "recursive doubling",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .is_symmetric = true,
    .next = allreduce_next,
};
const struct coll_spec coll_allgather = {
    .name = "allgather",
    .summary = "round the ring",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .is_symmetric = true,
    .next = allgather_next,
};
const struct coll_spec coll_alltoall = {
    .name = "alltoall",
    .summary = "pairwise, shifted by one more in each round",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .is_symmetric = true,
    .next = alltoall_next,
};
