/* Reads the global definitions of an archive: strings, regions, locations, groups, communicators, clock.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/defs.h"

#include "base/hash.h"
#include "base/memory.h"
#include "interval/intern.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* OTF2_LOCATION_TYPE_GPU until version 3, then OTF2_LOCATION_TYPE_ACCELERATOR_STREAM. */
enum { ACCELERATOR = 2 };

/* The names of a list, by their text. */
struct names {
    struct map map;
    size_t capacity;
};

/* The state that the callbacks see. Identifiers are anything; where one is defined twice, the later definition
 * counts. */
struct reading {
    struct otf_defs *defs;
    struct record_info *info;
    const char *file;
    struct sim_error *error;
    bool failed;
    struct otf_location *locations; /* all CPU threads, and streams, in the order of definition */
    struct map location_map, process_map;
    struct map creator_map; /* group of locations -> the process that has made it */
    struct map host_map;    /* process -> index into hosts */
    struct names scopes, functions;
    uint64_t *first_threads; /* of each process, its first thread */
    size_t n_locations, n_first_threads;
    size_t capacity_locations, capacity_contexts, capacity_first_threads, capacity_strings, capacity_regions,
        capacity_members, capacity_comms;
    uint32_t world; /* index of the group of MPI's locations, or UINT32_MAX */
};

#define FAIL(reading, ...)                                                                                             \
    ((reading)->failed = true, sim_error_set((reading)->error, SIM_BAD_INPUT, (reading)->file, 0, __VA_ARGS__),        \
     OTF2_CALLBACK_INTERRUPT)

const char *otf_defs_string(const struct otf_defs *defs, OTF2_StringRef string)
{
    uint32_t i;
    return map_get(&defs->string_map, map_key_64(string), &i) ? defs->strings[i] : NULL;
}

