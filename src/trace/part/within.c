/* A reader around a reader. What it makes of a record waits in a queue of its location: waits of one call belong
 * together, and before the first record are the scopes that it is in.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/part/within.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"
#include "trace/part/border.h"

#include <stdlib.h>

struct place {
    int64_t number;      /* records read */
    struct record *open; /* of the scopes that it is in, before the part */
    size_t n_open, open_capacity;
    struct record *queue;
    size_t first, n_queued, capacity;
    int64_t *blocks; /* of the record in the queue that has some */
    bool has_begun, has_ended;
};

struct within {
    struct record_reader inner;
    struct record_format format;
    struct part part;
    struct border border;
    struct place *places; /* of each location of the part */
    int n_places;
    struct map requests; /* location of the part, request: of a message in the part */
    struct record_part said;
    char *ranks; /* that are asked for; or NULL */
};

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

/* --- records --- */

static int number_of(const struct part *part, int rank)
{
    return rank >= 0 && rank < part->n_whole ? part->number_of[rank] : -1;
}

static struct map_key request_key(int location, uint32_t request)
{
    return map_key(location, (int32_t)request, 0, 0);
}

static int64_t share_of(int64_t count, int64_t part_ps, int64_t whole_ps)
{
    return whole_ps > 0 ? (int64_t)((wide_int)count * part_ps / whole_ps) : count;
}

/* As much as lies in the part, in its time. */
static void cut(const struct part *part, struct record *record)
{
    int64_t whole_ps = record->end_ps - record->start_ps;
    record->start_ps = int64_max(record->start_ps, part->from_ps) - part->from_ps;
    record->end_ps = int64_min(record->end_ps, part->to_ps) - part->from_ps;
    int64_t part_ps = record->end_ps - record->start_ps;
    if (record->kind != RECORD_COMPUTE || part_ps == whole_ps)
        return;
    record->operations = share_of(record->operations, part_ps, whole_ps);
    record->quantums = share_of(record->quantums, part_ps, whole_ps);
}

/* Blocks of the group's members that are in the part. */
static void keep_blocks(const struct within *within, struct place *place, struct record *record)
{
    const struct record_group *whole = &within->inner.info.groups[record->group];
    int n = 0;
    place->blocks = xrealloc(place->blocks, (size_t)whole->n_members * sizeof *place->blocks);
    for (int i = 0; i < whole->n_members; i++)
        if (number_of(&within->part, whole->members[i]) >= 0)
            place->blocks[n++] = record->blocks[i];
    record->blocks = place->blocks;
}

static bool keep_collective(struct within *within, struct place *place, int rank, struct record *record)
{
    int member;
    if (record->group < 0 || record->group >= within->inner.info.n_groups)
        return false;
    struct border_group *group = border_group_of(&within->border, rank, record, &member);
    if (group == NULL)
        return false;
    int64_t call = group->calls[member].before + group->calls[member].read++;
    if (call < group->first || call >= group->end)
        return false;
    record->was_begun = false;
    record->request = 0;
    record->peer = number_of(&within->part, record->peer);
    if (record->blocks != NULL)
        keep_blocks(within, place, record);
    return true;
}

/* True if the request that is waited for is of a message in the part; then it is over. */
static bool keep_wait(struct within *within, int location, const struct record *record)
{
    if (record->request == RECORD_ALL_REQUESTS)
        return true;
    struct map_entry *entry = map_find(&within->requests, request_key(location, record->request));
    if (entry != NULL)
        map_remove(&within->requests, entry);
    return entry != NULL;
}

static bool keep_message(struct within *within, int location, int from, struct record *record)
{
    struct place *place = &within->places[location];
    bool is_kept = border_has_message(&within->border, from, place->number - 1, record);
    bool is_begun = record->kind == RECORD_ISEND || record->kind == RECORD_IRECV;
    record->peer = number_of(&within->part, record->peer);
    if (is_begun)
        keep_wait(within, location, record); /* a number that comes again is that of a request which was given up */
    if (is_begun && is_kept)
        map_add(&within->requests, request_key(location, record->request))->index = 0;
    return is_kept;
}

/* True if a record that begins in the part belongs to it; `from` is its location in the trace. */
static bool keep(struct within *within, int location, int from, struct record *record)
{
    const struct part *part = &within->part;
    int rank = from % part->n_whole;
    switch ((enum record_kind)record->kind) {
    case RECORD_SEND:
    case RECORD_RECV:
    case RECORD_ISEND:
    case RECORD_IRECV:
        return keep_message(within, location, from, record);
    case RECORD_WAIT:
        return keep_wait(within, location, record);
    case RECORD_COLLECTIVE:
        return keep_collective(within, &within->places[location], rank, record);
    case RECORD_PROBE:
        record->peer = number_of(part, record->peer);
        return record->peer >= 0;
    case RECORD_SIGNAL:
    case RECORD_AWAIT:
        return border_has_mark(&within->border, rank, record);
    case RECORD_CALL:
        record->request = 0;
        record->peer = number_of(part, record->peer);
        return true;
    case RECORD_SLEEP:
        record->peer = number_of(part, record->peer);
        return true;
    case RECORD_COMPUTE:
    case RECORD_ENTER:
    case RECORD_LEAVE:
    default:
        return true;
    }
}

/* True for records of which a piece may be in the part. */
static bool has_pieces(const struct record *record)
{
    return record->kind == RECORD_COMPUTE || record->kind == RECORD_CALL || record->kind == RECORD_SLEEP;
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
        if (keep_wait(within, location, &record)) {
            cut(&within->part, &record);
            record.peer = number_of(&within->part, record.peer);
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
    if (!is_within && !(has_pieces(&record) && record.end_ps > part->from_ps)) {
        pass_over(place, &record);
        return 1;
    }
    begin(place);
    if (record.kind == RECORD_WAIT)
        return take_waits(within, location, from, record, error);
    if (keep(within, location, from, &record)) {
        cut(part, &record);
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

/* The members that are in the part; a group without any, which nobody calls, has rank 0. */
static struct record_group *groups_of(const struct part *part, const struct record_info *info)
{
    struct record_group *groups = xcalloc((size_t)info->n_groups, sizeof *groups);
    for (int i = 0; i < info->n_groups; i++) {
        const struct record_group *whole = &info->groups[i];
        groups[i].members = xcalloc((size_t)whole->n_members + 1, sizeof *groups[i].members);
        for (int k = 0; k < whole->n_members; k++)
            if (number_of(part, whole->members[k]) >= 0)
                groups[i].members[groups[i].n_members++] = number_of(part, whole->members[k]);
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
