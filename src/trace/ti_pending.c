#include "trace/ti_pending.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Drop what has been waited for at the beginning, and all room when nothing is left. */
static void advance(struct ti_pending *pending)
{
    while (pending->first < pending->count && pending->requests[pending->first].number == 0)
        pending->first++;
    if (pending->first == pending->count)
        pending->first = pending->count = 0;
}

/* Close the gaps when there is no room behind, before there is to be more of it. */
static void compact(struct ti_pending *pending)
{
    size_t kept = 0;
    for (size_t i = pending->first; i < pending->count; i++)
        if (pending->requests[i].number != 0)
            pending->requests[kept++] = pending->requests[i];
    pending->first = 0;
    pending->count = kept;
}

uint32_t ti_pending_begin(struct ti_pending *pending, int from, int to, int tag)
{
    if (pending->count == pending->capacity) {
        compact(pending);
        if (pending->count >= pending->capacity / 2)
            pending->requests =
                xgrow(pending->requests, pending->capacity, &pending->capacity, sizeof *pending->requests);
    }
    pending->last_number += pending->last_number == UINT32_MAX ? 2 : 1;
    pending->requests[pending->count++] = (struct ti_request){from, to, tag, pending->last_number};
    return pending->last_number;
}

uint32_t ti_pending_end(struct ti_pending *pending, int from, int to, int tag)
{
    for (size_t i = pending->first; i < pending->count; i++) {
        struct ti_request *request = &pending->requests[i];
        uint32_t number = request->number;
        if (request->tag != tag || request->from != from || request->to != to || number == 0)
            continue;
        request->number = 0;
        advance(pending);
        return number;
    }
    return 0;
}

uint32_t ti_pending_end_first(struct ti_pending *pending)
{
    if (pending->first == pending->count)
        return 0;
    uint32_t number = pending->requests[pending->first].number;
    pending->requests[pending->first].number = 0;
    advance(pending);
    return number;
}

void ti_pending_clear(struct ti_pending *pending)
{
    pending->first = pending->count = 0;
    pending->last_number = 0;
}

void ti_pending_dispose(struct ti_pending *pending)
{
    free(pending->requests);
}
