/* Iterations on a ring whose messages and collectives are under way while an iteration ends: each sends ahead what is
 * received LATE iterations later, waits for what the one before has begun, and broadcasts, which only the receivers
 * wait for. kept ROUNDS [DIE]: rank 1 kills itself after DIE iterations, if that is not 0.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { LATE = 3, AHEAD = 1, NEXT = 2, N_NUMBERS = 64 };

static int rank, n_ranks, next, before;

static void step(int round, int rounds, MPI_Request *reduced, int sums[2])
{
    int numbers[N_NUMBERS] = {0}, received[N_NUMBERS], late;
    MPI_Request requests[2];
    numbers[0] = round;
    eppa_enter("iteration");
    MPI_Irecv(received, N_NUMBERS, MPI_INT, before, NEXT, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(numbers, N_NUMBERS, MPI_INT, next, NEXT, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(numbers, 1, MPI_INT, next, AHEAD, MPI_COMM_WORLD);
    eppa_enter("late");
    if (round >= LATE)
        MPI_Recv(&late, 1, MPI_INT, before, AHEAD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    eppa_leave("late");
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (received[0] != round)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(numbers, 2, MPI_INT, 0, MPI_COMM_WORLD);
    if (round > 0)
        MPI_Wait(reduced, MPI_STATUS_IGNORE);
    sums[0] = round;
    if (round + 1 < rounds)
        MPI_Iallreduce(&sums[0], &sums[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, reduced);
    eppa_leave("iteration");
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 10, die = argc > 2 ? atoi(argv[2]) : 0, number, sums[2];
    MPI_Request reduced = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    next = (rank + 1) % n_ranks;
    before = (rank + n_ranks - 1) % n_ranks;
    for (int round = 0; round < rounds; round++) {
        step(round, rounds, &reduced, sums);
        if (die > 0 && round == die && rank == 1)
            kill(getpid(), SIGKILL);
    }
    for (int round = 0; round < LATE && round < rounds; round++)
        MPI_Recv(&number, 1, MPI_INT, before, AHEAD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
