/* Regions and time: what a rank does between its calls. Calls are in trace/otf2/calls.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/cursor.h"
#include "trace/otf2/calls.h"
#include "trace/otf2/streams.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 1 << 20, MOST_UNSETTLED = 1 << 12 }; /* records that wait for the path of a call */
#define LONGEST_PS (INT64_MAX / 4)                      /* 26.7 days */

__extension__ typedef unsigned __int128 wide;

uint8_t otf_role_of(const char *text)
{
    static const struct {
        const char *name;
        uint8_t role;
    } roles[] = {{"useful", OTF_ROLE_USEFUL},   {"control", OTF_ROLE_CONTROL},
                 {"idle", OTF_ROLE_IDLE},       {"send", OTF_ROLE_SEND},
                 {"receive", OTF_ROLE_RECEIVE}, {"processor", OTF_ROLE_PROCESSOR},
                 {"library", OTF_ROLE_LIBRARY}, {"io", OTF_ROLE_IO},
                 {"ranks", OTF_ROLE_RANKS},     {"foreign", OTF_ROLE_FOREIGN},
                 {"asleep", OTF_ROLE_ASLEEP},   {"off", OTF_ROLE_OFF},
                 {"launch", OTF_ROLE_LAUNCH},   {"unrecorded", OTF_ROLE_UNRECORDED},
                 {"serial", OTF_ROLE_SERIAL},   {"team", OTF_ROLE_TEAM},
                 {"lock", OTF_ROLE_LOCK},       {"messages", OTF_ROLE_MESSAGES}};
    for (size_t i = 0; text != NULL && i < sizeof roles / sizeof roles[0]; i++)
        if (strcmp(text, roles[i].name) == 0)
            return roles[i].role;
    return OTF_ROLE_NONE;
}

void otf_cursor_init(struct otf_cursor *cursor, struct otf_shared *shared, struct otf_survey *survey, int location,
                     bool first_pass)
{
    *cursor = (struct otf_cursor){.shared = shared,
                                  .survey = survey,
                                  .rank = shared->defs->locations[location].rank,
                                  .thread = shared->defs->locations[location].thread,
                                  .location = location,
                                  .first_pass = first_pass,
                                  .free_slot = UINT32_MAX};
    otf_threads_attach(cursor);
}

void otf_cursor_dispose(struct otf_cursor *cursor)
{
    free(cursor->frames);
    free(cursor->parts);
    free(cursor->slots);
    free(cursor->queue);
    free(cursor->passed);
    map_dispose(&cursor->pending);
    map_dispose(&cursor->begun_collectives);
    map_dispose(&cursor->meetings);
    map_dispose(&cursor->signals);
    *cursor = (struct otf_cursor){.free_slot = UINT32_MAX};
}

/* ---- The queue ---- */

/* All that is in the queue may be taken. What is no call, and was done from the latest place that is known up to one on
 * that path, is on what both have in common. */
static void settle(struct otf_cursor *cursor, uint32_t path)
{
    uint32_t common = 0;
    if (path != 0 || cursor->latest_path != 0)
        common = call_paths_common(cursor->shared->paths, cursor->latest_path, path);
    for (; cursor->n_settled < cursor->n_queue; cursor->n_settled++) {
        struct record *record = &cursor->queue[cursor->n_settled];
        if (record->kind == RECORD_COMPUTE || record->kind == RECORD_SLEEP || record->kind == RECORD_CALL)
            record->path = common;
    }
}

void otf_cursor_put(struct otf_cursor *cursor, const struct record *record)
{
    if (cursor->first_pass)
        return;
    if (cursor->head == cursor->n_queue)
        cursor->head = cursor->n_settled = cursor->n_queue = 0;
    cursor->queue = xgrow(cursor->queue, cursor->n_queue, &cursor->capacity_queue, sizeof *cursor->queue);
    cursor->queue[cursor->n_queue] = *record;
    if (record->position == 0)
        cursor->queue[cursor->n_queue].position = (int64_t)cursor->n_events;
    cursor->n_queue++;
}

bool otf_cursor_has_record(const struct otf_cursor *cursor)
{
    bool settles = cursor->shared->defs->n_contexts > 0 && cursor->stream == NULL;
    return cursor->head < (settles ? cursor->n_settled : cursor->n_queue);
}

bool otf_cursor_take(struct otf_cursor *cursor, struct record *record)
{
    if (!otf_cursor_has_record(cursor))
        return false;
    *record = cursor->queue[cursor->head++];
    return true;
}

/* ---- Time ---- */

