/* Counters of an archive (Metric), counted for those who ask: a pass over all locations by a reader of its own.
 *
 * The increase of a counter since its location's last sample belongs to the innermost region in which the location is:
 * Score-P says it before each Enter and each Leave. So all regions together have what the counter has last. Locations
 * that only record (MetricInstance) are in no region: what they say is of the whole run, of a rank or, if it is of a
 * host or a device, of none; such a counter counts from its first sample on. A counter whose values do not always rise
 * is a level, of which samples are taken.
 *
 * In memory are 40 bytes for each counter and each region of a rank in which there is one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/counters.h"
#include "trace/otf2/counting.h"

#include "base/memory.h"
#include "interval/intern.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_DEPTH = 1 << 20, AT_ONCE = 1024 };

/* The rank whose process that is, or that has made it; -1: none. */
static int32_t rank_of_process(const struct counting *self, uint64_t process)
{
    uint32_t rank, creator;
    if (map_get(&self->processes, map_key_64(process), &rank) ||
        (map_get(&self->creators, map_key_64(process), &creator) &&
         map_get(&self->processes, map_key_64(creator), &rank)))
        return (int32_t)rank;
    return -1;
}

static struct region *region_of(struct counting *self, int32_t rank, uint32_t function)
{
    struct map_entry *entry = map_add(&self->cells, map_key(rank, (int32_t)function, 0, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)self->n_cells;
        self->cell = xgrow(self->cell, self->n_cells, &self->cells_capacity, sizeof *self->cell);
        self->cell[self->n_cells++] = (struct region){.rank = rank, .function = function};
    }
    return &self->cell[entry->index];
}

static uint32_t innermost(const struct counting *self)
{
    return self->depth > 0 ? self->stack[self->depth - 1] : COUNTING_WHOLE_RUN;
}

/* The time up to now is of the innermost region. */
static void go_on(struct counting *self, uint64_t time)
{
    if (self->has_begun && time > self->since && self->rank >= 0)
        region_of(self, self->rank, innermost(self))->ticks += time - self->since;
    self->since = time;
    self->has_begun = true;
}

static void enter(struct counting *self, uint64_t time, uint32_t region)
{
    uint32_t function = COUNTING_WHOLE_RUN;
    go_on(self, time);
    map_get(&self->regions, map_key_64(region), &function);
    if (self->depth >= MAX_DEPTH)
        return;
    self->stack = xgrow(self->stack, self->depth, &self->stack_capacity, sizeof *self->stack);
    self->stack[self->depth++] = function;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number, void *data,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    (void)location, (void)number, (void)attributes;
    enter(data, time, region);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number, void *data,
                                  OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    struct counting *self = data;
    (void)location, (void)number, (void)attributes, (void)region;
    go_on(self, time);
    self->depth -= self->depth > 0;
    return OTF2_CALLBACK_SUCCESS;
}

/* A value of a counter, as it is and as an integer; and what that is more than the last one. */
static double growth(struct member *member, struct last *last, bool starts, OTF2_Type type, OTF2_MetricValue value,
                     double *real)
{
    struct last before = *last;
    *last = (struct last){.real = value.floating_point, .whole = value.signed_int, .is_known = true};
    *real = type == OTF2_TYPE_DOUBLE  ? value.floating_point
            : type == OTF2_TYPE_INT64 ? (double)value.signed_int
                                      : (double)value.unsigned_int;
    if (member->mode == OTF2_METRIC_VALUE_RELATIVE || (!before.is_known && starts))
        return *real;
    if (!before.is_known || member->mode == OTF2_METRIC_VALUE_ABSOLUTE)
        return 0;
    double more = type == OTF2_TYPE_DOUBLE ? value.floating_point - before.real
                                           : (double)(int64_t)(value.unsigned_int - (uint64_t)before.whole);
    member->is_level |= more < 0;
    return more;
}

