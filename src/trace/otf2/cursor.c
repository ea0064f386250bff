/* A cursor's queue of records and its time. Time between calls is in trace/otf2/pieces.c, regions in
 * trace/otf2/visits.c, calls in trace/otf2/calls.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/cursor.h"
#include "trace/otf2/calls.h"

#include "base/memory.h"

#include <stdlib.h>

#define LONGEST_PS (INT64_MAX / 4) /* 26.7 days */

__extension__ typedef unsigned __int128 wide;

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

void otf_settle(struct otf_cursor *cursor, uint32_t path)
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
