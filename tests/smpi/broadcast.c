/* The messages of application broadcast, from rank 0. Usage: broadcast ROUNDS BYTES flat|binomial. Every rank prints
 * when it is done, in seconds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void flat(char *buffer, int bytes, int rank, int ranks)
{
    if (rank != 0)
        MPI_Recv(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int to = 1; rank == 0 && to < ranks; to++)
        MPI_Send(buffer, bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

/* The mask goes up to the rank's lowest set bit, which tells who sends to it, and down again over whom it sends to. */
static void binomial(char *buffer, int bytes, int rank, int ranks)
{
    int mask = 1;
    while (mask < ranks && !(rank & mask))
        mask <<= 1;
    if (rank != 0)
        MPI_Recv(buffer, bytes, MPI_CHAR, rank - mask, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (mask >>= 1)
        if (rank + mask < ranks)
            MPI_Send(buffer, bytes, MPI_CHAR, rank + mask, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int rounds = atoi(argv[1]), bytes = atoi(argv[2]);
    char *buffer = malloc((size_t)bytes);
    for (int i = 0; i < rounds; i++)
        (strcmp(argv[3], "flat") == 0 ? flat : binomial)(buffer, bytes, rank, ranks);
    printf("%.12f\n", MPI_Wtime());
    free(buffer);
    MPI_Finalize();
    return 0;
}
