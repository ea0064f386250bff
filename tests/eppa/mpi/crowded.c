/* Each rank computes the same, some seconds' worth of steps divided by the ranks, and they meet after each step:
 * crowded STEPS UNITS. Says on rank 0 how long all ranks have had a processor, in seconds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double sum;

static void compute(long units)
{
    for (long i = 0; i < units; i++)
        for (int j = 1; j <= 1000; j++)
            sum += 1.0 / j;
}

int main(int argc, char **argv)
{
    int rank, n_ranks, steps = argc > 1 ? atoi(argv[1]) : 20;
    long units = argc > 2 ? strtol(argv[2], NULL, 10) : 20000;
    double used = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < steps; i++) {
        clock_t start = clock();
        eppa_begin(EPPA_USEFUL);
        compute(units / n_ranks);
        eppa_end(1, 1);
        used += (double)(clock() - start) / CLOCKS_PER_SEC;
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Reduce(&used, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f\n", all);
    MPI_Finalize();
    return 0;
}
