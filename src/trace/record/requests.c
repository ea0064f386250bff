/* The hash table that gives each request of a rank a number of its own in the trace.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/requests.h"

#include "base/memory.h"

#include <stdlib.h>

/* Receives, sends, and sends within collectives are a ring each, in the order of their beginning, which is closed by
 * the slot of that name. So none of these is a slot of a request, and 0 can mean none. */
enum { RECEIVES, SENDS, COLLECTIVE_SENDS, N_RINGS };

struct request_slot {
    struct request request;
    uint32_t before, after; /* in its ring; in the chain of free slots: after */
    uint32_t older, newer;  /* of the same number; 0: none */
};

static struct map_key key_of(const struct request *request)
{
    return map_key((int32_t)request->number, request->collective, request->receives, 0);
}

static uint32_t new_slot(struct requests *requests)
{
    uint32_t slot = requests->free;
    if (slot != 0) {
        requests->free = requests->slots[slot].after;
        return slot;
    }
    requests->slots = xgrow(requests->slots, requests->n_slots, &requests->capacity, sizeof *requests->slots);
    return (uint32_t)requests->n_slots++;
}

static void begin_rings(struct requests *requests)
{
    for (uint32_t ring = 0; ring < N_RINGS; ring++) {
        uint32_t slot = new_slot(requests);
        requests->slots[slot] = (struct request_slot){.before = ring, .after = ring};
    }
}

static void put_last(struct requests *requests, uint32_t ring, uint32_t slot)
{
    struct request_slot *slots = requests->slots;
    slots[slot].before = slots[ring].before;
    slots[slot].after = ring;
    slots[slots[slot].before].after = slot;
    slots[ring].before = slot;
}

static void put_newest(struct requests *requests, uint32_t slot)
{
    struct request_slot *slots = requests->slots;
    const struct request *request = &slots[slot].request;
    struct map_entry *latest = map_add(&requests->latest, key_of(request));
    slots[slot].older = latest->index != MAP_NOTHING ? latest->index : 0;
    slots[slots[slot].older].newer = slot; /* of none it means nothing */
    latest->index = slot;
}

uint64_t requests_begin(struct requests *requests, uint32_t number, bool receives, bool collective)
{
    if (number == 0 && !receives)
        return 2 * requests->n_plain++ + 1;
    if (requests->n_slots == 0)
        begin_rings(requests);
    uint32_t slot = new_slot(requests);
    requests->slots[slot] = (struct request_slot){.request = {2 * requests->n_begun++, number, receives, collective}};
    put_last(requests, receives ? RECEIVES : collective ? COLLECTIVE_SENDS : SENDS, slot);
    put_newest(requests, slot);
    return requests->slots[slot].request.id;
}

/* Out of those of its number. */
static void take_from_number(struct requests *requests, const struct request_slot *taken)
{
    struct request_slot *slots = requests->slots;
    struct map_entry *latest = map_find(&requests->latest, key_of(&taken->request));
    slots[taken->older].newer = taken->newer;
    if (taken->newer != 0)
        slots[taken->newer].older = taken->older;
    else if (taken->older != 0)
        latest->index = taken->older;
    else
        map_remove(&requests->latest, latest);
}

static void take_out(struct requests *requests, struct request *ended, uint32_t slot)
{
    struct request_slot *slots = requests->slots, *taken = &slots[slot];
    *ended = taken->request;
    slots[taken->before].after = taken->after;
    slots[taken->after].before = taken->before;
    take_from_number(requests, taken);
    taken->after = requests->free;
    requests->free = slot;
}

bool requests_end(struct requests *requests, struct request *ended, uint32_t number, bool receives, bool collective)
{
    const struct request wanted = {.number = number, .receives = receives, .collective = collective};
    const struct map_entry *latest = map_find(&requests->latest, key_of(&wanted));
    if (latest == NULL)
        return false;
    take_out(requests, ended, latest->index);
    return true;
}

bool requests_end_send(struct requests *requests, struct request *ended, bool collective)
{
    uint32_t ring = collective ? COLLECTIVE_SENDS : SENDS;
    uint32_t first = requests->n_slots > 0 ? requests->slots[ring].after : ring;
    if (first != ring) {
        take_out(requests, ended, first);
        return true;
    }
    if (collective || requests->end_plain == requests->n_plain)
        return false;
    *ended = (struct request){.id = 2 * requests->end_plain++ + 1};
    return true;
}

void requests_dispose(struct requests *requests)
{
    free(requests->slots);
    map_dispose(&requests->latest);
    *requests = (struct requests){0};
}
