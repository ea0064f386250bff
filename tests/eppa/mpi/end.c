/* end HOW MESSAGES: every rank sends so many messages to its right neighbor, and then the run does not end as it
 * should. abort: the last rank calls MPI_Abort, exit: it calls exit(), crash: it dies of a signal; hang: all wait
 * for a message that nobody sends; compute: all but the last do, which does not communicate any more. A file
 * `reached` says that it has come so far.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, p, in;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    CHECK(argc == 3);
    for (int i = 0; i < atoi(argv[2]); i++)
        MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % p, 4, &in, 1, MPI_INT, (rank + p - 1) % p, 4, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == p - 1) {
        usleep(100 * 1000); /* the others wait */
        fclose(fopen("reached", "w"));
        if (strcmp(argv[1], "abort") == 0)
            MPI_Abort(MPI_COMM_WORLD, 3);
        if (strcmp(argv[1], "exit") == 0)
            exit(4);
        if (strcmp(argv[1], "crash") == 0)
            raise(SIGSEGV);
        while (strcmp(argv[1], "compute") == 0)
            pause();
    }
    MPI_Recv(&in, 1, MPI_INT, (rank + 1) % p, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
