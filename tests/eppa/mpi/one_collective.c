/* one_collective KIND BYTES: one collective of all ranks, with that length as the application `collective` means it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static char *given, *got;
static int bytes;

static void do_broadcast(void)
{
    MPI_Bcast(given, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void do_scatter(void)
{
    MPI_Scatter(given, bytes, MPI_CHAR, got, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void do_gather(void)
{
    MPI_Gather(given, bytes, MPI_CHAR, got, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void do_reduce(void)
{
    MPI_Reduce(given, got, bytes / (int)sizeof(double), MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

static void do_allreduce(void)
{
    MPI_Allreduce(given, got, bytes / (int)sizeof(double), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void do_allgather(void)
{
    MPI_Allgather(given, bytes, MPI_CHAR, got, bytes, MPI_CHAR, MPI_COMM_WORLD);
}

static void do_alltoall(void)
{
    MPI_Alltoall(given, bytes, MPI_CHAR, got, bytes, MPI_CHAR, MPI_COMM_WORLD);
}

static void do_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static const struct kind {
    const char *name;
    void (*call)(void);
} kinds[] = {
    {"broadcast", do_broadcast}, {"scatter", do_scatter},     {"gather", do_gather},     {"reduce", do_reduce},
    {"allreduce", do_allreduce}, {"allgather", do_allgather}, {"alltoall", do_alltoall}, {"barrier", do_barrier},
};

int main(int argc, char **argv)
{
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bytes = argc > 2 ? atoi(argv[2]) : 0;
    given = calloc((size_t)ranks, (size_t)bytes + 8);
    got = calloc((size_t)ranks, (size_t)bytes + 8);
    for (size_t k = 0; argc > 2 && k < sizeof kinds / sizeof kinds[0]; k++)
        if (strcmp(argv[1], kinds[k].name) == 0)
            kinds[k].call();
    MPI_Finalize();
    return 0;
}
