/* Collectives: an algorithm lowers a collective to sends and receives, one at a time and without memory.
 *
 * `next` writes the i-th op (i = 0, 1, ...) that `rank` does in the collective and returns true, or returns false when
 * there is none. The kernel keeps only i. Ops carry peer, bytes, kind, mode and request; scope and tag are the
 * kernel's. In a collective of a group, ranks, root and peers are group ranks, 0 to n_ranks - 1. A rank waits within
 * the collective for all that it begins without waiting. A new broadcast is a file broadcast_<name>.c and a line in
 * sim/collective/list.def; a new algorithm of another collective is a specification and a row in <family>.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_COLLECTIVE_COLLECTIVE_H
#define SIM_COLLECTIVE_COLLECTIVE_H

#include "sim/machine/cost_model.h"
#include "sim/program/op.h"
#include "sim/program/param.h"
#include "sim/program/placement.h"

#include <stdbool.h>
#include <stdint.h>

enum flat_order { ORDER_RANK, ORDER_REVERSE, ORDER_UPWARD, ORDER_DOWNWARD };
extern const char *const flat_order_names[]; /* rank reverse upward downward, NULL-terminated */
extern const char *const send_mode_names[];  /* standard synchronous, NULL-terminated */

/* The families of collectives; each is a kind of op. */
enum coll_family {
    COLL_BROADCAST,
    COLL_SCATTER,
    COLL_GATHER,
    COLL_REDUCE,
    COLL_ALLREDUCE,
    COLL_ALLGATHER,
    COLL_ALLTOALL,
    COLL_BARRIER,
    N_COLL_FAMILIES
};

struct autotune;                /* sim/kernel/autotune.h */
struct user_broadcast_messages; /* sim/user_broadcast/user_broadcast.h */

/* How a program wants its collectives done; the same for all of a run. */
struct coll_options {
    const struct coll_spec *broadcast;
    const struct coll_spec *others[N_COLL_FAMILIES]; /* NULL: the first of the family. [COLL_BROADCAST] is not used */
    enum flat_order order;                           /* of the receivers in `flat` */
    int64_t segment_bytes;                           /* of what is done segment by segment */
    enum send_mode mode;                             /* of every send of a broadcast */
    int64_t radix;                                   /* of `knomial`, and the paths of `multipath`; at least 2 */
    const struct user_broadcast_messages *own;       /* what `own` sends; NULL: it sends nothing */
    enum collectives traced;                         /* who chose in the run that is replayed */
    /* Where a run leaves what `fastest` stood for (sim/kernel/autotune.h); NULL: not asked for. */
    struct autotune *autotune;
};

/* Options that not every algorithm looks at. */
enum coll_use { COLL_USES_ORDER = 1, COLL_USES_SEGMENT = 2, COLL_USES_RADIX = 4 };

struct coll_call {
    const struct placement *placement;
    struct machine *machine; /* like placement, of no use where spec->asks_placement is false */
    const struct coll_options *options;
    int n_ranks;
    int root;
    int64_t bytes;
    int64_t blocks; /* of OP_SCATTER and OP_GATHER: so many are dealt */
};

/* Sends also say where that part of the whole begins which they carry, in op->offset: of a message, of a vector to be
 * combined, or of all blocks in the order of ranks; a part that goes beyond the end goes on at the beginning. The
 * kernel does not look at it. In an all-to-all it is 0. */
struct coll_spec {
    const char *name;
    const char *summary;
    const char *source;
    bool asks_placement; /* it asks the placement or the machine where ranks are; not for groups */
    bool of_all_ranks;   /* not for groups, nor to be tried by `fastest` */
    bool imitates;       /* as another program posts the same messages; not to be tried by `fastest` */
    bool is_segmented;   /* messages are cut into segments of options->segment_bytes */
    unsigned uses;       /* enum coll_use; one that is segmented looks at the segment's size, too */
    /* NULL: of `fastest`, which stands for another one; see sim/kernel/autotune.h. */
    bool (*next)(const struct coll_call *call, int rank, int64_t i, struct op *op);
    /* For an algorithm that stands for others: which one, by ranks and length. NULL: it stands for itself. */
    const struct coll_spec *(*choose)(const struct coll_call *call);
};

/* A family: the op, its algorithms, NULL-terminated, their names in the same order, and other names for them, those of
 * SMPI and of the BLACS. The first is what is done unless the program says otherwise. */
struct coll_family_spec {
    const char *name;
    enum op_kind kind;
    const struct coll_spec *const *specs;
    const char *const *names;
    const struct param_alias *aliases;
    bool has_root;
    bool copies_own; /* a rank's own block goes from one buffer to the other */
};
extern const struct coll_family_spec coll_families[N_COLL_FAMILIES];

