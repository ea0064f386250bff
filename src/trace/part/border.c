/* Merges the ranks' records by time, so that the ends of messages that wait for the others are those under way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/part/border.h"

#include "base/heap.h"
#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

/* An end of a message that waits for the other. */
struct end {
    int32_t location, receiver;
    bool is_within, is_send;
    uint32_t request;          /* of a receive that is waited for; else 0 */
    int64_t start_ps, over_ps; /* it begins; a receive is over; INT64_MAX: that is not known yet */
    uint32_t next;             /* of the same key, or of free ones */
    int64_t number;
};

struct search {
    struct border *border;
    struct record *records; /* of each location, the next */
    int64_t *numbers;       /* how many it has given */
    struct heap ready;
    struct map queues; /* sender, receiver, tag, group: ends that wait */
    struct end *ends;
    size_t n_ends, capacity;
    uint32_t free;
    struct map requests; /* location, request: the end that it was last of */
    int64_t *off_ps;     /* of each location: up to when its recording was off, until its next record; 0: it was not */
};

static struct map_key key_of(int location, int64_t number)
{
    return map_key(location, 0, (int32_t)(number >> 32), (int32_t)(uint32_t)number);
}

/* --- messages --- */

static void cross(struct border *border, int location, int64_t number)
{
    map_add(&border->crossing, key_of(location, number))->index = 0;
    border->n_crossing++;
}

static uint32_t keep(struct search *search, const struct end *end)
{
    uint32_t index = search->free;
    if (index != MAP_NOTHING) {
        search->free = search->ends[index].next;
    } else {
        search->ends = xgrow(search->ends, search->n_ends, &search->capacity, sizeof *search->ends);
        index = (uint32_t)search->n_ends++;
    }
    search->ends[index] = *end;
    return index;
}

/* Take the first that waits out of its queue. */
static struct end drop_first(struct search *search, struct map_entry *entry)
{
    uint32_t index = entry->index;
    const struct end end = search->ends[index];
    queue_drop_first(&search->queues, entry, end.next);
    search->ends[index].request = 0;
    search->ends[index].next = search->free;
    search->free = index;
    return end;
}

/* Receives that were over before the send are of messages that were not recorded. */
static void give_up(struct search *search, struct map_key key, int64_t start_ps)
{
    struct map_entry *entry;
    while ((entry = map_find(&search->queues, key)) != NULL && !search->ends[entry->index].is_send &&
           search->ends[entry->index].over_ps <= start_ps) {
        const struct end end = drop_first(search, entry);
        if (end.is_within)
            cross(search->border, end.location, end.number);
    }
}

/* Messages to the rank from before its recording went on have been received meanwhile: forget them. */
static void forget(struct search *search, int rank, int64_t until_ps)
{
    for (size_t i = 0; i < search->queues.size;) {
        struct map_entry *entry = &search->queues.entries[i];
        const struct end *first = entry->index != MAP_NOTHING ? &search->ends[entry->index] : NULL;
        if (first == NULL || !first->is_send || first->receiver != rank || first->start_ps >= until_ps) {
            i++;
            continue;
        }
        const struct end end = drop_first(search, entry); /* its place may have another entry now */
        if (end.is_within)
            cross(search->border, end.location, end.number);
    }
}

/* The end meets the first of its key that waits, if that is of the other side. */
static void match(struct search *search, struct map_key key, const struct end *end)
{
    if (end->is_send && search->border->info->n_off > 0)
        give_up(search, key, end->start_ps);
    struct map_entry *entry = map_add(&search->queues, key);
    if (entry->index == MAP_NOTHING || search->ends[entry->index].is_send == end->is_send) {
        uint32_t index = keep(search, end), before = queue_append(entry, index);
        if (before != MAP_NOTHING)
            search->ends[before].next = index;
        if (end->request != 0)
            map_add(&search->requests, map_key(end->location, (int32_t)end->request, 0, 0))->index = index;
        return;
    }
    const struct end other = drop_first(search, entry);
    if (other.is_within != end->is_within) {
        const struct end *within = end->is_within ? end : &other;
        cross(search->border, within->location, within->number);
    }
}