static OTF2_CallbackCode on_clock(void *self, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
    struct reading *reading = self;
    (void)realtime;
    if (resolution == 0)
        return FAIL(reading, "the clock's resolution is 0 ticks per second");
    reading->defs->resolution = resolution;
    reading->defs->tick_ps = OTF_PS_PER_S % resolution == 0 ? OTF_PS_PER_S / resolution : 0;
    reading->defs->offset = offset;
    reading->defs->length = length;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *self, OTF2_StringRef id, const char *text)
{
    struct reading *reading = self;
    struct otf_defs *defs = reading->defs;
    defs->strings = xgrow(defs->strings, defs->n_strings, &reading->capacity_strings, sizeof *defs->strings);
    defs->strings[defs->n_strings] = xstrdup(text != NULL ? text : "");
    map_add(&defs->string_map, map_key_64(id))->index = (uint32_t)defs->n_strings++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *self, OTF2_AttributeRef id, OTF2_StringRef name, OTF2_StringRef description,
                                      OTF2_Type type)
{
    struct reading *reading = self;
    struct otf_defs *defs = reading->defs;
    const char *text = otf_defs_string(defs, name);
    const struct {
        const char *name;
        OTF2_AttributeRef *where;
    } known[] = {{"eppa.role", &defs->role},
                 {"eppa.operations", &defs->operations},
                 {"eppa.quantums", &defs->quantums},
                 {"simrun.idle_ps", &defs->idle},
                 {"simrun.bytes", &defs->bytes},
                 {"simrun.peer", &defs->peer},
                 {"simrun.exchanges", &defs->exchanges},
                 {"simrun.combines", &defs->combines},
                 {"eppa.peer", &defs->awaited},
                 {"eppa.communicator", &defs->awaited_comm},
                 {"eppa.tag", &defs->awaited_tag},
                 {"eppa.polls", &defs->polls},
                 {"eppa.any_source", &defs->any_source},
                 {"eppa.site", &defs->site},
                 {"eppa.path", &defs->path},
                 {"simrun.signal", &defs->signal},
                 {"simrun.await", &defs->await},
                 {"simrun.needed", &defs->needed},
                 {"simrun.processor", &defs->waited}};
    (void)description, (void)type;
    for (size_t i = 0; text != NULL && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(text, known[i].name) == 0)
            *known[i].where = id;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_process(void *self, OTF2_LocationGroupRef id, OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                    OTF2_LocationGroupRef creator)
{
    struct reading *reading = self;
    (void)name;
    if (creator != OTF2_UNDEFINED_LOCATION_GROUP)
        map_add(&reading->creator_map, map_key_64(id))->index = creator;
    if (type == OTF2_LOCATION_GROUP_TYPE_PROCESS)
        map_add(&reading->process_map, map_key_64(id))->index = 0;
    map_add(&reading->host_map, map_key_64(id))->index = parent == MAP_NOTHING ? 0 : parent;
    return OTF2_CALLBACK_SUCCESS;
}

/* The node of the machine on which the process is. */
static uint32_t host_of(const struct reading *reading, OTF2_LocationGroupRef process)
{
    uint32_t host = UINT32_MAX;
    map_get(&reading->host_map, map_key_64(process), &host);
    return host;
}

static OTF2_CallbackCode on_location(void *self, OTF2_LocationRef id, OTF2_StringRef name, OTF2_LocationType type,
                                     uint64_t n_events, OTF2_LocationGroupRef process)
{
    struct reading *reading = self;
    if (type != OTF2_LOCATION_TYPE_CPU_THREAD && (type != ACCELERATOR || n_events == 0))
        return OTF2_CALLBACK_SUCCESS;
    reading->locations =
        xgrow(reading->locations, reading->n_locations, &reading->capacity_locations, sizeof *reading->locations);
    reading->info->is_cut |= n_events == OTF2_UNDEFINED_UINT64;
    reading->locations[reading->n_locations] = (struct otf_location){
        .id = id,
        .n_events = n_events == OTF2_UNDEFINED_UINT64 ? 0 : n_events,
        .process = process,
        .name = name,
        .is_stream = type == ACCELERATOR,
        .processor = {.used_ps = -1, .thread_ps = -1, .delay_ps = -1, .host = host_of(reading, process)}};
    if (reading->locations[reading->n_locations++].is_stream)
        return OTF2_CALLBACK_SUCCESS;
    map_add(&reading->location_map, map_key_64(id))->index = (uint32_t)reading->n_locations - 1;
    struct map_entry *first = map_find(&reading->process_map, map_key_64(process));
    if (first != NULL && first->index == 0) {
        reading->first_threads = xgrow(reading->first_threads, reading->n_first_threads,
                                       &reading->capacity_first_threads, sizeof *reading->first_threads);
        reading->first_threads[reading->n_first_threads++] = id;
        first->index = (uint32_t)reading->n_first_threads;
    }
    return OTF2_CALLBACK_SUCCESS;
}

/* The index of a name in a list, a new one if it is not there; more than an index can count are number 0. */
static uint16_t index_of(struct names *names, char ***list, int *count, const char *name)
{
    uint64_t key = hash_bytes(HASH_START, name, strlen(name));
    uint32_t i;
    for (; map_get(&names->map, map_key_64(key), &i); key++)
        if (strcmp((*list)[i], name) == 0)
            return (uint16_t)i;
    if (*count > UINT16_MAX)
        return 0;
    *list = xgrow(*list, (size_t)*count, &names->capacity, sizeof **list);
    (*list)[*count] = xstrdup(name);
    map_add(&names->map, map_key_64(key))->index = (uint32_t)*count;
    return (uint16_t)(*count)++;
}

static uint16_t scope_of(struct reading *reading, const char *name)
{
    return index_of(&reading->scopes, &reading->info->scopes, &reading->info->n_scopes, name);
}

static uint16_t function_of(struct reading *reading, const char *name)
{
    return index_of(&reading->functions, &reading->info->functions, &reading->info->n_functions, name);
}

static OTF2_CallbackCode on_region(void *self, OTF2_RegionRef id, OTF2_StringRef name, OTF2_StringRef canonical,
                                   OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef source, uint32_t begin, uint32_t end)
{
    struct reading *reading = self;
    struct otf_defs *defs = reading->defs;
    (void)canonical, (void)description, (void)flags, (void)source, (void)begin, (void)end;
    uint32_t string;
    if (!map_get(&defs->string_map, map_key_64(name), &string))
        return FAIL(reading, "region %u: its name, string %u, is not defined", (unsigned)id, (unsigned)name);
    char *text = defs->strings[string];
    defs->regions = xgrow(defs->regions, defs->n_regions, &reading->capacity_regions, sizeof *defs->regions);
    struct otf_region *region = &defs->regions[defs->n_regions];
    *region = otf_region_make(text, role, paradigm);
    bool has_scope = !region->is_call && paradigm != OTF2_PARADIGM_SAMPLING; /* else it is only of contexts */
    region->scope = has_scope ? scope_of(reading, text) : 0;
    region->function = region->is_call ? function_of(reading, text) : 0;
    map_add(&defs->region_map, map_key_64(id))->index = (uint32_t)defs->n_regions++;
    return OTF2_CALLBACK_SUCCESS;
}

/* A context within one that is defined already. */
static OTF2_CallbackCode on_context(void *self, OTF2_CallingContextRef id, OTF2_RegionRef region,
                                    OTF2_SourceCodeLocationRef source, OTF2_CallingContextRef parent)
{
    struct reading *reading = self;
    struct otf_defs *defs = reading->defs;
    const struct otf_context *outer = otf_defs_context(defs, parent);
    uint32_t index;
    (void)source;
    if (!map_get(&defs->region_map, map_key_64(region), &index))
        return FAIL(reading, "calling context %u: its region, %u, is not defined", (unsigned)id, (unsigned)region);
    if (outer == NULL && parent != OTF2_UNDEFINED_CALLING_CONTEXT)
        return FAIL(reading, "calling context %u: its parent, %u, is not defined before it", (unsigned)id,
                    (unsigned)parent);
    reading->info->paths->are_recorded = true;
    uint32_t around = outer == NULL ? 0 : outer->path;
    uint32_t path = call_paths_within(reading->info->paths, around, intern_text(defs->regions[index].name));
    defs->contexts = xgrow(defs->contexts, defs->n_contexts, &reading->capacity_contexts, sizeof *defs->contexts);
    defs->contexts[defs->n_contexts] = (struct otf_context){region, path, around};
    map_add(&defs->context_map, map_key_64(id))->index = (uint32_t)defs->n_contexts++;
    return OTF2_CALLBACK_SUCCESS;
}

const struct otf_context *otf_defs_context(const struct otf_defs *defs, uint32_t id)
{
    uint32_t index;
    return map_get(&defs->context_map, map_key_64(id), &index) ? &defs->contexts[index] : NULL;
}

static OTF2_CallbackCode on_location_property(void *self, OTF2_LocationRef location, OTF2_StringRef name,
                                              OTF2_Type type, OTF2_AttributeValue value)
{
    struct reading *reading = self;
    const char *text = otf_defs_string(reading->defs, name);
    uint32_t i;
    if (text != NULL && type == OTF2_TYPE_INT64 && value.int64 >= 0 &&
        map_get(&reading->location_map, map_key_64(location), &i))
        reading->locations[i].has_processor |=
            otf_info_take_location(&reading->locations[i].processor, text, value.int64);
    return OTF2_CALLBACK_SUCCESS;
}

/* The members of a group of locations are identifiers of locations, of up to 64 bits: these become the ranks. */
static OTF2_CallbackCode take_world(struct reading *reading, uint32_t n, const uint64_t *locations)
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
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && take_world(reading, n, members) != OTF2_CALLBACK_SUCCESS)
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

