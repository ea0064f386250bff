#include "trace/requests.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

uint64_t requests_begin(struct requests *requests, uint32_t number, bool receives, bool collective)
{
    if (number == 0 && !receives)
        return 2 * requests->n_plain++ + 1;
    if (requests->first > 0 && requests->count == requests->capacity) {
        requests->count -= requests->first;
        memmove(requests->pending, requests->pending + requests->first, requests->count * sizeof *requests->pending);
        requests->first = 0;
    }
    requests->pending = xgrow(requests->pending, requests->count, &requests->capacity, sizeof *requests->pending);
    struct request *request = &requests->pending[requests->count++];
    *request = (struct request){2 * requests->n_begun++, number, receives, collective};
    return request->id;
}

static void take_out(struct requests *requests, struct request *ended, size_t index)
{
    struct request *place = &requests->pending[index];
    *ended = *place;
    if (index == requests->first) {
        requests->first++;
        return;
    }
    requests->count--;
    memmove(place, place + 1, (requests->count - index) * sizeof *place);
}

bool requests_end(struct requests *requests, struct request *ended, uint32_t number, bool collective)
{
    for (size_t i = requests->count; i > requests->first; i--) {
        const struct request *request = &requests->pending[i - 1];
        if (request->number != number || request->collective != collective)
            continue;
        take_out(requests, ended, i - 1);
        return true;
    }
    return false;
}

bool requests_end_first(struct requests *requests, struct request *ended, bool receives)
{
    for (size_t i = requests->first; i < requests->count; i++)
        if (requests->pending[i].receives == receives) {
            take_out(requests, ended, i);
            return true;
        }
    if (receives || requests->end_plain == requests->n_plain)
        return false;
    *ended = (struct request){.id = 2 * requests->end_plain++ + 1};
    return true;
}

void requests_dispose(struct requests *requests)
{
    free(requests->pending);
    *requests = (struct requests){0};
}
