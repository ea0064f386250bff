/* Point-to-point communication: sends, receives, persistent requests.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/neighbours.h"
#include "eppa/wrap/pending.h"
#include "eppa/wrap/wrap.h"

static void begin_send(int count, MPI_Datatype type, int peer, int tag, MPI_Comm handle)
{
    const struct comm *comm = comm_find(handle);
    if (is_peer(comm, peer))
        put(SPOOL_SEND, 0, comm->id, thread_state.entered_ns, 2,
            (int64_t[]){packed_peer(peer, tag), bytes_of(count, type)});
}

static void put_isend(struct request *request, int64_t time_ns)
{
    request->number = ++recorder.last_request;
    request->is_active = true;
    put(SPOOL_ISEND, 0, request->comm_id, time_ns, 3,
        (int64_t[]){packed_peer(request->peer, request->tag), request->bytes, request->number});
}

static void put_irecv_request(struct request *request, int64_t time_ns)
{
    request->number = ++recorder.last_request;
    request->is_active = true;
    put(SPOOL_IRECV_REQUEST, request->peer == MPI_ANY_SOURCE, request->number, time_ns, 0, NULL);
}

static struct request send_request(const struct comm *comm, int count, MPI_Datatype type, int peer, int tag)
{
    return (struct request){
        .kind = REQUEST_SEND, .comm_id = comm->id, .peer = peer, .tag = tag, .bytes = bytes_of(count, type)};
}

static struct request recv_request(const struct comm *comm, int source, int tag)
{
    return (struct request){.kind = REQUEST_RECV, .comm_id = comm->id, .peer = source, .tag = tag};
}

/* A receive from anybody or from one that exists. */
static bool is_source(const struct comm *comm, int source)
{
    return comm != NULL && (source == MPI_ANY_SOURCE || is_peer(comm, source));
}

#define SEND(name)                                                                                                     \
    WRAPPER(name, (const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm))                \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name)(buffer, count, type, peer, tag, comm);                                                   \
        begin_send(count, type, peer, tag, comm);                                                                      \
        int status = DO(name, (buffer, count, type, peer, tag, comm));                                                 \
        call_end(REGION_##name, clock_now_ns());                                                                       \
        return status;                                                                                                 \
    }

#define ISEND(name)                                                                                                    \
    WRAPPER(name, (const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,                 \
                   MPI_Request *request))                                                                              \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name)(buffer, count, type, peer, tag, comm, request);                                          \
        const struct comm *found = comm_find(comm);                                                                    \
        struct request added = {0};                                                                                    \
        if (is_peer(found, peer)) {                                                                                    \
            added = send_request(found, count, type, peer, tag);                                                       \
            put_isend(&added, thread_state.entered_ns);                                                                \
        }                                                                                                              \
        int status = DO(name, (buffer, count, type, peer, tag, comm, request));                                        \
        if (added.is_active && status == MPI_SUCCESS)                                                                  \
            request_add(handle_of(*request), &added);                                                                  \
        call_end(REGION_##name, clock_now_ns());                                                                       \
        return status;                                                                                                 \
    }

#define SEND_INIT(name)                                                                                                \
    WRAPPER(name, (const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,                 \
                   MPI_Request *request))                                                                              \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name)(buffer, count, type, peer, tag, comm, request);                                          \
        int status = DO(name, (buffer, count, type, peer, tag, comm, request));                                        \
        const struct comm *found = comm_find(comm);                                                                    \
        if (status == MPI_SUCCESS && is_peer(found, peer)) {                                                           \
            struct request added = send_request(found, count, type, peer, tag);                                        \
            added.is_persistent = true;                                                                                \
            request_add(handle_of(*request), &added);                                                                  \
        }                                                                                                              \
        call_end(REGION_##name, clock_now_ns());                                                                       \
        return status;                                                                                                 \
    }

#define CALL(name, role)
#define CREATE(name, comm, parameters, arguments)
#include "eppa/archive/calls.def"