static void take_message(struct search *search, int location)
{
    const struct record *record = &search->records[location];
    const struct part *part = search->border->part;
    int rank = location % part->n_whole, peer = record->peer;
    bool is_send = record->kind == RECORD_SEND || record->kind == RECORD_ISEND;
    const struct end end = {.location = location,
                            .receiver = is_send ? peer : rank,
                            .request = record->kind == RECORD_IRECV ? record->request : 0,
                            .start_ps = record->start_ps,
                            .over_ps = record->kind == RECORD_RECV ? record->end_ps : INT64_MAX,
                            .is_within = border_is_within(part, record),
                            .is_send = is_send,
                            .next = MAP_NOTHING,
                            .number = search->numbers[location]};
    if (peer < 0 || peer >= part->n_whole || part->number_of[peer] < 0) {
        search->border->n_outside += end.is_within;
        return;
    }
    match(search, map_key(is_send ? rank : peer, is_send ? peer : rank, record->tag, record->group), &end);
}

/* The location waits for a request: then that receive is over, if it still waits for its send. */
static void take_wait(const struct search *search, int location)
{
    const struct record *record = &search->records[location];
    uint32_t index;
    if (map_get(&search->requests, map_key(location, (int32_t)record->request, 0, 0), &index) &&
        search->ends[index].location == location && search->ends[index].request == record->request)
        search->ends[index].over_ps = record->end_ps;
}

/* The location's records go on, or are off for a while. */
static void take_off(struct search *search, int location)
{
    const struct record *record = &search->records[location];
    if (search->off_ps[location] > 0)
        forget(search, location % search->border->part->n_whole, search->off_ps[location]);
    search->off_ps[location] = record->kind == RECORD_SLEEP && record->sleep == SLEEP_UNRECORDED ? record->end_ps : 0;
}

/* Those that still wait at the end of the part. */
static void end_messages(struct search *search)
{
    for (size_t i = 0; i < search->queues.size; i++)
        for (uint32_t end = search->queues.entries[i].index; end != MAP_NOTHING; end = search->ends[end].next)
            if (search->ends[end].is_within)
                cross(search->border, search->ends[end].location, search->ends[end].number);
}

/* --- collectives, and marks --- */

struct border_group *border_group_of(const struct border *border, int rank, const struct record *record, int *member)
{
    const struct record_group *of = &border->info->groups[record->group];
    struct border_group *group = &border->groups[2 * record->group + record_synchronises(record->collective)];
    if (group->members == NULL) {
        group->members = group_sort(of);
        group->calls = xcalloc((size_t)of->n_members, sizeof *group->calls);
    }
    *member = group_find(group->members, of->n_members, rank);
    bool has_root = record->collective == RECORD_BROADCAST || record->collective == RECORD_REDUCE ||
                    record->collective == RECORD_GATHER || record->collective == RECORD_SCATTER;
    bool is_outside = has_root && (record->peer < 0 || record->peer >= border->part->n_whole ||
                                   border->part->number_of[record->peer] < 0);
    return *member < 0 || is_outside ? NULL : group;
}

static void take_collective(const struct border *border, int rank, const struct record *record)
{
    int member;
    struct border_group *group = border_group_of(border, rank, record, &member);
    if (group == NULL)
        return;
    if (border_is_within(border->part, record))
        group->calls[member].within++;
    else if (record->start_ps < border->part->from_ps)
        group->calls[member].before++;
}

/* The calls that all members have in the part. */
static void end_group(const struct part *part, struct border_group *group, int n_members)
{
    group->end = INT64_MAX;
    for (int i = 0; group->members != NULL && i < n_members; i++) {
        const struct border_calls *calls = &group->calls[group->members[i].group_rank];
        if (part->number_of[group->members[i].rank] < 0)
            continue;
        group->first = int64_max(group->first, calls->before);
        group->end = int64_min(group->end, calls->before + calls->within);
    }
}

static struct map_key mark_key(int rank, int64_t mark)
{
    return map_key(rank, 0, (int32_t)(mark >> 32), (int32_t)(uint32_t)mark);
}

