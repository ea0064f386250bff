/* threads WHEN: a second thread exchanges messages with the neighbors while the first one does (multiple), after it
 * (serialized, which is the level), or before it, which waits for its end (joined). Says which level there is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

#include <pthread.h>
#include <string.h>

enum { N = 50 };
static int rank, p;

static void exchange(int tag)
{
    int out = rank, in, right = (rank + 1) % p, left = (rank + p - 1) % p;
    for (int i = 0; i < N; i++) {
        MPI_Sendrecv(&out, 1, MPI_INT, right, tag, &in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(in == left);
    }
}

static void *second(void *data)
{
    exchange(2);
    return data;
}

int main(int argc, char **argv)
{
    int provided, is_serialized = argc > 1 && strcmp(argv[1], "serialized") == 0;
    int is_joined = argc > 1 && strcmp(argv[1], "joined") == 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, is_serialized ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (is_serialized)
        exchange(1);
    CHECK(pthread_create(&thread, NULL, second, NULL) == 0);
    if (!is_serialized && !is_joined)
        exchange(1);
    CHECK(pthread_join(thread, NULL) == 0);
    if (is_joined)
        exchange(1);
    for (int i = 0; i < 2 * N; i++) {
        count_send(MPI_COMM_WORLD, (rank + 1) % p, 4);
        count_receive(MPI_COMM_WORLD, (rank + p - 1) % p, 4);
    }
    const char *serialized_or_less = provided == MPI_THREAD_SERIALIZED ? "serialized" : "less";
    printf("provided %s\n", provided == MPI_THREAD_MULTIPLE ? "multiple" : serialized_or_less);
    count_write();
    MPI_Finalize();
    return 0;
}
