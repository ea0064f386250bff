/* Global definitions of groups of ranks, communicators, windows and files. trace/otf2/comms.c makes groups of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/defs_reading.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>

OTF2_CallbackCode otf_defs_take_world(struct reading *reading, uint32_t n, const uint64_t *locations)
{
    struct otf_defs *defs = reading->defs;
    if (n < 1)
        return FAIL(reading, "MPI's group of locations has no members; 1 to %d are allowed", OTF_MAX_RANKS);
    free(defs->locations);
    defs->n_ranks = (int)n;
    defs->locations = xcalloc(n, sizeof *defs->locations);
    for (uint32_t i = 0; i < n; i++)
        defs->locations[i].id = locations[i];
    reading->world = (uint32_t)defs->n_members;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *self, OTF2_GroupRef id, OTF2_StringRef name, OTF2_GroupType type,
                                  OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
    struct reading *reading = self;
    struct otf_defs *defs = reading->defs;
    (void)name;
    if (paradigm != OTF2_PARADIGM_MPI || type < OTF2_GROUP_TYPE_COMM_LOCATIONS || type > OTF2_GROUP_TYPE_COMM_SELF)
        return OTF2_CALLBACK_SUCCESS;
    if (n > OTF_MAX_RANKS)
        return FAIL(reading, "group %u has %u members; at most %d are allowed", (unsigned)id, (unsigned)n,
                    OTF_MAX_RANKS);
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && otf_defs_take_world(reading, n, members) != OTF2_CALLBACK_SUCCESS)
        return OTF2_CALLBACK_INTERRUPT;
    defs->members = xgrow(defs->members, defs->n_members, &reading->capacity_members, sizeof *defs->members);
    struct otf_members *group = &defs->members[defs->n_members];
    *group = (struct otf_members){.n_members = (int)n, .type = type};
    group->global_ranks = (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0;
    group->members = xcalloc(n, sizeof *group->members);
    for (uint32_t i = 0; i < n; i++)
        group->members[i] = type == OTF2_GROUP_TYPE_COMM_LOCATIONS ? (int)i
                            : members[i] <= INT_MAX                ? (int)members[i]
                                                                   : -1;
    map_add(&defs->members_map, map_key_64(id))->index = (uint32_t)defs->n_members++;
    return OTF2_CALLBACK_SUCCESS;
}

/* A communicator whose group is not MPI's is left out. */
static OTF2_CallbackCode add_comm(struct reading *reading, OTF2_CommRef id, struct otf_comm comm, OTF2_GroupRef group,
                                  OTF2_GroupRef remote)
{
    struct otf_defs *defs = reading->defs;
    if (!map_get(&defs->members_map, map_key_64(group), &comm.members) ||
        !map_get(&defs->members_map, map_key_64(remote), &comm.remote))
        return OTF2_CALLBACK_SUCCESS;
    if (comm.kind == OTF_COMM_NORMAL && defs->members[comm.members].type == OTF2_GROUP_TYPE_COMM_SELF)
        comm.kind = OTF_COMM_SELF;
    defs->comms = xgrow(defs->comms, defs->n_comms, &reading->capacity_comms, sizeof *defs->comms);
    defs->comms[defs->n_comms] = comm;
    map_add(&defs->comm_map, map_key_64(id))->index = (uint32_t)defs->n_comms++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *self, OTF2_CommRef id, OTF2_StringRef name, OTF2_GroupRef group,
                                 OTF2_CommRef parent, OTF2_CommFlag flags)
{
    (void)name, (void)parent, (void)flags;
    return add_comm(self, id, (struct otf_comm){.kind = OTF_COMM_NORMAL}, group, group);
}

static OTF2_CallbackCode on_inter_comm(void *self, OTF2_CommRef id, OTF2_StringRef name, OTF2_GroupRef group_a,
                                       OTF2_GroupRef group_b, OTF2_CommRef common, OTF2_CommFlag flags)
{
    (void)name, (void)common, (void)flags;
    return add_comm(self, id, (struct otf_comm){.kind = OTF_COMM_INTER}, group_a, group_b);
}

static OTF2_CallbackCode on_window(void *self, OTF2_RmaWinRef id, OTF2_StringRef name, OTF2_CommRef comm,
                                   OTF2_RmaWinFlag flags)
{
    struct reading *reading = self;
    (void)name, (void)flags;
    map_add(&reading->defs->window_map, map_key_64(id))->index = comm;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_file(void *self, OTF2_IoHandleRef id, OTF2_StringRef name, OTF2_IoFileRef file,
                                 OTF2_IoParadigmRef paradigm, OTF2_IoHandleFlag flags, OTF2_CommRef comm,
                                 OTF2_IoHandleRef parent)
{
    struct reading *reading = self;
    (void)name, (void)file, (void)paradigm, (void)flags, (void)parent;
    if (comm != OTF2_UNDEFINED_COMM)
        map_add(&reading->defs->file_map, map_key_64(id))->index = comm;
    return OTF2_CALLBACK_SUCCESS;
}

void otf_defs_take_comms(OTF2_GlobalDefReaderCallbacks *callbacks)
{
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(callbacks, on_file);
}
