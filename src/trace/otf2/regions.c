/* The meaning of the time in a region, by its role, its paradigm and its name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/defs.h"
#include "trace/otf2/streams.h"

#include "base/mpi_call.h"

#include <string.h>
#include <strings.h>

/* True if it is of the message library, or I/O. */
static bool is_call(OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
    static const bool calls[] = {
        [OTF2_REGION_ROLE_COLL_ONE2ALL] = true, [OTF2_REGION_ROLE_COLL_ALL2ONE] = true,
        [OTF2_REGION_ROLE_COLL_ALL2ALL] = true, [OTF2_REGION_ROLE_COLL_OTHER] = true,
        [OTF2_REGION_ROLE_FILE_IO] = true,      [OTF2_REGION_ROLE_FILE_IO_METADATA] = true,
        [OTF2_REGION_ROLE_POINT2POINT] = true,  [OTF2_REGION_ROLE_RMA] = true,
        [OTF2_REGION_ROLE_ARTIFICIAL] = true,
    };
    return paradigm == OTF2_PARADIGM_MPI || paradigm == OTF2_PARADIGM_MEASUREMENT_SYSTEM ||
           (role < sizeof calls / sizeof calls[0] && calls[role]);
}

uint8_t otf_region_file_call(bool is_mpi, bool writes)
{
    if (is_mpi)
        return writes ? RECORD_CALL_WRITE : RECORD_CALL_READ;
    return writes ? RECORD_CALL_OUTPUT : RECORD_CALL_INPUT;
}

/* True if the role is that of functions which move data between ranks. */
static bool moves(OTF2_RegionRole role)
{
    return role == OTF2_REGION_ROLE_POINT2POINT || role == OTF2_REGION_ROLE_BARRIER || role == OTF2_REGION_ROLE_RMA ||
           role == OTF2_REGION_ROLE_ATOMIC ||
           (role >= OTF2_REGION_ROLE_COLL_ONE2ALL && role <= OTF2_REGION_ROLE_COLL_OTHER);
}

static uint8_t call_of_mpi(OTF2_RegionRole role, const char *name)
{
    static const uint8_t calls[] = {[MPI_CALL_MESSAGE] = RECORD_CALL_OTHER,
                                    [MPI_CALL_READ] = RECORD_CALL_READ,
                                    [MPI_CALL_WRITE] = RECORD_CALL_WRITE,
                                    [MPI_CALL_LIBRARY] = RECORD_CALL_LIBRARY,
                                    [MPI_CALL_START] = RECORD_CALL_START};
    return calls[mpi_call_of(name, moves(role))];
}

/* In other paradigms what reads and writes is named so: fread, write, fsync, ... and the simulation's own "input" and
 * "output". Other calls on files count as reading them. */
static uint8_t call_of(OTF2_RegionRole role, bool is_mpi, const char *name)
{
    if (is_mpi)
        return call_of_mpi(role, name);
    if (role == OTF2_REGION_ROLE_FILE_IO || role == OTF2_REGION_ROLE_FILE_IO_METADATA)
        return strcasestr(name, "write") != NULL || strcasestr(name, "sync") != NULL || strcmp(name, "output") == 0
                   ? RECORD_CALL_OUTPUT
                   : RECORD_CALL_INPUT;
    return moves(role) ? RECORD_CALL_OTHER : RECORD_CALL_LIBRARY;
}

/* Functions that begin one, and do not wait for it, are not among them. */
static bool is_collective(OTF2_RegionRole role, const char *name)
{
    return (role == OTF2_REGION_ROLE_BARRIER ||
            (role >= OTF2_REGION_ROLE_COLL_ONE2ALL && role <= OTF2_REGION_ROLE_COLL_OTHER)) &&
           strncasecmp(name, "MPI_I", 5) != 0;
}