static void take_mark(struct border *border, int rank, const struct record *record)
{
    if (!border_is_within(border->part, record))
        return;
    struct map_entry *entry = map_add(&border->marks, mark_key(rank, record->mark));
    entry->index = entry->index == MAP_NOTHING ? 1 : entry->index + 1;
    if (entry->index >= record->request)
        map_remove(&border->marks, entry);
}

bool border_has_mark(const struct border *border, int rank, const struct record *record)
{
    return map_find(&border->marks, mark_key(rank, record->mark)) == NULL;
}

bool border_has_message(const struct border *border, int location, int64_t number, const struct record *record)
{
    const struct part *part = border->part;
    return record->peer >= 0 && record->peer < part->n_whole && part->number_of[record->peer] >= 0 &&
           map_find(&border->crossing, key_of(location, number)) == NULL;
}

/* --- the whole --- */

/* Read the location's next record, unless it begins after the part. */
static int load(struct search *search, struct record_reader *reader, int location, struct sim_error *error)
{
    struct record *record = &search->records[location];
    int status = record_next(reader, location, record, error);
    if (status == 1 && record->start_ps < search->border->part->to_ps)
        heap_push(&search->ready,
                  (struct heap_entry){.key = reader->info.has_times ? record->start_ps : search->numbers[location],
                                      .item = (uint32_t)location});
    return status < 0 ? -1 : 0;
}

static void take(struct search *search, int location)
{
    const struct record *record = &search->records[location];
    int rank = location % search->border->part->n_whole;
    if (search->border->info->n_off > 0)
        take_off(search, location);
    if (border_is_message(record))
        take_message(search, location);
    else if (record->kind == RECORD_WAIT)
        take_wait(search, location);
    else if (record->kind == RECORD_COLLECTIVE && record->group >= 0 && record->group < search->border->info->n_groups)
        take_collective(search->border, rank, record);
    else if (record->kind == RECORD_SIGNAL || record->kind == RECORD_AWAIT)
        take_mark(search->border, rank, record);
    search->numbers[location]++;
}

static int go_through(struct search *search, struct record_reader *reader, struct sim_error *error)
{
    int n_locations = record_locations(&reader->info);
    for (int i = 0; i < n_locations; i++)
        if (part_location(search->border->part, i) >= 0 && load(search, reader, i, error) != 0)
            return -1;
    while (search->ready.count > 0) {
        int location = (int)heap_pop(&search->ready).item;
        take(search, location);
        if (load(search, reader, location, error) != 0)
            return -1;
    }
    end_messages(search);
    for (int i = 0; i < 2 * reader->info.n_groups; i++)
        end_group(search->border->part, &search->border->groups[i], reader->info.groups[i / 2].n_members);
    return record_rewind(reader, error);
}

int border_find(struct border *border, const struct part *part, struct record_reader *reader, struct sim_error *error)
{
    size_t n_locations = (size_t)record_locations(&reader->info);
    struct search search = {.border = border,
                            .records = xcalloc(n_locations, sizeof *search.records),
                            .numbers = xcalloc(n_locations, sizeof *search.numbers),
                            .off_ps = xcalloc(n_locations, sizeof *search.off_ps),
                            .free = MAP_NOTHING};
    *border = (struct border){.part = part,
                              .info = &reader->info,
                              .groups = xcalloc(2 * (size_t)reader->info.n_groups, sizeof *border->groups)};
    int status = go_through(&search, reader, error);
    heap_dispose(&search.ready);
    map_dispose(&search.queues);
    map_dispose(&search.requests);
    free(search.off_ps);
    free(search.ends);
    free(search.numbers);
    free(search.records);
    if (status != 0)
        border_dispose(border);
    return status;
}

void border_dispose(struct border *border)
{
    for (int i = 0; border->groups != NULL && i < 2 * border->info->n_groups; i++) {
        free(border->groups[i].members);
        free(border->groups[i].calls);
    }
    free(border->groups);
    map_dispose(&border->crossing);
    map_dispose(&border->marks);
    *border = (struct border){0};
}
