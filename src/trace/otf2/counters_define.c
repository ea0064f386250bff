/* The definitions of an archive's counters, and of what they are counted in.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/counting.h"

#include "base/memory.h"
#include "interval/intern.h"

#include <math.h>

static const char *text_of(const struct counting *self, uint32_t string)
{
    uint32_t i;
    return map_get(&self->strings, map_key_64(string), &i) ? self->texts[i] : "";
}

static OTF2_CallbackCode on_clock(void *data, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
    (void)offset, (void)length, (void)realtime;
    ((struct counting *)data)->resolution = resolution;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef id, const char *text)
{
    struct counting *self = data;
    self->texts = xgrow(self->texts, self->n_texts, &self->texts_capacity, sizeof *self->texts);
    self->texts[self->n_texts] = intern_text(text != NULL ? text : "");
    map_add(&self->strings, map_key_64(id))->index = (uint32_t)self->n_texts++;
    return OTF2_CALLBACK_SUCCESS;
}

/* Regions of one name are one function. */
uint32_t counting_function(struct counting *self, const char *name)
{
    struct map_entry *entry = map_add(&self->functions, map_key_64((uint64_t)(uintptr_t)name));
    if (entry->index != MAP_NOTHING)
        return entry->index;
    self->names = xgrow(self->names, self->n_names, &self->names_capacity, sizeof *self->names);
    self->names[self->n_names] = name;
    return entry->index = (uint32_t)self->n_names++;
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef id, OTF2_StringRef name, OTF2_StringRef canonical,
                                   OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                   OTF2_RegionFlag flags, OTF2_StringRef source, uint32_t begin, uint32_t end)
{
    struct counting *self = data;
    (void)canonical, (void)description, (void)role, (void)paradigm, (void)flags, (void)source, (void)begin, (void)end;
    map_add(&self->regions, map_key_64(id))->index = counting_function(self, text_of(self, name));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_process(void *data, OTF2_LocationGroupRef id, OTF2_StringRef name,
                                    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node,
                                    OTF2_LocationGroupRef creator)
{
    (void)name, (void)type, (void)node;
    if (creator != OTF2_UNDEFINED_LOCATION_GROUP)
        map_add(&((struct counting *)data)->creators, map_key_64(id))->index = creator;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef id, OTF2_StringRef name, OTF2_LocationType type,
                                     uint64_t n_events, OTF2_LocationGroupRef process)
{
    struct counting *self = data;
    (void)name, (void)type;
    self->locations = xgrow(self->locations, self->n_locations, &self->locations_capacity, sizeof *self->locations);
    self->locations[self->n_locations] = (struct place){id, n_events == OTF2_UNDEFINED_UINT64 ? 0 : n_events, process};
    map_add(&self->places, map_key_64(id))->index = (uint32_t)self->n_locations++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_member(void *data, OTF2_MetricMemberRef id, OTF2_StringRef name, OTF2_StringRef description,
                                   OTF2_MetricType type, OTF2_MetricMode mode, OTF2_Type value_type, OTF2_Base base,
                                   int64_t exponent, OTF2_StringRef unit)
{
    struct counting *self = data;
    (void)description, (void)type, (void)value_type;
    self->list = xgrow(self->list, self->n_list, &self->list_capacity, sizeof *self->list);
    self->list[self->n_list] =
        (struct member){.name = text_of(self, name),
                        .unit = text_of(self, unit),
                        .scale = pow(base == OTF2_BASE_BINARY ? 2 : 10, fmax(fmin((double)exponent, 300), -300)),
                        .mode = mode & OTF2_METRIC_VALUE_MASK,
                        .starts = (mode & OTF2_METRIC_TIMING_MASK) == OTF2_METRIC_TIMING_START,
                        .is_level = (mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_ABSOLUTE};
    map_add(&self->members, map_key_64(id))->index = (uint32_t)self->n_list++;
    return OTF2_CALLBACK_SUCCESS;
}

static void add_group(struct counting *self, OTF2_MetricRef id, struct group group)
{
    self->all = xgrow(self->all, self->n_all, &self->all_capacity, sizeof *self->all);
    self->all[self->n_all] = group;
    map_add(&self->groups, map_key_64(id))->index = (uint32_t)self->n_all++;
}

static void add_member(struct counting *self, uint32_t index)
{
    self->group_members =
        xgrow(self->group_members, self->n_group_members, &self->members_capacity, sizeof *self->group_members);
    self->group_members[self->n_group_members++] = index;
}

/* A member that is not defined is UINT32_MAX, and is passed over. */
static OTF2_CallbackCode on_class(void *data, OTF2_MetricRef id, uint8_t n, const OTF2_MetricMemberRef *members,
                                  OTF2_MetricOccurrence occurrence, OTF2_RecorderKind kind)
{
    struct counting *self = data;
    (void)occurrence, (void)kind;
    add_group(self, id, (struct group){.first = (uint32_t)self->n_group_members, .n = n});
    for (int i = 0; i < n; i++) {
        uint32_t index = UINT32_MAX;
        map_get(&self->members, map_key_64(members[i]), &index);
        add_member(self, index);
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_instance(void *data, OTF2_MetricRef id, OTF2_MetricRef class, OTF2_LocationRef recorder,
                                     OTF2_MetricScope scope_type, uint64_t scope)
{
    struct counting *self = data;
    uint32_t i;
    (void)recorder;
    if (!map_get(&self->groups, map_key_64(class), &i))
        return OTF2_CALLBACK_SUCCESS;
    struct group group = self->all[i];
    for (uint32_t m = 0; m < group.n; m++) /* it counts by itself */
        add_member(self, self->group_members[group.first + m]);
    group.first = (uint32_t)self->n_group_members - group.n;
    group.has_scope = true;
    group.scope_type = scope_type;
    group.scope = scope;
    add_group(self, id, group);
    return OTF2_CALLBACK_SUCCESS;
}

bool counting_define(struct counting *self, OTF2_Reader *archive)
{
    OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(archive);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t n_read = 0;
    bool ok = reader != NULL;
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, on_process);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(callbacks, on_member);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(callbacks, on_class);
    OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(callbacks, on_instance);
    if (ok) {
        OTF2_Reader_RegisterGlobalDefCallbacks(archive, reader, callbacks, self);
        ok = OTF2_Reader_ReadAllGlobalDefinitions(archive, reader, &n_read) == OTF2_SUCCESS;
        OTF2_Reader_CloseGlobalDefReader(archive, reader);
    }
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    return ok;
}
