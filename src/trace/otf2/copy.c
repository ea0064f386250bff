/* Writes the records of a trace that was read as an OTF2 archive.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/copying.h"

#include "base/memory.h"
#include "trace/otf2/defs.h"

#include <stdlib.h>
#include <string.h>

int copy_group_rank(struct copying *self, int group, int rank)
{
    if (group == 0)
        return rank;
    if (self->by_rank[group] == NULL)
        self->by_rank[group] = group_sort(&self->info->groups[group]);
    return group_find(self->by_rank[group], self->info->groups[group].n_members, rank);
}

/* --- regions by name --- */

static int region_of_name(struct copy *copy, const char *name, OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
    size_t i = 0;
    while (i < copy->n_names && (copy->names[i].role != role || copy->names[i].paradigm != paradigm ||
                                 strcmp(copy->names[i].name, name) != 0))
        i++;
    if (i == copy->n_names) {
        copy->names = xgrow(copy->names, copy->n_names, &copy->capacity, sizeof *copy->names);
        copy->names[copy->n_names++] = (struct copy_name){xstrdup(name), role, paradigm};
    }
    return copy->first_region + (int)i;
}

/* The region of the function that the record is of; -1: of none, or its name does not tell what it is for. */
static int function_region(struct copying *self, const struct record *record)
{
    static const OTF2_RegionRole roles[] = {
        [RECORD_CALL_OTHER] = OTF2_REGION_ROLE_RMA,        [RECORD_CALL_LIBRARY] = OTF2_REGION_ROLE_FUNCTION,
        [RECORD_CALL_START] = OTF2_REGION_ROLE_FUNCTION,   [RECORD_CALL_READ] = OTF2_REGION_ROLE_FILE_IO,
        [RECORD_CALL_WRITE] = OTF2_REGION_ROLE_FILE_IO,    [RECORD_CALL_INPUT] = OTF2_REGION_ROLE_FILE_IO,
        [RECORD_CALL_OUTPUT] = OTF2_REGION_ROLE_FILE_IO,   [RECORD_CALL_RECEIVE] = OTF2_REGION_ROLE_FILE_IO,
        [RECORD_CALL_CONTROL] = OTF2_REGION_ROLE_FILE_IO,  [RECORD_CALL_POLL] = OTF2_REGION_ROLE_POINT2POINT,
        [RECORD_CALL_WAIT] = OTF2_REGION_ROLE_POINT2POINT, [RECORD_CALL_CUT] = OTF2_REGION_ROLE_POINT2POINT};
    OTF2_RegionRole role = OTF2_REGION_ROLE_POINT2POINT;
    OTF2_Paradigm paradigm = OTF2_PARADIGM_MPI;
    if (record->function == 0 || record->function >= self->info->n_functions)
        return -1;
    char *name = self->info->functions[record->function];
    if (record->kind == RECORD_CALL) {
        bool is_plain = record->call == RECORD_CALL_INPUT || record->call == RECORD_CALL_OUTPUT;
        role = roles[record->call];
        paradigm = is_plain ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI;
    } else if (record->kind == RECORD_COLLECTIVE && record->collective == RECORD_FENCE) {
        role = OTF2_REGION_ROLE_RMA;
    } else if (record->kind == RECORD_COLLECTIVE && record->collective == RECORD_FILE) {
        role = OTF2_REGION_ROLE_FILE_IO;
    }
    bool is_told = role == OTF2_REGION_ROLE_POINT2POINT || otf_region_make(name, role, paradigm).call == record->call;
    return is_told ? region_of_name(self->copy, name, role, paradigm) : -1;
}

static void say_awaited(struct copying *self, int peer, int tag, int comm)
{
    struct archive_output *archive = &self->output->archive;
    OTF2_AttributeList *list = self->output->list;
    archive_check(archive, OTF2_AttributeList_AddInt32(list, ATTRIBUTE_AWAITED, peer));
    archive_check(archive, OTF2_AttributeList_AddInt32(list, ATTRIBUTE_AWAITED_TAG, tag));
    archive_check(archive, OTF2_AttributeList_AddCommRef(list, ATTRIBUTE_AWAITED_COMM, (OTF2_CommRef)comm));
}

static void write_cut(struct copying *self, const struct record *record)
{
    int region = record->what != NULL
                     ? region_of_name(self->copy, record->what, OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI)
                     : REGION_WAIT;
    region_enter(self->output, record->start_ps, region);
    if (record->peer >= 0)
        say_awaited(self, record->peer, -1, 0);
    region_leave(self->output, record->end_ps, region);
}

/* --- records --- */

static void say_number(struct copying *self, enum visit_attribute attribute, int64_t number)
{
    archive_check(&self->output->archive,
                  OTF2_AttributeList_AddUint64(self->output->list, attribute, (uint64_t)number));
}

