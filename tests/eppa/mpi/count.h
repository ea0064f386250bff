/* A program's own account of its messages and collectives, to hold a trace of it against. Each rank writes a file
 * count.RANK when it calls count_write():
 *
 *     sent FROM TO MESSAGES BYTES          for each ordered pair, in ranks of the world
 *     received FROM TO MESSAGES BYTES
 *     collective RANK OPERATION COMMUNICATOR ROOT SENT RECEIVED        for each call
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef COUNT_H
#define COUNT_H

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { COUNT_RANKS = 64 };
static struct {
    long messages, bytes;
} count_sent[COUNT_RANKS], count_received[COUNT_RANKS];
static FILE *count_file;

/* Say what is wrong and end the run. */
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            exit(9);                                                                                                   \
        }                                                                                                              \
    } while (0)

static inline int count_world_rank(MPI_Comm comm, int rank)
{
    int is_inter, world;
    MPI_Group group, all;
    MPI_Comm_test_inter(comm, &is_inter);
    if (is_inter)
        MPI_Comm_remote_group(comm, &group);
    else
        MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_translate_ranks(group, 1, &rank, all, &world);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    return world;
}

static inline void count_send(MPI_Comm comm, int to, long bytes)
{
    int rank = count_world_rank(comm, to);
    count_sent[rank].messages++;
    count_sent[rank].bytes += bytes;
}

static inline void count_receive(MPI_Comm comm, int from, long bytes)
{
    int rank = count_world_rank(comm, from);
    count_received[rank].messages++;
    count_received[rank].bytes += bytes;
}

static inline FILE *count_open(void)
{
    int rank;
    char name[32];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "count.%d", rank);
    if (count_file == NULL)
        count_file = fopen(name, "w");
    CHECK(count_file != NULL);
    return count_file;
}

static inline void count_collective(const char *operation, MPI_Comm comm, const char *root, long sent, long received)
{
    int rank, length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_name(comm, name, &length);
    fprintf(count_open(), "collective %d %s %s %s %ld %ld\n", rank, operation, name, root, sent, received);
}

static inline void count_write(void)
{
    int rank;
    FILE *file = count_open();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < COUNT_RANKS; i++) {
        if (count_sent[i].messages > 0)
            fprintf(file, "sent %d %d %ld %ld\n", rank, i, count_sent[i].messages, count_sent[i].bytes);
        if (count_received[i].messages > 0)
            fprintf(file, "received %d %d %ld %ld\n", i, rank, count_received[i].messages, count_received[i].bytes);
    }
    fclose(file);
}

#endif
