/* Rank 0 waits for a message that rank 1 sends only after computing: polls WAY [MS [yield|sleep]]. Says how often it
 * has asked for it.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "busy.h"

#include <mpi.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 3 };

static char data[2];
static MPI_Request requests[2];
static MPI_Status status;
static long n_polls = 1;

static int test(void)
{
    int flag;
    MPI_Test(&requests[0], &flag, &status);
    return flag;
}

static int testany(void)
{
    int flag, index;
    MPI_Testany(2, requests, &index, &flag, &status);
    return flag;
}

static int testall(void)
{
    int flag;
    MPI_Testall(1, requests, &flag, MPI_STATUSES_IGNORE);
    return flag;
}

static int testsome(void)
{
    int n, indices[2];
    MPI_Testsome(2, requests, &n, indices, MPI_STATUSES_IGNORE);
    return n != 0;
}

static int get_status(void)
{
    int flag;
    MPI_Request_get_status(requests[0], &flag, &status);
    if (flag)
        MPI_Wait(&requests[0], &status);
    return flag;
}

static void receive(void)
{
    MPI_Recv(data, 1, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int iprobe(void)
{
    int flag;
    MPI_Iprobe(1, TAG, MPI_COMM_WORLD, &flag, &status);
    if (flag)
        receive();
    return flag;
}

static int any_iprobe(void)
{
    int flag;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    if (flag)
        receive();
    return flag;
}

static int improbe(void)
{
    int flag;
    MPI_Message message;
    MPI_Improbe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    if (flag)
        MPI_Mrecv(data, 1, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    return flag;
}

/* Looks for another message and for this one in turns. */
static int mixed(void)
{
    int flag;
    MPI_Iprobe(1, TAG + 1, MPI_COMM_WORLD, &flag, &status);
    n_polls++;
    return test();
}

static int probe(void)
{
    MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    receive();
    return 1;
}

static int wait(void)
{
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    return 1;
}

static int waitall(void)
{
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    return 1;
}

static int waitany(void)
{
    int index;
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    return 1;
}

static int recv(void)
{
    MPI_Recv(data, 1, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 1;
}

static const struct {
    const char *name;
    int (*is_done)(void);
    int n_posted; /* receives: that of the message and of one that comes at once */
} ways[] = {{"recv", recv, 0},       {"wait", wait, 1},
            {"waitall", waitall, 2}, {"waitany", waitany, 1},
            {"test", test, 1},       {"testany", testany, 1},
            {"testall", testall, 1}, {"testsome", testsome, 1},
            {"mixed", mixed, 1},     {"get_status", get_status, 1},
            {"iprobe", iprobe, 0},   {"any_iprobe", any_iprobe, 0},
            {"improbe", improbe, 0}, {"probe", probe, 0}};

int main(int argc, char **argv)
{
    int rank;
    size_t way = 0;
    double ms = argc > 2 ? strtod(argv[2], NULL) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (way < sizeof ways / sizeof ways[0] && (argc < 2 || strcmp(ways[way].name, argv[1]) != 0))
        way++;
    if (way == sizeof ways / sizeof ways[0])
        MPI_Abort(MPI_COMM_WORLD, 2);
    requests[0] = requests[1] = MPI_REQUEST_NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        if (ways[way].n_posted == 2)
            MPI_Send(data, 1, MPI_CHAR, 0, TAG + 2, MPI_COMM_WORLD);
        compute(ms);
        MPI_Send(data, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    } else {
        if (ways[way].n_posted > 1)
            MPI_Irecv(data + 1, 1, MPI_CHAR, 1, TAG + 2, MPI_COMM_WORLD, &requests[1]);
        if (ways[way].n_posted > 0)
            MPI_Irecv(data, 1, MPI_CHAR, 1, TAG, MPI_COMM_WORLD, &requests[0]);
        for (; !ways[way].is_done(); n_polls++)
            if (argc > 3 && strcmp(argv[3], "sleep") == 0)
                usleep(100);
            else if (argc > 3)
                sched_yield();
        printf("%ld\n", n_polls);
    }
    MPI_Finalize();
    return 0;
}
