/* Reads the global definitions of an archive: clock, strings, attributes, regions, calling contexts. Locations are in
 * defs_locations.c, communicators in defs_comms.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/defs_reading.h"

#include "base/hash.h"
#include "base/memory.h"
#include "interval/intern.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *otf_defs_string(const struct otf_defs *defs, OTF2_StringRef string)
{
    uint32_t i;
    return map_get(&defs->string_map, map_key_64(string), &i) ? defs->strings[i] : NULL;
}

const struct otf_context *otf_defs_context(const struct otf_defs *defs, uint32_t id)
{
    uint32_t index;
    return map_get(&defs->context_map, map_key_64(id), &index) ? &defs->contexts[index] : NULL;
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

/* The names of the attributes that mean something here, and where their identifiers go. */
static const struct {
    const char *name;
    size_t where;
} attributes[] = {{"eppa.role", offsetof(struct otf_defs, role)},
                  {"eppa.operations", offsetof(struct otf_defs, operations)},
                  {"eppa.quantums", offsetof(struct otf_defs, quantums)},
                  {"simrun.idle_ps", offsetof(struct otf_defs, idle)},
                  {"simrun.bytes", offsetof(struct otf_defs, bytes)},
                  {"simrun.peer", offsetof(struct otf_defs, peer)},
                  {"simrun.exchanges", offsetof(struct otf_defs, exchanges)},
                  {"simrun.combines", offsetof(struct otf_defs, combines)},
                  {"eppa.peer", offsetof(struct otf_defs, awaited)},
                  {"eppa.communicator", offsetof(struct otf_defs, awaited_comm)},
                  {"eppa.tag", offsetof(struct otf_defs, awaited_tag)},
                  {"eppa.polls", offsetof(struct otf_defs, polls)},
                  {"eppa.any_source", offsetof(struct otf_defs, any_source)},
                  {"eppa.site", offsetof(struct otf_defs, site)},
                  {"eppa.path", offsetof(struct otf_defs, path)},
                  {"simrun.signal", offsetof(struct otf_defs, signal)},
                  {"simrun.await", offsetof(struct otf_defs, await)},
                  {"simrun.needed", offsetof(struct otf_defs, needed)},
                  {"simrun.processor", offsetof(struct otf_defs, waited)}};
enum { N_ATTRIBUTES = sizeof attributes / sizeof attributes[0] };

static OTF2_AttributeRef *attribute_at(struct otf_defs *defs, size_t i)
{
    return (OTF2_AttributeRef *)(void *)((char *)defs + attributes[i].where);
}

static OTF2_CallbackCode on_attribute(void *self, OTF2_AttributeRef id, OTF2_StringRef name, OTF2_StringRef description,
                                      OTF2_Type type)
{
    struct reading *reading = self;
    struct otf_defs *defs = reading->defs;
    const char *text = otf_defs_string(defs, name);
    (void)description, (void)type;
    for (size_t i = 0; text != NULL && i < N_ATTRIBUTES; i++)
        if (strcmp(text, attributes[i].name) == 0)
            *attribute_at(defs, i) = id;
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
        OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
        OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, on_context);
        otf_defs_take_locations(callbacks);
        otf_defs_take_comms(callbacks);
        OTF2_Reader_RegisterGlobalDefCallbacks(archive, reader, callbacks, reading);
        ok = OTF2_Reader_ReadAllGlobalDefinitions(archive, reader, &n_read) == OTF2_SUCCESS;
        OTF2_Reader_CloseGlobalDefReader(archive, reader);
    }
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (reading->failed)
        return -1;
    return ok ? 0 : -1;
}

/* Once the ranks are known: their threads, sites, processors and groups. */
static int fill_info(struct reading *reading, OTF2_Reader *archive)
{
    struct otf_defs *defs = reading->defs;
    struct record_info *info = reading->info;
    info->n_ranks = defs->n_ranks;
    otf_defs_list_threads(reading);
    if (defs->site != OTF2_UNDEFINED_ATTRIBUTE) {
        info->sites = defs->strings;
        info->n_sites = defs->n_strings;
    }
    info->says_waits = defs->idle != OTF2_UNDEFINED_ATTRIBUTE;
    otf_info_read(info, archive);
    otf_info_take_processors(info, defs);
    return otf_defs_make_groups(defs, info, reading->file, reading->error);
}

static void dispose(struct reading *reading)
{
    free(reading->locations);
    free(reading->first_threads);
    map_dispose(&reading->location_map);
    map_dispose(&reading->process_map);
    map_dispose(&reading->creator_map);
    map_dispose(&reading->host_map);
    map_dispose(&reading->scopes.map);
    map_dispose(&reading->functions.map);
}

int otf_defs_read(struct otf_defs *defs, struct record_info *info, OTF2_Reader *archive, const char *file,
                  struct sim_error *error)
{
    struct reading reading = {.defs = defs, .info = info, .file = file, .error = error, .world = UINT32_MAX};
    *defs = (struct otf_defs){0};
    for (size_t i = 0; i < N_ATTRIBUTES; i++)
        *attribute_at(defs, i) = OTF2_UNDEFINED_ATTRIBUTE;
    *info = (struct record_info){.has_times = true, .processor_ps = -1};
    info->paths = xcalloc(1, sizeof *info->paths);
    call_paths_init(info->paths);
    scope_of(&reading, "");
    function_of(&reading, "");
    int status = read_all(&reading, archive);
    if (status == 0 && defs->resolution == 0)
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "does not describe its clock");
    if (status == 0)
        status = otf_defs_find_ranks(&reading);
    if (status == 0)
        status = fill_info(&reading, archive);
    dispose(&reading);
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
