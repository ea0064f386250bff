/* A map from each number to the latest pending item under it; earlier ones of the same number follow in a list. */
#include "sim/kernel/request_table.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void pendings_init(struct pendings *pendings, int n_ranks)
{
    *pendings = (struct pendings){.free = NO_PENDING, .n_ranks = n_ranks};
}

void pendings_dispose(struct pendings *pendings)
{
    free(pendings->items);
    map_dispose(&pendings->latest);
    free(pendings->receives);
}

static struct map_key key_of(int32_t rank, uint32_t number, bool collective)
{
    return map_key(rank, (int32_t)number, collective, 0);
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
        struct map_entry *entry =
            map_add(&pendings->latest, key_of(pending->rank, pending->number, pending->context != 0));
        pendings->items[index].next = entry->index;
        entry->index = index;
    }
    if (pending->is_receive)
        append_receive(pendings, index);
    return index;
}

/* Out of those of its number. */
static void take_from_number(struct pendings *pendings, uint32_t index)
{
    const struct pending *item = &pendings->items[index];
    struct map_entry *entry = map_find(&pendings->latest, key_of(item->rank, item->number, item->context != 0));
    uint32_t *place = &entry->index;
    while (*place != index)
        place = &pendings->items[*place].next;
    if (place == &entry->index && item->next == NO_PENDING)
        map_remove(&pendings->latest, entry);
    else
        *place = item->next;
}

void pendings_remove(struct pendings *pendings, uint32_t index)
{
    struct pending *item = &pendings->items[index];
    if (item->number != 0)
        take_from_number(pendings, index);
    if (item->is_receive)
        remove_receive(pendings, item);
    item->next = pendings->free;
    pendings->free = index;
}

uint32_t pendings_find(const struct pendings *pendings, int rank, uint32_t number, bool collective)
{
    uint32_t index = NO_PENDING;
    map_get(&pendings->latest, key_of(rank, number, collective), &index);
    return index;
}

uint32_t pendings_first_receive(const struct pendings *pendings, int rank)
{
    return pendings->receives != NULL ? pendings->receives[rank].first : NO_PENDING;
}
