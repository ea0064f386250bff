/* The messages of application ring. Usage: ring ROUNDS BYTES. Every rank prints when it is done, in seconds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int rounds = atoi(argv[1]), bytes = atoi(argv[2]);
    char *buffer = malloc((size_t)bytes);
    for (int i = 0; i < rounds; i++) {
        MPI_Send(buffer, bytes, MPI_CHAR, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_CHAR, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("%.12f\n", MPI_Wtime());
    free(buffer);
    MPI_Finalize();
    return 0;
}
