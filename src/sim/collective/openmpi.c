/* How Open MPI chooses the algorithm of a collective: by the number of ranks and the length.
 *
 * The decisions are those of Open MPI 4.1's component coll/tuned without a file of rules (coll_tuned_decision_fixed.c),
 * for operations that commute. Messages are posted in the order of its coll/base. Where an algorithm of it falls back
 * to another because there are fewer elements than ranks, elements of 8 bytes are meant. Algorithms that send the same
 * messages stand for each other: linear_sync is linear, two_proc is an exchange, segments of no length are whole
 * messages, double_ring and two_proc barriers are recursive doubling.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

#include "sim/machine/machine.h"

#include <stddef.h>

/* Ranks fewer than `ranks` and lengths below `bytes` have it, unless a row before does. The last row has all. */
struct choice {
    int32_t ranks;
    int64_t bytes;
    const struct coll_spec *const *spec;
};

#define ANY INT32_MAX, INT64_MAX
#define ALL INT64_MAX

/* In the order of the families' tables. */
enum { SCATTER_FLAT, SCATTER_LINEAR_NB = 2, SCATTER_BINOMIAL };
enum { GATHER_FLAT, GATHER_BINOMIAL };
enum { REDUCE_FLAT = 1, REDUCE_CHAIN, REDUCE_BINOMIAL = 4 };
enum { ALLREDUCE_DOUBLING, ALLREDUCE_RING, ALLREDUCE_RABENSEIFNER, ALLREDUCE_REDUCE_BROADCAST };
enum { ALLGATHER_RING, ALLGATHER_DOUBLING, ALLGATHER_BRUCK, ALLGATHER_NEIGHBOUR, ALLGATHER_EXCHANGE };
enum { ALLTOALL_PAIRWISE, ALLTOALL_EXCHANGE, ALLTOALL_LINEAR, ALLTOALL_BRUCK };
enum { BARRIER_DISSEMINATION, BARRIER_FLAT, BARRIER_TREE, BARRIER_DOUBLING };

/* ---- Binary trees whose levels are counted through one after another ---- */

/* Counted from the root: level l has the ranks from 2^l - 1 on; the children of r there are r + 2^l and r + 2^(l+1). */
struct tree_node {
    int64_t parent; /* -1: none */
    int64_t children[2];
    int n_children;
};

static struct tree_node node_of_number(int64_t r, int64_t p)
{
    struct tree_node node = {.parent = -1};
    int64_t delta = 1;
    while (2 * delta - 1 <= r)
        delta *= 2;
    if (r > 0)
        node.parent = r - delta / 2 >= delta - 1 ? r - delta : r - delta / 2;
    for (int64_t child = r + delta; child <= r + 2 * delta && child < p; child += delta)
        node.children[node.n_children++] = child;
    return node;
}

static int from_root(const struct coll_call *call, int64_t r)
{
    return (int)((r + call->root) % call->n_ranks);
}

static struct tree_node node_of_rank(const struct coll_call *call, int rank)
{
    return node_of_number((rank - (int64_t)call->root + call->n_ranks) % call->n_ranks, call->n_ranks);
}

static bool levels_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    const struct tree_node node = node_of_rank(call, rank);
    if (node.parent >= 0 && i-- == 0)
        return coll_recv(op, from_root(call, node.parent), call->bytes);
    return i >= 0 && i < node.n_children &&
           coll_send(op, from_root(call, node.children[i]), call->bytes, call->options->mode);
}

static bool levels_reduce_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    const struct tree_node node = node_of_rank(call, rank);
    if (i < node.n_children)
        return coll_combine(op, from_root(call, node.children[i]), call->bytes);
    return i == node.n_children && node.parent >= 0 &&
           coll_send(op, from_root(call, node.parent), call->bytes, SEND_STANDARD);
}

/* ---- A binomial tree, the lowest bits first: r passes it to r + 2^k for all 2^k above r ---- */

static bool low_bits_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    int64_t p = call->n_ranks, r = (rank - (int64_t)call->root + p) % p, bit = 1;
    while (bit <= r)
        bit *= 2;
    if (r > 0 && i-- == 0)
        return coll_recv(op, from_root(call, r - bit / 2), call->bytes);
    for (; r + bit < p; bit *= 2)
        if (i-- == 0)
            return coll_send(op, from_root(call, r + bit), call->bytes, call->options->mode);
    return false;
}

