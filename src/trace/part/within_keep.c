/* Decides which records belong to a part, and gives them the numbers of its ranks and its time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/part/within_internal.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"

int within_number_of(const struct part *part, int rank)
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

void within_cut(const struct part *part, struct record *record)
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
        if (within_number_of(&within->part, whole->members[i]) >= 0)
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
    record->peer = within_number_of(&within->part, record->peer);
    if (record->blocks != NULL)
        keep_blocks(within, place, record);
    return true;
}

bool within_keep_wait(struct within *within, int location, const struct record *record)
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
    record->peer = within_number_of(&within->part, record->peer);
    if (is_begun)
        within_keep_wait(within, location,
                         record); /* a number that comes again is that of a request which was given up */
    if (is_begun && is_kept)
        map_add(&within->requests, request_key(location, record->request))->index = 0;
    return is_kept;
}

bool within_keep(struct within *within, int location, int from, struct record *record)
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
        return within_keep_wait(within, location, record);
    case RECORD_COLLECTIVE:
        return keep_collective(within, &within->places[location], rank, record);
    case RECORD_PROBE:
        record->peer = within_number_of(part, record->peer);
        return record->peer >= 0;
    case RECORD_SIGNAL:
    case RECORD_AWAIT:
        return border_has_mark(&within->border, rank, record);
    case RECORD_CALL:
        record->request = 0;
        record->peer = within_number_of(part, record->peer);
        return true;
    case RECORD_SLEEP:
        record->peer = within_number_of(part, record->peer);
        return true;
    case RECORD_COMPUTE:
    case RECORD_ENTER:
    case RECORD_LEAVE:
    default:
        return true;
    }
}

bool within_has_pieces(const struct record *record)
{
    return record->kind == RECORD_COMPUTE || record->kind == RECORD_CALL || record->kind == RECORD_SLEEP;
}
