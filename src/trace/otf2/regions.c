/* What the time in a region is, by its role, its paradigm and its name. */
#include "trace/otf2/defs.h"

#include <string.h>
#include <strings.h>

/* Whether it is of the message library, or I/O. */
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

/* Functions that read or write data: MPI_File_read_all, fwrite, ... and the simulation's own "input" and "output". */
static uint8_t call_of(OTF2_RegionRole role, const char *name)
{
    if (role != OTF2_REGION_ROLE_FILE_IO)
        return RECORD_CALL_OTHER;
    if (strcasestr(name, "read") != NULL || strcmp(name, "input") == 0)
        return RECORD_CALL_INPUT;
    return strcasestr(name, "write") != NULL || strcmp(name, "output") == 0 ? RECORD_CALL_OUTPUT : RECORD_CALL_OTHER;
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

struct otf_region otf_region_make(char *name, OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
    return (struct otf_region){
        .name = name,
        .is_call = is_call(role, paradigm),
        .call = call_of(role, name),
        .waits = waits(role, paradigm),
        .synchronous = IS_AMONG(name, synchronous),
        .polls = IS_AMONG(name, polls),
        .probes = IS_AMONG(name, probes),
        .of_file = paradigm == OTF2_PARADIGM_MPI &&
                   (role == OTF2_REGION_ROLE_FILE_IO || role == OTF2_REGION_ROLE_FILE_IO_METADATA),
        .one_sided = role == OTF2_REGION_ROLE_RMA,
        .assumed = paradigm == OTF2_PARADIGM_MPI ? assumed_of(name) : N_RECORD_COLLECTIVES,
    };
}
