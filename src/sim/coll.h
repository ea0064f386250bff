/* Collectives: an algorithm lowers a collective to sends and receives, one at a time and without memory.
 *
 * `next` writes the i-th op (i = 0, 1, ...) that `rank` does in the collective and returns true, or returns false when
 * there is none. The kernel keeps only i. Ops carry peer, bytes, kind, mode and request; scope and tag are the kernel's.
 * In a collective of a group, ranks, root and peers are places in it, 0 to n_ranks - 1. What a rank begins without
 * waiting it waits for within the collective.
 * A new algorithm is a file coll_<name>.c and a line in coll_list.def. */
#ifndef SIM_COLL_H
#define SIM_COLL_H

#include "sim/op.h"
#include "sim/placement.h"

#include <stdbool.h>
#include <stdint.h>

enum flat_order { ORDER_RANK, ORDER_REVERSE, ORDER_UPWARD, ORDER_DOWNWARD };
extern const char *const flat_order_names[]; /* rank reverse upward downward, NULL-terminated */
extern const char *const send_mode_names[];  /* standard synchronous, NULL-terminated */

/* How a program wants its broadcasts done; the same for all of a run. */
struct coll_options {
    const struct coll_spec *broadcast;
    enum flat_order order; /* of the receivers in `flat` */
    int64_t segment_bytes; /* of `chain_segmented` */
    enum send_mode mode;   /* of every send of a broadcast */
};

struct coll_call {
    const struct placement *placement;
    const struct coll_options *options;
    int n_ranks;
    int root;
    int64_t bytes;
    int64_t times; /* OP_SCATTER and OP_GATHER: blocks to be dealt */
};

struct coll_spec {
    const char *name;
    const char *summary;
    const char *source;
    bool needs_mesh;   /* it asks the placement where ranks are; not for groups */
    bool is_symmetric; /* there is no root */
    bool (*next)(const struct coll_call *call, int rank, int64_t i, struct op *op);
};

/* All broadcasts, NULL-terminated, and their names in the same order. */
extern const struct coll_spec *const coll_broadcasts[];
extern const char *const coll_broadcast_names[];

/* The way in which a collective op is done in a group: of broadcasts the chosen one, but for other groups than 0 the
 * binomial tree in place of one that needs a mesh. */
const struct coll_spec *coll_of(const struct coll_options *options, enum op_kind kind, int group);

/* For the algorithms: fill in *op and return true. */
bool coll_send(struct op *op, int peer, int64_t bytes, enum send_mode mode);
bool coll_recv(struct op *op, int peer, int64_t bytes);

/* The i-th op, i = 0, 1, 2, of sending to one rank while receiving from another: begin the send, receive, wait. */
bool coll_exchange(struct op *op, int64_t i, int to, int from, int64_t bytes);
enum { COLL_EXCHANGE_OPS = 3 };

/* A chain that passes the message on in segments of at most `segment` bytes. */
bool coll_chain_next(const struct coll_call *call, int rank, int64_t i, struct op *op, int64_t segment);

/* The one-to-all broadcast, and the ways in which the other collectives are done. */
extern const struct coll_spec coll_flat, coll_binomial, coll_scatter, coll_gather, coll_barrier;
extern const struct coll_spec coll_reduce, coll_allreduce, coll_allgather, coll_alltoall;

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

#endif
