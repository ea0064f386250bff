/* Ten iterations on a ring, in a scope each: a message to the next rank, and an allreduce. The argument says when
 * recording goes off and on:
 *   none     by nobody
 *   middle   off before iteration 3, on before iteration 7
 *   late     off from the beginning to iteration 5
 *   crossing rank 0 is off for the receive of iteration 4 and the send of iteration 5
 *   request  off while a receive is posted in iteration 3, and one of iteration 6 is complete
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa.h"

#include <mpi.h>
#include <string.h>

enum { ROUNDS = 10 };

static int rank, n_ranks;
static const char *mode;

static void turn(const char *wanted, int level)
{
    if (strcmp(mode, wanted) == 0)
        MPI_Pcontrol(level);
}

static void iterate(int round)
{
    int sent = round, received = 0, sum = 0;
    MPI_Request request;
    eppa_enter("iteration");
    if (round == 3)
        turn("request", 0);
    MPI_Irecv(&received, 1, MPI_INT, (rank + n_ranks - 1) % n_ranks, 0, MPI_COMM_WORLD, &request);
    if (round == 3)
        turn("request", 1);
    if (round == 5 && rank == 0)
        turn("crossing", 0);
    MPI_Send(&sent, 1, MPI_INT, (rank + 1) % n_ranks, 0, MPI_COMM_WORLD);
    if (round == 5 && rank == 0)
        turn("crossing", 1);
    if (round == 6)
        turn("request", 0);
    if (round == 4 && rank == 0)
        turn("crossing", 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (round == 4 && rank == 0)
        turn("crossing", 1);
    if (round == 6)
        turn("request", 1);
    MPI_Allreduce(&received, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != n_ranks * round)
        MPI_Abort(MPI_COMM_WORLD, 1);
    eppa_leave("iteration");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    mode = argc > 1 ? argv[1] : "none";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    turn("late", 0);
    for (int round = 0; round < ROUNDS; round++) {
        if (round == 3)
            turn("middle", 0);
        if (round == 7)
            turn("middle", 1);
        if (round == 5)
            turn("late", 1);
        iterate(round);
    }
    MPI_Finalize();
    return 0;
}
