/* Every collective, blocking and non-blocking, in a communicator of all and between two groups; every way to make a
 * communicator; the collectives of neighbors. What they send is counted (count.h) as libeppa is to count it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

#include <string.h>

enum { N = 6 };
static int rank, p;
static MPI_Comm all; /* named */

static const char *root_name(int root)
{
    static char text[16];
    snprintf(text, sizeof text, "%d", root);
    return text;
}

/* Wait for it if it is a non-blocking one. */
static void wait(int is_blocking, MPI_Request *request)
{
    if (!is_blocking)
        MPI_Wait(request, MPI_STATUS_IGNORE);
}

#define BOTH(is_blocking, call, icall)                                                                                 \
    do {                                                                                                               \
        MPI_Request request;                                                                                           \
        if (is_blocking)                                                                                               \
            call;                                                                                                      \
        else                                                                                                           \
            icall;                                                                                                     \
        wait(is_blocking, &request);                                                                                   \
    } while (0)

static void rooted(int is_blocking, int root)
{
    int out[N * 64], in[N * 64], counts[64], places[64], is_root = rank == root;
    const long block = N * 4L;
    for (int i = 0; i < N; i++)
        out[i] = in[i] = rank + i;
    BOTH(is_blocking, MPI_Bcast(in, N, MPI_INT, root, all), MPI_Ibcast(in, N, MPI_INT, root, all, &request));
    CHECK(in[2] == root + 2);
    count_collective("BCAST", all, root_name(root), is_root ? p * block : 0, block);
    BOTH(is_blocking, MPI_Gather(out, N, MPI_INT, in, N, MPI_INT, root, all),
         MPI_Igather(out, N, MPI_INT, in, N, MPI_INT, root, all, &request));
    CHECK(!is_root || in[(p - 1) * N] == p - 1);
    count_collective("GATHER", all, root_name(root), block, is_root ? p * block : 0);
    memcpy(in, out, sizeof out);
    for (int i = 0; is_root && i < p * N; i++)
        out[i] = i;
    BOTH(is_blocking, MPI_Scatter(out, N, MPI_INT, in, N, MPI_INT, root, all),
         MPI_Iscatter(out, N, MPI_INT, in, N, MPI_INT, root, all, &request));
    CHECK(in[1] == rank * N + 1);
    count_collective("SCATTER", all, root_name(root), is_root ? p * block : 0, block);
    BOTH(is_blocking, MPI_Reduce(in, out, N, MPI_INT, MPI_SUM, root, all),
         MPI_Ireduce(in, out, N, MPI_INT, MPI_SUM, root, all, &request));
    CHECK(!is_root || out[0] == N * p * (p - 1) / 2);
    count_collective("REDUCE", all, root_name(root), block, is_root ? p * block : 0);
    long sum = 0;
    for (int i = 0; i < p; i++) {
        counts[i] = i;
        places[i] = i * N;
        sum += 4L * i;
    }
    BOTH(is_blocking, MPI_Gatherv(in, rank, MPI_INT, out, counts, places, MPI_INT, root, all),
         MPI_Igatherv(in, rank, MPI_INT, out, counts, places, MPI_INT, root, all, &request));
    count_collective("GATHERV", all, root_name(root), 4L * rank, is_root ? sum : 0);
    BOTH(is_blocking, MPI_Scatterv(out, counts, places, MPI_INT, in, rank, MPI_INT, root, all),
         MPI_Iscatterv(out, counts, places, MPI_INT, in, rank, MPI_INT, root, all, &request));
    count_collective("SCATTERV", all, root_name(root), is_root ? sum : 0, 4L * rank);
    /* The root's part is in its place already. */
    int *place = in + (is_root ? rank * N : 0);
    memset(in, 0, sizeof in);
    for (int i = 0; i < N; i++)
        place[i] = rank;
    BOTH(is_blocking, MPI_Gather(is_root ? MPI_IN_PLACE : place, N, MPI_INT, in, N, MPI_INT, root, all),
         MPI_Igather(is_root ? MPI_IN_PLACE : place, N, MPI_INT, in, N, MPI_INT, root, all, &request));
    CHECK(!is_root || in[(p - 1) * N] == p - 1);
    count_collective("GATHER", all, root_name(root), block, is_root ? p * block : 0);
    BOTH(is_blocking, MPI_Scatter(in, N, MPI_INT, is_root ? MPI_IN_PLACE : place, N, MPI_INT, root, all),
         MPI_Iscatter(in, N, MPI_INT, is_root ? MPI_IN_PLACE : place, N, MPI_INT, root, all, &request));
    count_collective("SCATTER", all, root_name(root), is_root ? p * block : 0, block);
}

