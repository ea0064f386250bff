/* Common calls of MPI programs, in an order that is the same in each run of four ranks. everyday.F90 is the same in
 * Fortran: the traces of both are compared.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

enum { N = 24 };
static int rank, p, left, right, out[N], in[N], many[8 * N];
static MPI_Comm twin;

/* Blocking ones, with and without a status; every second element; a source and a tag that are any, and none. */
static void messages(void)
{
    int got;
    MPI_Status status;
    MPI_Message message;
    MPI_Datatype second;
    MPI_Type_vector(5, 1, 2, MPI_INT, &second);
    MPI_Type_commit(&second);
    if (rank % 2 == 0) {
        MPI_Send(out, 3, MPI_INT, right, 1, MPI_COMM_WORLD);
        MPI_Recv(in, N, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(out, 1, second, right, 2, MPI_COMM_WORLD);
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(in, N, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    } else {
        MPI_Recv(in, N, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, 3, MPI_INT, right, 1, MPI_COMM_WORLD);
        MPI_Mprobe(left, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(in, N, MPI_INT, &message, &status);
        MPI_Ssend(out, 1, second, right, 2, MPI_COMM_WORLD);
    }
    MPI_Get_count(&status, MPI_INT, &got);
    CHECK(got == 5 && status.MPI_SOURCE == left && in[0] == left);
    MPI_Sendrecv(out, 7, MPI_INT, right, 3, in, N, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        in[i] = rank;
    MPI_Sendrecv_replace(in, 8, MPI_INT, left, 4, right, 4, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_SOURCE == right && in[7] == right && in[8] == rank);
    MPI_Send(out, 3, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Recv(in, N, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&second);
}

/* Waited for and tested with arrays of statuses, and without; persistent ones. */
static void requests_of_all_kinds(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2], status;
    int flag = 0, n_done, indices[2];
    for (int i = 1; i <= 3; i++) {
        MPI_Irecv(in, N, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, 10 + i, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[1]);
        if (i == 1) {
            MPI_Waitall(2, requests, statuses);
            CHECK(statuses[0].MPI_SOURCE == left);
        } else if (i == 2) {
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        } else {
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
            MPI_Wait(&requests[1], &status);
        }
    }
    MPI_Recv_init(in, N, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, N, MPI_INT, right, 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    while (!flag)
        MPI_Testall(2, requests, &flag, statuses);
    CHECK(statuses[0].MPI_SOURCE == left);
    MPI_Startall(2, requests);
    for (int got = 0; got < 2; got += n_done)
        MPI_Waitsome(2, requests, &n_done, indices, MPI_STATUSES_IGNORE);
    MPI_Start(&requests[0]);
    MPI_Start(&requests[1]);
    for (int i = 0; i < 2; i++)
        MPI_Waitany(2, requests, &indices[0], &status);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

/* Those with a root: rank 1. */
static void collectives_of_one(const int *counts, const int *places)
{
    if (rank == 1) {
        MPI_Reduce(MPI_IN_PLACE, many, 3, MPI_INT, MPI_SUM, 1, twin);
        MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, many, 2, MPI_INT, 1, twin);
        MPI_Scatter(many, 2, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, 1, twin);
        MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INT, many, counts, places, MPI_INT, 1, twin);
    } else {
        MPI_Reduce(out, many, 3, MPI_INT, MPI_SUM, 1, twin);
        MPI_Gather(out, 2, MPI_INT, many, 2, MPI_INT, 1, twin);
        MPI_Scatter(many, 2, MPI_INT, in, 2, MPI_INT, 1, twin);
        MPI_Gatherv(out, 2, MPI_INT, many, counts, places, MPI_INT, 1, twin);
    }
}

static void collectives(void)
{
    static const int counts[] = {2, 2, 2, 2, 2, 2, 2, 2}, places[] = {0, 2, 4, 6, 8, 10, 12, 14};
    MPI_Request requests[2];
    MPI_Barrier(twin);
    MPI_Bcast(in, 4, MPI_INT, 0, twin);
    in[0] = rank;
    MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, twin);
    CHECK(in[0] == p * (p - 1) / 2);
    MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, twin);
    collectives_of_one(counts, places);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, many, 2, MPI_INT, twin);
    MPI_Allgather(out, 2, MPI_INT, many, 2, MPI_INT, twin);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, many, 2, MPI_INT, twin);
    MPI_Alltoallv(out, counts, places, MPI_INT, many, counts, places, MPI_INT, twin);
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, twin);
    MPI_Scan(out, in, 3, MPI_INT, MPI_SUM, twin);
    in[0] = rank;
    MPI_Ibcast(many, 6, MPI_INT, 2, twin, &requests[0]);
    MPI_Iallreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, twin, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(in[0] == p * (p - 1) / 2);
}

/* Halves of the ranks, and a ring with neighbors. */
static void groups(void)
{
    MPI_Comm half, ring;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_INT, MPI_SUM, half);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, (int[]){1}, 0, &ring);
    MPI_Neighbor_allgather(out, 5, MPI_INT, many, 5, MPI_INT, ring);
    CHECK(many[0] == left && many[5] == right);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    right = (rank + 1) % p;
    left = (rank + p - 1) % p;
    for (int i = 0; i < N; i++)
        out[i] = rank;
    messages();
    requests_of_all_kinds();
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_set_name(twin, "twin");
    collectives();
    groups();
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
