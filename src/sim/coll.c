#include "sim/coll.h"

#include <stddef.h>

#define COLL(name) extern const struct coll_spec coll_##name;
#include "sim/coll_list.def"
#undef COLL

const struct coll_spec *const coll_broadcasts[] = {
#define COLL(name) &coll_##name,
#include "sim/coll_list.def"
#undef COLL
    NULL,
};

const char *const coll_broadcast_names[] = {
#define COLL(name) #name,
#include "sim/coll_list.def"
#undef COLL
    NULL,
};

const char *const flat_order_names[] = {"rank", "reverse", "upward", "downward", NULL};
const char *const send_mode_names[] = {"standard", "synchronous", NULL};

bool coll_send(struct op *op, int peer, int64_t bytes, enum send_mode mode)
{
    op->kind = OP_SEND;
    op->peer = peer;
    op->bytes = bytes;
    op->mode = (uint8_t)mode;
    return true;
}

bool coll_recv(struct op *op, int peer, int64_t bytes)
{
    op->kind = OP_RECV;
    op->peer = peer;
    op->bytes = bytes;
    return true;
}

/* One to all, block by block in the order of the ranks: scatter, and gather with the directions reversed. */
static bool dealt_next(const struct coll_call *call, int rank, int64_t i, struct op *op, bool from_root)
{
    if (rank == call->root ? i >= call->n_ranks - 1 : i >= 1)
        return false;
    int other = rank != call->root ? call->root : (int)i + ((int)i >= call->root);
    int holder = rank == call->root ? other : rank;
    int64_t bytes = call->bytes * coll_share(call->times, call->n_ranks, holder);
    if ((rank == call->root) == from_root)
        return coll_send(op, other, bytes, SEND_STANDARD);
    return coll_recv(op, other, bytes);
}

static bool scatter_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return dealt_next(call, rank, i, op, true);
}

static bool gather_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    return dealt_next(call, rank, i, op, false);
}

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

const struct coll_spec coll_scatter = {
    .name = "scatter", .summary = "the root sends to one after another", .next = scatter_next};
const struct coll_spec coll_gather = {
    .name = "gather", .summary = "the root receives from one after another", .next = gather_next};
const struct coll_spec coll_barrier = {
    .name = "barrier",
    .summary = "dissemination",
    .source = "Hensgen, Finkel, Manber 1988",
    .next = barrier_next,
};