static void unrooted(int is_blocking, int in_place)
{
    int out[N * 64], in[N * 64], counts[64], places[64];
    MPI_Datatype types[64];
    const void *from = in_place ? MPI_IN_PLACE : out;
    const long block = N * 4L;
    long sum = 0;
    for (int i = 0; i < p; i++) {
        counts[i] = rank + i; /* the same both ways */
        places[i] = i * N * 2;
        types[i] = MPI_SHORT;
        sum += rank + i;
    }
    for (int i = 0; i < N * p; i++)
        out[i] = in[i] = rank;
    BOTH(is_blocking, MPI_Allgather(from, N, MPI_INT, in, N, MPI_INT, all),
         MPI_Iallgather(from, N, MPI_INT, in, N, MPI_INT, all, &request));
    CHECK(in[N * (p - 1)] == p - 1);
    count_collective("ALLGATHER", all, "NONE", p * block, p * block);
    BOTH(is_blocking, MPI_Alltoall(from, N, MPI_INT, in, N, MPI_INT, all),
         MPI_Ialltoall(from, N, MPI_INT, in, N, MPI_INT, all, &request));
    count_collective("ALLTOALL", all, "NONE", p * block, p * block);
    BOTH(is_blocking, MPI_Alltoallv(from, counts, places, MPI_SHORT, in, counts, places, MPI_SHORT, all),
         MPI_Ialltoallv(from, counts, places, MPI_SHORT, in, counts, places, MPI_SHORT, all, &request));
    count_collective("ALLTOALLV", all, "NONE", 2 * sum, 2 * sum);
    BOTH(is_blocking, MPI_Alltoallw(from, counts, places, types, in, counts, places, types, all),
         MPI_Ialltoallw(from, counts, places, types, in, counts, places, types, all, &request));
    count_collective("ALLTOALLW", all, "NONE", 2 * sum, 2 * sum);
    for (int i = 0; i < p; i++) {
        counts[i] = i + 1;
        places[i] = i * N;
    }
    BOTH(is_blocking, MPI_Allgatherv(from, rank + 1, MPI_INT, in, counts, places, MPI_INT, all),
         MPI_Iallgatherv(from, rank + 1, MPI_INT, in, counts, places, MPI_INT, all, &request));
    count_collective("ALLGATHERV", all, "NONE", p * 4L * (rank + 1), 4L * p * (p + 1) / 2);
    in[0] = out[0] = 1;
    BOTH(is_blocking, MPI_Allreduce(from, in, N, MPI_INT, MPI_SUM, all),
         MPI_Iallreduce(from, in, N, MPI_INT, MPI_SUM, all, &request));
    CHECK(in[0] == p);
    count_collective("ALLREDUCE", all, "NONE", p * block, p * block);
    BOTH(is_blocking, MPI_Reduce_scatter(from, in, counts, MPI_INT, MPI_SUM, all),
         MPI_Ireduce_scatter(from, in, counts, MPI_INT, MPI_SUM, all, &request));
    count_collective("REDUCE_SCATTER", all, "NONE", 4L * p * (p + 1) / 2, p * 4L * (rank + 1));
    BOTH(is_blocking, MPI_Reduce_scatter_block(from, in, N, MPI_INT, MPI_SUM, all),
         MPI_Ireduce_scatter_block(from, in, N, MPI_INT, MPI_SUM, all, &request));
    count_collective("REDUCE_SCATTER_BLOCK", all, "NONE", p * block, p * block);
    in[0] = out[0] = 1;
    BOTH(is_blocking, MPI_Scan(from, in, N, MPI_INT, MPI_SUM, all),
         MPI_Iscan(from, in, N, MPI_INT, MPI_SUM, all, &request));
    CHECK(in[0] == rank + 1);
    count_collective("SCAN", all, "NONE", (p - rank) * block, (rank + 1) * block);
    BOTH(is_blocking, MPI_Exscan(from, in, N, MPI_INT, MPI_SUM, all),
         MPI_Iexscan(from, in, N, MPI_INT, MPI_SUM, all, &request));
    count_collective("EXSCAN", all, "NONE", (p - rank - 1) * block, rank * block);
    BOTH(is_blocking, MPI_Barrier(all), MPI_Ibarrier(all, &request));
    count_collective("BARRIER", all, "NONE", 0, 0);
}

/* Free a communicator and count its making, on `old`, and its end. */
static void made(MPI_Comm old, MPI_Comm *comm, const char *name)
{
    count_collective("CREATE_HANDLE", old, "NONE", 0, 0);
    if (*comm == MPI_COMM_NULL)
        return;
    MPI_Comm_set_name(*comm, name);
    MPI_Barrier(*comm);
    count_collective("BARRIER", *comm, "NONE", 0, 0);
    count_collective("DESTROY_HANDLE", *comm, "NONE", 0, 0);
    MPI_Comm_free(comm);
}

