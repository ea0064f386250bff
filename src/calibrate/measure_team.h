/* The processes that mpirun has started: on which hosts they are, and which two of them measure together.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_MEASURE_TEAM_H
#define CALIBRATE_MEASURE_TEAM_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The computer on which a process is. */
struct host {
    char processor[128]; /* as the operating system calls it */
    int32_t cores;       /* that are online */
    int64_t memory_bytes;
};

struct team {
    int rank, size, n_hosts;
    struct host host; /* of rank 0; of all, the fewest cores and the least memory */
    bool differs;     /* some host is not as that of rank 0 */
    /* Rank 0 and the first other one of its host, and rank 0 and the first one of another host. MPI_COMM_NULL if there
     * is none, and in all other processes. */
    MPI_Comm local, remote;
};

/* All processes call it, after MPI_Init(). The communicators are the team's: team_dispose() frees them. */
void team_init(struct team *team);
void team_dispose(struct team *team);

/* Come together without keeping processors busy meanwhile. */
void team_meet(void);

#endif
