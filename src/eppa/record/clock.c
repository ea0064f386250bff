/* Asks rank 0 for its time over and over, and takes the offset of the quickest answer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/clock.h"

#include "eppa/archive/machine.h"
#include "eppa/archive/memory.h"
#include "eppa/record/recorder.h"

#include <mpi.h>

#include <stdlib.h>

enum { N_ROUNDS = 20, TAG = 7 };

/* Rank 0 answers with its time. */
static void answer(int peer)
{
    for (int i = 0; i < N_ROUNDS; i++) {
        int64_t now_ns;
        PMPI_Recv(&now_ns, 1, MPI_INT64_T, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        now_ns = clock_now_ns();
        PMPI_Send(&now_ns, 1, MPI_INT64_T, peer, TAG, MPI_COMM_WORLD);
    }
}

/* The offset by the quickest round, in which rank 0's clock was read half-way. */
static int64_t ask(void)
{
    int64_t best_ns = INT64_MAX, offset_ns = 0;
    for (int i = 0; i < N_ROUNDS; i++) {
        int64_t there_ns, start_ns = clock_now_ns();
        PMPI_Send(&start_ns, 1, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD);
        PMPI_Recv(&there_ns, 1, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        int64_t end_ns = clock_now_ns();
        if (end_ns - start_ns < best_ns) {
            best_ns = end_ns - start_ns;
            offset_ns = there_ns - start_ns - best_ns / 2;
        }
    }
    return offset_ns;
}

/* One rank of each clock measures. */
static void measure(const uint64_t *identities, int64_t *offset_ns)
{
    for (int i = 1; i < recorder.n_ranks; i++) {
        int first = 0;
        while (identities[first] != identities[i])
            first++;
        if (first == 0)
            continue;
        if (first == i && recorder.rank == 0)
            answer(i);
        else if (first == i && recorder.rank == i)
            *offset_ns = ask();
        else if (recorder.rank == first)
            PMPI_Send(offset_ns, 1, MPI_INT64_T, i, TAG, MPI_COMM_WORLD);
        else if (recorder.rank == i)
            PMPI_Recv(offset_ns, 1, MPI_INT64_T, first, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

void clock_measure(void)
{
    uint64_t own = machine_identity("time"), *identities = memory_need(malloc((size_t)recorder.n_ranks * sizeof own));
    PMPI_Allgather(&own, 1, MPI_UINT64_T, identities, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    int64_t offset_ns = 0;
    measure(identities, &offset_ns);
    free(identities);
    struct define_clock clock = {clock_now_ns(), offset_ns};
    recorder_define(DEFINE_CLOCK, &(struct part){&clock, sizeof clock}, 1);
}
