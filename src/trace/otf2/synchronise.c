/* Calls that synchronize without moving data of which the archive says more: fences of windows, communicators and
 * windows that are made or freed, files that all use together.
 *
 * MPI lets members of most of them go before all have come. So the first pass finds out of each whether all were in it
 * at the same moment; if not, it is a call like any other. That takes 48 bytes for each, however many its members.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/calls.h"
#include "trace/otf2/input.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/range.h"

#include <otf2/OTF2_Events.h>
#include <stdlib.h>
#include <string.h>

/* A call of all members of a group, before shift_ps. */
struct otf_meeting {
    int64_t first_ps, last_ps; /* when the first, the last member came */
    int64_t left_ps;           /* when the first one left */
    int64_t n_members;
    int64_t n_done;            /* non-blocking collectives that were complete before, of the first member surveyed */
    bool has_pending, differs; /* some have begun more of them; not all have completed as many */
};

/* The calls of all members of a group, in order. */
struct otf_meetings {
    struct otf_meeting *list;
    size_t n, capacity;
    int64_t n_members; /* of the group */
    bool disagree;     /* its members have different numbers of them */
};

void otf_cursor_collective_begun(struct otf_cursor *cursor, uint64_t request)
{
    cursor->n_begun_collectives++;
    if (cursor->n_begun_collectives >= MAP_NOTHING || cursor->begun_collectives.count >= OTF_MAX_PENDING)
        return;
    uint32_t number = (uint32_t)cursor->n_begun_collectives;
    map_add(&cursor->begun_collectives, map_key_64(request))->index = number;
    if (map_find(&cursor->survey->left_out, map_key_64(number)) != NULL)
        return;
    otf_calls_put_begun(cursor);
    cursor->begun_in_call = number;
}

void otf_cursor_leave_out(struct otf_cursor *cursor, uint32_t number)
{
    if (cursor->first_pass && number != 0)
        map_add(&cursor->survey->left_out, map_key_64(number))->index = 0;
}

uint32_t otf_cursor_collective_done(struct otf_cursor *cursor, uint64_t request)
{
    struct map_entry *entry = map_find(&cursor->begun_collectives, map_key_64(request));
    cursor->n_done_collectives++;
    if (entry == NULL)
        return 0;
    uint32_t number = entry->index;
    map_remove(&cursor->begun_collectives, entry);
    if (number != cursor->begun_in_call)
        return number;
    cursor->begun_in_call = 0; /* it has begun and ended in one call */
    return 0;
}

/* ---- As the archive says ---- */

/* The group of the communicator's members; -1 where the rank is alone, or is none of them. */
static int group_of(struct otf_cursor *cursor, uint32_t id)
{
    const struct otf_defs *defs = cursor->shared->defs;
    uint32_t index;
    cursor->is_told = true;
    if (!map_get(&defs->comm_map, map_key_64(id), &index))
        return -1;
    const struct otf_comm *comm = &defs->comms[index];
    bool is_alone =
        comm->kind == OTF_COMM_SELF || (comm->kind == OTF_COMM_NORMAL && defs->members[comm->members].n_members < 2);
    return is_alone || otf_calls_comm_rank(cursor, comm) < 0 ? -1 : otf_comm_group(comm, cursor->rank);
}

static int synchronise(struct otf_cursor *cursor, enum record_collective kind, int group, int64_t bytes)
{
    struct record record = otf_record(RECORD_COLLECTIVE, cursor->now_ps, cursor->now_ps);
    record.collective = (uint8_t)kind;
    record.group = group;
    record.bytes = bytes;
    return otf_calls_do(cursor, &record);
}

bool otf_makes_handle(uint8_t op)
{
    return op >= OTF2_COLLECTIVE_OP_CREATE_HANDLE && op <= OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE;
}

static bool is_for_files(const struct otf_cursor *cursor)
{
    return cursor->n_calls > 0 && cursor->called != NULL && cursor->called->of_file;
}