/* The family of an op that is a collective. */
enum coll_family coll_family_of(enum op_kind kind);

/* The time that calling a collective of so many bytes takes each rank's processor besides its messages. */
int64_t coll_call_ps(const struct cost_model *costs, enum op_kind kind, int64_t bytes);

/* All broadcasts and their names: coll_families[COLL_BROADCAST]. */
extern const struct coll_spec *const coll_broadcasts[];
extern const char *const coll_broadcast_names[];
extern const struct param_alias coll_broadcast_aliases[];

/* The way in which a collective op is done in a group: the chosen one, but for other groups than 0 the binomial tree in
 * place of a broadcast that asks where ranks are or is only of all. `auto` is the default for what has been begun
 * before: libraries do that in other ways than they choose for calls that block, and where it is waited for, members
 * come in another order, so that who sends must not wait. */
const struct coll_spec *coll_of(const struct coll_options *options, const struct op *op);

#define COLL(name) extern const struct coll_spec coll_##name;
#include "sim/collective/list.def"
#undef COLL

/* The algorithm of that name in a family, or NULL. */
const struct coll_spec *coll_find(enum coll_family family, const char *name);
/* The algorithm that does a call in the end, where `spec` stands for others. */
const struct coll_spec *coll_chosen(const struct coll_spec *spec, const struct coll_call *call);
/* The one who chooses for `auto`. */
enum collectives coll_chooser(const struct cost_model *costs, const struct coll_options *options);
/* The one who chooses as the library of that name and version does, or as one of its kind; *is_known: that very
 * library. NULL: the name is not known. */
enum collectives coll_chooser_of(const char *library, bool *is_known);
/* True if an algorithm looks at an option. */
bool coll_uses(const struct coll_spec *spec, enum coll_use option);

/* --- for the algorithms: fill in *op and return true --- */

/* A part of the whole. */
struct coll_part {
    int64_t at, bytes;
};

bool coll_send(struct op *op, int peer, int64_t bytes, enum send_mode mode);
bool coll_recv(struct op *op, int peer, int64_t bytes);
bool coll_combine(struct op *op, int peer, int64_t bytes); /* receive, and add to one's own */
bool coll_send_part(struct op *op, int peer, struct coll_part part, enum send_mode mode);

/* Post a receive, or begin a send under a number of its own (1, 2, ...), and wait for it later: for a receive with what
 * it is; or for all at once, receives as they come. A receive that only a wait for all is for may have the number 0. */
bool coll_begin_recv(struct op *op, int peer, int64_t bytes, int64_t number, enum recv_mode mode);
bool coll_begin_send(struct op *op, int peer, struct coll_part part, enum send_mode mode, int64_t number);
bool coll_end_recv(struct op *op, int peer, int64_t bytes, int64_t number, enum recv_mode mode);
bool coll_wait_all(struct op *op);

/* The i-th op, i = 0, 1, 2, of sending to one rank while receiving from another: begin the send, receive, wait. */
bool coll_exchange(struct op *op, int64_t i, int to, struct coll_part given, int from, struct coll_part taken,
                   enum send_mode mode);
enum { COLL_EXCHANGE_OPS = 3 };

/* A message is cut into segments of at most `segment` bytes: how many, at least one, and which part of it is the s-th.
 * A segment of no length, or one that is too long, is the message. */
int64_t coll_segment_count(int64_t bytes, int64_t segment);
struct coll_part coll_segment(int64_t bytes, int64_t segment, int64_t s);

/* A rank that receives segments, and after each does `n_sends` ops with it. The receive of the next segment is posted
 * before the rank waits for one, so that data of a rendezvous come while it sends. */
struct coll_pipe {
    int from;
    enum recv_mode mode;
    int64_t bytes, segment; /* of the whole, of a segment */
    int64_t n_sends;
};

/* True if op i is one of receiving; else it is number *i of those with segment *s, which is none where that is not
 * below n_sends. */
bool coll_pipe_receives(const struct coll_pipe *pipe, int64_t *i, int64_t *s, struct op *op);

/* A chain, and a binary tree, that pass the message on in segments. */
bool coll_chain_next(const struct coll_call *call, int rank, int64_t i, struct op *op, int64_t segment);
bool coll_binary_next(const struct coll_call *call, int rank, int64_t i, struct op *op, int64_t segment);