/* ---- In the order in which Open MPI posts ---- */

#define POSTED(way, algorithm, shown, base)                                                                            \
    static bool algorithm##_next(const struct coll_call *call, int rank, int64_t i, struct op *op)                     \
    {                                                                                                                  \
        return way(call, rank, i, op, base);                                                                           \
    }                                                                                                                  \
    static const struct coll_spec algorithm = {.name = shown, .next = algorithm##_next};                               \
    static const struct coll_spec *const algorithm##_spec = &algorithm;

POSTED(coll_at_once, broadcast_low_bits, "binomial", low_bits_next)
POSTED(coll_at_once, broadcast_levels, "binary", levels_next)
POSTED(coll_at_once, broadcast_knomial, "knomial", coll_knomial.next)
POSTED(coll_one_ahead, reduce_levels, "binary", levels_reduce_next)

/* ---- A gather in which the root asks one after another for its block; an empty second one follows ---- */

enum { ASKED_OPS = 4 };

static bool asked_gather_next(const struct coll_call *call, int rank, int64_t i, struct op *op)
{
    const struct coll_layout layout = {call->blocks, call->bytes, call->n_ranks, 0};
    const struct coll_part own = coll_parts(&layout, rank, rank + 1);
    if (rank != call->root)
        return i == 0   ? coll_recv(op, call->root, 0)
               : i == 1 ? coll_send_part(op, call->root, own, SEND_STANDARD)
                        : i == 2 && coll_send_part(op, call->root, (struct coll_part){own.at, 0}, SEND_STANDARD);
    int64_t others = call->n_ranks - 1, index = i / ASKED_OPS;
    if (index >= others)
        return others > 0 && i == ASKED_OPS * others && coll_wait_all(op);
    int peer = (int)(index + (index >= call->root));
    int64_t bytes = coll_parts(&layout, peer, peer + 1).bytes;
    switch (i % ASKED_OPS) {
    case 0:
        return coll_begin_recv(op, peer, bytes, 1, RECV_KEEPS);
    case 1:
        return coll_send(op, peer, 0, SEND_STANDARD);
    case 2:
        return coll_begin_recv(op, peer, 0, 0, RECV_KEEPS);
    default:
        return coll_end_recv(op, peer, bytes, 1, RECV_KEEPS);
    }
}

static const struct coll_spec asked_gather = {.name = "asked", .next = asked_gather_next};
static const struct coll_spec *const asked_gather_spec = &asked_gather;

/* ---- The decisions ---- */

#define FLAT &broadcast_specs[3]
#define CHAIN &broadcast_specs[0]
#define BINOMIAL &broadcast_low_bits_spec
#define KNOMIAL &broadcast_knomial_spec
#define BINARY &broadcast_levels_spec
#define SPLIT &broadcast_specs[1]
#define SCATTER &broadcast_specs[2]
static const struct coll_spec *const broadcast_specs[] = {&coll_chain, &coll_split_binary, &coll_scatter_doubling,
                                                          &coll_flattree};

static const struct choice broadcast_choices[] = {
    {4, 32, CHAIN},
    {4, 256, BINARY},
    {4, 512, CHAIN},
    {4, 1024, KNOMIAL},
    {4, 32768, FLAT},
    {4, 131072, BINARY},
    {4, 262144, CHAIN},
    {4, 524288, FLAT},
    {4, 1048576, BINOMIAL},
    {4, ALL, BINARY},
    {8, 64, BINARY},
    {8, 128, BINOMIAL},
    {8, 2048, BINARY},
    {8, 8192, BINOMIAL},
    {8, 1048576, FLAT},
    {8, ALL, CHAIN},
    {16, 8, KNOMIAL},
    {16, 64, BINARY},
    {16, 4096, KNOMIAL},
    {16, 16384, BINARY},
    {16, 32768, BINOMIAL},
    {16, ALL, FLAT},
    {32, 4096, KNOMIAL},
    {32, 1048576, BINOMIAL},
    {32, ALL, SCATTER},
    {64, 2048, BINOMIAL},
    {128, ALL, KNOMIAL},
    {256, 2, BINOMIAL},
    {256, 16384, BINARY},
    {256, 32768, FLAT},
    {256, 65536, BINARY},
    {256, ALL, KNOMIAL},
    {1024, 16384, KNOMIAL},
    {1024, 32768, SPLIT},
    {1024, ALL, KNOMIAL},
    {2048, 524288, KNOMIAL},
    {2048, ALL, SCATTER},
    {4096, 262144, KNOMIAL},
    {4096, ALL, SCATTER},
    {INT32_MAX, 8192, KNOMIAL},
    {INT32_MAX, 16384, BINARY},
    {INT32_MAX, 262144, KNOMIAL},
    {ANY, SCATTER},
};

#define S(name) &coll_scatter_specs[SCATTER_##name]
static const struct choice scatter_choices[] = {
    {4, 2, S(LINEAR_NB)},     {4, 131072, S(FLAT)},     {4, 262144, S(LINEAR_NB)},
    {4, ALL, S(FLAT)},        {8, 2048, S(BINOMIAL)},   {8, 4096, S(FLAT)},
    {8, 8192, S(BINOMIAL)},   {8, 32768, S(FLAT)},      {8, 1048576, S(LINEAR_NB)},
    {8, ALL, S(FLAT)},        {16, 16384, S(BINOMIAL)}, {16, 1048576, S(LINEAR_NB)},
    {16, ALL, S(FLAT)},       {32, 16384, S(BINOMIAL)}, {32, 32768, S(FLAT)},
    {32, ALL, S(LINEAR_NB)},  {64, 512, S(BINOMIAL)},   {64, 8192, S(LINEAR_NB)},
    {64, 16384, S(BINOMIAL)}, {64, ALL, S(LINEAR_NB)},  {INT32_MAX, 512, S(BINOMIAL)},
    {ANY, S(LINEAR_NB)},
};

#define G(name) &coll_gather_specs[GATHER_##name]
static const struct choice gather_choices[] = {
    {4, 2, &asked_gather_spec},   {4, 4, G(FLAT)},
    {4, 32768, G(BINOMIAL)},      {4, 65536, G(FLAT)},
    {4, 131072, G(BINOMIAL)},     {4, ALL, &asked_gather_spec},
    {8, 1024, G(BINOMIAL)},       {8, 8192, G(FLAT)},
    {8, 32768, G(BINOMIAL)},      {8, 262144, G(FLAT)},
    {8, ALL, &asked_gather_spec}, {256, ALL, G(BINOMIAL)},
    {512, 2048, G(BINOMIAL)},     {512, 8192, G(FLAT)},
    {ANY, G(BINOMIAL)},
};

#define R(name) &coll_reduce_specs[REDUCE_##name]
static const struct choice reduce_choices[] = {
    {4, 8, R(FLAT)},
    {4, 16, &reduce_levels_spec},
    {4, 32, R(CHAIN)},
    {4, 262144, R(FLAT)},
    {4, ALL, R(CHAIN)},
    {8, 4096, &reduce_levels_spec},
    {8, 65536, R(CHAIN)},
    {8, 262144, R(BINOMIAL)},
    {8, 524288, R(FLAT)},
    {8, 1048576, R(BINOMIAL)},
    {8, ALL, R(FLAT)},
    {16, 8192, &reduce_levels_spec},
    {16, ALL, R(BINOMIAL)},
    {32, 4096, &reduce_levels_spec},
    {256, ALL, R(BINOMIAL)},
    {512, 8192, R(BINOMIAL)},
    {512, 16384, &reduce_levels_spec},
    {2048, ALL, R(BINOMIAL)},
    {4096, 512, R(BINOMIAL)},
    {4096, 1024, &reduce_levels_spec},
    {4096, 8192, R(BINOMIAL)},
    {4096, 16384, &reduce_levels_spec},
    {4096, ALL, R(BINOMIAL)},
    {INT32_MAX, 16, R(BINOMIAL)},
    {INT32_MAX, 32, &reduce_levels_spec},
    {INT32_MAX, 1024, R(BINOMIAL)},
    {INT32_MAX, 2048, &reduce_levels_spec},
    {INT32_MAX, 8192, R(BINOMIAL)},
    {INT32_MAX, 16384, &reduce_levels_spec},
    {ANY, R(BINOMIAL)},
};

#define A(name) &coll_allreduce_specs[ALLREDUCE_##name]
static const struct choice allreduce_choices[] = {
    {4, 4096, A(DOUBLING)},          {4, 8192, A(RING)},
    {4, 16384, A(DOUBLING)},         {4, 262144, A(RING)},
    {16, 8192, A(DOUBLING)},         {32, 4096, A(DOUBLING)},
    {64, 256, A(DOUBLING)},          {64, ALL, A(RABENSEIFNER)},
    {128, 262144, A(DOUBLING)},      {256, 131072, A(REDUCE_BROADCAST)},
    {256, 262144, A(DOUBLING)},      {512, 4096, A(REDUCE_BROADCAST)},
    {512, ALL, A(RABENSEIFNER)},     {INT32_MAX, 2048, A(REDUCE_BROADCAST)},
    {INT32_MAX, 16384, A(DOUBLING)}, {4096, ALL, A(RABENSEIFNER)},
    {INT32_MAX, 32768, A(DOUBLING)}, {ANY, A(RABENSEIFNER)},
};

#define AG(name) &coll_allgather_specs[ALLGATHER_##name]
static const struct choice allgather_choices[] = {
    {3, ALL, AG(EXCHANGE)},        {32, ALL, AG(DOUBLING)},      {64, 1024, AG(DOUBLING)},
    {64, 65536, AG(NEIGHBOUR)},    {64, ALL, AG(RING)},          {128, 512, AG(DOUBLING)},
    {128, 65536, AG(NEIGHBOUR)},   {128, ALL, AG(RING)},         {256, 512, AG(DOUBLING)},
    {256, 131072, AG(NEIGHBOUR)},  {256, 524288, AG(RING)},      {256, 1048576, AG(NEIGHBOUR)},
    {256, ALL, AG(RING)},          {512, 32, AG(DOUBLING)},      {512, 128, AG(BRUCK)},
    {512, 1024, AG(DOUBLING)},     {512, 131072, AG(NEIGHBOUR)}, {512, 524288, AG(RING)},
    {512, 1048576, AG(NEIGHBOUR)}, {512, ALL, AG(RING)},         {1024, 64, AG(DOUBLING)},
    {1024, 256, AG(BRUCK)},        {1024, 2048, AG(DOUBLING)},   {1024, ALL, AG(NEIGHBOUR)},
    {2048, 4, AG(DOUBLING)},       {2048, 8, AG(BRUCK)},         {2048, 16, AG(DOUBLING)},
    {2048, 32, AG(BRUCK)},         {2048, 256, AG(DOUBLING)},    {2048, 512, AG(BRUCK)},
    {2048, 4096, AG(DOUBLING)},    {2048, ALL, AG(NEIGHBOUR)},   {4096, 32, AG(BRUCK)},
    {4096, 128, AG(DOUBLING)},     {4096, 512, AG(BRUCK)},       {4096, 4096, AG(DOUBLING)},
    {4096, ALL, AG(NEIGHBOUR)},    {INT32_MAX, 2, AG(DOUBLING)}, {INT32_MAX, 8, AG(BRUCK)},
    {INT32_MAX, 16, AG(DOUBLING)}, {INT32_MAX, 512, AG(BRUCK)},  {INT32_MAX, 4096, AG(DOUBLING)},
    {ANY, AG(NEIGHBOUR)},
};

#define AA(name) &coll_alltoall_specs[ALLTOALL_##name]
static const struct choice alltoall_choices[] = {
    {3, ALL, AA(EXCHANGE)},    {8, 524288, AA(LINEAR)},    {8, 1048576, AA(PAIRWISE)},   {16, ALL, AA(LINEAR)},
    {32, 4, AA(LINEAR)},       {64, 512, AA(BRUCK)},       {64, ALL, AA(LINEAR)},        {512, 1024, AA(BRUCK)},
    {128, 262144, AA(LINEAR)}, {256, 262144, AA(LINEAR)},  {512, 32768, AA(LINEAR)},     {512, ALL, AA(PAIRWISE)},
    {2048, 512, AA(BRUCK)},    {1024, 262144, AA(LINEAR)}, {1024, ALL, AA(PAIRWISE)},    {2048, ALL, AA(LINEAR)},
    {4096, 1024, AA(BRUCK)},   {4096, ALL, AA(LINEAR)},    {INT32_MAX, 2048, AA(BRUCK)}, {ANY, AA(LINEAR)},
};

#define B(name) &coll_barrier_specs[BARRIER_##name]
static const struct choice barrier_choices[] = {
    {4, ALL, B(DOUBLING)},        {8, ALL, B(FLAT)},       {64, ALL, B(DOUBLING)},
    {256, ALL, B(DISSEMINATION)}, {512, ALL, B(TREE)},     {1024, ALL, B(DISSEMINATION)},
    {4096, ALL, B(TREE)},         {ANY, B(DISSEMINATION)},
};

static const struct coll_spec *choose(const struct choice *choice, const struct coll_call *call)
{
    while (call->n_ranks >= choice->ranks || call->bytes >= choice->bytes) {
        if (choice->ranks == INT32_MAX && choice->bytes == INT64_MAX)
            break;
        choice++;
    }
    return *choice->spec;
}

/* In an allgather, recursive doubling becomes Bruck's algorithm where the ranks are no power of two. */
static const struct coll_spec *choose_allgather(const struct choice *choices, const struct coll_call *call)
{
    const struct coll_spec *chosen = choose(choices, call);
    bool folds = (call->n_ranks & (call->n_ranks - 1)) != 0;
    return folds && chosen == coll_allgather_specs[ALLGATHER_DOUBLING] ? coll_allgather_specs[ALLGATHER_BRUCK] : chosen;
}

/* For each family: `openmpi`, and `auto`, which is `openmpi` where coll_chooser() says so, or else `fallback`. */
#define FAMILY(family, decide, fallback)                                                                               \
    static const struct coll_spec *family##_choose(const struct coll_call *call)                                       \
    {                                                                                                                  \
        return decide(family##_choices, call);                                                                         \
    }                                                                                                                  \
    static bool family##_next(const struct coll_call *call, int rank, int64_t i, struct op *op)                        \
    {                                                                                                                  \
        return decide(family##_choices, call)->next(call, rank, i, op);                                                \
    }                                                                                                                  \
    const struct coll_spec coll_openmpi_##family = {.name = "openmpi",                                                 \
                                                    .summary = "as chosen by Open MPI 4.1, by ranks and length",       \
                                                    .source = "Open MPI 4.1, coll/tuned",                              \
                                                    .uses = COLL_USES_RADIX,                                           \
                                                    .next = family##_next,                                             \
                                                    .choose = family##_choose};                                        \
    static const struct coll_spec *family##_auto_choose(const struct coll_call *call)                                  \
    {                                                                                                                  \
        bool as_openmpi =                                                                                              \
            call->machine != NULL && coll_chooser(&call->machine->costs, call->options) == COLLECTIVES_OPENMPI;        \
        return as_openmpi ? &coll_openmpi_##family : (fallback);                                                       \
    }                                                                                                                  \
    static bool family##_auto_next(const struct coll_call *call, int rank, int64_t i, struct op *op)                   \
    {                                                                                                                  \
        return family##_auto_choose(call)->next(call, rank, i, op);                                                    \
    }                                                                                                                  \
    const struct coll_spec coll_auto_##family = {                                                                      \
        .name = "auto",                                                                                                \
        .summary =                                                                                                     \
            "as set by the platform's prop collectives; otherwise, a replay uses the choices of the traced library",   \
        .next = family##_auto_next,                                                                                    \
        .choose = family##_auto_choose};

FAMILY(broadcast, choose, &coll_binomial)
FAMILY(scatter, choose, coll_scatter_specs[0])
FAMILY(gather, choose, coll_gather_specs[0])
FAMILY(reduce, choose, coll_reduce_specs[0])
FAMILY(allreduce, choose, coll_allreduce_specs[0])
FAMILY(allgather, choose_allgather, coll_allgather_specs[0])
FAMILY(alltoall, choose, coll_alltoall_specs[0])
FAMILY(barrier, choose, coll_barrier_specs[0])
