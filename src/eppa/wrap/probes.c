/* Probes: looking for a message without receiving it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/pending.h"
#include "eppa/wrap/wrap.h"

/* Keep the communicator of a message that was found: its receive does not name it. */
static void remember_message(MPI_Message message, MPI_Comm handle)
{
    const struct comm *comm = comm_find(handle);
    if (comm != NULL && message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC)
        request_add(handle_of(message),
                    &(struct request){.kind = REQUEST_MESSAGE, .comm_id = comm->id, .is_active = true});
}

/* A probe has found a message: readers of the trace learn since when the message was there. */
static void put_found(MPI_Comm handle, const MPI_Status *status, int64_t time_ns)
{
    const struct comm *comm = comm_find(handle);
    if (is_peer(comm, status->MPI_SOURCE))
        put(SPOOL_FOUND, 0, comm->id, time_ns, 1, (int64_t[]){packed_peer(status->MPI_SOURCE, status->MPI_TAG)});
}

WRAPPER(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status))
{
    if (!call_begin(REGION_Probe))
        return REAL(Probe)(source, tag, comm, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    put_awaits(comm_find(comm), source, tag);
    int result = DO(Probe, (source, tag, comm, status));
    int64_t now_ns = clock_now_ns();
    if (result == MPI_SUCCESS)
        put_found(comm, status, now_ns);
    call_end(REGION_Probe, now_ns);
    return result;
}

WRAPPER(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status))
{
    if (!call_begin(REGION_Mprobe))
        return REAL(Mprobe)(source, tag, comm, message, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    put_awaits(comm_find(comm), source, tag);
    int result = DO(Mprobe, (source, tag, comm, message, status));
    int64_t now_ns = clock_now_ns();
    if (result == MPI_SUCCESS) {
        remember_message(*message, comm);
        put_found(comm, status, now_ns);
    }
    call_end(REGION_Mprobe, now_ns);
    return result;
}

WRAPPER(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status))
{
    if (!polls_begin(REGION_Iprobe, CALLER()))
        return REAL(Iprobe)(source, tag, comm, flag, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    int result = REAL(Iprobe)(source, tag, comm, flag, status);
    if (result == MPI_SUCCESS && !*flag) {
        polls_failed();
        return result;
    }
    polls_found(REGION_Iprobe);
    int64_t now_ns = clock_now_ns();
    if (result == MPI_SUCCESS)
        put_found(comm, status, now_ns);
    call_end(REGION_Iprobe, now_ns);
    return result;
}

WRAPPER(Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status))
{
    if (!polls_begin(REGION_Improbe, CALLER()))
        return REAL(Improbe)(source, tag, comm, flag, message, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    int result = REAL(Improbe)(source, tag, comm, flag, message, status);
    if (result == MPI_SUCCESS && !*flag) {
        polls_failed();
        return result;
    }
    polls_found(REGION_Improbe);
    int64_t now_ns = clock_now_ns();
    if (result == MPI_SUCCESS) {
        remember_message(*message, comm);
        put_found(comm, status, now_ns);
    }
    call_end(REGION_Improbe, now_ns);
    return result;
}
