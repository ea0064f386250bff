/* Communicators that are made and freed: collectives of the old one that create or destroy a handle.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/pending.h"
#include "eppa/wrap/wrap.h"

#include <otf2/OTF2_Events.h>

static void put_coll_begin(const struct comm *comm)
{
    if (comm != NULL)
        put(SPOOL_COLL_BEGIN, 0, comm->id, thread_state.entered_ns, 0, NULL);
}

static void put_coll_end(const struct comm *comm, uint16_t op, int64_t time_ns)
{
    if (comm != NULL)
        put(SPOOL_COLL_END, op, comm->id, time_ns, 3, (int64_t[]){OTF2_COLLECTIVE_ROOT_NONE, 0, 0});
}

#define SEND(name)
#define ISEND(name)
#define SEND_INIT(name)
#define CALL(name, role)
#define CREATE(name, comm, parameters, arguments)                                                                      \
    WRAPPER(name, parameters)                                                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name) arguments;                                                                               \
        const struct comm *old = comm_find(comm);                                                                      \
        put_coll_begin(old);                                                                                           \
        int status = DO(name, arguments);                                                                              \
        int64_t now_ns = clock_now_ns();                                                                               \
        if (status == MPI_SUCCESS)                                                                                     \
            comm_add(*made);                                                                                           \
        put_coll_end(old, OTF2_COLLECTIVE_OP_CREATE_HANDLE, now_ns);                                                   \
        call_end(REGION_##name, now_ns);                                                                               \
        return status;                                                                                                 \
    }
#include "eppa/archive/calls.def"

/* Only members of the new communicator call it. */
WRAPPER(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made))
{
    if (!call_begin(REGION_Comm_create_group))
        return REAL(Comm_create_group)(comm, group, tag, made);
    int status = DO(Comm_create_group, (comm, group, tag, made));
    int64_t now_ns = clock_now_ns();
    const struct comm *added = status == MPI_SUCCESS ? comm_add(*made) : NULL;
    put_coll_begin(added);
    put_coll_end(added, OTF2_COLLECTIVE_OP_CREATE_HANDLE, now_ns);
    call_end(REGION_Comm_create_group, now_ns);
    return status;
}

/* Open MPI gives the handle at once, though it may be used only when the request is complete. */
WRAPPER(Comm_idup, (MPI_Comm comm, MPI_Comm *made, MPI_Request *request))
{
    if (!call_begin(REGION_Comm_idup))
        return REAL(Comm_idup)(comm, made, request);
    const struct comm *old = comm_find(comm);
    int status = DO(Comm_idup, (comm, made, request));
    if (status == MPI_SUCCESS && old != NULL) {
        struct request added = {.kind = REQUEST_COLLECTIVE,
                                .comm_id = old->id,
                                .number = ++recorder.last_request,
                                .op = OTF2_COLLECTIVE_OP_CREATE_HANDLE,
                                .root = OTF2_COLLECTIVE_ROOT_NONE,
                                .is_active = true};
        put(SPOOL_ICOLL_REQUEST, 0, added.number, thread_state.entered_ns, 1, &(int64_t){added.comm_id});
        request_add(handle_of(*request), &added);
        comm_add_like(*made, comm);
    }
    call_end(REGION_Comm_idup, clock_now_ns());
    return status;
}

/* MPI_Comm_free or MPI_Comm_disconnect; inlined, since call_begin() asks who has called. */
static inline __attribute__((always_inline)) int let_go(MPI_Comm *comm, int (*real)(MPI_Comm *), uint16_t region)
{
    if (!call_begin(region))
        return real(comm);
    MPI_Comm handle = *comm;
    const struct comm *old = comm_find(handle);
    put_coll_begin(old);
    recorder_end_turn();
    int status = real(comm);
    recorder_begin_turn();
    int64_t now_ns = clock_now_ns();
    put_coll_end(old, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, now_ns);
    comm_remove(handle);
    call_end(region, now_ns);
    return status;
}

WRAPPER(Comm_free, (MPI_Comm * comm))
{
    return let_go(comm, REAL(Comm_free), REGION_Comm_free);
}

WRAPPER(Comm_disconnect, (MPI_Comm * comm))
{
    return let_go(comm, REAL(Comm_disconnect), REGION_Comm_disconnect);
}

EXPORTED __typeof__(PMPI_Comm_set_name) MPI_Comm_set_name __attribute__((alias("PMPI_Comm_set_name")));
EXPORTED int PMPI_Comm_set_name(MPI_Comm comm, const char *name)
{
    if (recorder_wants() && name != NULL) {
        thread_state.is_inside = true;
        recorder_begin_turn();
        comm_set_name(comm, name);
        recorder_end_turn();
        thread_state.is_inside = false;
    }
    return REAL(Comm_set_name)(comm, name);
}
