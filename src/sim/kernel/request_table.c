/* The hash table of requests that are not waited for yet, and each rank's list of posted receives. */
#include "sim/kernel/request_table.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 64 };

void pendings_init(struct pendings *pendings, int n_ranks)
{
    *pendings = (struct pendings){.free = NO_PENDING, .n_ranks = n_ranks};
}

void pendings_dispose(struct pendings *pendings)
{
    free(pendings->items);
    free(pendings->buckets);
    free(pendings->receives);
}

static size_t bucket_of(const struct pendings *pendings, int32_t rank, uint32_t number, bool collective)
{
    uint64_t hash = ((uint64_t)(uint32_t)rank << 1 | collective) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ number) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (size_t)(hash >> 32) & (pendings->n_buckets - 1);
}

static void put_in_bucket(struct pendings *pendings, uint32_t index)
{
    struct pending *item = &pendings->items[index];
    uint32_t *bucket = &pendings->buckets[bucket_of(pendings, item->rank, item->number, item->context != 0)];
    item->next = *bucket;
    *bucket = index;
}

static void grow_buckets(struct pendings *pendings)
{
    size_t old_count = pendings->n_buckets;
    uint32_t *old = pendings->buckets;
    pendings->n_buckets = old_count > 0 ? old_count * 2 : FIRST_BUCKETS;
    pendings->buckets = xmalloc(pendings->n_buckets * sizeof *pendings->buckets);
    memset(pendings->buckets, 0xff, pendings->n_buckets * sizeof *pendings->buckets);
    for (size_t i = 0; i < old_count; i++)
        for (uint32_t index = old[i], next; index != NO_PENDING; index = next) {
            next = pendings->items[index].next;
            put_in_bucket(pendings, index);
        }
    free(old);
}

static uint32_t new_item(struct pendings *pendings)
{
    uint32_t index = pendings->free;
    if (index != NO_PENDING) {
        pendings->free = pendings->items[index].next;
        return index;
    }
    pendings->items = xgrow(pendings->items, pendings->n_items, &pendings->capacity, sizeof *pendings->items);
    return (uint32_t)pendings->n_items++;
}

static void append_receive(struct pendings *pendings, uint32_t index)
{
    if (pendings->receives == NULL) {
        size_t size = (size_t)pendings->n_ranks * sizeof *pendings->receives;
        pendings->receives = xmalloc(size);
        memset(pendings->receives, 0xff, size);
    }
    struct pending *item = &pendings->items[index];
    struct pending_list *list = &pendings->receives[item->rank];
    item->before = list->last;
    item->after = NO_PENDING;
    *(list->last != NO_PENDING ? &pendings->items[list->last].after : &list->first) = index;
    list->last = index;
}

static void remove_receive(struct pendings *pendings, const struct pending *item)
{
    struct pending_list *list = &pendings->receives[item->rank];
    *(item->before != NO_PENDING ? &pendings->items[item->before].after : &list->first) = item->after;
    *(item->after != NO_PENDING ? &pendings->items[item->after].before : &list->last) = item->before;
}

uint32_t pendings_add(struct pendings *pendings, const struct pending *pending)
{
    uint32_t index = new_item(pendings);
    pendings->items[index] = *pending;
    if (pending->number != 0) {
        if (pendings->n_numbered++ >= pendings->n_buckets)
            grow_buckets(pendings);
        put_in_bucket(pendings, index);
    }
    if (pending->is_receive)
        append_receive(pendings, index);
    return index;
}

void pendings_remove(struct pendings *pendings, uint32_t index)
{
    struct pending *item = &pendings->items[index];
    if (item->number != 0) {
        uint32_t *place = &pendings->buckets[bucket_of(pendings, item->rank, item->number, item->context != 0)];
        while (*place != index)
            place = &pendings->items[*place].next;
        *place = item->next;
        pendings->n_numbered--;
    }
    if (item->is_receive)
        remove_receive(pendings, item);
    item->next = pendings->free;
    pendings->free = index;
}

uint32_t pendings_find(const struct pendings *pendings, int rank, uint32_t number, bool collective)
{
    if (pendings->n_numbered == 0)
        return NO_PENDING;
    uint32_t index = pendings->buckets[bucket_of(pendings, rank, number, collective)];
    for (; index != NO_PENDING; index = pendings->items[index].next) {
        const struct pending *item = &pendings->items[index];
        if (item->rank == rank && item->number == number && (item->context != 0) == collective)
            break;
    }
    return index;
}

uint32_t pendings_first_receive(const struct pendings *pendings, int rank)
{
    return pendings->receives != NULL ? pendings->receives[rank].first : NO_PENDING;
}
