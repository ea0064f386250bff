/* How a wrapper is written. It is the function that MPI_X and PMPI_X both are, because Open MPI's Fortran layer calls
 * PMPI_X, and MPICH's some of either. REAL(X) is the library's own.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_WRAP_WRAP_H
#define EPPA_WRAP_WRAP_H

#include "eppa/archive/regions.h"
#include "eppa/record/recorder.h"
#include "eppa/wrap/abi.h"
#include "eppa/wrap/comm_table.h"

#include <mpi.h>

#define EXPORTED __attribute__((visibility("default")))

#define WRAPPER(name, parameters)                                                                                      \
    EXPORTED __typeof__(PMPI_##name) MPI_##name __attribute__((alias("PMPI_" #name)));                                 \
    EXPORTED int PMPI_##name parameters

typedef void (*real_function)(void);
extern real_function real_functions[N_REGIONS];
/* Look the function up; ends the process if there is none. */
real_function real_look_up(enum region region);

static inline real_function real_of(enum region region)
{
    real_function found = real_functions[region];
    return found != NULL ? found : real_look_up(region);
}
#define REAL(name) ((__typeof__(&PMPI_##name))real_of(REGION_##name))

/* Call the library's own function, while which other threads are recorded. */
#define DO(name, arguments)                                                                                            \
    __extension__({                                                                                                    \
        recorder_end_turn();                                                                                           \
        int done = REAL(name) arguments;                                                                               \
        recorder_begin_turn();                                                                                         \
        done;                                                                                                          \
    })

/* Without parentheses. */
#define PLAIN(...) __VA_ARGS__

/* The length of so many elements [bytes]; 0 for what MPI will complain about. */
static inline int64_t bytes_of(int count, MPI_Datatype type)
{
    int size = 0;
    if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0)
        return 0;
    return (int64_t)count * size;
}

static inline int64_t packed_peer(int peer, int tag)
{
    return (int64_t)((uint64_t)(uint32_t)peer | (uint64_t)(uint32_t)tag << 32);
}

/* Is there such a peer, so that the message is one? MPI_PROC_NULL is none, nor what MPI will complain about. */
static inline bool is_peer(const struct comm *comm, int peer)
{
    return comm != NULL && peer >= 0 && peer < comm->n_peers;
}

/* The call that has begun waits for a message from `source`; should it never come, the archive says so. */
static inline void put_awaits(const struct comm *comm, int source, int tag)
{
    if (comm != NULL && (source == MPI_ANY_SOURCE || is_peer(comm, source)))
        put(SPOOL_AWAITS, 0, comm->id, thread_state.entered_ns, 1, (int64_t[]){packed_peer(source, tag)});
}

/* A message was received, from any source or from one; complete at time_ns. */
static inline void put_recv(uint32_t comm_id, const MPI_Status *status, bool from_any, int64_t time_ns)
{
    if (status->MPI_SOURCE >= 0)
        put(SPOOL_RECV, from_any, comm_id, time_ns, 2,
            (int64_t[]){packed_peer(status->MPI_SOURCE, status->MPI_TAG), received_bytes(status)});
}

/* The same for one that was posted as `request`. */
static inline void put_irecv(uint32_t comm_id, uint32_t request, const MPI_Status *status, int64_t time_ns)
{
    if (status->MPI_SOURCE >= 0)
        put(SPOOL_IRECV, 0, comm_id, time_ns, 3,
            (int64_t[]){packed_peer(status->MPI_SOURCE, status->MPI_TAG), received_bytes(status), request});
}

#endif