static void count(struct counting *self, struct region *region, const struct group *group, uint32_t i, OTF2_Type type,
                  OTF2_MetricValue read)
{
    uint32_t index = self->group_members[group->first + i];
    if (index == UINT32_MAX)
        return;
    struct member *member = &self->list[index];
    double real,
        more = growth(member, &self->last[group->first + i], member->starts && !group->has_scope, type, read, &real);
    if (region->values == 0) {
        for (size_t m = 0; m < self->n_list; m++) {
            self->values = xgrow(self->values, self->n_values, &self->values_capacity, sizeof *self->values);
            self->values[self->n_values++] = (struct value){0};
        }
        region->values = self->n_values - self->n_list + 1;
    }
    struct value *value = &self->values[region->values - 1 + index];
    value->least = value->n_samples == 0 ? real : fmin(value->least, real);
    value->most = value->n_samples == 0 ? real : fmax(value->most, real);
    value->n_samples++;
    value->is_recorded = group->has_scope;
    value->samples_sum += real;
    value->sum += more;
}

/* The region of a rank that a group of counters is of. */
static struct region *find_region(struct counting *self, const struct group *group)
{
    uint32_t place;
    if (!group->has_scope)
        return region_of(self, self->rank, innermost(self));
    if (group->scope_type == OTF2_SCOPE_LOCATION && map_get(&self->places, map_key_64(group->scope), &place))
        return region_of(self, rank_of_process(self, self->locations[place].process), COUNTING_WHOLE_RUN);
    return region_of(self, group->scope_type == OTF2_SCOPE_LOCATION_GROUP ? rank_of_process(self, group->scope) : -1,
                     COUNTING_WHOLE_RUN);
}

static OTF2_CallbackCode on_metric(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t number, void *data,
                                   OTF2_AttributeList *attributes, OTF2_MetricRef metric, uint8_t n,
                                   const OTF2_Type *types, const OTF2_MetricValue *values)
{
    struct counting *self = data;
    uint32_t index;
    (void)location, (void)time, (void)number, (void)attributes;
    if (!map_get(&self->groups, map_key_64(metric), &index))
        return OTF2_CALLBACK_SUCCESS;
    const struct group *group = &self->all[index];
    struct region *region = find_region(self, group);
    for (uint32_t i = 0; i < n && i < group->n; i++)
        count(self, region, group, i, types[i], values[i]);
    return OTF2_CALLBACK_SUCCESS;
}

static int read_location(struct counting *self, OTF2_Reader *archive, const struct place *place,
                         struct sim_error *error)
{
    uint64_t n_read, n_all = 0, most = otf_most_events(&self->input->shared, place->id);
    OTF2_ErrorCode code = OTF2_SUCCESS;
    otf_memory_from(OTF_MEMORY_ANY);
    OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(archive, place->id);
    otf_memory_from(OTF_MEMORY_FRESH);
    if (reader == NULL)
        return 0;
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
    OTF2_EvtReader_SetCallbacks(reader, callbacks, self);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    self->rank = rank_of_process(self, place->process);
    self->depth = 0;
    self->has_begun = false;
    for (size_t i = 0; i < self->n_group_members; i++)
        self->last[i].is_known = false;
    do {
        n_read = 0;
        code = OTF2_EvtReader_ReadEvents(reader, AT_ONCE, &n_read);
        n_all += n_read;
    } while (code == OTF2_SUCCESS && n_read == AT_ONCE && n_all <= most);
    OTF2_Reader_CloseEvtReader(archive, reader);
    if (place->n_events > 0 && !self->input->shared.is_cut && (code != OTF2_SUCCESS || n_all > most))
        return sim_error_set(
            error, SIM_BAD_INPUT, self->input->file, 0, "counters of location %llu: its events end after %llu of %llu",
            (unsigned long long)place->id, (unsigned long long)n_all, (unsigned long long)place->n_events);
    return 0;
}

/* ---- All of it ---- */