static bool waits(OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
    return paradigm == OTF2_PARADIGM_MPI &&
           (role == OTF2_REGION_ROLE_POINT2POINT || role == OTF2_REGION_ROLE_BARRIER ||
            (role >= OTF2_REGION_ROLE_COLL_ONE2ALL && role <= OTF2_REGION_ROLE_COLL_OTHER));
}

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return false;
}
#define IS_AMONG(name, names) is_among(name, names, sizeof names / sizeof names[0])

static const char *const polls[] = {
    "MPI_Test",    "MPI_Testany", "MPI_Testall", "MPI_Testsome", "MPI_Iprobe", "MPI_Improbe", "MPI_Request_get_status",
    "MPI_Win_test"};
static const char *const probes[] = {"MPI_Probe", "MPI_Mprobe", "MPI_Iprobe", "MPI_Improbe"};
static const char *const synchronous[] = {"MPI_Ssend", "MPI_Issend"};

/* Functions that all members of a window call, and wait for each other in. */
static uint8_t assumed_of(const char *name)
{
    static const char *const makers[] = {"MPI_Win_create", "MPI_Win_allocate", "MPI_Win_allocate_shared",
                                         "MPI_Win_create_dynamic", "MPI_Win_free"};
    if (strcasecmp(name, "MPI_Win_fence") == 0)
        return RECORD_FENCE;
    return IS_AMONG(name, makers) ? RECORD_HANDLE : N_RECORD_COLLECTIVES;
}

static uint8_t epoch_of(const char *name)
{
    static const struct {
        const char *name;
        uint8_t epoch;
    } epochs[] = {{"MPI_Win_post", OTF_EPOCH_POST},
                  {"MPI_Win_start", OTF_EPOCH_START},
                  {"MPI_Win_complete", OTF_EPOCH_COMPLETE},
                  {"MPI_Win_wait", OTF_EPOCH_WAIT},
                  {"MPI_Win_test", OTF_EPOCH_WAIT}};
    for (size_t i = 0; strncasecmp(name, "MPI_Win_", 8) == 0 && i < sizeof epochs / sizeof epochs[0]; i++)
        if (strcasecmp(name, epochs[i].name) == 0)
            return epochs[i].epoch;
    return OTF_EPOCH_NONE;
}

/* True if one of MPI's functions, by which the names all begin, begins with one of them. Damaged definitions have
 * millions of regions. */
