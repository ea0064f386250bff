/* Non-blocking collectives beside computation: `overlap`, five of them one after another; `mixed`, several at once, of
 * two communicators, waited for in another order, and of kinds that are made of other messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100000, MOST_RANKS = 16 };

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
    for (int i = 0; i < 5; i++) {
        MPI_Request request;
        MPI_Iallreduce(a, b, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        work(0.005);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void mixed(double *a, double *b, int rank, int p)
{
    MPI_Comm half;
    MPI_Request requests[4];
    int counts[MOST_RANKS], places[MOST_RANKS];
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (int r = 0; r < p; r++) {
        counts[r] = 1000 + rank;
        places[r] = 2000 * r;
    }
    int received[MOST_RANKS];
    for (int r = 0; r < p; r++)
        received[r] = 1000 + r;
    MPI_Ibcast(a, N, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(b, 10, MPI_DOUBLE, 1, MPI_COMM_WORLD, &requests[1]);
    work(0.002 * (rank + 1));
    MPI_Iallreduce(MPI_IN_PLACE, b + N / 2, 1000, MPI_DOUBLE, MPI_SUM, half, &requests[2]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    work(0.001);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    MPI_Ialltoallv(a, counts, places, MPI_DOUBLE, b, received, places, MPI_DOUBLE, MPI_COMM_WORLD, &requests[0]);
    MPI_Iscan(a + N / 2, b + N / 2, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    work(0.001);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    int rank, p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    double *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b);
    if (a != NULL && b != NULL && p <= MOST_RANKS && argc == 2)
        strcmp(argv[1], "mixed") == 0 ? mixed(a, b, rank, p) : overlap(a, b);
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