/* Blocks that rank r of p gets of n dealt evenly: the first n mod p ranks have one more. */
static inline int64_t coll_share(int64_t n, int p, int r)
{
    return n / p + (r < n % p);
}

/* First of them, counting from 0. */
static inline int64_t coll_share_start(int64_t n, int p, int r)
{
    return n / p * r + (r < n % p ? r : n % p);
}

/* Algorithms that others are made of. A sequence does the ops of the first, which are few, and then those of the
 * second. */
typedef bool coll_next(const struct coll_call *call, int rank, int64_t i, struct op *op);
coll_next coll_reduce_binomial, coll_gather_binomial, coll_allreduce_doubling, coll_alltoall_exchange,
    coll_barrier_tree;
bool coll_sequence(const struct coll_call *first_call, coll_next *first, const struct coll_call *second_call,
                   coll_next *second, int rank, int64_t i, struct op *op);

/* The ops of another algorithm, posted in another way: who sends to several begins all its sends at once; who receives
 * from several, and then sends, posts each receive before it waits for the one before; the sends the other way round.
 * Receives come before sends in the first and the last, and are few in the second. */
bool coll_at_once(const struct coll_call *call, int rank, int64_t i, struct op *op, coll_next *next);
bool coll_one_ahead(const struct coll_call *call, int rank, int64_t i, struct op *op, coll_next *next);
bool coll_backwards(const struct coll_call *call, int rank, int64_t i, struct op *op, coll_next *next);

/* The table of a family, at the end of its file: rows ROW(name) for a `static const struct coll_spec spec_name` each,
 * and aliases. */
#define COLL_SPEC_ROW(name) &spec_##name,
#define COLL_NAME_ROW(name) #name,
#define COLL_TABLES(family, ROWS, ...)                                                                                 \
    const struct coll_spec *const coll_##family##_specs[] = {ROWS(COLL_SPEC_ROW) & coll_fastest,                       \
                                                             &coll_openmpi_##family, &coll_auto_##family, NULL};       \
    const char *const coll_##family##_names[] = {ROWS(COLL_NAME_ROW) "fastest", "openmpi", "auto", NULL};              \
    const struct param_alias coll_##family##_aliases[] = {__VA_ARGS__, {NULL, NULL}}
#define COLL_DECLARE(family)                                                                                           \
    extern const struct coll_spec coll_openmpi_##family, coll_auto_##family;                                           \
    extern const struct coll_spec *const coll_##family##_specs[];                                                      \
    extern const char *const coll_##family##_names[];                                                                  \
    extern const struct param_alias coll_##family##_aliases[]
extern const struct coll_spec coll_openmpi_broadcast, coll_auto_broadcast;
COLL_DECLARE(scatter);
COLL_DECLARE(gather);
COLL_DECLARE(reduce);
COLL_DECLARE(allreduce);
COLL_DECLARE(allgather);
COLL_DECLARE(alltoall);
COLL_DECLARE(barrier);

/* --- parts, and who takes part (sim/collective/parts.c) --- */

/* `blocks` of `block_bytes` dealt to `parts`, of which number `first` counts as the first. */
struct coll_layout {
    int64_t blocks, block_bytes;
    int parts, first;
};

/* The part of the whole that consists of the parts from..to-1, where to is at most 2 * parts. */
struct coll_part coll_parts(const struct coll_layout *layout, int64_t from, int64_t to);

/* Dealing parts along a binomial tree: the i-th op of number r of n, where number 0 has all parts and everyone gets the
 * part of its own number. Peers are numbers, too. *i is reduced by the ops there are if it is not one of them. */
bool coll_scatter_tree(struct op *op, int64_t *i, int64_t n, int64_t r, const struct coll_layout *layout,
                       enum send_mode mode);

/* A fold of p ranks to 2^m, the largest power of two with 2^m <= p: p - 2^m are too many, and each of these is paired
 * with a neighbor, ranks 2j and 2j + 1 for j < p - 2^m, of which one (`keeps`) takes part for both. */
struct coll_fold {
    int64_t folded; /* p - 2^m */
    int64_t rounds; /* m */
    int keeps;      /* 0 or 1 */
};
struct coll_fold coll_fold_of(int64_t p, int keeps);

/* The number of a rank among those that take part, or -1; and back. Where the other of a pair sits. */
int64_t coll_fold_number(const struct coll_fold *fold, int64_t rank);
int64_t coll_fold_rank(const struct coll_fold *fold, int64_t number);
bool coll_fold_paired(const struct coll_fold *fold, int64_t rank);
/* The first of the ranks that the number stands for. */
int64_t coll_fold_first(const struct coll_fold *fold, int64_t number);

#endif
