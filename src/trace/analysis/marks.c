/* Threads of a rank that wait for each other: who has named a mark last, and who waits for it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/internal.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

struct named {
    int64_t last_ps;     /* when it was named last */
    uint32_t checkpoint; /* and where */
    uint32_t times;
    int32_t waiter; /* the location that waits for it; -1: none */
    uint32_t next;  /* of free ones */
};

static struct map_key key_of(const struct analysis *analysis, int location)
{
    int64_t mark = analysis->locations[location].record.mark;
    return map_key(analysis_rank_of(analysis, location), 0, (int32_t)(mark >> 32), (int32_t)mark);
}

static struct named *named_of(struct analysis *analysis, int location)
{
    struct map_entry *entry = map_add(&analysis->marks, key_of(analysis, location));
    if (entry->index != MAP_NOTHING)
        return &analysis->named[entry->index];
    if (analysis->free_named != MAP_NOTHING) {
        entry->index = analysis->free_named;
        analysis->free_named = analysis->named[entry->index].next;
    } else {
        analysis->named = xgrow(analysis->named, analysis->n_named, &analysis->named_capacity, sizeof *analysis->named);
        entry->index = (uint32_t)analysis->n_named++;
    }
    analysis->named[entry->index] = (struct named){.last_ps = -1, .waiter = -1};
    return &analysis->named[entry->index];
}

void marks_signal(struct analysis *analysis, int location)
{
    struct named *named = named_of(analysis, location);
    const struct record *record = &analysis->locations[location].record;
    if (named->times++ == 0)
        named->checkpoint = message_new(analysis);
    if (record->start_ps >= named->last_ps) {
        named->last_ps = record->start_ps;
        account_checkpoint(analysis, location, named->checkpoint, -1);
    }
    if (named->waiter >= 0 && named->times + 1 >= record->request &&
        analysis->locations[named->waiter].status == LOCATION_STALLED)
        analysis_wake(analysis, named->waiter);
}

int marks_are_named(struct analysis *analysis, int location)
{
    struct named *named = named_of(analysis, location);
    named->waiter = location;
    return named->times + 1 >= analysis->locations[location].record.request;
}

/* The kind of wait of a thread of the rank, or of a stream. */
static uint8_t wait_of(const struct analysis *analysis, int location)
{
    static const uint8_t waits[N_RECORD_SLEEPS] = {
        [SLEEP_SERIAL] = WAIT_SERIAL, [SLEEP_TEAM] = WAIT_TEAM, [SLEEP_LOCK] = WAIT_THREAD_LOCK};
    int first = analysis->reader->info.first_stream;
    uint8_t said = waits[analysis->locations[location].record.sleep];
    if (said != WAIT_NONE)
        return said;
    if (analysis_is_stream(analysis, location))
        return WAIT_LAUNCH;
    return first > 0 && analysis->locations[location].record.peer >= first ? WAIT_STREAM : WAIT_THREAD;
}

void marks_finish(struct analysis *analysis, int location)
{
    struct location *self = &analysis->locations[location];
    struct map_entry *entry = map_find(&analysis->marks, key_of(analysis, location));
    struct named *named = &analysis->named[entry->index];
    uint8_t wait = wait_of(analysis, location);
    bool has_last = self->record.peer >= 0;
    struct interval idle = {
        .peer = has_last ? self->record.peer * analysis->n_ranks + analysis_rank_of(analysis, location) : -1,
        .awaited = -1,
        .state = STATE_IDLE,
        .kind = INTERVAL_WAIT_CPU,
        .wait = wait,
        .cause = CAUSE_CHECKPOINT,
        .message = named->checkpoint,
        .origin_ps = named->last_ps};
    bool is_known = named->times > 0 && named->last_ps >= self->now_ps && named->last_ps <= self->record.end_ps;
    if (is_known)
        account(analysis, location, self->record.end_ps, idle);
    else
        account_wait(analysis, location, self->record.end_ps, idle);
    if (named->times > 0)
        message_free(analysis, named->checkpoint);
    named->next = analysis->free_named;
    analysis->free_named = entry->index;
    map_remove(&analysis->marks, entry);
}

void marks_dispose(struct analysis *analysis)
{
    map_dispose(&analysis->marks);
    free(analysis->named);
}
