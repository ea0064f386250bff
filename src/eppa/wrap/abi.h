/* What the two ABIs do differently: Open MPI's, and MPICH's, which others share. A library is built for one of them. */
#ifndef EPPA_WRAP_ABI_H
#define EPPA_WRAP_ABI_H

#include <mpi.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A handle is a pointer in Open MPI, and a number in MPICH. */
#define handle_of(handle) ((uintptr_t)(handle))

/* With the other library of MPI, wrappers of pointers pass numbers on as well; those of numbers would cut pointers off. */
#ifdef OPEN_MPI
#define ABI_NAME "Open MPI"
#define ABI_OTHER "libeppa-mpich.so"
enum { ABI_PASSES_OTHER = true };
#else
#define ABI_NAME "MPICH"
#define ABI_OTHER "libeppa.so"
enum { ABI_PASSES_OTHER = false };
#endif

/* The length of what was received [bytes]. MPICH keeps it in two parts; the lowest bit of the second is another thing. */
static inline int64_t received_bytes(const MPI_Status *status)
{
#ifdef OPEN_MPI
    return (int64_t)status->_ucount;
#else
    return (int64_t)((uint64_t)(uint32_t)status->count_hi_and_cancelled >> 1 << 32 | (uint32_t)status->count_lo);
#endif
}

/* Does a library that calls itself so have this ABI? All that are not Open MPI have MPICH's. */
static inline bool abi_is_of(const char *library_version)
{
    bool is_open_mpi = strncmp(library_version, "Open MPI", 8) == 0;
#ifdef OPEN_MPI
    return is_open_mpi;
#else
    return !is_open_mpi;
#endif
}

#endif
