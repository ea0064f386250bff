/* A collective of MPI, once. Usage: collective KIND BYTES, of the message, of each vector or of each block. Every rank
 * prints when it is done, in seconds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, ranks, bytes = atoi(argv[2]);
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &ranks);
    char *from = calloc((size_t)bytes, (size_t)ranks), *to = calloc((size_t)bytes, (size_t)ranks);
    if (strcmp(argv[1], "bcast") == 0)
        MPI_Bcast(from, bytes, MPI_CHAR, 0, world);
    else if (strcmp(argv[1], "scatter") == 0)
        MPI_Scatter(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, 0, world);
    else if (strcmp(argv[1], "gather") == 0)
        MPI_Gather(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, 0, world);
    else if (strcmp(argv[1], "reduce") == 0)
        MPI_Reduce(from, to, bytes, MPI_CHAR, MPI_MAX, 0, world);
    else if (strcmp(argv[1], "allreduce") == 0)
        MPI_Allreduce(from, to, bytes, MPI_CHAR, MPI_MAX, world);
    else if (strcmp(argv[1], "allgather") == 0)
        MPI_Allgather(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, world);
    else
        MPI_Alltoall(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, world);
    printf("%.12f\n", MPI_Wtime());
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
