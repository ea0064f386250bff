/* Functions of MPI by what they are for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/mpi_call.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *const starts[] = {"Init", "Finalize", "Session_init", "Session_finalize", "Abort"};

/* Beginnings of names, behind "MPI_", of functions that move nothing of the program's. */
static const char *const library[] = {
    "Session_",     "Comm_",        "Intercomm_",    "Cart",          "Graph",      "Dist_graph",  "Topo_",
    "Dims_",        "Group_",       "File_",         "Type_",         "Op_",        "Info_",       "Errhandler_",
    "Error_",       "Attr_",        "Keyval_",       "Add_error_",    "Alloc_mem",  "Free_mem",    "Win_create",
    "Win_alloc",    "Win_free",     "Win_attach",    "Win_detach",    "Win_get_",   "Win_set_",    "Win_shared",
    "Win_delete_",  "Win_call_",    "Open_port",     "Close_port",    "Publish_",   "Unpublish_",  "Lookup_",
    "Grequest_",    "Request_free", "Buffer_attach", "Pack",          "Unpack",     "Get_address", "Get_count",
    "Get_elements", "Get_version",  "Get_library",   "Get_processor", "Status_",    "Register_",   "T_",
    "Wtime",        "Wtick",        "Pcontrol",      "Query_thread",  "Is_thread_",
};

/* Damaged traces have millions of names. */
static bool begins(const char *name, const char *beginning)
{
    return ((name[0] ^ beginning[0]) & ~0x20) == 0 && strncasecmp(name, beginning, strlen(beginning)) == 0;
}

/* MPI_Send_init, MPI_Bcast_init_c, ... set a request up and move nothing yet. */
static bool is_init(const char *name)
{
    const char *init = strcasestr(name, "_init");
    return init != NULL && (init[5] == '\0' || strcasecmp(init + 5, "_c") == 0);
}

static bool is_start(const char *name)
{
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (begins(name, starts[i]))
            return true;
    return false;
}

static bool is_library(const char *name)
{
    bool found = is_init(name);
    for (size_t i = 0; i < sizeof library / sizeof library[0] && !found; i++)
        found = begins(name, library[i]);
    return found;
}

/* MPI_File_iread_all, MPI_File_write_at_c, MPI_File_sync. */
static enum mpi_call file_call(const char *name)
{
    return strcasestr(name, "read") != NULL                                        ? MPI_CALL_READ
           : strcasestr(name, "write") != NULL || strcasestr(name, "sync") != NULL ? MPI_CALL_WRITE
                                                                                   : MPI_CALL_LIBRARY;
}

enum mpi_call mpi_call_of(const char *name, bool moves)
{
    if (begins(name, "MPI_")) {
        const char *rest = name + 4;
        if (begins(rest, "File_"))
            return file_call(rest);
        if (is_start(rest))
            return MPI_CALL_START;
        if (is_library(rest))
            return MPI_CALL_LIBRARY;
    }
    return moves ? MPI_CALL_MESSAGE : MPI_CALL_LIBRARY;
}