static int read_all(struct reading *reading, OTF2_Reader *archive)
{
    OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(archive);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t n_read = 0;
    bool ok = reader != NULL;
    if (ok) {
        OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
        OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
        OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, on_attribute);
        OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_process);
        OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
        OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_location_property);
        OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
        OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_context);
        OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
        OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
        OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
        OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
        OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(callbacks, on_file);
        OTF2_Reader_RegisterGlobalDefCallbacks(archive, reader, callbacks, reading);
        ok = OTF2_Reader_ReadAllGlobalDefinitions(archive, reader, &n_read) == OTF2_SUCCESS;
        OTF2_Reader_CloseGlobalDefReader(archive, reader);
    }
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (reading->failed)
        return -1;
    return ok ? 0 : -1;
}

/* Without a group of MPI's locations, the processes' first threads are the ranks. */
static int find_ranks(struct reading *reading)
{
    struct otf_defs *defs = reading->defs;
    if (reading->world == UINT32_MAX) {
        size_t n = reading->n_first_threads;
        if (n < 1 || n > OTF_MAX_RANKS)
            return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, 0,
                                 "has %zu processes; 1 to %d are allowed", n, OTF_MAX_RANKS);
        take_world(reading, (uint32_t)n, reading->first_threads);
    }
    struct map seen = {0};
    int status = 0;
    for (int rank = 0; rank < defs->n_ranks && status == 0; rank++) {
        uint32_t i, other;
        unsigned long long id = defs->locations[rank].id;
        if (!map_get(&reading->location_map, map_key_64(id), &i))
            status = sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, 0,
                                   "rank %d: its location, %llu, is not defined as a CPU thread", rank, id);
        else if (map_get(&seen, map_key_64(id), &other))
            status = sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, 0,
                                   "ranks %u and %d are the same location, %llu", (unsigned)other, rank, id);
        else
            defs->locations[rank] = reading->locations[i];
        map_add(&seen, map_key_64(id))->index = (uint32_t)rank;
    }
    map_dispose(&seen);
    return status;
}

