/* The algorithms of collectives that there are, and the ops that they are made of.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

const char *const flat_order_names[] = {"rank", "reverse", "upward", "downward", NULL};
const char *const send_mode_names[] = {"standard", "synchronous", NULL};

const struct coll_spec *const coll_broadcasts[] = {
#define COLL(name) &coll_##name,
#include "sim/collective/list.def"
#undef COLL
    &coll_openmpi_broadcast,
    &coll_auto_broadcast,
    NULL,
};

const char *const coll_broadcast_names[] = {
#define COLL(name) #name,
#include "sim/collective/list.def"
#undef COLL
    "openmpi",
    "auto",
    NULL,
};

const struct param_alias coll_broadcast_aliases[] = {
    {"binomial_tree", "binomial"},
    {"NTSL", "chain_segmented"},
    {"NTSL_Isend", "chain_segmented"},
    {"ompi_pipeline", "chain_segmented"},
    {"NTSB", "binary_segmented"},
    {"ompi_split_bintree", "split_binary"},
    {"scatter_LR_allgather", "scatter_ring"},
    {"blacs_i", "chain"},
    {"blacs_d", "chain_down"},
    {"blacs_s", "split_ring"},
    {"blacs_m", "multipath"},
    {"blacs_h", "hypercube"},
    {"blacs_t", "knomial"},
    {NULL, NULL},
};

#define FAMILY(family, KIND, list)                                                                                     \
    .name = #family, .kind = OP_##KIND, .specs = list, .names = coll_##family##_names,                                 \
    .aliases = coll_##family##_aliases

const struct coll_family_spec coll_families[N_COLL_FAMILIES] = {
    [COLL_BROADCAST] = {FAMILY(broadcast, BROADCAST, coll_broadcasts), .has_root = true},
    [COLL_SCATTER] = {FAMILY(scatter, SCATTER, coll_scatter_specs), .has_root = true},
    [COLL_GATHER] = {FAMILY(gather, GATHER, coll_gather_specs), .has_root = true},
    [COLL_REDUCE] = {FAMILY(reduce, REDUCE, coll_reduce_specs), .has_root = true},
    [COLL_ALLREDUCE] = {FAMILY(allreduce, ALLREDUCE, coll_allreduce_specs)},
    [COLL_ALLGATHER] = {FAMILY(allgather, ALLGATHER, coll_allgather_specs), .copies_own = true},
    [COLL_ALLTOALL] = {FAMILY(alltoall, ALLTOALL, coll_alltoall_specs), .copies_own = true},
    [COLL_BARRIER] = {FAMILY(barrier, BARRIER, coll_barrier_specs)},
};

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

/* The algorithm that `auto` stands for without a choice. */
static const struct coll_spec *plain(enum coll_family family)
{
    return family == COLL_BROADCAST ? &coll_binomial : coll_families[family].specs[0];
}

const struct coll_spec *coll_of(const struct coll_options *options, const struct op *op)
{
    enum coll_family family = coll_family_of((enum op_kind)op->kind);
    const struct coll_spec *chosen = family == COLL_BROADCAST ? options->broadcast : options->others[family];
    if (chosen == NULL)
        return coll_families[family].specs[0];
    if (op->mode == COLL_BEGUN && strcmp(chosen->name, "auto") == 0)
        return plain(family);
    return op->group != 0 && (chosen->asks_placement || chosen->of_all_ranks) ? &coll_binomial : chosen;
}

const struct coll_spec *coll_chosen(const struct coll_spec *spec, const struct coll_call *call)
{
    while (spec->choose != NULL)
        spec = spec->choose(call);
    return spec;
}

enum collectives coll_chooser(const struct cost_model *costs, const struct coll_options *options)
{
    return costs->collectives != COLLECTIVES_UNSAID ? costs->collectives : options->traced;
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

enum collectives coll_chooser_of(const char *library, bool *is_known)
{
    *is_known = library != NULL && begins(library, "Open MPI v4.1.");
    return library != NULL && begins(library, "Open MPI ") ? COLLECTIVES_OPENMPI : COLLECTIVES_UNSAID;
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

bool coll_begin_recv(struct op *op, int peer, int64_t bytes, int64_t number, enum recv_mode mode)
{
    coll_recv(op, peer, bytes);
    op->kind = OP_IRECV;
    op->mode = (uint8_t)mode;
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
    coll_begin_recv(op, peer, bytes, number, mode);
    op->kind = OP_WAIT;
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

/* Receive number s of a pipe, of which two are under way at most: that is posted, or waited for. */
static bool pipe_op(const struct coll_pipe *pipe, int64_t s, bool posts, struct op *op)
{
    int64_t bytes = coll_segment(pipe->bytes, pipe->segment, s).bytes, number = s % 2 + 1;
    return posts ? coll_begin_recv(op, pipe->from, bytes, number, pipe->mode)
                 : coll_end_recv(op, pipe->from, bytes, number, pipe->mode);
}

bool coll_pipe_receives(const struct coll_pipe *pipe, int64_t *i, int64_t *s, struct op *op)
{
    int64_t last = coll_segment_count(pipe->bytes, pipe->segment) - 1, ops = 2 + pipe->n_sends;
    *s = last;
    if (last == 0 && *i == 0) {
        coll_recv(op, pipe->from, pipe->bytes);
        op->mode = (uint8_t)pipe->mode;
        return true;
    }
    --*i;
    if (last == 0)
        return false;
    if (*i < 0)
        return pipe_op(pipe, 0, true, op);
    if (*i >= ops * last) {
        *i -= ops * last + 1;
        return *i < 0 && pipe_op(pipe, last, false, op);
    }
    *s = *i / ops;
    *i = *i % ops - 2;
    return *i < 0 && pipe_op(pipe, *s + (*i == -2), *i == -2, op);
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