/* Rounded toward the run's beginning. */
static bool to_ps(int64_t *ps, uint64_t ticks, const struct otf_defs *defs)
{
    wide product = defs->tick_ps > 0 ? (wide)ticks * defs->tick_ps : (wide)ticks * OTF_PS_PER_S / defs->resolution;
    *ps = (int64_t)product;
    return product <= (wide)LONGEST_PS;
}

int otf_cursor_at(struct otf_cursor *cursor, uint64_t number, uint64_t ticks)
{
    const struct otf_defs *defs = cursor->shared->defs;
    bool before = ticks < defs->offset;
    int64_t ps;
    cursor->n_events = number;
    if (!to_ps(&ps, before ? defs->offset - ticks : ticks - defs->offset, defs))
        return OTF_CURSOR_FAIL(cursor, "its time, tick %llu, is more than 26 days from the run's beginning, tick %llu",
                               (unsigned long long)ticks, (unsigned long long)defs->offset);
    ps = (before ? -ps : ps) + cursor->shared->shift_ps;
    if (cursor->has_begun && ps < cursor->now_ps)
        return OTF_CURSOR_FAIL(cursor, "its time is %lld ps, before that of the event before it, %lld ps",
                               (long long)ps, (long long)cursor->now_ps);
    if (!cursor->has_begun)
        cursor->since_ps = ps;
    otf_threads_begin(cursor, ps);
    if (cursor->first_pass) {
        struct otf_survey *survey = cursor->survey;
        survey->first_ps = survey->has_events ? survey->first_ps : ps;
        survey->last_ps = ps;
        survey->has_events = true;
    }
    cursor->has_begun = true;
    cursor->now_ps = ps;
    return 0;
}

void otf_cursor_program_end(struct otf_cursor *cursor, int64_t status)
{
    if (cursor->first_pass)
        cursor->survey->has_ended = status == 0;
}

/* --- with and without a processor --- */

static bool is_pause(uint8_t role)
{
    return role >= OTF_ROLE_PROCESSOR;
}

/* The rank has, or lacks, a processor up to now. */
static void extend_spell(struct otf_cursor *cursor, bool has_processor)
{
    if (!cursor->in_spell) {
        cursor->spell_ps = cursor->since_ps;
        cursor->spell_used_ps = 0;
        cursor->in_spell = true;
    }
    cursor->spell_used_ps += has_processor ? cursor->now_ps - cursor->since_ps : 0;
}

static void end_spell(struct otf_cursor *cursor)
{
    if (cursor->in_spell && cursor->first_pass && cursor->thread == 0)
        record_sharing_add(cursor->shared->sharing, cursor->rank, cursor->spell_ps, cursor->now_ps,
                           cursor->spell_used_ps);
    cursor->in_spell = false;
}

/* The reason of a pause. */
static const uint8_t sleeps[N_OTF_ROLES] = {
    [OTF_ROLE_IDLE] = SLEEP_IDLE,       [OTF_ROLE_PROCESSOR] = SLEEP_PROCESSOR,
    [OTF_ROLE_RANKS] = SLEEP_PROCESSOR, [OTF_ROLE_FOREIGN] = SLEEP_FOREIGN,
    [OTF_ROLE_ASLEEP] = SLEEP_ASLEEP,   [OTF_ROLE_OFF] = SLEEP_OFF,
    [OTF_ROLE_LAUNCH] = SLEEP_LAUNCH,   [OTF_ROLE_UNRECORDED] = SLEEP_UNRECORDED,
    [OTF_ROLE_SERIAL] = SLEEP_SERIAL,   [OTF_ROLE_TEAM] = SLEEP_TEAM,
    [OTF_ROLE_LOCK] = SLEEP_LOCK,
};

/* A pause, of which the last part was for a processor that other programs had, or that is not known. */
static void put_pause(struct otf_cursor *cursor, struct record record, uint8_t role)
{
    const struct record_sharing *sharing = cursor->shared->sharing;
    int64_t length_ps = record.end_ps - record.start_ps, shift_ps = cursor->shared->shift_ps, by_ranks_ps = length_ps;
    record.sleep = sleeps[role];
    if (role == OTF_ROLE_PROCESSOR)
        by_ranks_ps = record_sharing_by_ranks(sharing, cursor->rank, cursor->spell_ps - shift_ps,
                                              cursor->now_ps - shift_ps, cursor->spell_used_ps, length_ps);
    struct record rest = record;
    record.end_ps = rest.start_ps = record.start_ps + by_ranks_ps;
    if (record.end_ps > record.start_ps)
        otf_cursor_put(cursor, &record);
    if (rest.end_ps == rest.start_ps)
        return;
    rest.sleep = (uint8_t)record_sharing_rest(sharing);
    otf_cursor_put(cursor, &rest);
}