static void add_row(struct counters *counters, const struct counting *self, const struct region *region, size_t i)
{
    const struct member *member = &self->list[i];
    const struct value *value = &self->values[region->values - 1 + i];
    if (value->n_samples == 0)
        return;
    bool has_range = member->is_level || value->is_recorded;
    double scaled = member->is_level ? value->samples_sum / (double)value->n_samples : value->sum;
    counters->rows = xgrow(counters->rows, counters->n_rows, &counters->capacity, sizeof *counters->rows);
    counters->rows[counters->n_rows++] =
        (struct counter_row){.rank = region->rank,
                             .function = self->names[region->function],
                             .counter = member->name,
                             .unit = member->unit,
                             .value = scaled * member->scale,
                             .seconds = self->resolution > 0 ? (double)region->ticks / (double)self->resolution : 0,
                             .least = has_range ? value->least * member->scale : (double)NAN,
                             .most = has_range ? value->most * member->scale : (double)NAN,
                             .samples = value->n_samples,
                             .is_level = member->is_level};
}

static int read_all(struct counting *self, OTF2_Reader *archive, struct sim_error *error)
{
    uint64_t n_read;
    for (size_t i = 0; i < self->n_locations; i++) {
        if (otf_input_check_location(self->input, self->locations[i].id, error) < 0)
            return -1;
        OTF2_Reader_SelectLocation(archive, self->locations[i].id);
    }
    if (OTF2_Reader_OpenDefFiles(archive) == OTF2_SUCCESS) {
        for (size_t i = 0; i < self->n_locations; i++) {
            OTF2_DefReader *reader = OTF2_Reader_GetDefReader(archive, self->locations[i].id);
            if (reader == NULL)
                continue;
            OTF2_Reader_ReadAllLocalDefinitions(archive, reader, &n_read);
            OTF2_Reader_CloseDefReader(archive, reader);
        }
        OTF2_Reader_CloseDefFiles(archive);
    }
    if (OTF2_Reader_OpenEvtFiles(archive) != OTF2_SUCCESS)
        return sim_error_set(error, SIM_BAD_INPUT, self->input->file, 0, "its counters cannot be read: %s",
                             self->input->complaint.text);
    int status = 0;
    for (size_t i = 0; i < self->n_locations && status == 0; i++)
        status = read_location(self, archive, &self->locations[i], error);
    OTF2_Reader_CloseEvtFiles(archive);
    return status;
}

static void dispose(struct counting *self)
{
    struct map *maps[] = {&self->strings,  &self->regions, &self->members,   &self->groups, &self->processes,
                          &self->creators, &self->places,  &self->functions, &self->cells};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        map_dispose(maps[i]);
    free(self->texts);
    free(self->names);
    free(self->list);
    free(self->group_members);
    free(self->all);
    free(self->locations);
    free(self->cell);
    free(self->values);
    free(self->stack);
    free(self->last);
}

int otf_counters_read(struct counters *counters, struct otf_input *input, struct sim_error *error)
{
    struct counting self = {.input = input};
    int status = 0;
    otf_complaint_listen(&input->complaint);
    OTF2_Reader *archive = OTF2_Reader_Open(input->file);
    if (archive == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, input->file, 0, "its counters cannot be read: %s",
                             input->complaint.text);
    OTF2_Reader_SetSerialCollectiveCallbacks(archive);
    for (int rank = input->defs.n_ranks - 1; rank >= 0; rank--)
        map_add(&self.processes, map_key_64(input->defs.locations[rank].process))->index = (uint32_t)rank;
    counting_function(&self, intern_text(""));
    if (!counting_define(&self, archive))
        status = sim_error_set(error, SIM_BAD_INPUT, input->file, 0, "its definitions cannot be read: %s",
                               input->complaint.text);
    self.last = xcalloc(self.n_group_members + 1, sizeof *self.last);
    if (status == 0 && self.n_list > 0)
        status = read_all(&self, archive, error);
    OTF2_Reader_Close(archive);
    for (size_t c = 0; status == 0 && c < self.n_cells; c++)
        for (size_t i = 0; self.cell[c].values > 0 && i < self.n_list; i++)
            add_row(counters, &self, &self.cell[c], i);
    dispose(&self);
    return status;
}
