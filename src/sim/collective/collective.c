/* Finds the algorithm of a collective, and writes the ops that algorithms are made of. */
#include "sim/collective/collective.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

const char *const flat_order_names[] = {"rank", "reverse", "upward", "downward", NULL};
const char *const send_mode_names[] = {"standard", "synchronous", NULL};

enum coll_family coll_family_of(enum op_kind kind)
{
    static const uint8_t families[] = {
        [OP_BROADCAST] = COLL_BROADCAST, [OP_SCATTER] = COLL_SCATTER,     [OP_GATHER] = COLL_GATHER,
        [OP_REDUCE] = COLL_REDUCE,       [OP_ALLREDUCE] = COLL_ALLREDUCE, [OP_ALLGATHER] = COLL_ALLGATHER,
        [OP_ALLTOALL] = COLL_ALLTOALL,   [OP_BARRIER] = COLL_BARRIER,
    };
    assert(kind < sizeof families && coll_families[families[kind]].kind == kind);
    return (enum coll_family)families[kind];
}

int64_t coll_call_ps(const struct cost_model *costs, enum op_kind kind, int64_t bytes)
{
    if (coll_families[coll_family_of(kind)].copies_own)
        return cost_model_copy_ps(costs, bytes);
    return kind == OP_BROADCAST ? costs->broadcast_ps : kind == OP_ALLREDUCE ? costs->allreduce_ps : 0;
}

const struct coll_spec *coll_find(enum coll_family family, const char *name)
{
    for (int i = 0; coll_families[family].specs[i] != NULL; i++)
        if (strcmp(coll_families[family].names[i], name) == 0)
            return coll_families[family].specs[i];
    return NULL;
}

const struct coll_spec *coll_of(const struct coll_options *options, enum op_kind kind, int group)
{
    enum coll_family family = coll_family_of(kind);
    const struct coll_spec *chosen = family == COLL_BROADCAST ? options->broadcast : options->others[family];
    if (chosen == NULL)
        return coll_families[family].specs[0];
    return group != 0 && (chosen->asks_placement || chosen->of_all_ranks) ? &coll_binomial : chosen;
}

bool coll_send_part(struct op *op, int peer, struct coll_part part, enum send_mode mode)
{
    op->kind = OP_SEND;
    op->peer = peer;
    op->bytes = part.bytes;
    op->offset = part.at;
    op->mode = (uint8_t)mode;
    op->exchanges = false;
    return true;
}

bool coll_send(struct op *op, int peer, int64_t bytes, enum send_mode mode)
{
    return coll_send_part(op, peer, (struct coll_part){0, bytes}, mode);
}

bool coll_recv(struct op *op, int peer, int64_t bytes)
{
    op->kind = OP_RECV;
    op->peer = peer;
    op->bytes = bytes;
    op->mode = RECV_KEEPS;
    return true;
}

bool coll_combine(struct op *op, int peer, int64_t bytes)
{
    coll_recv(op, peer, bytes);
    op->mode = RECV_COMBINES;
    return true;
}

bool coll_begin_recv(struct op *op, int peer, int64_t bytes, int64_t number)
{
    coll_recv(op, peer, bytes);
    op->kind = OP_IRECV;
    op->request = (uint32_t)number;
    return true;
}

bool coll_begin_send(struct op *op, int peer, struct coll_part part, enum send_mode mode, int64_t number)
{
    coll_send_part(op, peer, part, mode);
    op->kind = OP_ISEND;
    op->request = (uint32_t)number;
    return true;
}

bool coll_end_recv(struct op *op, int peer, int64_t bytes, int64_t number, enum recv_mode mode)
{
    coll_begin_recv(op, peer, bytes, number);
    op->kind = OP_WAIT;
    op->mode = (uint8_t)mode;
    return true;
}

bool coll_wait_all(struct op *op)
{
    return coll_end_recv(op, 0, 0, 0, RECV_KEEPS);
}

bool coll_exchange(struct op *op, int64_t i, int to, struct coll_part given, int from, struct coll_part taken,
                   enum send_mode mode)
{
    if (i == 1)
        return coll_recv(op, from, taken.bytes);
    coll_send_part(op, to, given, mode);
    op->kind = i == 0 ? OP_ISEND : OP_WAIT;
    op->request = 1;
    op->exchanges = taken.bytes > 0;
    return true;
}

static int64_t segment_bytes(int64_t bytes, int64_t segment)
{
    return segment <= 0 || segment > bytes ? bytes : segment;
}

int64_t coll_segment_count(int64_t bytes, int64_t segment)
{
    int64_t length = segment_bytes(bytes, segment);
    return length > 0 ? (bytes - 1) / length + 1 : 1;
}

struct coll_part coll_segment(int64_t bytes, int64_t segment, int64_t s)
{
    int64_t length = segment_bytes(bytes, segment), at = s * length;
    return (struct coll_part){at, bytes - at < length ? bytes - at : length};
}

bool coll_sequence(const struct coll_call *first_call, coll_next *first, const struct coll_call *second_call,
                   coll_next *second, int rank, int64_t i, struct op *op)
{
    int64_t count = 0;
    if (first(first_call, rank, i, op))
        return true;
    while (first(first_call, rank, count, op))
        count++;
    return second(second_call, rank, i - count, op);
}

bool coll_uses(const struct coll_spec *spec, enum coll_use option)
{
    return (spec->uses & option) != 0 || (option == COLL_USES_SEGMENT && spec->is_segmented);
}
