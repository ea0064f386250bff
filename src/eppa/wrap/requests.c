/* Waiting for requests and testing them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/neighbours.h"
#include "eppa/wrap/pending.h"
#include "eppa/wrap/wrap.h"

#include <stdlib.h>

/* The handles of a call's requests, which MPI sets to null as they complete, and statuses if the caller wants none.
 * They are not freed when a thread ends. */
static _Thread_local struct {
    MPI_Request *handles;
    MPI_Status *statuses;
    size_t n;
} scratch;

static bool reserve(int count)
{
    size_t n = count < 0 ? 0 : (size_t)count;
    if (n <= scratch.n && scratch.handles != NULL)
        return true;
    n = 2 * n + 16;
    free(scratch.handles);
    free(scratch.statuses);
    scratch.handles = malloc(n * sizeof *scratch.handles);
    scratch.statuses = malloc(n * sizeof *scratch.statuses);
    scratch.n = n;
    if (scratch.handles != NULL && scratch.statuses != NULL)
        return true;
    free(scratch.handles);
    free(scratch.statuses);
    scratch.handles = NULL;
    scratch.statuses = NULL;
    scratch.n = 0;
    return false;
}

static bool save(int count, const MPI_Request requests[])
{
    if (!reserve(count))
        return false;
    if (count > 0)
        memcpy(scratch.handles, requests, (size_t)count * sizeof *requests);
    return true;
}

static void put_completion(const struct request *request, const MPI_Status *status, int64_t time_ns)
{
    switch (request->kind) {
    case REQUEST_SEND:
        put(SPOOL_ISEND_DONE, 0, request->number, time_ns, 0, NULL);
        break;
    case REQUEST_RECV:
        put_irecv(request->comm_id, request->number, status, time_ns);
        break;
    case REQUEST_COLLECTIVE:
        put(SPOOL_ICOLL_DONE, request->op, request->comm_id, time_ns, 4,
            (int64_t[]){request->root, request->sent, request->received, request->number});
        break;
    case REQUEST_NEIGHBOURS:
        neighbours_complete(request->neighbours, time_ns);
        break;
    default:
        break;
    }
}

static void complete(MPI_Request handle, const MPI_Status *status, int64_t time_ns)
{
    struct request *request = handle == MPI_REQUEST_NULL ? NULL : request_find(handle_of(handle));
    if (request == NULL || !request->is_active)
        return;
    int is_cancelled = 0;
    if (request->is_cancelled)
        PMPI_Test_cancelled(status, &is_cancelled);
    if (is_cancelled)
        put(SPOOL_CANCELLED, 0, request->number, time_ns, 0, NULL);
    else
        put_completion(request, status, time_ns);
    request->is_active = false;
    if (!request->is_persistent)
        request_remove(request);
}

/* After a call for all requests; with MPI_ERR_IN_STATUS some are still pending. */
static void complete_all(int count, const MPI_Status statuses[], int result, int64_t time_ns)
{
    for (int i = 0; i < count; i++)
        if (result == MPI_SUCCESS || statuses[i].MPI_ERROR != MPI_ERR_PENDING)
            complete(scratch.handles[i], &statuses[i], time_ns);
}

static bool is_done(int result)
{
    return result == MPI_SUCCESS || result == MPI_ERR_IN_STATUS;
}

static void put_awaits_request(MPI_Request handle)
{
    const struct request *request = handle == MPI_REQUEST_NULL ? NULL : request_find(handle_of(handle));
    if (request != NULL && request->is_active && request->kind == REQUEST_RECV)
        put(SPOOL_AWAITS, 0, request->comm_id, thread_state.entered_ns, 1,
            (int64_t[]){packed_peer(request->peer, request->tag)});
}