static bool begins_with(const char *name, const char *const *beginnings, size_t n)
{
    enum { PREFIX = 4 };
    if (strncasecmp(name, "MPI_", PREFIX) != 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (((name[PREFIX] ^ beginnings[i][PREFIX]) & ~0x20) == 0 &&
            strncasecmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}
#define BEGINS_WITH(name, names) begins_with(name, names, sizeof names / sizeof names[0])

/* Functions that may wait for other ranks, or send to them, where the archive has nothing but their time. */
static bool is_unread(const char *name)
{
    static const char *const beginnings[] = {
        "MPI_Psend_init",  "MPI_Precv_init",   "MPI_Pready",          "MPI_Parrived",     "MPI_Isendrecv",
        "MPI_Session_",    "MPI_Comm_spawn",   "MPI_Comm_accept",     "MPI_Comm_connect", "MPI_Comm_join",
        "MPI_Win_fence",   "MPI_Win_create",   "MPI_Win_alloc",       "MPI_Win_free",     "MPI_Win_post",
        "MPI_Win_start",   "MPI_Win_complete", "MPI_Win_wait",        "MPI_Win_lock",     "MPI_Win_unlock",
        "MPI_Comm_dup",    "MPI_Comm_split",   "MPI_Comm_create",     "MPI_Intercomm_",   "MPI_Cart_create",
        "MPI_Cart_sub",    "MPI_Graph_create", "MPI_Dist_graph_crea", "MPI_File_open",    "MPI_File_close",
        "MPI_File_set_vi", "MPI_File_set_siz", "MPI_File_prealloc",   "MPI_File_sync",    "MPI_File_seek_shar",
    };
    static const char *const file_suffixes[] = {"_all", "_all_end", "_ordered", "_ordered_end"};
    size_t length = strlen(name);
    bool found = (length > 2 && strcmp(name + length - 2, "_c") == 0) || BEGINS_WITH(name, beginnings);
    for (size_t i = 0; strncasecmp(name, "MPI_File_", 9) == 0 && i < sizeof file_suffixes / sizeof file_suffixes[0];
         i++)
        found |= length > strlen(file_suffixes[i]) &&
                 strcasecmp(name + length - strlen(file_suffixes[i]), file_suffixes[i]) == 0;
    return found;
}

/* Functions that return when something has come about, without sending much themselves. Score-P has nothing but the
 * time of the collectives of neighbors. */
static bool only_waits(const char *name)
{
    static const char *const beginnings[] = {"MPI_Wait", "MPI_Neighbor_"};
    size_t length = strlen(name);
    bool is_init = length > 5 && strcasecmp(name + length - 5, "_init") == 0;
    return BEGINS_WITH(name, beginnings) && !is_init;
}

/* True if the paradigm is that of threads. */
static bool has_threads(OTF2_Paradigm paradigm)
{
    return paradigm == OTF2_PARADIGM_OPENMP || paradigm == OTF2_PARADIGM_OMPSS ||
           (paradigm >= OTF2_PARADIGM_WINTHREAD && paradigm <= OTF2_PARADIGM_TBBTHREAD) ||
           paradigm == OTF2_PARADIGM_PTHREAD;
}

/* Functions that lock are known by their names: omp_set_lock, pthread_mutex_lock, pthread_rwlock_wrlock, ... */
static uint8_t gathering_of(const char *name, OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
    if (!has_threads(paradigm))
        return OTF_GATHERS_NOT;
    if (role == OTF2_REGION_ROLE_BARRIER || role == OTF2_REGION_ROLE_IMPLICIT_BARRIER)
        return OTF_BARRIER;
    if (role == OTF2_REGION_ROLE_TASK_WAIT)
        return OTF_TASK_WAIT;
    return role == OTF2_REGION_ROLE_CRITICAL || role == OTF2_REGION_ROLE_ORDERED || strstr(name, "lock") != NULL ||
                   strstr(name, "pthread_cond_") != NULL
               ? OTF_LOCKS
               : OTF_GATHERS_NOT;
}

struct otf_region otf_region_make(char *name, OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
    bool is_mpi = paradigm == OTF2_PARADIGM_MPI;
    return (struct otf_region){
        .name = name,
        .is_call = is_call(role, paradigm),
        .is_mpi = is_mpi,
        .call = call_of(role, is_mpi, name),
        .waits = waits(role, paradigm),
        .synchronous = IS_AMONG(name, synchronous),
        .only_waits = is_mpi && only_waits(name),
        .polls = IS_AMONG(name, polls),
        .probes = IS_AMONG(name, probes),
        .of_file = paradigm == OTF2_PARADIGM_MPI &&
                   (role == OTF2_REGION_ROLE_FILE_IO || role == OTF2_REGION_ROLE_FILE_IO_METADATA),
        .joins = role == OTF2_REGION_ROLE_THREAD_WAIT,
        .is_collective = is_mpi && is_collective(role, name),
        .one_sided = role == OTF2_REGION_ROLE_RMA,
        .blocks = waits(role, paradigm) && call_of(role, is_mpi, name) != RECORD_CALL_LIBRARY &&
                  strncasecmp(name, "MPI_Start", 9) != 0 && strncasecmp(name, "MPI_I", 5) != 0,
        .unread = is_mpi && is_unread(name),
        .offload = is_call(role, paradigm) ? 0 : otf_offload_of(name),
        .epoch = is_mpi ? epoch_of(name) : OTF_EPOCH_NONE,
        .gathers = gathering_of(name, role, paradigm),
        .assumed = paradigm == OTF2_PARADIGM_MPI ? assumed_of(name) : N_RECORD_COLLECTIVES,
    };
}
