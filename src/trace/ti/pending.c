/* The hash table of a rank's pending requests by sender, receiver and tag.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/pending.h"

#include "base/memory.h"

#include <stdlib.h>

/* Links are indices into the pool; 0 is none. */
struct ti_request {
    struct map_key name;
    uint32_t number;
    uint32_t before, after; /* in the order of their beginning, among all */
    uint32_t next_same;     /* the next of its name, MAP_NOTHING: none; in the chain of free ones: of these */
};

static uint32_t take_slot(struct ti_pending *pending)
{
    uint32_t slot = pending->free;
    if (slot != 0) {
        pending->free = pending->requests[slot].next_same;
        return slot;
    }
    if (pending->n_requests == 0)
        pending->n_requests = 1;
    pending->requests = xgrow(pending->requests, pending->n_requests, &pending->capacity, sizeof *pending->requests);
    return (uint32_t)pending->n_requests++;
}

uint32_t ti_pending_begin(struct ti_pending *pending, int from, int to, int tag)
{
    uint32_t slot = take_slot(pending), newest = pending->newest;
    pending->last_number += pending->last_number == UINT32_MAX ? 2 : 1;
    pending->requests[slot] = (struct ti_request){
        .name = map_key(from, to, tag, 0), .number = pending->last_number, .before = newest, .next_same = MAP_NOTHING};
    *(newest != 0 ? &pending->requests[newest].after : &pending->oldest) = slot;
    pending->newest = slot;
    uint32_t same = queue_append(map_add(&pending->names, pending->requests[slot].name), slot);
    if (same != MAP_NOTHING)
        pending->requests[same].next_same = slot;
    return pending->last_number;
}

/* Take out the oldest of a name; its number. */
static uint32_t take_out(struct ti_pending *pending, uint32_t slot)
{
    struct ti_request *requests = pending->requests, *request = &requests[slot];
    queue_drop_first(&pending->names, map_find(&pending->names, request->name), request->next_same);
    *(request->before != 0 ? &requests[request->before].after : &pending->oldest) = request->after;
    *(request->after != 0 ? &requests[request->after].before : &pending->newest) = request->before;
    request->next_same = pending->free;
    pending->free = slot;
    return request->number;
}

uint32_t ti_pending_end(struct ti_pending *pending, int from, int to, int tag)
{
    const struct map_entry *oldest = map_find(&pending->names, map_key(from, to, tag, 0));
    return oldest != NULL ? take_out(pending, oldest->index) : 0;
}

uint32_t ti_pending_end_first(struct ti_pending *pending)
{
    return pending->oldest != 0 ? take_out(pending, pending->oldest) : 0;
}

bool ti_pending_any(const struct ti_pending *pending)
{
    return pending->oldest != 0;
}

/* Where few of many slots are taken, one by one. */
bool ti_pending_end_all(struct ti_pending *pending)
{
    bool any = ti_pending_any(pending);
    if (pending->names.size > 16 * (pending->names.count + 1)) {
        while (ti_pending_end_first(pending) != 0)
            ;
        return any;
    }
    map_clear(&pending->names);
    pending->n_requests = pending->n_requests > 0;
    pending->free = pending->oldest = pending->newest = 0;
    return any;
}

void ti_pending_clear(struct ti_pending *pending)
{
    ti_pending_dispose(pending);
    *pending = (struct ti_pending){0};
}

void ti_pending_dispose(struct ti_pending *pending)
{
    free(pending->requests);
    map_dispose(&pending->names);
}