/* End a piece of time outside of calls, up to now. `leave` says how much was done, if a phase ends here; else it is
 * NULL. */
static void end_piece(struct otf_cursor *cursor, const struct otf_leave *leave)
{
    static const uint8_t kinds[] = {
        [OTF_ROLE_SERIAL] = RECORD_SLEEP,     [OTF_ROLE_TEAM] = RECORD_SLEEP,     [OTF_ROLE_LOCK] = RECORD_SLEEP,
        [OTF_ROLE_NONE] = RECORD_COMPUTE,     [OTF_ROLE_USEFUL] = RECORD_COMPUTE, [OTF_ROLE_CONTROL] = RECORD_COMPUTE,
        [OTF_ROLE_IDLE] = RECORD_SLEEP,       [OTF_ROLE_SEND] = RECORD_CALL,      [OTF_ROLE_RECEIVE] = RECORD_CALL,
        [OTF_ROLE_PROCESSOR] = RECORD_SLEEP,  [OTF_ROLE_RANKS] = RECORD_SLEEP,    [OTF_ROLE_FOREIGN] = RECORD_SLEEP,
        [OTF_ROLE_ASLEEP] = RECORD_SLEEP,     [OTF_ROLE_OFF] = RECORD_SLEEP,      [OTF_ROLE_LIBRARY] = RECORD_CALL,
        [OTF_ROLE_IO] = RECORD_CALL,          [OTF_ROLE_LAUNCH] = RECORD_SLEEP,   [OTF_ROLE_UNRECORDED] = RECORD_SLEEP,
        [OTF_ROLE_MESSAGES] = RECORD_COMPUTE,
    };
    static const uint8_t calls[N_OTF_ROLES] = {
        [OTF_ROLE_SEND] = RECORD_CALL_SEND,
        [OTF_ROLE_RECEIVE] = RECORD_CALL_RECEIVE,
        [OTF_ROLE_LIBRARY] = RECORD_CALL_LIBRARY,
        [OTF_ROLE_IO] = RECORD_CALL_WRITE,
    };
    uint8_t role = cursor->n_frames > 0 ? cursor->frames[cursor->n_frames - 1].role : OTF_ROLE_NONE;
    if (cursor->is_off)
        role = OTF_ROLE_UNRECORDED;
    if (kinds[role] == RECORD_COMPUTE || is_pause(role))
        extend_spell(cursor, kinds[role] == RECORD_COMPUTE);
    if (cursor->first_pass) {
        cursor->since_ps = cursor->now_ps;
        return;
    }
    struct record record = otf_record(kinds[role], cursor->since_ps, cursor->now_ps);
    record.control = role == OTF_ROLE_CONTROL;
    record.call = calls[role]; /* else RECORD_CALL_OTHER */
    if (leave != NULL && record.kind == RECORD_COMPUTE) {
        record.operations = leave->operations;
        record.quantums = leave->quantums;
        record.of_messages = role == OTF_ROLE_MESSAGES;
    }
    if (leave != NULL && record.kind == RECORD_SLEEP && leave->peer >= 0 &&
        leave->peer < cursor->shared->defs->n_ranks && leave->peer != cursor->rank) {
        role = OTF_ROLE_RANKS;
        record.peer = (int32_t)leave->peer;
    }
    if (leave != NULL && record.kind == RECORD_CALL)
        record.idle_ps = otf_idle_within(&record, leave->idle_ps);
    bool is_copy = role == OTF_ROLE_SEND || role == OTF_ROLE_RECEIVE;
    if (cursor->shared->defs->locations[cursor->location].of_stream &&
        (is_copy || (cursor->begins_kernel && record.kind == RECORD_COMPUTE))) {
        record.n_calls = 1;
        record.bytes = is_copy && leave != NULL ? leave->bytes : 0;
        cursor->begins_kernel = false;
    }
    if (record.kind == RECORD_SLEEP)
        put_pause(cursor, record, role);
    else if (record.end_ps > record.start_ps || record.n_calls > 0 || record.operations > 0 || record.quantums > 0)
        otf_cursor_put(cursor, &record);
    if (cursor->n_queue - cursor->n_settled >= MOST_UNSETTLED)
        settle(cursor, 0);
    cursor->since_ps = cursor->now_ps;
}

void otf_cursor_end_piece(struct otf_cursor *cursor)
{
    end_piece(cursor, NULL);
}