static bool is_one_sided(const struct otf_cursor *cursor)
{
    return cursor->n_calls > 0 && cursor->called != NULL && cursor->called->one_sided;
}

bool otf_only_synchronises(const struct otf_cursor *cursor, uint8_t op)
{
    return otf_makes_handle(op) || (op == OTF2_COLLECTIVE_OP_BARRIER && (is_for_files(cursor) || is_one_sided(cursor)));
}

int otf_cursor_synchronise(struct otf_cursor *cursor, uint8_t op, uint32_t comm, uint64_t sent, uint64_t received)
{
    int group = group_of(cursor, comm);
    uint64_t bytes = sent > received ? sent : received;
    enum record_collective kind = is_for_files(cursor)   ? RECORD_FILE
                                  : otf_makes_handle(op) ? RECORD_HANDLE
                                                         : RECORD_FENCE;
    return group < 0 ? 0 : synchronise(cursor, kind, group, bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes);
}

int otf_cursor_window(struct otf_cursor *cursor, uint8_t op, uint32_t window)
{
    uint32_t comm;
    if ((op != OTF2_COLLECTIVE_OP_BARRIER && !otf_makes_handle(op)) ||
        !map_get(&cursor->shared->defs->window_map, map_key_64(window), &comm))
        return 0;
    int group = group_of(cursor, comm);
    return group < 0 ? 0 : synchronise(cursor, otf_makes_handle(op) ? RECORD_HANDLE : RECORD_FENCE, group, 0);
}

int otf_cursor_file(struct otf_cursor *cursor, uint32_t file)
{
    uint32_t comm;
    if (!is_for_files(cursor) || !map_get(&cursor->shared->defs->file_map, map_key_64(file), &comm))
        return 0;
    int group = group_of(cursor, comm);
    return group < 0 ? 0 : synchronise(cursor, RECORD_FILE, group, 0);
}

/* ---- Where it does not say the window ---- */

/* The k-th call of each rank is taken as one, if all that make any make the same in the same order. */
static void survey_assumed(struct otf_cursor *cursor)
{
    struct otf_survey *survey = cursor->survey;
    const char *name = cursor->called->name;
    survey->assumed_calls = hash_bytes(survey->n_assumed == 0 ? HASH_START : survey->assumed_calls, name, strlen(name));
    survey->n_assumed++;
}

void otf_assume(struct otf_cursor *cursor, struct record *call)
{
    const struct otf_shared *shared = cursor->shared;
    const struct otf_region *called = cursor->called;
    bool is_plain = call->call == RECORD_CALL_OTHER || call->call == RECORD_CALL_LIBRARY;
    if (call->kind != RECORD_CALL || !is_plain || cursor->thread > 0 || called == NULL ||
        called->assumed == N_RECORD_COLLECTIVES || (!cursor->first_pass && shared->assumed_group < 0))
        return;
    if (cursor->first_pass)
        survey_assumed(cursor);
    call->kind = RECORD_COLLECTIVE;
    call->collective = called->assumed;
    call->group = shared->assumed_group;
}

static void assume_windows(struct otf_input *input, struct record_info *info)
{
    const struct otf_survey *first = NULL;
    int n = 0, n_ranks = input->defs.n_ranks, *members = xcalloc((size_t)n_ranks, sizeof *members);
    bool agree = input->defs.window_map.count == 0;
    for (int rank = 0; rank < n_ranks; rank++) {
        const struct otf_survey *survey = &input->surveys[rank];
        if (survey->n_assumed == 0)
            continue;
        first = first == NULL ? survey : first;
        agree = agree && survey->n_assumed == first->n_assumed && survey->assumed_calls == first->assumed_calls;
        members[n++] = rank;
    }
    input->defs.assumed_members = members;
    if (n < 2 || !agree)
        return;
    input->shared.meetings[input->shared.n_meetings - 1].n_members = n;
    input->shared.assumed_group = n == n_ranks ? 0 : info->n_groups;
    if (n < n_ranks)
        info->groups[info->n_groups++] = (struct record_group){n, members};
    info->n_assumed = first->n_assumed * n;
}

