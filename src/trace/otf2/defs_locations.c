/* Global definitions of locations: which of them are the ranks, and which further threads and streams of ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/defs_reading.h"

#include "base/memory.h"

/* OTF2_LOCATION_TYPE_GPU until version 3, then OTF2_LOCATION_TYPE_ACCELERATOR_STREAM. */
enum { ACCELERATOR = 2 };

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

void otf_defs_take_locations(OTF2_GlobalDefReaderCallbacks *callbacks)
{
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_process);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(callbacks, on_location_property);
}

/* Without a group of MPI's locations, the processes' first threads are the ranks. */
int otf_defs_find_ranks(struct reading *reading)
{
    struct otf_defs *defs = reading->defs;
    if (reading->world == UINT32_MAX) {
        size_t n = reading->n_first_threads;
        if (n < 1 || n > OTF_MAX_RANKS)
            return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, 0,
                                 "has %zu processes; 1 to %d are allowed", n, OTF_MAX_RANKS);
        otf_defs_take_world(reading, (uint32_t)n, reading->first_threads);
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
void otf_defs_list_threads(struct reading *reading)
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