/* Where threads of the rank let each other go on. */
static void write_mark(struct copying *self, const struct record *record)
{
    bool waits = record->kind == RECORD_AWAIT;
    int region = waits ? REGION_AWAIT : REGION_SIGNAL;
    archive_check(&self->output->archive,
                  OTF2_AttributeList_AddStringRef(self->output->list, ATTRIBUTE_ROLE, copy_sleep_roles[record->sleep]));
    region_enter(self->output, record->start_ps, region);
    say_number(self, waits ? ATTRIBUTE_AWAIT : ATTRIBUTE_SIGNAL, record->mark);
    say_number(self, ATTRIBUTE_NEEDED, record->request);
    if (record->peer >= 0)
        say_number(self, ATTRIBUTE_WAITED, record->peer);
    region_leave(self->output, record->end_ps, region);
}

/* A call in which a collective begins that goes on by itself. */
static void write_begin(struct copying *self, const struct record *record, bool is_inside)
{
    if (!is_inside)
        region_enter(self->output, record->start_ps, REGION_COLLECTIVE_CALL);
    copy_request(self, record);
    if (!is_inside)
        region_leave(self->output, record->end_ps, REGION_COLLECTIVE_CALL);
}

static void write_record(struct copying *self, const struct record *record, bool is_inside)
{
    int region;
    if (record->kind == RECORD_CALL && record->request != 0) {
        write_begin(self, record, is_inside);
        return;
    }
    switch ((enum record_kind)record->kind) {
    case RECORD_ENTER:
    case RECORD_LEAVE:
        region = self->scope_regions[record->scope];
        if (region < 0)
            break;
        if (record->kind == RECORD_ENTER)
            region_enter(self->output, record->start_ps, region);
        else
            region_leave(self->output, record->end_ps, region);
        break;
    case RECORD_COLLECTIVE:
        copy_collective(self, record, is_inside);
        break;
    case RECORD_SIGNAL:
    case RECORD_AWAIT:
        write_mark(self, record);
        break;
    default:
        copy_visit(self, record, is_inside);
        break;
    }
}

static bool is_cut(const struct record *record)
{
    return record->kind == RECORD_CALL && record->call == RECORD_CALL_CUT;
}

/* A call's records are in one region: the first says how many calls it is, of a further one n_calls is 0. */
static void write_next(struct copying *self, bool goes_on)
{
    const struct record *record = &self->next;
    int region = function_region(self, record);
    if (!self->has_next)
        return;
    if (is_cut(record)) {
        write_cut(self, record);
        return;
    }
    if (region >= 0 && !self->is_open) {
        if (record->n_calls > 1)
            archive_check(&self->output->archive,
                          OTF2_AttributeList_AddUint64(self->output->list, ATTRIBUTE_POLLS, (uint64_t)record->n_calls));
        region_enter(self->output, record->start_ps, region);
    }
    self->is_alone = !self->is_open && !goes_on;
    write_record(self, record, region >= 0);
    self->is_open = region >= 0 && goes_on;
    if (region >= 0 && !goes_on) {
        if (record->kind == RECORD_PROBE)
            say_awaited(self, copy_group_rank(self, record->group, record->peer), record->tag, record->group);
        region_leave(self->output, record->end_ps, region);
    }
}

static void keep_next(struct copying *self, const struct record *record)
{
    int64_t *blocks = self->next.blocks;
    self->next = *record;
    self->next.blocks = NULL;
    self->has_next = true;
    if (record->blocks != NULL) {
        size_t n = (size_t)self->info->groups[record->group].n_members;
        blocks = xrealloc(blocks, n * sizeof *blocks);
        memcpy(blocks, record->blocks, n * sizeof *blocks);
        self->next.blocks = blocks;
    } else {
        free(blocks);
    }
}

static int copy_location(struct copying *self, int location, struct record_reader *reader, struct sim_error *error)
{
    struct record record;
    int status = 0;
    self->has_next = self->is_open = false;
    self->rank = location % self->info->n_ranks;
    visit_begin_location(self->output, location);
    while (self->output->archive.status == OTF2_SUCCESS &&
           (status = record_next(reader, location, &record, error)) == 1) {
        write_next(self, record.n_calls == 0 && record.function != 0 && record.function == self->next.function);
        keep_next(self, &record);
    }
    write_next(self, false);
    free(self->next.blocks);
    self->next = (struct record){0};
    visit_end_location(self->output, location);
    return status < 0 ? -1 : 0;
}

int copy_records(struct copy *copy, struct visit_output *output, struct record_reader *reader, const int *scope_regions,
                 struct sim_error *error)
{
    struct copying self = {.copy = copy, .output = output, .info = &reader->info, .scope_regions = scope_regions};
    copy->info = &reader->info;
    copy->first_region = N_REGIONS;
    for (int i = 0; i < reader->info.n_scopes; i++)
        if (scope_regions[i] >= copy->first_region)
            copy->first_region = scope_regions[i] + 1;
    self.by_rank = xcalloc((size_t)reader->info.n_groups, sizeof(struct group_member *));
    int status = record_rewind(reader, error);
    for (int i = 0; status == 0 && i < record_locations(&reader->info) && output->archive.status == OTF2_SUCCESS; i++)
        status = copy_location(&self, i, reader, error);
    for (int g = 0; g < reader->info.n_groups; g++)
        free(self.by_rank[g]);
    free(self.by_rank);
    return status;
}