WRAPPER(Recv, (void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status))
{
    if (!call_begin(REGION_Recv))
        return REAL(Recv)(buffer, count, type, source, tag, comm, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    const struct comm *found = comm_find(comm);
    put_awaits(found, source, tag);
    int result = DO(Recv, (buffer, count, type, source, tag, comm, status));
    int64_t now_ns = clock_now_ns();
    if (result == MPI_SUCCESS && found != NULL)
        put_recv(found->id, status, source == MPI_ANY_SOURCE, now_ns);
    call_end(REGION_Recv, now_ns);
    return result;
}

WRAPPER(Irecv, (void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request))
{
    if (!call_begin(REGION_Irecv))
        return REAL(Irecv)(buffer, count, type, source, tag, comm, request);
    int status = DO(Irecv, (buffer, count, type, source, tag, comm, request));
    const struct comm *found = comm_find(comm);
    if (status == MPI_SUCCESS && is_source(found, source)) {
        struct request added = recv_request(found, source, tag);
        put_irecv_request(&added, thread_state.entered_ns);
        request_add(handle_of(*request), &added);
    }
    call_end(REGION_Irecv, clock_now_ns());
    return status;
}

WRAPPER(Recv_init,
        (void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request))
{
    if (!call_begin(REGION_Recv_init))
        return REAL(Recv_init)(buffer, count, type, source, tag, comm, request);
    int status = DO(Recv_init, (buffer, count, type, source, tag, comm, request));
    const struct comm *found = comm_find(comm);
    if (status == MPI_SUCCESS && is_source(found, source)) {
        struct request added = recv_request(found, source, tag);
        added.is_persistent = true;
        request_add(handle_of(*request), &added);
    }
    call_end(REGION_Recv_init, clock_now_ns());
    return status;
}

static void start(MPI_Request handle)
{
    struct request *request = request_find(handle_of(handle));
    if (request == NULL || !request->is_persistent)
        return;
    request->is_cancelled = false;
    switch (request->kind) {
    case REQUEST_SEND:
        put_isend(request, thread_state.entered_ns);
        break;
    case REQUEST_RECV:
        put_irecv_request(request, thread_state.entered_ns);
        break;
    case REQUEST_COLLECTIVE:
        request->number = ++recorder.last_request;
        put(SPOOL_ICOLL_REQUEST, 0, request->number, thread_state.entered_ns, 1, &(int64_t){request->comm_id});
        break;
    default:
        neighbours_begin(request->neighbours);
        break;
    }
    request->is_active = true;
}

WRAPPER(Start, (MPI_Request * request))
{
    if (!call_begin(REGION_Start))
        return REAL(Start)(request);
    start(*request);
    int status = DO(Start, (request));
    call_end(REGION_Start, clock_now_ns());
    return status;
}

WRAPPER(Startall, (int count, MPI_Request requests[]))
{
    if (!call_begin(REGION_Startall))
        return REAL(Startall)(count, requests);
    for (int i = 0; i < count; i++)
        start(requests[i]);
    int status = DO(Startall, (count, requests));
    call_end(REGION_Startall, clock_now_ns());
    return status;
}

/* Both ways at once: as non-blocking messages, so that neither appears to wait for the other. */
struct exchange {
    struct request out, in;
};

static struct exchange exchange_begin(const struct comm *comm, int64_t bytes, int to, int tag, int from)
{
    struct exchange exchange = {.in.peer = from};
    if (is_source(comm, from))
        put_irecv_request(&exchange.in, thread_state.entered_ns);
    if (is_peer(comm, to)) {
        exchange.out = (struct request){.comm_id = comm->id, .peer = to, .tag = tag, .bytes = bytes};
        put_isend(&exchange.out, thread_state.entered_ns);
    }
    return exchange;
}

static void exchange_end(const struct exchange *exchange, const struct comm *comm, const MPI_Status *status,
                         int64_t time_ns)
{
    if (exchange->in.is_active)
        put_irecv(comm->id, exchange->in.number, status, time_ns);
    if (exchange->out.is_active)
        put(SPOOL_ISEND_DONE, 0, exchange->out.number, time_ns, 0, NULL);
}

WRAPPER(Sendrecv, (const void *out, int n_out, MPI_Datatype out_type, int to, int out_tag, void *in, int n_in,
                   MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status))
{
    if (!call_begin(REGION_Sendrecv))
        return REAL(Sendrecv)(out, n_out, out_type, to, out_tag, in, n_in, in_type, from, in_tag, comm, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    const struct comm *found = comm_find(comm);
    struct exchange exchange = exchange_begin(found, bytes_of(n_out, out_type), to, out_tag, from);
    put_awaits(found, from, in_tag);
    int result = DO(Sendrecv, (out, n_out, out_type, to, out_tag, in, n_in, in_type, from, in_tag, comm, status));
    int64_t now_ns = clock_now_ns();
    if (result == MPI_SUCCESS)
        exchange_end(&exchange, found, status, now_ns);
    call_end(REGION_Sendrecv, now_ns);
    return result;
}

WRAPPER(Sendrecv_replace, (void *buffer, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag,
                           MPI_Comm comm, MPI_Status *status))
{
    if (!call_begin(REGION_Sendrecv_replace))
        return REAL(Sendrecv_replace)(buffer, count, type, to, out_tag, from, in_tag, comm, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    const struct comm *found = comm_find(comm);
    struct exchange exchange = exchange_begin(found, bytes_of(count, type), to, out_tag, from);
    put_awaits(found, from, in_tag);
    int result = DO(Sendrecv_replace, (buffer, count, type, to, out_tag, from, in_tag, comm, status));
    int64_t now_ns = clock_now_ns();
    if (result == MPI_SUCCESS)
        exchange_end(&exchange, found, status, now_ns);
    call_end(REGION_Sendrecv_replace, now_ns);
    return result;
}

static bool take_message(MPI_Message message, uint32_t *comm_id)
{
    struct request *found = request_find(handle_of(message));
    if (found == NULL || found->kind != REQUEST_MESSAGE)
        return false;
    *comm_id = found->comm_id;
    request_remove(found);
    return true;
}

WRAPPER(Mrecv, (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status))
{
    if (!call_begin(REGION_Mrecv))
        return REAL(Mrecv)(buffer, count, type, message, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    uint32_t comm_id = 0;
    bool is_known = take_message(*message, &comm_id);
    int result = DO(Mrecv, (buffer, count, type, message, status));
    int64_t now_ns = clock_now_ns();
    if (result == MPI_SUCCESS && is_known)
        put_recv(comm_id, status, false, now_ns);
    call_end(REGION_Mrecv, now_ns);
    return result;
}

WRAPPER(Imrecv, (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request))
{
    if (!call_begin(REGION_Imrecv))
        return REAL(Imrecv)(buffer, count, type, message, request);
    uint32_t comm_id = 0;
    bool is_known = take_message(*message, &comm_id);
    int status = DO(Imrecv, (buffer, count, type, message, request));
    if (status == MPI_SUCCESS && is_known) {
        struct request added = {.kind = REQUEST_RECV, .comm_id = comm_id, .peer = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
        put_irecv_request(&added, thread_state.entered_ns);
        request_add(handle_of(*request), &added);
    }
    call_end(REGION_Imrecv, clock_now_ns());
    return status;
}
