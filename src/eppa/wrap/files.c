/* Files that all members of a communicator use together: opened, closed, and what else all of them call.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/wrap.h"

#include <otf2/OTF2_Events.h>

static void put_begin(void)
{
    put(SPOOL_COLL_BEGIN, 0, 0, thread_state.entered_ns, 0, NULL);
}

static void put_end(const struct comm *file, uint16_t op, int64_t time_ns, int64_t written, int64_t read)
{
    put(SPOOL_FILE_END, op, file->id, time_ns, 2, (int64_t[]){written, read});
}

WRAPPER(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *fh))
{
    if (!call_begin(REGION_File_open))
        return REAL(File_open)(comm, name, mode, info, fh);
    int status = DO(File_open, (comm, name, mode, info, fh));
    int64_t now_ns = clock_now_ns();
    const struct comm *file = status == MPI_SUCCESS ? comm_add_object(handle_of(*fh), comm, COMM_FILE) : NULL;
    if (file != NULL) {
        comm_name(file, "file ", name);
        put_begin();
        put_end(file, OTF2_COLLECTIVE_OP_CREATE_HANDLE, now_ns, 0, 0);
    }
    call_end(REGION_File_open, now_ns);
    return status;
}

WRAPPER(File_close, (MPI_File * fh))
{
    if (!call_begin(REGION_File_close))
        return REAL(File_close)(fh);
    uintptr_t handle = handle_of(*fh);
    const struct comm *file = comm_find_object(handle);
    if (file != NULL)
        put_begin();
    int status = DO(File_close, (fh));
    int64_t now_ns = clock_now_ns();
    if (file != NULL) {
        put_end(file, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, now_ns, 0, 0);
        comm_remove_object(handle);
    }
    call_end(REGION_File_close, now_ns);
    return status;
}

#define FILE_ALL(name, role, parameters, arguments, written, read)                                                     \
    WRAPPER(name, parameters)                                                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name) arguments;                                                                               \
        const struct comm *file = comm_find_object(handle_of(fh));                                                     \
        if (file != NULL)                                                                                              \
            put_begin();                                                                                               \
        int result = DO(name, arguments);                                                                              \
        int64_t now_ns = clock_now_ns();                                                                               \
        if (file != NULL)                                                                                              \
            put_end(file, OTF2_COLLECTIVE_OP_BARRIER, now_ns, written, read);                                          \
        call_end(REGION_##name, now_ns);                                                                               \
        return result;                                                                                                 \
    }
#define TIMED(name, role, parameters, arguments)
#define POLLED(name, role, parameters, arguments)
#include "eppa/archive/timed.def"
