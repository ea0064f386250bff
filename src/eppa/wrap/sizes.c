/* The bytes that a member of each kind of collective sends and receives, by Score-P's rule.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/sizes.h"

#include "eppa/wrap/wrap.h"

/* In an intercommunicator the root says MPI_ROOT, the others of its group MPI_PROC_NULL, the other group its rank. */
static bool is_root(const struct comm *comm, int root)
{
    return comm->is_inter ? root == MPI_ROOT : root == comm->rank;
}

static bool is_leaf(const struct comm *comm, int root)
{
    return comm->is_inter ? root >= 0 : true;
}

/* Record the length of a block and return it. */
static int64_t put_block(int count, MPI_Datatype type)
{
    int64_t bytes = bytes_of(count, type);
    put(SPOOL_BLOCK, 0, 0, thread_state.entered_ns, 1, &bytes);
    return bytes;
}

static int64_t put_blocks(int n, const int counts[], MPI_Datatype type)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += put_block(counts[i], type);
    return sum;
}

static int64_t sum_of(int n, const int counts[], MPI_Datatype type)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += counts[i];
    return sum * bytes_of(1, type);
}

void sizes_none(struct collective *coll)
{
    (void)coll;
}

void sizes_bcast(struct collective *coll, int count, MPI_Datatype type, int root)
{
    const struct comm *comm = coll->comm;
    if (is_root(comm, root))
        coll->sent = comm->n_peers * bytes_of(count, type);
    if (is_leaf(comm, root))
        coll->received = bytes_of(count, type);
}

void sizes_gather(struct collective *coll, const void *from, int n_from, MPI_Datatype from_type, int n_to,
                  MPI_Datatype to_type, int root)
{
    const struct comm *comm = coll->comm;
    if (is_root(comm, root))
        coll->received = comm->n_peers * bytes_of(n_to, to_type);
    if (is_leaf(comm, root))
        coll->sent = from == MPI_IN_PLACE ? bytes_of(n_to, to_type) : bytes_of(n_from, from_type);
}

void sizes_gatherv(struct collective *coll, const void *from, int n_from, MPI_Datatype from_type, const int n_to[],
                   MPI_Datatype to_type, int root)
{
    const struct comm *comm = coll->comm;
    if (is_root(comm, root))
        coll->received = put_blocks(comm->n_peers, n_to, to_type);
    if (is_leaf(comm, root))
        coll->sent = from == MPI_IN_PLACE ? bytes_of(n_to[comm->rank], to_type) : bytes_of(n_from, from_type);
}

void sizes_scatter(struct collective *coll, int n_from, MPI_Datatype from_type, const void *to, int n_to,
                   MPI_Datatype to_type, int root)
{
    const struct comm *comm = coll->comm;
    if (is_root(comm, root))
        coll->sent = comm->n_peers * bytes_of(n_from, from_type);
    if (is_leaf(comm, root))
        coll->received = to == MPI_IN_PLACE ? bytes_of(n_from, from_type) : bytes_of(n_to, to_type);
}

void sizes_scatterv(struct collective *coll, const int n_from[], MPI_Datatype from_type, const void *to, int n_to,
                    MPI_Datatype to_type, int root)
{
    const struct comm *comm = coll->comm;
    if (is_root(comm, root))
        coll->sent = put_blocks(comm->n_peers, n_from, from_type);
    if (is_leaf(comm, root))
        coll->received = to == MPI_IN_PLACE ? bytes_of(n_from[comm->rank], from_type) : bytes_of(n_to, to_type);
}

void sizes_all_to_all(struct collective *coll, const void *from, int n_from, MPI_Datatype from_type, int n_to,
                      MPI_Datatype to_type)
{
    int n = coll->comm->n_peers;
    coll->received = n * bytes_of(n_to, to_type);
    coll->sent = from == MPI_IN_PLACE ? coll->received : n * bytes_of(n_from, from_type);
}

void sizes_allgatherv(struct collective *coll, const void *from, int n_from, MPI_Datatype from_type, const int n_to[],
                      MPI_Datatype to_type)
{
    const struct comm *comm = coll->comm;
    int64_t own = from == MPI_IN_PLACE ? bytes_of(n_to[comm->rank], to_type) : bytes_of(n_from, from_type);
    coll->sent = comm->n_peers * own;
    coll->received = put_blocks(comm->n_peers, n_to, to_type);
}

void sizes_alltoallv(struct collective *coll, const void *from, const int n_from[], MPI_Datatype from_type,
                     const int n_to[], MPI_Datatype to_type)
{
    int n = coll->comm->n_peers;
    bool in_place = from == MPI_IN_PLACE;
    coll->received = sum_of(n, n_to, to_type);
    coll->sent = put_blocks(n, in_place ? n_to : n_from, in_place ? to_type : from_type);
}

void sizes_alltoallw(struct collective *coll, const void *from, const int n_from[], const MPI_Datatype from_types[],
                     const int n_to[], const MPI_Datatype to_types[])
{
    bool in_place = from == MPI_IN_PLACE;
    for (int i = 0; i < coll->comm->n_peers; i++) {
        coll->received += bytes_of(n_to[i], to_types[i]);
        coll->sent += put_block(in_place ? n_to[i] : n_from[i], in_place ? to_types[i] : from_types[i]);
    }
}

void sizes_reduce(struct collective *coll, int count, MPI_Datatype type, int root)
{
    const struct comm *comm = coll->comm;
    if (is_root(comm, root))
        coll->received = comm->n_peers * bytes_of(count, type);
    if (is_leaf(comm, root))
        coll->sent = bytes_of(count, type);
}

void sizes_all_the_same(struct collective *coll, int count, MPI_Datatype type)
{
    coll->sent = coll->received = coll->comm->n_peers * bytes_of(count, type);
}

void sizes_reduce_scatter(struct collective *coll, const int counts[], MPI_Datatype type)
{
    const struct comm *comm = coll->comm;
    coll->sent = put_blocks(comm->n_members, counts, type);
    coll->received = comm->n_peers * bytes_of(counts[comm->rank], type);
}

void sizes_scan(struct collective *coll, int count, MPI_Datatype type)
{
    const struct comm *comm = coll->comm;
    coll->sent = (comm->n_members - comm->rank) * bytes_of(count, type);
    coll->received = (comm->rank + 1) * bytes_of(count, type);
}

void sizes_exscan(struct collective *coll, int count, MPI_Datatype type)
{
    const struct comm *comm = coll->comm;
    coll->sent = (comm->n_members - comm->rank - 1) * bytes_of(count, type);
    coll->received = comm->rank * bytes_of(count, type);
}
