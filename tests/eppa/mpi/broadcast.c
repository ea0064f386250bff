/* broadcast HOW BYTES TIMES ...: rank 0 sends a message to all, each time with other contents, of which the others
 * check some. HOW is flat: to one after the other; binomial: whoever has it sends it on; mpi: MPI_Bcast. Several such
 * triples are done one after the other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

#include <eppa.h>

#include <string.h>

static void pass_on(char *data, int bytes, int to)
{
    MPI_Send(data, bytes, MPI_CHAR, to, 2, MPI_COMM_WORLD);
    count_send(MPI_COMM_WORLD, to, bytes);
}

static void take(char *data, int bytes, int from)
{
    MPI_Recv(data, bytes, MPI_CHAR, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count_receive(MPI_COMM_WORLD, from, bytes);
}

static void flat(char *data, int bytes, int rank, int p)
{
    if (rank != 0)
        take(data, bytes, 0);
    for (int to = 1; rank == 0 && to < p; to++)
        pass_on(data, bytes, to);
}

static void binomial(char *data, int bytes, int rank, int p)
{
    int bit = 1;
    while (bit <= rank)
        bit <<= 1;
    if (rank != 0)
        take(data, bytes, rank - bit / 2);
    for (; rank + bit < p; bit <<= 1)
        pass_on(data, bytes, rank + bit);
}

static void by_mpi(char *data, int bytes, int rank, int p)
{
    MPI_Bcast(data, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    count_collective("BCAST", MPI_COMM_WORLD, "0", rank == 0 ? (long)p * bytes : 0, bytes);
}

static void broadcast(const char *how, int bytes, int times, int rank, int p)
{
    char *data = malloc((size_t)bytes + 1);
    void (*send)(char *data, int bytes, int rank, int p) = how[0] == 'f' ? flat : how[0] == 'b' ? binomial : by_mpi;
    MPI_Barrier(MPI_COMM_WORLD);
    count_collective("BARRIER", MPI_COMM_WORLD, "NONE", 0, 0);
    double start_s = MPI_Wtime();
    eppa_enter("main");
    for (int i = 0; i < times; i++) {
        memset(data, rank == 0 ? i % 100 + 1 : 0, (size_t)bytes);
        send(data, bytes, rank, p);
        for (int at = 0; at < bytes; at += bytes / 64 + 1)
            CHECK(data[at] == i % 100 + 1);
    }
    eppa_leave("main");
    if (rank == 0)
        printf("time_s %.9f\n", MPI_Wtime() - start_s);
    free(data);
}

int main(int argc, char **argv)
{
    int rank, p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    CHECK(argc > 1 && argc % 3 == 1);
    for (int i = 1; i < argc; i += 3)
        broadcast(argv[i], atoi(argv[i + 1]), atoi(argv[i + 2]), rank, p);
    count_write();
    MPI_Finalize();
    return 0;
}
