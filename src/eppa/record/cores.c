/* Each rank's set of cores, the union of those of a host, and the ranks that share them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/processor.h"

#include "eppa/archive/memory.h"
#include "eppa/record/recorder.h"

#include <mpi.h>

#include <sched.h>
#include <stdlib.h>

/* The message of a rank to the others of its host. */
struct own {
    cpu_set_t cores;
    int rank, is_known;
};

/* Find the ranks with which the rank may have to share a core, and those with which these may. */
static void find_sharing(struct define_cores *found, const struct own *ranks, int self)
{
    cpu_set_t shared = ranks[self].cores, common;
    bool *is_sharing = memory_need(calloc((size_t)found->n_ranks, sizeof *is_sharing)), grows = true;
    found->first_sharing = ranks[self].rank;
    while (grows) {
        grows = false;
        for (int i = 0; i < found->n_ranks; i++) {
            CPU_AND(&common, &shared, &ranks[i].cores);
            if (is_sharing[i] || CPU_COUNT(&common) == 0)
                continue;
            CPU_OR(&shared, &shared, &ranks[i].cores);
            is_sharing[i] = grows = true;
            found->n_sharing++;
            if (ranks[i].rank < found->first_sharing)
                found->first_sharing = ranks[i].rank;
        }
    }
    found->n_shared = CPU_COUNT(&shared);
    free(is_sharing);
}

/* False if the cores of some are not known: more than such a set has room for. */
static bool find(struct define_cores *found, const struct own *ranks, int self)
{
    cpu_set_t host;
    CPU_ZERO(&host);
    for (int i = 0; i < found->n_ranks; i++) {
        if (!ranks[i].is_known)
            return false;
        CPU_OR(&host, &host, &ranks[i].cores);
    }
    found->n_own = CPU_COUNT(&ranks[self].cores);
    found->n_host = CPU_COUNT(&host);
    find_sharing(found, ranks, self);
    return true;
}

void cores_look(void)
{
    struct define_cores cores = {0};
    struct own own = {.rank = recorder.rank};
    MPI_Comm comm = MPI_COMM_NULL;
    int self;
    CPU_ZERO(&own.cores);
    own.is_known = sched_getaffinity(0, sizeof own.cores, &own.cores) == 0;
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    PMPI_Comm_size(comm, &cores.n_ranks);
    PMPI_Comm_rank(comm, &self);
    struct own *ranks = memory_need(calloc((size_t)cores.n_ranks, sizeof *ranks));
    PMPI_Allgather(&own, (int)sizeof own, MPI_BYTE, ranks, (int)sizeof own, MPI_BYTE, comm);
    PMPI_Comm_free(&comm);
    if (find(&cores, ranks, self))
        recorder_define(DEFINE_CORES, &(struct part){&cores, sizeof cores}, 1);
    free(ranks);
}