int otf_cursor_switch(struct otf_cursor *cursor, bool on)
{
    if (cursor->n_calls > 0 || on != cursor->is_off) /* what is within a call is the call's */
        return 0;
    end_piece(cursor, NULL);
    cursor->is_off = !on;
    cursor->survey->n_off += cursor->first_pass && !on;
    return 0;
}

/* ---- Regions ---- */

void otf_cursor_wait_life(struct otf_cursor *cursor, uint32_t team, uint64_t number)
{
    const struct otf_frame *frame = cursor->n_frames > 0 ? &cursor->frames[cursor->n_frames - 1] : NULL;
    otf_threads_wait(cursor, team, number, frame != NULL && cursor->shared->defs->regions[frame->region].joins);
}

const struct otf_leave otf_leaves_plainly = {
    .idle_ps = -1, .peer = -1, .waited = -1, .awaited = -1, .awaited_comm = OTF2_UNDEFINED_COMM};

void otf_cursor_put_scope(struct otf_cursor *cursor, uint8_t kind, uint16_t scope)
{
    if (cursor->first_pass)
        return;
    struct record record = otf_record(kind, cursor->now_ps, cursor->now_ps);
    record.scope = scope;
    if (kind == RECORD_ENTER)
        cursor->begins_kernel = cursor->shared->defs->locations[cursor->location].of_stream && cursor->n_scopes++ == 0;
    else
        cursor->n_scopes--;
    otf_cursor_put(cursor, &record);
}

/* True if the region is a call; of the regions that have a role too, only I/O, setting up links and calls that are no
 * messages. */
static bool is_call(const struct otf_region *region, uint8_t role)
{
    return region->is_call && (role == OTF_ROLE_NONE || role == OTF_ROLE_CONTROL || region->call != RECORD_CALL_OTHER);
}

/* True if what a region says is said already; without streams, none is. Else it may begin an activity. */
static bool is_hidden(struct otf_cursor *cursor, const struct otf_region *region)
{
    if (cursor->stream == NULL)
        return otf_offload_enter(cursor, region);
    if (!region->is_call)
        otf_activity_begin(cursor, false);
    return region->is_call;
}

void otf_cursor_sample(struct otf_cursor *cursor, uint32_t path)
{
    if (cursor->n_calls > 0 || cursor->stream != NULL || path == 0)
        return;
    end_piece(cursor, NULL);
    settle(cursor, path);
    cursor->latest_path = path;
}

/* The role of the time in a region, which has one of its own or not, within a region of another role. */
static uint8_t role_within(const struct otf_cursor *cursor, const struct otf_region *region, uint8_t own, uint8_t outer)
{
    if (own != OTF_ROLE_NONE)
        return own;
    if (region->joins)
        return OTF_ROLE_ASLEEP;
    if (otf_teams_count(cursor) && (region->gathers == OTF_BARRIER || region->gathers == OTF_TASK_WAIT))
        return OTF_ROLE_TEAM;
    return outer == OTF_ROLE_TEAM ? OTF_ROLE_NONE : outer;
}

int otf_cursor_enter(struct otf_cursor *cursor, uint32_t region, const struct otf_enter *enter)
{
    uint8_t role = enter->role;
    const struct otf_defs *defs = cursor->shared->defs;
    uint32_t index;
    if (!map_get(&defs->region_map, map_key_64(region), &index))
        return OTF_CURSOR_FAIL(cursor, "enters region %u, which is not defined", (unsigned)region);
    if (cursor->n_frames >= MAX_DEPTH)
        return OTF_CURSOR_FAIL(cursor, "regions are nested more than %d deep", MAX_DEPTH);
    const struct otf_region *defined = &defs->regions[index];
    uint8_t outer = cursor->n_frames > 0 ? cursor->frames[cursor->n_frames - 1].role : OTF_ROLE_NONE;
    uint8_t inner = role_within(cursor, defined, role, outer);
    bool gathers = inner == OTF_ROLE_TEAM && role == OTF_ROLE_NONE;
    struct otf_frame frame = {index, inner, is_call(defined, role), role != OTF_ROLE_NONE || gathers, false};
    if (outer == OTF_ROLE_TEAM && cursor->n_calls == 0)
        otf_teams_work(cursor);
    if (cursor->n_calls == 0)
        frame.is_hidden = is_hidden(cursor, defined);
    frame.is_call &= !frame.is_hidden;
    if (cursor->n_calls == 0 && !frame.is_hidden) {
        end_piece(cursor, NULL);
        if (frame.is_call || (enter->path != 0 && !frame.says))
            settle(cursor, enter->path);
        if (!is_pause(role))
            end_spell(cursor);
        bool is_control = role == OTF_ROLE_CONTROL && defined->call == RECORD_CALL_OTHER;
        if (frame.is_call) {
            otf_calls_begin(cursor, defined, is_control ? RECORD_CALL_CONTROL : defined->call, enter->polls);
            cursor->site = enter->site;
            cursor->path = enter->path;
            cursor->latest_path = enter->path != 0 ? enter->path : cursor->latest_path;
        } else if (!frame.says)
            otf_cursor_put_scope(cursor, RECORD_ENTER, defined->scope);
    }
    cursor->n_calls += cursor->n_calls > 0 || frame.is_call;
    cursor->frames = xgrow(cursor->frames, cursor->n_frames, &cursor->capacity_frames, sizeof *cursor->frames);
    cursor->frames[cursor->n_frames++] = frame;
    if (gathers && defined->gathers == OTF_BARRIER)
        otf_teams_enter(cursor);
    return 0;
}

