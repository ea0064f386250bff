/* A reader around a reader. Its records wait in a queue of their location: waits of one call belong together, and
 * before the first record are the scopes that it is in.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/part/within_internal.h"

#include "base/memory.h"

#include <stdlib.h>

/* --- the queue --- */

static void put(struct place *place, const struct record *record)
{
    place->queue = xgrow(place->queue, place->n_queued, &place->capacity, sizeof *place->queue);
    place->queue[place->n_queued++] = *record;
}

static bool take(struct place *place, struct record *record)
{
    if (place->first == place->n_queued) {
        place->first = place->n_queued = 0;
        return false;
    }
    *record = place->queue[place->first++];
    return true;
}

/* --- reading --- */

/* Before the part: remember the scopes. */
static void pass_over(struct place *place, const struct record *record)
{
    if (record->kind == RECORD_ENTER) {
        place->open = xgrow(place->open, place->n_open, &place->open_capacity, sizeof *place->open);
        place->open[place->n_open++] = *record;
    } else if (record->kind == RECORD_LEAVE && place->n_open > 0) {
        place->n_open--;
    }
}

static void begin(struct place *place)
{
    for (size_t i = 0; !place->has_begun && i < place->n_open; i++) {
        place->open[i].start_ps = place->open[i].end_ps = 0;
        put(place, &place->open[i]);
    }
    place->has_begun = true;
}

static int read_inner(struct within *within, int location, int from, struct record *record, struct sim_error *error)
{
    int status = record_next(&within->inner, from, record, error);
    within->places[location].number += status == 1;
    return status;
}

/* All waits of a call, of which the record is the first: those that belong to the part. */
static int take_waits(struct within *within, int location, int from, struct record record, struct sim_error *error)
{
    struct place *place = &within->places[location];
    size_t before = place->n_queued;
    for (int status = 1;; status = read_inner(within, location, from, &record, error)) {
        if (status != 1)
            return status;
        bool goes_on = record.goes_on;
        if (within_keep_wait(within, location, &record)) {
            within_cut(&within->part, &record);
            record.peer = within_number_of(&within->part, record.peer);
            record.goes_on = true;
            put(place, &record);
        }
        if (!goes_on)
            break;
    }
    if (place->n_queued > before)
        place->queue[place->n_queued - 1].goes_on = false;
    return 1;
}

/* Read one record of the trace into the queue, if it belongs there: 1, 0 at the end of the part, -1. */
static int advance(struct within *within, int location, struct sim_error *error)
{
    const struct part *part = &within->part;
    struct place *place = &within->places[location];
    int from = location / part->n_ranks * part->n_whole + part->ranks[location % part->n_ranks];
    struct record record = {.idle_ps = -1};
    int status = read_inner(within, location, from, &record, error);
    if (status != 1 || record.start_ps >= part->to_ps)
        return status < 0 ? -1 : 0;
    bool is_within = border_is_within(part, &record);
    if (!is_within && !(within_has_pieces(&record) && record.end_ps > part->from_ps)) {
        pass_over(place, &record);
        return 1;
    }
    begin(place);
    if (record.kind == RECORD_WAIT)
        return take_waits(within, location, from, record, error);
    if (within_keep(within, location, from, &record)) {
        within_cut(part, &record);
        put(place, &record);
    }
    return 1;
}

static int next(struct record_reader *reader, int location, struct record *record, struct sim_error *error)
{
    struct within *within = reader->self;
    struct place *place = &within->places[location];
    while (!take(place, record)) {
        int status = place->has_ended ? 0 : advance(within, location, error);
        if (status < 0)
            return -1;
        place->has_ended |= status == 0;
        if (place->has_ended && place->n_queued == 0)
            return 0;
    }
    return 1;
}

static int rewind_part(struct record_reader *reader, struct sim_error *error)
{
    struct within *within = reader->self;
    for (int i = 0; i < within->n_places; i++) {
        struct place *place = &within->places[i];
        place->number = 0;
        place->n_open = place->first = place->n_queued = 0;
        place->has_begun = place->has_ended = false;
    }
    for (int i = 0; i < 2 * within->inner.info.n_groups; i++)
        for (int k = 0; within->border.groups[i].calls != NULL && k < within->inner.info.groups[i / 2].n_members; k++)
            within->border.groups[i].calls[k].read = 0;
    map_clear(&within->requests);
    return record_rewind(&within->inner, error);
}

