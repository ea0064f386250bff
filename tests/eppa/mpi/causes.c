/* Programs for two ranks in which it is known who waits for whom, where, and why: causes WAY [STEPS]. Who is late
 * computes eight times as long as the other: so long is neither kept from a processor by what else runs.
 *
 *   stencil   rank 0 has eight times the rows; both meet in MPI_Allreduce after each step
 *   master    rank 0 hands out tasks, polls for their results, and takes long over each; rank 1 works
 *   pipeline  rank 0 is eight times as slow a stage as rank 1
 *   bad       an all-to-all of long blocking sends, to one that still computes
 *   good      the same by MPI_Alltoall, with equal work
 *   write     of any number of ranks rank 0 writes so many MiB, the others wait; each has computed the same
 * SPDX-License-Identifier: BSD-3-Clause */
#include "busy.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>

enum { TASK, RESULT, LONG = 1 << 20 };

static char out[2 * LONG], in[2 * LONG];
static int rank;

static void stencil(int steps)
{
    double sum = 0;
    for (int i = 0; i < steps; i++) {
        MPI_Sendrecv(out, 1000, MPI_CHAR, 1 - rank, 0, in, 1000, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        compute(rank == 0 ? 8 : 1);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void master(int steps)
{
    for (int i = 0; i < steps; i++) {
        int flag = 0;
        if (rank == 1) {
            MPI_Recv(in, 100, MPI_CHAR, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            compute(1);
            MPI_Send(out, 100, MPI_CHAR, 0, RESULT, MPI_COMM_WORLD);
            continue;
        }
        compute(8);
        MPI_Send(out, 100, MPI_CHAR, 1, TASK, MPI_COMM_WORLD);
        while (!flag)
            MPI_Iprobe(MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(in, 100, MPI_CHAR, 1, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void pipeline(int steps)
{
    for (int i = 0; i < steps; i++) {
        if (rank == 1)
            MPI_Recv(in, 1000, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        compute(rank == 0 ? 8 : 1);
        if (rank == 0)
            MPI_Send(out, 1000, MPI_CHAR, 1, i, MPI_COMM_WORLD);
    }
}

static void bad(int steps)
{
    for (int i = 0; i < steps; i++) {
        compute(rank == 0 ? 1 : 8);
        if (rank == 0)
            MPI_Send(out, LONG, MPI_CHAR, 1, i, MPI_COMM_WORLD);
        MPI_Recv(in, LONG, MPI_CHAR, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(out, LONG, MPI_CHAR, 0, i, MPI_COMM_WORLD);
    }
}

static void good(int steps)
{
    for (int i = 0; i < steps; i++) {
        compute(4);
        MPI_Alltoall(out, LONG, MPI_CHAR, in, LONG, MPI_CHAR, MPI_COMM_WORLD);
    }
}

static void write_file(int steps)
{
    MPI_File file;
    compute(20);
    if (rank == 0 && steps > 0) {
        MPI_File_open(MPI_COMM_SELF, "file.tmp", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file);
        for (int i = 0; i < steps; i++)
            MPI_File_write(file, out, LONG, MPI_CHAR, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int steps);
    } ways[] = {{"stencil", stencil}, {"master", master}, {"pipeline", pipeline},
                {"bad", bad},         {"good", good},     {"write", write_file}};
    int steps = argc > 2 ? atoi(argv[2]) : 50;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++)
        if (strcmp(ways[i].name, argv[1]) == 0)
            ways[i].run(steps);
    MPI_Finalize();
    return 0;
}
