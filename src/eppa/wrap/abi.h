/* Differences between the two ABIs: Open MPI's, and MPICH's, which others share. A library is built for one of them.
 * SPDX-License-Identifier: BSD-3-Clause */
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

/* Functions of MPI 4. Persistent collectives Open MPI 4 has under names of its own. */
#define HAS_MPI_4 (MPI_VERSION >= 4)
#ifdef OPEN_MPI
#define HAS_SESSIONS (HAS_MPI_4 || OMPI_MAJOR_VERSION >= 5)
#if !HAS_SESSIONS
#include <mpi-ext.h>
#endif
#else
#define HAS_SESSIONS HAS_MPI_4
#endif
#if MPI_VERSION * 10 + MPI_SUBVERSION >= 41
#define PARTITION_LIST const int
#else
#define PARTITION_LIST int
#endif
#if HAS_SESSIONS
#define HAS_PERSISTENT 1
#define PERSISTENT(name) MPI_##name
#define PPERSISTENT(name) PMPI_##name
#define PPERSISTENT_TEXT "PMPI_"
#elif defined OMPI_HAVE_MPI_EXT_PCOLLREQ
#define HAS_PERSISTENT 1
#define PERSISTENT(name) MPIX_##name
#define PPERSISTENT(name) PMPIX_##name
#define PPERSISTENT_TEXT "PMPIX_"
#else
#define HAS_PERSISTENT 0
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