/* The rank whose process, or whose process's accelerator, the location is of. */
static bool find_owner(uint32_t *rank, const struct reading *reading, const struct map *processes,
                       const struct otf_location *location)
{
    uint32_t creator;
    return map_get(processes, map_key_64(location->process), rank) ||
           (map_get(&reading->creator_map, map_key_64(location->process), &creator) &&
            map_get(processes, map_key_64(creator), rank));
}

/* Add the threads and streams that are no ranks, but of a rank's process, to the locations; pass the others over. */
static void list_threads(struct reading *reading)
{
    struct otf_defs *defs = reading->defs;
    struct map ranks = {0}, processes = {0};
    defs->n_locations = defs->n_ranks;
    defs->locations =
        xrealloc(defs->locations, ((size_t)defs->n_ranks + reading->n_locations) * sizeof *defs->locations);
    for (int rank = defs->n_ranks - 1; rank >= 0; rank--) {
        defs->locations[rank].rank = rank;
        map_add(&ranks, map_key_64(defs->locations[rank].id))->index = (uint32_t)rank;
        map_add(&processes, map_key_64(defs->locations[rank].process))->index = (uint32_t)rank;
    }
    for (size_t i = 0; i < reading->n_locations; i++) {
        const struct otf_location *thread = &reading->locations[i];
        uint32_t rank;
        if (map_find(&ranks, map_key_64(thread->id)) != NULL)
            continue;
        if (!find_owner(&rank, reading, &processes, thread)) {
            struct record_info *info = reading->info;
            otf_info_pass_over(info, thread->is_stream ? &info->n_accelerators : &info->n_threads, thread->n_events);
            continue;
        }
        defs->locations[defs->n_locations] = *thread;
        defs->locations[defs->n_locations++].rank = (int)rank;
    }
    map_dispose(&ranks);
    map_dispose(&processes);
}

