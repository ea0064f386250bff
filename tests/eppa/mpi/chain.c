/* chain KIND ROUNDS: what messages or collectives of two ranks take, up to 4 MiB. Calls of one kind (pingpong, bcast,
 * allreduce, alltoall) follow each other, each of which passes on what the one before gave; a broadcast is answered, so
 * that its root can begin the next. Other kinds have no part in it: what they leave in the caches and the kernel makes
 * messages up to 10 % slower. Prints KIND BYTES MICROSECONDS, of one call in the median of ROUNDS rounds through all
 * lengths.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTHS = 23, MOST_ROUNDS = 1000 };

static int rank;
static char *buffers[2];

static void message(int bytes, int from)
{
    if (rank == from)
        MPI_Send(buffers[0], bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(buffers[0], bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void call_pingpong(int bytes, int i)
{
    message(bytes, i % 2);
}

static void call_bcast(int bytes, int i)
{
    MPI_Bcast(buffers[0], bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    message(bytes, 1);
    (void)i;
}

static void call_allreduce(int bytes, int i)
{
    MPI_Allreduce(buffers[i % 2], buffers[1 - i % 2], bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void call_alltoall(int bytes, int i)
{
    MPI_Alltoall(buffers[i % 2], bytes, MPI_CHAR, buffers[1 - i % 2], bytes, MPI_CHAR, MPI_COMM_WORLD);
}

static const struct kind {
    const char *name;
    void (*call)(int bytes, int i);
    int shortest, longest;
} kinds[] = {
    {"pingpong", call_pingpong, 1, 4 << 20},
    {"bcast", call_bcast, 8, 1 << 20},
    {"allreduce", call_allreduce, 8, 1 << 20},
    {"alltoall", call_alltoall, 8, 1 << 20},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static double times[LENGTHS][MOST_ROUNDS];

static double time_calls(const struct kind *kind, int bytes)
{
    int calls = bytes < 4096 ? 200 : 40;
    double start = 0;
    for (int i = -2; i < calls; i++) {
        if (i == 0)
            start = MPI_Wtime();
        kind->call(bytes, i + 2);
    }
    return (MPI_Wtime() - start) / calls;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static const struct kind *find_kind(const char *name)
{
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kinds[k].name, name) == 0)
            return &kinds[k];
    return NULL;
}

int main(int argc, char **argv)
{
    int rounds = argc > 2 ? atoi(argv[2]) : 1;
    const struct kind *kind = find_kind(argc > 1 ? argv[1] : "");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (kind == NULL || rounds < 1 || rounds > MOST_ROUNDS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 2; i++)
        buffers[i] = calloc(2, 4 << 20);
    for (int round = 0; round < rounds; round++) {
        time_calls(kind, kind->shortest); /* brings back what the longest ones drove from the caches */
        for (int l = 0; l < LENGTHS; l++)
            if (1 << l >= kind->shortest && 1 << l <= kind->longest)
                times[l][round] = time_calls(kind, 1 << l);
    }
    for (int l = 0; l < LENGTHS && rank == 0; l++) {
        qsort(times[l], (size_t)rounds, sizeof(double), compare);
        if (1 << l >= kind->shortest && 1 << l <= kind->longest)
            printf("%s %d %.4f\n", kind->name, 1 << l, 1e6 * times[l][rounds / 2]);
    }
    MPI_Finalize();
    return 0;
}
