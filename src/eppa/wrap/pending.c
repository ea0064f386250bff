/* Pending MPI requests: of each handle, the first that has it, and from that the others in their order.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/pending.h"

#include "base/map.h"
#include "eppa/wrap/neighbours.h"

#include <stdlib.h>

static struct map pending;
static struct request *unused;
static _Thread_local char self; /* whose address is different from that of other threads */

static struct map_key key_of(uintptr_t handle)
{
    return map_key_64(handle);
}

static struct request *take_unused(void)
{
    struct request *request = unused;
    if (request == NULL)
        return malloc(sizeof *request);
    unused = request->next;
    return request;
}

struct request *request_add(uintptr_t handle, const struct request *request)
{
    struct request *added = map_reserve(&pending) ? take_unused() : NULL;
    if (added == NULL)
        return NULL;
    *added = *request;
    added->handle = handle;
    added->thread = &self;
    added->next = NULL;
    struct map_entry *entry = map_add(&pending, key_of(handle));
    if (entry->index == MAP_NOTHING) {
        entry->pointer = added;
        return added;
    }
    struct request *last = entry->pointer;
    while (last->next != NULL)
        last = last->next;
    return last->next = added;
}

struct request *request_find(uintptr_t handle)
{
    const struct map_entry *entry = map_find(&pending, key_of(handle));
    struct request *idle = NULL, *active = NULL;
    for (struct request *request = entry != NULL ? entry->pointer : NULL; request != NULL; request = request->next) {
        if (request->is_active && request->thread == &self)
            return request;
        if (request->is_active && active == NULL)
            active = request;
        idle = request;
    }
    return active != NULL ? active : idle;
}

void request_remove(struct request *request)
{
    struct map_entry *entry = map_find(&pending, key_of(request->handle));
    struct request *before = entry->pointer;
    if (before == request && request->next == NULL)
        map_remove(&pending, entry);
    else if (before == request)
        entry->pointer = request->next;
    else {
        while (before->next != request)
            before = before->next;
        before->next = request->next;
    }
    neighbour_list_free(request->neighbours);
    request->next = unused;
    unused = request;
}