/* ---- Meetings ---- */

void otf_meetings_init(struct otf_shared *shared, const struct record_info *info)
{
    shared->n_meetings = (size_t)info->n_groups + 1;
    shared->meetings = xcalloc(shared->n_meetings, sizeof *shared->meetings);
    for (int g = 0; g < info->n_groups; g++)
        shared->meetings[g].n_members = info->groups[g].n_members;
    shared->assumed_group = -1;
}

void otf_meetings_dispose(struct otf_shared *shared)
{
    for (size_t g = 0; shared->meetings != NULL && g < shared->n_meetings; g++)
        free(shared->meetings[g].list);
    free(shared->meetings);
    shared->meetings = NULL;
}

/* A non-blocking collective is where it is waited for. A call that is begun before, and completes before for only some
 * of the members, would be out of order. */
static void survey_meeting(struct otf_meetings *meetings, size_t number, const struct otf_cursor *cursor,
                           const struct record *call)
{
    if (number == meetings->n) {
        meetings->list = xgrow(meetings->list, meetings->n, &meetings->capacity, sizeof *meetings->list);
        meetings->list[meetings->n++] = (struct otf_meeting){.first_ps = call->start_ps,
                                                             .last_ps = call->start_ps,
                                                             .left_ps = call->end_ps,
                                                             .n_done = cursor->n_done_collectives};
    }
    struct otf_meeting *meeting = &meetings->list[number];
    meeting->first_ps = int64_min(meeting->first_ps, call->start_ps);
    meeting->last_ps = int64_max(meeting->last_ps, call->start_ps);
    meeting->left_ps = int64_min(meeting->left_ps, call->end_ps);
    meeting->n_members++;
    meeting->has_pending |= cursor->n_begun_collectives > cursor->n_done_collectives;
    meeting->differs |= cursor->n_done_collectives != meeting->n_done;
}

/* True if all were there at once, as well as clocks can tell: to 1/64 of how long the first one waits. */
static bool is_met(const struct otf_meetings *meetings, const struct otf_meeting *meeting)
{
    return !meetings->disagree && meeting->n_members == meetings->n_members &&
           !(meeting->has_pending && meeting->differs) &&
           meeting->last_ps - meeting->left_ps <= (meeting->last_ps - meeting->first_ps) / 64;
}

void otf_meet(struct otf_cursor *cursor, struct record *call, bool assumes)
{
    struct otf_shared *shared = cursor->shared;
    if (cursor->thread > 0) { /* the group's calls are counted by rank */
        call->kind = RECORD_CALL;
        return;
    }
    size_t g = assumes ? shared->n_meetings - 1 : (size_t)call->group;
    struct map_entry *entry = map_add(&cursor->meetings, map_key_64(g));
    uint32_t number = entry->index == MAP_NOTHING ? 0 : entry->index;
    struct otf_meetings *meetings = &shared->meetings[g];
    entry->index = number + 1;
    if (cursor->first_pass) {
        survey_meeting(meetings, number, cursor, call);
        return;
    }
    const struct otf_meeting *meeting = &meetings->list[number];
    if (number >= meetings->n || !is_met(meetings, meeting)) {
        call->kind = RECORD_CALL;
        return;
    }
    int64_t last_ps = meeting->last_ps + shared->shift_ps;
    call->fixed_ps = call->end_ps - int64_clamp(last_ps, call->start_ps, call->end_ps);
}

void otf_meetings_check(struct otf_input *input, struct record_info *info)
{
    assume_windows(input, info);
    for (size_t g = 0; g < input->shared.n_meetings; g++) {
        struct otf_meetings *meetings = &input->shared.meetings[g];
        bool agree = meetings->n == 0 || meetings->list[meetings->n - 1].n_members == meetings->n_members;
        meetings->disagree = !agree && !info->is_cut;
    }
}