/* An archive of simrun's own says that threads let each other go on. */
static void mark(struct otf_cursor *cursor, const struct otf_leave *leave, uint8_t role)
{
    struct otf_leave said = *leave;
    said.await_sleep = is_pause(role) ? sleeps[role] : SLEEP_IDLE;
    otf_threads_mark(cursor, &said);
}

static int leave_innermost(struct otf_cursor *cursor, const struct otf_leave *leave)
{
    struct otf_frame frame = cursor->frames[cursor->n_frames - 1];
    bool is_outer = cursor->outer_frames == cursor->n_frames;
    if (is_outer && cursor->offload != NULL)
        otf_offload_leave(cursor);
    if (frame.is_hidden) {
        cursor->n_frames--;
        return 0;
    }
    if (cursor->n_calls == 0) {
        if (frame.role == OTF_ROLE_TEAM && cursor->shared->defs->regions[frame.region].gathers == OTF_BARRIER &&
            otf_teams_leave(cursor))
            cursor->frames[cursor->n_frames - 1].role = OTF_ROLE_CONTROL;
        if (leave->needed > 0)
            mark(cursor, leave, frame.role);
        else
            end_piece(cursor, leave);
        if (!frame.says || !is_pause(frame.role))
            end_spell(cursor);
        if (!frame.says)
            otf_cursor_put_scope(cursor, RECORD_LEAVE, cursor->shared->defs->regions[frame.region].scope);
    } else if (--cursor->n_calls == 0) {
        if (cursor->first_pass && cursor->thread == 0)
            record_sharing_add(cursor->shared->sharing, cursor->rank, cursor->call_ps, cursor->now_ps,
                               cursor->now_ps - cursor->call_ps);
        if (otf_calls_end(cursor, leave) < 0)
            return -1;
        cursor->n_settled = cursor->n_queue;
        cursor->since_ps = cursor->now_ps;
    }
    if (is_outer && cursor->stream != NULL)
        otf_activity_end(cursor);
    cursor->n_frames--;
    return 0;
}

int otf_cursor_leave(struct otf_cursor *cursor, uint32_t region, const struct otf_leave *leave)
{
    const struct otf_defs *defs = cursor->shared->defs;
    uint32_t index;
    if (!map_get(&defs->region_map, map_key_64(region), &index))
        return OTF_CURSOR_FAIL(cursor, "leaves region %u, which is not defined", (unsigned)region);
    if (cursor->n_frames == 0)
        return OTF_CURSOR_FAIL(cursor, "leaves region '%s' without having entered it", defs->regions[index].name);
    uint32_t inside = cursor->frames[cursor->n_frames - 1].region;
    if (inside != index && !(cursor->has_tasks && otf_teams_find_frame(cursor, index)))
        return OTF_CURSOR_FAIL(cursor, "leaves region '%s', but is in '%s'", defs->regions[index].name,
                               defs->regions[inside].name);
    return leave_innermost(cursor, leave);
}

int otf_cursor_end(struct otf_cursor *cursor, bool complete)
{
    if (complete && cursor->n_frames > 0)
        return OTF_CURSOR_FAIL(cursor, "the events end inside region '%s'",
                               cursor->shared->defs->regions[cursor->frames[cursor->n_frames - 1].region].name);
    while (cursor->n_frames > 0)
        if (leave_innermost(cursor, &otf_leaves_plainly) < 0)
            return -1;
    otf_transfer_end(cursor);
    if (cursor->has_begun && cursor->stream == NULL) {
        end_piece(cursor, NULL);
        end_spell(cursor);
        otf_threads_end(cursor);
    }
    settle(cursor, 0);
    return 0;
}
