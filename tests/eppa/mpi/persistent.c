/* Persistent collectives beside computation, five times: `overlap`, one of 100,000 numbers; `all`, two of different
 * communicators, a message and a neighborhood collective, which one call starts and another one waits for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Bcast_init MPIX_Bcast_init
#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#endif

enum { N = 100000, TIMES = 5 };

/* Compute for so long. */
static double work(double seconds)
{
    double end = MPI_Wtime() + seconds, sum = 0;
    while (MPI_Wtime() < end)
        for (int i = 1; i < 1000; i++)
            sum += 1.0 / i;
    return sum;
}

static void overlap(double *a, double *b)
{
    MPI_Request request;
    MPI_Allreduce_init(a, b, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < TIMES; i++) {
        MPI_Start(&request);
        work(0.005);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static void all(double *a, double *b, int rank, int p)
{
    MPI_Comm ring, copy;
    MPI_Request requests[5];
    int n = sizeof requests / sizeof *requests;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, (int[]){1}, 0, &ring);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Allreduce_init(a, b, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Recv_init(b + 1000, N / 2, MPI_DOUBLE, (rank + p - 1) % p, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Bcast_init(b + N / 2 + 1000, 1000, MPI_DOUBLE, 0, copy, MPI_INFO_NULL, &requests[2]);
    MPI_Send_init(a + 1000, N / 2, MPI_DOUBLE, (rank + 1) % p, 3, MPI_COMM_WORLD, &requests[3]);
    MPI_Neighbor_alltoall_init(a, 1000, MPI_DOUBLE, b + N - 2000, 1000, MPI_DOUBLE, ring, MPI_INFO_NULL, &requests[4]);
    for (int i = 0; i < TIMES; i++) {
        MPI_Startall(n, requests);
        work(0.001);
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
        MPI_Neighbor_allgather(a, 1000, MPI_DOUBLE, b, 1000, MPI_DOUBLE, ring);
    }
    for (int i = 0; i < n; i++)
        MPI_Request_free(&requests[i]);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&copy);
}

int main(int argc, char **argv)
{
    int rank, p;
    double *a = calloc(2 * N, sizeof *a);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (argc > 1 && strcmp(argv[1], "all") == 0)
        all(a, a + N, rank, p);
    else
        overlap(a, a + N);
    MPI_Finalize();
    free(a);
    return 0;
}
