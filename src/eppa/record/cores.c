/* Each rank's set of cores, and the union of those of a host. */
#include "eppa/record/cores.h"

#include "eppa/record/recorder.h"

#include <mpi.h>

#include <sched.h>

void cores_look(void)
{
    cpu_set_t own, host;
    struct define_cores cores = {0};
    MPI_Comm comm = MPI_COMM_NULL;
    int has = sched_getaffinity(0, sizeof own, &own) == 0, all_have = 0;
    if (!has) /* more cores than such a set has room for */
        CPU_ZERO(&own);
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    PMPI_Comm_size(comm, &cores.n_ranks);
    PMPI_Allreduce(&own, &host, (int)sizeof own, MPI_BYTE, MPI_BOR, comm);
    PMPI_Allreduce(&has, &all_have, 1, MPI_INT, MPI_LAND, comm);
    PMPI_Comm_free(&comm);
    if (!all_have)
        return;
    cores.n_own = CPU_COUNT(&own);
    cores.n_host = CPU_COUNT(&host);
    recorder.is_crowded = cores.n_host < cores.n_ranks;
    recorder_define(DEFINE_CORES, &(struct part){&cores, sizeof cores}, 1);
}
