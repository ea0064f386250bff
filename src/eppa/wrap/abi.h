/* What the two ABIs do differently: Open MPI's, and MPICH's, which others share. A library is built for one of them. */
#ifndef EPPA_WRAP_ABI_H
#define EPPA_WRAP_ABI_H

#include <mpi.h>

#include <stdint.h>

/* A handle is a pointer in Open MPI, and a number in MPICH. */
#define handle_of(handle) ((uintptr_t)(handle))

#ifdef OPEN_MPI
#define ABI_NAME "Open MPI"
#define ABI_OTHER_NAME "MPICH"
#define ABI_OTHER_SYMBOL "MPIR_Dup_fn" /* that mpi.h names and the other has not */
#define ABI_OTHER_LIBRARY "libeppa-mpich.so"
#else
#define ABI_NAME "MPICH"
#define ABI_OTHER_NAME "Open MPI"
#define ABI_OTHER_SYMBOL "ompi_mpi_comm_world"
#define ABI_OTHER_LIBRARY "libeppa.so"
#endif

/* The length of what was received [bytes]. MPICH keeps it in two parts; the lowest bit of the second is another
 * thing. */
static inline int64_t received_bytes(const MPI_Status *status)
{
#ifdef OPEN_MPI
    return (int64_t)status->_ucount;
#else
    return (int64_t)((uint64_t)(uint32_t)status->count_hi_and_cancelled >> 1 << 32 | (uint32_t)status->count_lo);
#endif
}

#endif
