/* Windows of one-sided communication: what their members do together, and locks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/wrap.h"

#include <otf2/OTF2_Events.h>

static void window_begin(void)
{
    put(SPOOL_WINDOW_BEGIN, 0, 0, thread_state.entered_ns, 0, NULL);
}

static void window_end(const struct comm *window, uint16_t op, int64_t time_ns)
{
    put(SPOOL_WINDOW_END, op, window->id, time_ns, 0, NULL);
}

/* A window has been made, or not. */
static void made(int status, MPI_Win window, MPI_Comm comm, uint16_t op, int64_t time_ns)
{
    const struct comm *added = status == MPI_SUCCESS ? comm_add_object(handle_of(window), comm, COMM_WINDOW) : NULL;
    if (added != NULL) {
        window_begin();
        window_end(added, op, time_ns);
    }
}

#define MAKE(name, op, parameters, arguments)                                                                          \
    WRAPPER(name, parameters)                                                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name) arguments;                                                                               \
        int status = DO(name, arguments);                                                                              \
        int64_t now_ns = clock_now_ns();                                                                               \
        made(status, *win, comm, OTF2_COLLECTIVE_OP_##op, now_ns);                                                     \
        call_end(REGION_##name, now_ns);                                                                               \
        return status;                                                                                                 \
    }
MAKE(Win_create, CREATE_HANDLE, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
     (base, size, unit, info, comm, win))
MAKE(Win_create_dynamic, CREATE_HANDLE, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))
MAKE(Win_allocate, CREATE_HANDLE_AND_ALLOCATE,
     (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
     (size, unit, info, comm, base, win))
MAKE(Win_allocate_shared, CREATE_HANDLE_AND_ALLOCATE,
     (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
     (size, unit, info, comm, base, win))

WRAPPER(Win_free, (MPI_Win * win))
{
    if (!call_begin(REGION_Win_free))
        return REAL(Win_free)(win);
    uintptr_t handle = handle_of(*win);
    const struct comm *window = comm_find_object(handle);
    if (window != NULL)
        window_begin();
    int status = DO(Win_free, (win));
    int64_t now_ns = clock_now_ns();
    if (window != NULL && status == MPI_SUCCESS) {
        window_end(window, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, now_ns);
        comm_remove_object(handle);
    }
    call_end(REGION_Win_free, now_ns);
    return status;
}

WRAPPER(Win_fence, (int assert, MPI_Win win))
{
    if (!call_begin(REGION_Win_fence))
        return REAL(Win_fence)(assert, win);
    const struct comm *window = comm_find_object(handle_of(win));
    if (window != NULL)
        window_begin();
    int status = DO(Win_fence, (assert, win));
    int64_t now_ns = clock_now_ns();
    if (window != NULL)
        window_end(window, OTF2_COLLECTIVE_OP_BARRIER, now_ns);
    call_end(REGION_Win_fence, now_ns);
    return status;
}

/* ---- Between some members ---- */

static void group_sync(const struct comm *window, uint32_t group, int64_t time_ns)
{
    if (window != NULL && group != UINT32_MAX)
        put(SPOOL_GROUP_SYNC, 0, window->id, time_ns, 1, (int64_t[]){group});
}

#define OPEN_EPOCH(name, member)                                                                                       \
    WRAPPER(name, (MPI_Group group, int assert, MPI_Win win))                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name)(group, assert, win);                                                                     \
        struct comm *window = comm_find_object(handle_of(win));                                                        \
        if (window != NULL)                                                                                            \
            window->member = comm_group(group);                                                                        \
        int status = DO(name, (group, assert, win));                                                                   \
        int64_t now_ns = clock_now_ns();                                                                               \
        if (window != NULL)                                                                                            \
            group_sync(window, window->member, now_ns);                                                                \
        call_end(REGION_##name, now_ns);                                                                               \
        return status;                                                                                                 \
    }
OPEN_EPOCH(Win_post, exposed)
OPEN_EPOCH(Win_start, accessed)

#define CLOSE_EPOCH(name, member)                                                                                      \
    WRAPPER(name, (MPI_Win win))                                                                                       \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name)(win);                                                                                    \
        const struct comm *window = comm_find_object(handle_of(win));                                                  \
        int status = DO(name, (win));                                                                                  \
        int64_t now_ns = clock_now_ns();                                                                               \
        if (window != NULL)                                                                                            \
            group_sync(window, window->member, now_ns);                                                                \
        call_end(REGION_##name, now_ns);                                                                               \
        return status;                                                                                                 \
    }
CLOSE_EPOCH(Win_complete, accessed)
CLOSE_EPOCH(Win_wait, exposed)

WRAPPER(Win_test, (MPI_Win win, int *flag))
{
    if (!polls_begin(REGION_Win_test, CALLER()))
        return REAL(Win_test)(win, flag);
    int status = REAL(Win_test)(win, flag);
    if (status == MPI_SUCCESS && !*flag) {
        polls_failed();
        return status;
    }
    polls_found(REGION_Win_test);
    const struct comm *window = comm_find_object(handle_of(win));
    int64_t now_ns = clock_now_ns();
    if (window != NULL)
        group_sync(window, window->exposed, now_ns);
    call_end(REGION_Win_test, now_ns);
    return status;
}

/* ---- Locks ---- */

static void put_lock(MPI_Win win, enum spool_kind kind, uint16_t type, int64_t rank, int64_t time_ns)
{
    const struct comm *window = comm_find_object(handle_of(win));
    if (window != NULL)
        put(kind, type, window->id, time_ns, 1, (int64_t[]){rank});
}

#define LOCK(name, kind, type, rank, parameters, arguments)                                                            \
    WRAPPER(name, parameters)                                                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name) arguments;                                                                               \
        int status = DO(name, arguments);                                                                              \
        int64_t now_ns = clock_now_ns();                                                                               \
        put_lock(win, kind, type, rank, now_ns);                                                                       \
        call_end(REGION_##name, now_ns);                                                                               \
        return status;                                                                                                 \
    }
LOCK(Win_lock, SPOOL_LOCK, lock_type == MPI_LOCK_EXCLUSIVE ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED, rank,
     (int lock_type, int rank, int assert, MPI_Win win), (lock_type, rank, assert, win))
LOCK(Win_unlock, SPOOL_UNLOCK, 0, rank, (int rank, MPI_Win win), (rank, win))
LOCK(Win_lock_all, SPOOL_LOCK, OTF2_LOCK_SHARED, OTF2_UNDEFINED_UINT32, (int assert, MPI_Win win), (assert, win))
LOCK(Win_unlock_all, SPOOL_UNLOCK, 0, OTF2_UNDEFINED_UINT32, (MPI_Win win), (win))