int otf_defs_read(struct otf_defs *defs, struct record_info *info, OTF2_Reader *archive, const char *file,
                  struct sim_error *error)
{
    struct reading reading = {.defs = defs, .info = info, .file = file, .error = error, .world = UINT32_MAX};
    *defs = (struct otf_defs){.role = OTF2_UNDEFINED_ATTRIBUTE,
                              .operations = OTF2_UNDEFINED_ATTRIBUTE,
                              .quantums = OTF2_UNDEFINED_ATTRIBUTE,
                              .idle = OTF2_UNDEFINED_ATTRIBUTE,
                              .bytes = OTF2_UNDEFINED_ATTRIBUTE,
                              .peer = OTF2_UNDEFINED_ATTRIBUTE,
                              .exchanges = OTF2_UNDEFINED_ATTRIBUTE,
                              .combines = OTF2_UNDEFINED_ATTRIBUTE,
                              .awaited = OTF2_UNDEFINED_ATTRIBUTE,
                              .awaited_tag = OTF2_UNDEFINED_ATTRIBUTE,
                              .awaited_comm = OTF2_UNDEFINED_ATTRIBUTE,
                              .polls = OTF2_UNDEFINED_ATTRIBUTE,
                              .any_source = OTF2_UNDEFINED_ATTRIBUTE,
                              .site = OTF2_UNDEFINED_ATTRIBUTE,
                              .path = OTF2_UNDEFINED_ATTRIBUTE,
                              .signal = OTF2_UNDEFINED_ATTRIBUTE,
                              .await = OTF2_UNDEFINED_ATTRIBUTE,
                              .needed = OTF2_UNDEFINED_ATTRIBUTE,
                              .waited = OTF2_UNDEFINED_ATTRIBUTE};
    *info = (struct record_info){.has_times = true, .processor_ps = -1};
    info->paths = xcalloc(1, sizeof *info->paths);
    call_paths_init(info->paths);
    scope_of(&reading, "");
    function_of(&reading, "");
    int status = read_all(&reading, archive);
    if (status == 0 && defs->resolution == 0)
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "does not describe its clock");
    if (status == 0)
        status = find_ranks(&reading);
    if (status == 0) {
        info->n_ranks = defs->n_ranks;
        list_threads(&reading);
        if (defs->site != OTF2_UNDEFINED_ATTRIBUTE) {
            info->sites = defs->strings;
            info->n_sites = defs->n_strings;
        }
        info->says_waits = defs->idle != OTF2_UNDEFINED_ATTRIBUTE;
        otf_info_read(info, archive);
        otf_info_take_processors(info, defs);
        status = otf_defs_make_groups(defs, info, file, error);
    }
    free(reading.locations);
    free(reading.first_threads);
    map_dispose(&reading.location_map);
    map_dispose(&reading.process_map);
    map_dispose(&reading.creator_map);
    map_dispose(&reading.host_map);
    map_dispose(&reading.scopes.map);
    map_dispose(&reading.functions.map);
    return status;
}

void otf_defs_dispose(struct otf_defs *defs)
{
    for (size_t i = 0; i < defs->n_strings; i++)
        free(defs->strings[i]);
    for (size_t i = 0; i < defs->n_members; i++) {
        free(defs->members[i].members);
        free(defs->members[i].sorted);
    }
    free(defs->strings);
    free(defs->regions);
    free(defs->members);
    free(defs->comms);
    free(defs->contexts);
    free(defs->locations);
    free(defs->world);
    for (size_t i = 0; i < defs->n_unions; i++)
        free(defs->unions[i]);
    free(defs->unions);
    free(defs->assumed_members);
    map_dispose(&defs->string_map);
    map_dispose(&defs->region_map);
    map_dispose(&defs->members_map);
    map_dispose(&defs->comm_map);
    map_dispose(&defs->context_map);
    map_dispose(&defs->window_map);
    map_dispose(&defs->file_map);
    *defs = (struct otf_defs){0};
}
