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

bool coll_exchange(struct op *op, int64_t i, int to, int from, int64_t bytes)
{
    if (i == 1)
        return coll_recv(op, from, bytes);
    coll_send(op, to, bytes, SEND_STANDARD);
    op->kind = i == 0 ? OP_ISEND : OP_WAIT;
    op->request = 1;
    return true;
}

const struct coll_spec *coll_of(const struct coll_options *options, enum op_kind kind, int group)
{
    switch (kind) {
    case OP_SCATTER:
        return &coll_scatter;
    case OP_GATHER:
        return &coll_gather;
    case OP_REDUCE:
        return &coll_reduce;
    case OP_ALLREDUCE:
        return &coll_allreduce;
    case OP_ALLGATHER:
        return &coll_allgather;
    case OP_ALLTOALL:
        return &coll_alltoall;
    case OP_BARRIER:
        return &coll_barrier;
    default:
        return group != 0 && options->broadcast->needs_mesh ? &coll_binomial : options->broadcast;
    }
}
