/* A map from each number to the latest pending item under it; earlier ones of the same number follow in a list. And
 * lists for each rank: receives that have come, in the order of their coming, receives that have not, in the order of
 * their posting, and sends of collectives. */
#include "sim/kernel/request_table.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void request_table_init(struct request_table *requests, int n_ranks)
{
    *requests = (struct request_table){.free = NO_PENDING, .n_ranks = n_ranks};
}

void request_table_dispose(struct request_table *requests)
{
    free(requests->items);
    map_dispose(&requests->latest);
    free(requests->lists);
}

static struct map_key key_of(int32_t rank, uint32_t number, bool collective)
{
    return map_key(rank, (int32_t)number, collective, 0);
}

static uint32_t new_item(struct request_table *requests)
{
    uint32_t index = requests->free;
    if (index != NO_PENDING) {
        requests->free = requests->items[index].next;
        return index;
    }
    requests->items = xgrow(requests->items, requests->n_items, &requests->capacity, sizeof *requests->items);
    return (uint32_t)requests->n_items++;
}

/* Those of a collective have lists of their own. */
enum { LIST_COME, LIST_POSTED, LIST_SENDS, N_LISTS };

/* Sends outside of collectives are in none: NULL. */
static struct pending_list *list_of(const struct request_table *requests, const struct pending *item)
{
    bool collective = item->context != 0;
    int which = !item->is_receive ? LIST_SENDS : item->complete ? LIST_COME : LIST_POSTED;
    if (!item->is_receive && !collective)
        return NULL;
    return &requests->lists[((size_t)item->rank * 2 + collective) * N_LISTS + (size_t)which];
}

static void append(struct request_table *requests, uint32_t index)
{
    if (requests->lists == NULL) {
        size_t size = 2 * N_LISTS * (size_t)requests->n_ranks * sizeof *requests->lists;
        requests->lists = xmalloc(size);
        memset(requests->lists, 0xff, size);
    }
    struct pending *item = &requests->items[index];
    struct pending_list *list = list_of(requests, item);
    if (list == NULL)
        return;
    item->before = list->last;
    item->after = NO_PENDING;
    *(list->last != NO_PENDING ? &requests->items[list->last].after : &list->first) = index;
    list->last = index;
}

static void take_out(struct request_table *requests, const struct pending *item)
{
    struct pending_list *list = list_of(requests, item);
    if (list == NULL)
        return;
    *(item->before != NO_PENDING ? &requests->items[item->before].after : &list->first) = item->after;
    *(item->after != NO_PENDING ? &requests->items[item->after].before : &list->last) = item->before;
}

uint32_t request_table_add(struct request_table *requests, const struct pending *pending)
{
    uint32_t index = new_item(requests);
    requests->items[index] = *pending;
    if (pending->number != 0) {
        struct map_entry *entry =
            map_add(&requests->latest, key_of(pending->rank, pending->number, pending->context != 0));
        requests->items[index].next = entry->index;
        entry->index = index;
    }
    append(requests, index);
    return index;
}

/* Out of those of its number. */
static void take_from_number(struct request_table *requests, uint32_t index)
{
    const struct pending *item = &requests->items[index];
    struct map_entry *entry = map_find(&requests->latest, key_of(item->rank, item->number, item->context != 0));
    uint32_t *place = &entry->index;
    while (*place != index)
        place = &requests->items[*place].next;
    if (place == &entry->index && item->next == NO_PENDING)
        map_remove(&requests->latest, entry);
    else
        *place = item->next;
}

void request_table_remove(struct request_table *requests, uint32_t index)
{
    struct pending *item = &requests->items[index];
    if (item->number != 0)
        take_from_number(requests, index);
    take_out(requests, item);
    item->next = requests->free;
    requests->free = index;
}

void request_table_complete(struct request_table *requests, uint32_t index, int64_t bytes)
{
    struct pending *item = &requests->items[index];
    take_out(requests, item);
    item->complete = true;
    item->bytes = bytes;
    append(requests, index);
}

uint32_t request_table_find(const struct request_table *requests, int rank, uint32_t number, bool collective)
{
    uint32_t index = NO_PENDING;
    map_get(&requests->latest, key_of(rank, number, collective), &index);
    return index;
}

uint32_t request_table_next(const struct request_table *requests, int rank, bool collective)
{
    if (requests->lists == NULL)
        return NO_PENDING;
    const struct pending_list *lists = &requests->lists[((size_t)rank * 2 + collective) * N_LISTS];
    int which = LIST_COME;
    while (which < N_LISTS - 1 && lists[which].first == NO_PENDING)
        which++;
    return lists[which].first;
}