static void communicators(void)
{
    MPI_Comm comm;
    MPI_Group group, even;
    MPI_Request request;
    int ranks[64], n = 0;
    for (int i = 0; i < p; i += 2)
        ranks[n++] = i;
    MPI_Comm_group(all, &group);
    MPI_Group_incl(group, n, ranks, &even);
    for (int i = 0; i < 3; i++) { /* with the same members */
        MPI_Comm_dup(all, &comm);
        made(all, &comm, i == 1 ? "second" : "other");
    }
    MPI_Comm_dup_with_info(all, MPI_INFO_NULL, &comm);
    made(all, &comm, "with_info");
    MPI_Comm_idup(all, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    made(all, &comm, "idup");
    MPI_Comm_split(all, rank % 2, -rank, &comm);
    made(all, &comm, rank % 2 ? "odd" : "even");
    MPI_Comm_split(all, rank == 0 ? MPI_UNDEFINED : 1, 0, &comm);
    made(all, &comm, "but_0");
    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    made(all, &comm, "shared");
    MPI_Comm_create(all, even, &comm);
    made(all, &comm, "created");
    if (rank % 2 == 0) {
        MPI_Comm_create_group(all, even, 5, &comm);
        MPI_Comm_set_name(comm, "by_group");
        count_collective("CREATE_HANDLE", comm, "NONE", 0, 0);
        count_collective("DESTROY_HANDLE", comm, "NONE", 0, 0);
        MPI_Comm_disconnect(&comm);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&even);
}

/* Two groups, and collectives from one to the other. */
static void between_groups(void)
{
    MPI_Comm half, inter, merged;
    int side = rank % 2, value = rank, in = -1, is_first = rank < 2;
    MPI_Comm_split(all, side, 0, &half);
    count_collective("CREATE_HANDLE", all, "NONE", 0, 0);
    MPI_Comm_set_name(half, side ? "side1" : "side0");
    MPI_Intercomm_create(half, 0, all, 1 - side, 6, &inter);
    count_collective("CREATE_HANDLE", half, "NONE", 0, 0);
    MPI_Comm_set_name(inter, "inter");
    int n_remote;
    MPI_Comm_remote_size(inter, &n_remote);
    int root = side ? 0 : is_first ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(side ? &in : &value, 1, MPI_INT, root, inter);
    CHECK(!side || in == 0);
    const char *sender = is_first ? "SELF" : "THIS_GROUP";
    count_collective("BCAST", inter, side ? "0" : sender, root == MPI_ROOT ? 4L * n_remote : 0, side ? 4 : 0);
    MPI_Allreduce(&value, &in, 1, MPI_INT, MPI_SUM, inter);
    count_collective("ALLREDUCE", inter, "NONE", 4L * n_remote, 4L * n_remote);
    if (is_first) {
        MPI_Sendrecv(&value, 1, MPI_INT, 0, 7, &in, 1, MPI_INT, MPI_ANY_SOURCE, 7, inter, MPI_STATUS_IGNORE);
        CHECK(in == 1 - rank);
        count_send(inter, 0, 4);
        count_receive(inter, 0, 4);
    }
    MPI_Intercomm_merge(inter, side, &merged);
    made(inter, &merged, "merged");
    count_collective("DESTROY_HANDLE", inter, "NONE", 0, 0);
    MPI_Comm_free(&inter);
    count_collective("DESTROY_HANDLE", half, "NONE", 0, 0);
    MPI_Comm_free(&half);
}

/* Neighbors in and out, each sent `counts[i]` and receiving as many. */
static void count_neighbours(MPI_Comm comm, int n_in, const int *in, int n_out, const int *out, const int *n_to,
                             const int *n_from)
{
    for (int i = 0; i < n_out; i++)
        if (out[i] >= 0)
            count_send(comm, out[i], 4L * n_to[i]);
    for (int i = 0; i < n_in; i++)
        if (in[i] >= 0)
            count_receive(comm, in[i], 4L * n_from[i]);
}

static void neighbours(MPI_Comm comm, int n_in, const int *in, int n_out, const int *out)
{
    int from[64], to[64], same[8], places[8], n_to[8], n_from[8];
    MPI_Aint offsets[8];
    MPI_Datatype types[8];
    for (int i = 0; i < 8; i++) {
        same[i] = 2;
        places[i] = 4 * i;
        offsets[i] = 16 * i;
        types[i] = MPI_INT;
        n_to[i] = 1 + rank % 3; /* how much depends on the sender */
        n_from[i] = i < n_in && in[i] >= 0 ? 1 + count_world_rank(comm, in[i]) % 3 : 0;
    }
    for (int i = 0; i < 64; i++)
        from[i] = rank;
    for (int is_blocking = 0; is_blocking < 2; is_blocking++) {
        memset(to, -1, sizeof to);
        BOTH(is_blocking, MPI_Neighbor_allgather(from, 2, MPI_INT, to, 2, MPI_INT, comm),
             MPI_Ineighbor_allgather(from, 2, MPI_INT, to, 2, MPI_INT, comm, &request));
        CHECK(n_in == 0 || in[0] < 0 || to[0] == count_world_rank(comm, in[0]));
        count_neighbours(comm, n_in, in, n_out, out, same, same);
        BOTH(is_blocking, MPI_Neighbor_alltoall(from, 2, MPI_INT, to, 2, MPI_INT, comm),
             MPI_Ineighbor_alltoall(from, 2, MPI_INT, to, 2, MPI_INT, comm, &request));
        count_neighbours(comm, n_in, in, n_out, out, same, same);
        BOTH(is_blocking, MPI_Neighbor_allgatherv(from, n_to[0], MPI_INT, to, n_from, places, MPI_INT, comm),
             MPI_Ineighbor_allgatherv(from, n_to[0], MPI_INT, to, n_from, places, MPI_INT, comm, &request));
        count_neighbours(comm, n_in, in, n_out, out, n_to, n_from);
        BOTH(is_blocking, MPI_Neighbor_alltoallv(from, n_to, places, MPI_INT, to, n_from, places, MPI_INT, comm),
             MPI_Ineighbor_alltoallv(from, n_to, places, MPI_INT, to, n_from, places, MPI_INT, comm, &request));
        count_neighbours(comm, n_in, in, n_out, out, n_to, n_from);
        BOTH(is_blocking, MPI_Neighbor_alltoallw(from, n_to, offsets, types, to, n_from, offsets, types, comm),
             MPI_Ineighbor_alltoallw(from, n_to, offsets, types, to, n_from, offsets, types, comm, &request));
        count_neighbours(comm, n_in, in, n_out, out, n_to, n_from);
    }
}

static void topologies(void)
{
    MPI_Comm comm, row;
    int dims[2] = {p / 2, 2}, periods[2] = {0, 1}, remain[2] = {0, 1}, around[4];
    int right = (rank + 1) % p, left = (rank + p - 1) % p;
    MPI_Cart_create(all, 2, dims, periods, 0, &comm);
    MPI_Comm_set_name(comm, "grid");
    MPI_Cart_shift(comm, 0, 1, &around[0], &around[1]);
    MPI_Cart_shift(comm, 1, 1, &around[2], &around[3]);
    neighbours(comm, 4, around, 4, around);
    MPI_Cart_sub(comm, remain, &row);
    made(comm, &row, "row");
    made(all, &comm, "grid");
    int index[64], edges[128];
    for (int i = 0; i < p; i++) {
        index[i] = 2 * i + 2;
        edges[2 * i] = (i + 1) % p;
        edges[2 * i + 1] = (i + p - 1) % p;
    }
    MPI_Graph_create(all, p, index, edges, 0, &comm);
    neighbours(comm, 2, (int[]){right, left}, 2, (int[]){right, left});
    made(all, &comm, "graph");
    int one = 1;
    MPI_Dist_graph_create_adjacent(all, 1, &left, &one, 1, &right, &one, MPI_INFO_NULL, 0, &comm);
    neighbours(comm, 1, &left, 1, &right);
    made(all, &comm, "adjacent");
    MPI_Dist_graph_create(all, 1, &rank, &one, &right, &one, MPI_INFO_NULL, 0, &comm);
    neighbours(comm, 1, &left, 1, &right);
    made(all, &comm, "distributed");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    CHECK(p % 2 == 0 && p <= 8);
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    count_collective("CREATE_HANDLE", MPI_COMM_WORLD, "NONE", 0, 0);
    MPI_Comm_set_name(all, "all");
    for (int is_blocking = 0; is_blocking < 2; is_blocking++) {
        rooted(is_blocking, 0);
        rooted(is_blocking, p - 1);
        unrooted(is_blocking, 0);
        unrooted(is_blocking, 1);
    }
    communicators();
    between_groups();
    topologies();
    count_collective("DESTROY_HANDLE", all, "NONE", 0, 0);
    MPI_Comm_free(&all);
    count_write();
    MPI_Finalize();
    return 0;
}
