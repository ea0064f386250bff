/* The regions that a rank is in: it enters and leaves them, and each becomes a call, a scope, or a role of the time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/calls.h"
#include "trace/otf2/streams.h"

#include "base/memory.h"

enum { MAX_DEPTH = 1 << 20 };

const struct otf_leave otf_leaves_plainly = {
    .idle_ps = -1, .peer = -1, .waited = -1, .awaited = -1, .awaited_comm = OTF2_UNDEFINED_COMM};

void otf_cursor_wait_life(struct otf_cursor *cursor, uint32_t team, uint64_t number)
{
    const struct otf_frame *frame = cursor->n_frames > 0 ? &cursor->frames[cursor->n_frames - 1] : NULL;
    otf_threads_wait(cursor, team, number, frame != NULL && cursor->shared->defs->regions[frame->region].joins);
}

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
    otf_end_piece(cursor, NULL);
    otf_settle(cursor, path);
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
        otf_end_piece(cursor, NULL);
        if (frame.is_call || (enter->path != 0 && !frame.says))
            otf_settle(cursor, enter->path);
        if (!otf_role_is_pause(role))
            otf_end_spell(cursor);
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
    said.await_sleep = otf_role_sleep(role);
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
            otf_end_piece(cursor, leave);
        if (!frame.says || !otf_role_is_pause(frame.role))
            otf_end_spell(cursor);
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
        otf_end_piece(cursor, NULL);
        otf_end_spell(cursor);
        otf_threads_end(cursor);
    }
    otf_settle(cursor, 0);
    return 0;
}
