/* The hash table of a rank's pending requests by sender, receiver and tag. */
#include "trace/ti/pending.h"

#include "base/memory.h"

#include <stdlib.h>

/* Links are indices into the pool; 0 is none. */
struct ti_request {
    struct map_key name;
    uint32_t number;
    uint32_t before, after; /* in the order of their beginning, among all */
    uint32_t next_same;     /* the next of its name; in the chain of free ones: of these */
    uint32_t last_same;     /* of the oldest of a name: the newest */
};

static uint32_t take_place(struct ti_pending *pending)
{
    uint32_t place = pending->free;
    if (place != 0) {
        pending->free = pending->requests[place].next_same;
        return place;
    }
    if (pending->n_requests == 0)
        pending->n_requests = 1;
    pending->requests = xgrow(pending->requests, pending->n_requests, &pending->capacity, sizeof *pending->requests);
    return (uint32_t)pending->n_requests++;
}

static void put_behind_same(struct ti_pending *pending, uint32_t place)
{
    struct map_entry *oldest = map_add(&pending->names, pending->requests[place].name);
    if (oldest->index == MAP_NOTHING) {
        oldest->index = place;
        return;
    }
    struct ti_request *first = &pending->requests[oldest->index];
    pending->requests[first->last_same].next_same = place;
    first->last_same = place;
}

uint32_t ti_pending_begin(struct ti_pending *pending, int from, int to, int tag)
{
    uint32_t place = take_place(pending), newest = pending->newest;
    pending->last_number += pending->last_number == UINT32_MAX ? 2 : 1;
    pending->requests[place] = (struct ti_request){
        .name = map_key(from, to, tag, 0), .number = pending->last_number, .before = newest, .last_same = place};
    *(newest != 0 ? &pending->requests[newest].after : &pending->oldest) = place;
    pending->newest = place;
    put_behind_same(pending, place);
    return pending->last_number;
}

/* Take out the oldest of a name; its number. */
static uint32_t take_out(struct ti_pending *pending, uint32_t place)
{
    struct ti_request *requests = pending->requests, *request = &requests[place];
    struct map_entry *oldest = map_find(&pending->names, request->name);
    if (request->next_same == 0)
        map_remove(&pending->names, oldest);
    else {
        requests[request->next_same].last_same = request->last_same;
        oldest->index = request->next_same;
    }
    *(request->before != 0 ? &requests[request->before].after : &pending->oldest) = request->after;
    *(request->after != 0 ? &requests[request->after].before : &pending->newest) = request->before;
    request->next_same = pending->free;
    pending->free = place;
    return request->number;
}

uint32_t ti_pending_end(struct ti_pending *pending, int from, int to, int tag)
{
    const struct map_entry *oldest = map_find(&pending->names, map_key(from, to, tag, 0));
    return oldest != NULL ? take_out(pending, oldest->index) : 0;
}

uint32_t ti_pending_end_first(struct ti_pending *pending)
{
    return ti_pending_any(pending) ? take_out(pending, pending->oldest) : 0;
}

bool ti_pending_any(const struct ti_pending *pending)
{
    return pending->oldest != 0;
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