static bool is_shared(const struct record_reader *reader)
{
    const struct within *within = reader->self;
    return record_is_shared(&within->inner);
}

static const char *file_of(const struct record_reader *reader, int rank)
{
    const struct within *within = reader->self;
    return within->inner.format->file_of(&within->inner, within->part.ranks[rank]);
}

/* --- opening and closing --- */

static void dispose(struct within *within)
{
    for (int i = 0; i < within->n_places; i++) {
        free(within->places[i].open);
        free(within->places[i].queue);
        free(within->places[i].blocks);
    }
    free(within->places);
    free(within->ranks);
    map_dispose(&within->requests);
    border_dispose(&within->border);
    part_dispose(&within->part);
    free(within);
}

static void close_part(struct record_reader *reader)
{
    struct within *within = reader->self;
    for (int i = 0; i < reader->info.n_groups; i++)
        free(reader->info.groups[i].members);
    free(reader->info.groups);
    free(reader->info.processor_names);
    reader->info = (struct record_info){0};
    record_close(&within->inner);
    dispose(within);
}

/* The members that are in the part; a group without any, which no rank calls, has rank 0. */
static struct record_group *groups_of(const struct part *part, const struct record_info *info)
{
    struct record_group *groups = xcalloc((size_t)info->n_groups, sizeof *groups);
    for (int i = 0; i < info->n_groups; i++) {
        const struct record_group *whole = &info->groups[i];
        groups[i].members = xcalloc((size_t)whole->n_members + 1, sizeof *groups[i].members);
        for (int k = 0; k < whole->n_members; k++)
            if (within_number_of(part, whole->members[k]) >= 0)
                groups[i].members[groups[i].n_members++] = within_number_of(part, whole->members[k]);
        groups[i].n_members += groups[i].n_members == 0;
    }
    return groups;
}

static void describe(struct record_info *info, struct within *within)
{
    const struct part *part = &within->part;
    const struct record_info *whole = &within->inner.info;
    *info = *whole;
    info->n_ranks = part->n_ranks;
    info->groups = groups_of(part, whole);
    info->processor_names = part_processor_names(part, whole);
    info->processors = NULL;
    info->processor_ps = -1;
    info->n_begun = 0;
    within->said = part_said(part, whole->end_ps);
    within->said.ranks = within->ranks;
    within->said.n_crossing = within->border.n_crossing;
    within->said.n_outside = within->border.n_outside;
    info->part = &within->said;
    info->end_ps = within->said.to_ps - within->said.from_ps;
}

static int check(const struct record_reader *reader, const struct part_request *request, struct sim_error *error)
{
    if (reader->format->strands != NULL && reader->format->strands(reader) != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--from, --to and --ranks are for traces; of a schedule (GOAL), only all is replayed");
    if (request->ranks != NULL && reader->info.has_any_source)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--ranks needs a trace that says from whom messages come; this one has receives from any "
                             "source");
    return 0;
}

int part_within(struct record_reader *reader, const struct part_request *request, struct sim_error *error)
{
    if (check(reader, request, error) != 0)
        return -1;
    struct within *within = xcalloc(1, sizeof *within);
    if (part_find(&within->part, reader, request, error) != 0) {
        free(within);
        return -1;
    }
    within->inner = *reader;
    if (border_find(&within->border, &within->part, &within->inner, error) != 0) {
        dispose(within);
        return -1;
    }
    within->n_places = record_locations(&reader->info) / within->part.n_whole * within->part.n_ranks;
    within->places = xcalloc((size_t)within->n_places, sizeof *within->places);
    within->format = *reader->format;
    within->format.next = next;
    within->format.rewind = rewind_part;
    within->format.close = close_part;
    within->format.is_shared = is_shared;
    within->format.strands = NULL;
    within->format.file_of = reader->format->file_of != NULL ? file_of : NULL;
    within->ranks = request->ranks != NULL ? xstrdup(request->ranks) : NULL;
    describe(&reader->info, within);
    reader->holes = NULL; /* the inner one's */
    reader->format = &within->format;
    reader->self = within;
    return 0;
}