WRAPPER(Wait, (MPI_Request * request, MPI_Status *status))
{
    if (!call_begin(REGION_Wait))
        return REAL(Wait)(request, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    MPI_Request handle = *request;
    put_awaits_request(handle);
    int result = DO(Wait, (request, status));
    int64_t now_ns = clock_now_ns();
    if (result == MPI_SUCCESS)
        complete(handle, status, now_ns);
    call_end(REGION_Wait, now_ns);
    return result;
}

/* The poll has ended: if it has found nothing, the caller returns. */
static bool polls_nothing(uint16_t region, bool is_nothing)
{
    if (is_nothing)
        polls_failed();
    else
        polls_found(region);
    return is_nothing;
}

WRAPPER(Test, (MPI_Request * request, int *flag, MPI_Status *status))
{
    if (!polls_begin(REGION_Test, CALLER()))
        return REAL(Test)(request, flag, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    MPI_Request handle = *request;
    int result = REAL(Test)(request, flag, status);
    if (polls_nothing(REGION_Test, result == MPI_SUCCESS && !*flag))
        return result;
    int64_t now_ns = clock_now_ns();
    if (result == MPI_SUCCESS)
        complete(handle, status, now_ns);
    call_end(REGION_Test, now_ns);
    return result;
}

WRAPPER(Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status))
{
    if (!call_begin(REGION_Waitany))
        return REAL(Waitany)(count, requests, index, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    bool is_saved = save(count, requests);
    int result = DO(Waitany, (count, requests, index, status));
    int64_t now_ns = clock_now_ns();
    if (is_saved && result == MPI_SUCCESS && *index != MPI_UNDEFINED)
        complete(scratch.handles[*index], status, now_ns);
    call_end(REGION_Waitany, now_ns);
    return result;
}

WRAPPER(Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status))
{
    if (!polls_begin(REGION_Testany, CALLER()))
        return REAL(Testany)(count, requests, index, flag, status);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    bool is_saved = save(count, requests);
    int result = REAL(Testany)(count, requests, index, flag, status);
    if (polls_nothing(REGION_Testany, result == MPI_SUCCESS && !*flag))
        return result;
    int64_t now_ns = clock_now_ns();
    if (is_saved && result == MPI_SUCCESS && *index != MPI_UNDEFINED)
        complete(scratch.handles[*index], status, now_ns);
    call_end(REGION_Testany, now_ns);
    return result;
}

WRAPPER(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]))
{
    if (!call_begin(REGION_Waitall))
        return REAL(Waitall)(count, requests, statuses);
    bool is_saved = save(count, requests);
    if (is_saved && statuses == MPI_STATUSES_IGNORE)
        statuses = scratch.statuses;
    int result = DO(Waitall, (count, requests, statuses));
    int64_t now_ns = clock_now_ns();
    if (is_saved && is_done(result))
        complete_all(count, statuses, result, now_ns);
    call_end(REGION_Waitall, now_ns);
    return result;
}

WRAPPER(Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]))
{
    if (!polls_begin(REGION_Testall, CALLER()))
        return REAL(Testall)(count, requests, flag, statuses);
    bool is_saved = save(count, requests);
    if (is_saved && statuses == MPI_STATUSES_IGNORE)
        statuses = scratch.statuses;
    int result = REAL(Testall)(count, requests, flag, statuses);
    if (polls_nothing(REGION_Testall, result == MPI_SUCCESS && !*flag))
        return result;
    int64_t now_ns = clock_now_ns();
    if (is_saved && is_done(result) && *flag)
        complete_all(count, statuses, result, now_ns);
    call_end(REGION_Testall, now_ns);
    return result;
}

/* After a call for some requests, of which n are complete. */
static void complete_some(int n, const int indices[], const MPI_Status statuses[], int64_t time_ns)
{
    for (int i = 0; n != MPI_UNDEFINED && i < n; i++)
        complete(scratch.handles[indices[i]], &statuses[i], time_ns);
}

WRAPPER(Waitsome, (int count, MPI_Request requests[], int *n, int indices[], MPI_Status statuses[]))
{
    if (!call_begin(REGION_Waitsome))
        return REAL(Waitsome)(count, requests, n, indices, statuses);
    bool is_saved = save(count, requests);
    if (is_saved && statuses == MPI_STATUSES_IGNORE)
        statuses = scratch.statuses;
    int result = DO(Waitsome, (count, requests, n, indices, statuses));
    int64_t now_ns = clock_now_ns();
    if (is_saved && is_done(result))
        complete_some(*n, indices, statuses, now_ns);
    call_end(REGION_Waitsome, now_ns);
    return result;
}

WRAPPER(Testsome, (int count, MPI_Request requests[], int *n, int indices[], MPI_Status statuses[]))
{
    if (!polls_begin(REGION_Testsome, CALLER()))
        return REAL(Testsome)(count, requests, n, indices, statuses);
    bool is_saved = save(count, requests);
    if (is_saved && statuses == MPI_STATUSES_IGNORE)
        statuses = scratch.statuses;
    int result = REAL(Testsome)(count, requests, n, indices, statuses);
    if (polls_nothing(REGION_Testsome, result == MPI_SUCCESS && *n == 0))
        return result;
    int64_t now_ns = clock_now_ns();
    if (is_saved && is_done(result))
        complete_some(*n, indices, statuses, now_ns);
    call_end(REGION_Testsome, now_ns);
    return result;
}

WRAPPER(Cancel, (MPI_Request * request))
{
    if (!call_begin(REGION_Cancel))
        return REAL(Cancel)(request);
    struct request *found = request_find(handle_of(*request));
    if (found != NULL)
        found->is_cancelled = true;
    int status = DO(Cancel, (request));
    call_end(REGION_Cancel, clock_now_ns());
    return status;
}

/* A request that is freed while it is pending goes on, but nothing will tell of its end. */
WRAPPER(Request_free, (MPI_Request * request))
{
    if (!call_begin(REGION_Request_free))
        return REAL(Request_free)(request);
    struct request *found = request_find(handle_of(*request));
    if (found != NULL)
        request_remove(found);
    int status = DO(Request_free, (request));
    call_end(REGION_Request_free, clock_now_ns());
    return status;
}
