/* The hash table of pending MPI requests, which may share a handle. */
#include "eppa/record/requests.h"

#include "eppa/record/neighbours.h"
#include "eppa/record/recorder.h"

#include <stdlib.h>

static struct request **buckets;
static size_t n_buckets, n_requests;
static struct request *unused;

static struct request **bucket_of(const void *handle)
{
    uint64_t key = (uint64_t)(uintptr_t)handle * UINT64_C(0x9E3779B97F4A7C15);
    return &buckets[(key >> 32) & (n_buckets - 1)];
}

static void append(struct request *request)
{
    struct request **place = bucket_of(request->handle);
    while (*place != NULL)
        place = &(*place)->next;
    request->next = NULL;
    *place = request;
}

static bool grow(void)
{
    size_t n_old = n_buckets;
    struct request **old = buckets, **larger = calloc(n_old == 0 ? 256 : 2 * n_old, sizeof *larger);
    if (larger == NULL)
        return n_old != 0;
    buckets = larger;
    n_buckets = n_old == 0 ? 256 : 2 * n_old;
    for (size_t i = 0; i < n_old; i++)
        for (struct request *request = old[i], *next; request != NULL; request = next) {
            next = request->next;
            append(request);
        }
    free(old);
    return true;
}

struct request *request_add(const void *handle, const struct request *request)
{
    if (n_requests >= n_buckets && !grow())
        return NULL;
    struct request *added = unused;
    if (added != NULL)
        unused = added->next;
    else if ((added = malloc(sizeof *added)) == NULL)
        return NULL;
    *added = *request;
    added->handle = handle;
    append(added);
    n_requests++;
    return added;
}

struct request *request_find(const void *handle)
{
    struct request *idle = NULL;
    if (n_buckets == 0)
        return NULL;
    for (struct request *request = *bucket_of(handle); request != NULL; request = request->next)
        if (request->handle == handle) {
            if (request->is_active)
                return request;
            idle = request;
        }
    return idle;
}

void request_remove(struct request *request)
{
    struct request **place = bucket_of(request->handle);
    while (*place != request)
        place = &(*place)->next;
    *place = request->next;
    n_requests--;
    neighbour_list_free(request->neighbours);
    request->next = unused;
    unused = request;
}
