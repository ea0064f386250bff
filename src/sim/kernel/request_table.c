/* A hash table of chains, from numbers to what is pending under them, the latest first. And lists for each rank:
 * receives that have come, in the order of their coming, receives that have not, in the order of their posting, and
 * sends, each in the order of beginning, or, of what is marked, of marking.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/request_table.h"

#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHAINS = 64 };
enum { LIST_COME, LIST_POSTED, LIST_SENDS, N_LISTS };

struct pending_list {
    uint32_t first, last;
};

/* Those of a rank, of one enum request_kind. */
struct request_lists {
    struct pending_list of[N_LISTS];
    bool is_unsorted; /* what has come is not in order of time */
};

void request_table_init(struct request_table *requests, int n_ranks)
{
    *requests = (struct request_table){.free = NO_PENDING, .n_ranks = n_ranks};
}

static void make_empty(struct request_lists *lists, int count)
{
    const struct pending_list empty = {NO_PENDING, NO_PENDING};
    for (int i = 0; i < count; i++)
        lists[i] = (struct request_lists){.of = {empty, empty, empty}};
}

void request_table_grow(struct request_table *requests, int n_ranks)
{
    int n_former = requests->n_ranks;
    assert(n_ranks >= n_former);
    requests->n_ranks = n_ranks;
    for (int kind = 0; kind < N_REQUEST_KINDS; kind++)
        if (requests->lists[kind] != NULL) {
            requests->lists[kind] = xrealloc(requests->lists[kind], (size_t)n_ranks * sizeof *requests->lists[kind]);
            make_empty(requests->lists[kind] + n_former, n_ranks - n_former);
        }
}

void request_table_dispose(struct request_table *requests)
{
    free(requests->items);
    free(requests->chains);
    for (int kind = 0; kind < N_REQUEST_KINDS; kind++)
        free(requests->lists[kind]);
    free(requests->sorted);
}

static inline uint32_t *chain_of(const struct request_table *requests, int32_t rank, uint32_t number, bool collective)
{
    uint64_t hash = ((uint64_t)(uint32_t)rank << 32 | number) * UINT64_C(0x9e3779b97f4a7c15) + collective;
    return &requests->chains[(hash >> 32) & requests->chain_mask];
}

static uint32_t *chain_of_item(const struct request_table *requests, const struct pending *item)
{
    return chain_of(requests, item->rank, item->number, item->context != 0);
}

/* As many chains as there is room for items. */
static void grow_chains(struct request_table *requests)
{
    uint32_t n_former = requests->chains != NULL ? requests->chain_mask + 1 : 0, n_chains = FIRST_CHAINS;
    uint32_t *former = requests->chains;
    while (n_chains < requests->capacity)
        n_chains *= 2;
    requests->chains = xmalloc(n_chains * sizeof *requests->chains);
    requests->chain_mask = n_chains - 1;
    memset(requests->chains, 0xff, n_chains * sizeof *requests->chains);
    for (uint32_t i = 0; i < n_former; i++) {
        uint32_t reversed = NO_PENDING;
        for (uint32_t index = former[i], next; index != NO_PENDING; index = next) {
            next = requests->items[index].next;
            requests->items[index].next = reversed;
            reversed = index;
        }
        for (uint32_t index = reversed, next; index != NO_PENDING; index = next) {
            uint32_t *chain = chain_of_item(requests, &requests->items[index]);
            next = requests->items[index].next;
            requests->items[index].next = *chain;
            *chain = index;
        }
    }
    free(former);
}

static uint32_t new_item(struct request_table *requests)
{
    uint32_t index = requests->free;
    if (index != NO_PENDING) {
        requests->free = requests->items[index].next;
        return index;
    }
    requests->items = xgrow(requests->items, requests->n_items, &requests->capacity, sizeof *requests->items);
    if (requests->chains == NULL || requests->capacity > 2 * ((size_t)requests->chain_mask + 1))
        grow_chains(requests);
    return (uint32_t)requests->n_items++;
}

/* Sends that are not marked, outside of collectives, do not stay, and are in no list. */
static inline bool is_listed(const struct request_table *requests, const struct pending *item, enum request_kind kind)
{
    return !requests->has_no_lists && (item->is_receive || kind != REQUEST_PLAIN || requests->runs_ahead);
}

static inline struct pending_list *list_of(struct request_lists *lists, const struct pending *item)
{
    return &lists->of[!item->is_receive ? LIST_SENDS : item->complete ? LIST_COME : LIST_POSTED];
}

static void link_last(struct request_table *requests, struct pending_list *list, uint32_t index)
{
    struct pending *item = &requests->items[index];
    item->before = list->last;
    item->after = NO_PENDING;
    *(list->last != NO_PENDING ? &requests->items[list->last].after : &list->first) = index;
    list->last = index;
}

/* True if the receive has come later than another one; at the same time, from a later rank. */
static bool comes_after(const struct pending *item, const struct pending *other)
{
    return item->complete_ps > other->complete_ps ||
           (item->complete_ps == other->complete_ps && item->peer > other->peer);
}

static void append(struct request_table *requests, uint32_t index)
{
    const struct pending *item = &requests->items[index];
    enum request_kind kind = pending_kind(item);
    if (!is_listed(requests, item, kind))
        return;
    if (requests->lists[kind] == NULL) {
        requests->lists[kind] = xmalloc((size_t)requests->n_ranks * sizeof *requests->lists[kind]);
        make_empty(requests->lists[kind], requests->n_ranks);
    }
    struct request_lists *lists = &requests->lists[kind][item->rank];
    struct pending_list *list = list_of(lists, item);
    if (item->is_receive && item->complete && list->last != NO_PENDING &&
        comes_after(&requests->items[list->last], item))
        lists->is_unsorted = true;
    link_last(requests, list, index);
}

static void take_out(struct request_table *requests, const struct pending *item)
{
    enum request_kind kind = pending_kind(item);
    if (!is_listed(requests, item, kind))
        return;
    struct pending_list *list = list_of(&requests->lists[kind][item->rank], item);
    *(item->before != NO_PENDING ? &requests->items[item->before].after : &list->first) = item->after;
    *(item->after != NO_PENDING ? &requests->items[item->after].before : &list->last) = item->before;
}

uint32_t request_table_add(struct request_table *requests, const struct pending *pending)
{
    uint32_t index = new_item(requests);
    struct pending *item = &requests->items[index];
    *item = *pending;
    if (item->number != 0) {
        uint32_t *chain = chain_of_item(requests, item);
        item->next = *chain;
        *chain = index;
    }
    append(requests, index);
    return index;
}

void request_table_remove(struct request_table *requests, uint32_t index)
{
    struct pending *item = &requests->items[index];
    if (item->number != 0) {
        uint32_t *place = chain_of_item(requests, item);
        while (*place != index)
            place = &requests->items[*place].next;
        *place = item->next;
    }
    take_out(requests, item);
    assert(index < requests->n_items && index != requests->free);
    item->next = requests->free;
    requests->free = index;
}

void request_table_complete(struct request_table *requests, uint32_t index, int64_t bytes, uint32_t serial,
                            int64_t at_ps)
{
    struct pending *item = &requests->items[index];
    if (item->is_receive)
        take_out(requests, item);
    assert(!item->complete);
    item->complete = true;
    item->bytes = bytes;
    item->serial = serial;
    item->complete_ps = at_ps;
    if (item->is_receive)
        append(requests, index);
}

void request_table_mark(struct request_table *requests, uint32_t index)
{
    struct pending *item = &requests->items[index];
    assert(!requests->has_no_lists && item->context == 0);
    if (item->marked)
        return;
    take_out(requests, item);
    item->marked = true;
    append(requests, index);
}

uint32_t request_table_find(const struct request_table *requests, int rank, uint32_t number, bool collective)
{
    uint32_t index = requests->chains != NULL ? *chain_of(requests, rank, number, collective) : NO_PENDING;
    for (; index != NO_PENDING; index = requests->items[index].next) {
        const struct pending *item = &requests->items[index];
        if (item->number == number && item->rank == rank && (item->context != 0) == collective)
            return index;
    }
    return NO_PENDING;
}

static int compare(const void *a, const void *b)
{
    const struct heap_entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Put what has come in the order of time, of equal times in that of its senders. */
static void sort(struct request_table *requests, struct pending_list *list)
{
    size_t n = 0;
    for (uint32_t index = list->first; index != NO_PENDING; index = requests->items[index].after) {
        requests->sorted = xgrow(requests->sorted, n, &requests->sorted_capacity, sizeof *requests->sorted);
        const struct pending *item = &requests->items[index];
        requests->sorted[n++] =
            (struct heap_entry){.key = item->complete_ps, .item = index, .order = (uint32_t)item->peer};
    }
    sort_stable(requests->sorted, n, sizeof *requests->sorted, compare);
    *list = (struct pending_list){NO_PENDING, NO_PENDING};
    for (size_t i = 0; i < n; i++)
        link_last(requests, list, requests->sorted[i].item);
}

uint32_t request_table_next(struct request_table *requests, int rank, enum request_kind kind)
{
    if (requests->lists[kind] == NULL)
        return NO_PENDING;
    struct request_lists *lists = &requests->lists[kind][rank];
    if (requests->runs_ahead && lists->of[LIST_POSTED].first != NO_PENDING)
        return lists->of[LIST_POSTED].first;
    if (lists->is_unsorted) {
        sort(requests, &lists->of[LIST_COME]);
        lists->is_unsorted = false;
    }
    int which = LIST_COME;
    while (which < N_LISTS - 1 && lists->of[which].first == NO_PENDING)
        which++;
    return which == LIST_SENDS && kind == REQUEST_PLAIN ? NO_PENDING : lists->of[which].first;
}

bool request_table_has_posted(const struct request_table *requests, int rank, enum request_kind kind)
{
    return requests->lists[kind][rank].of[LIST_POSTED].first != NO_PENDING;
}

uint32_t request_table_first_send(const struct request_table *requests, int rank)
{
    const struct request_lists *lists = requests->lists[REQUEST_PLAIN];
    return lists == NULL ? NO_PENDING : lists[rank].of[LIST_SENDS].first;
}

uint32_t request_table_last_send(const struct request_table *requests, int rank)
{
    uint32_t last = request_table_first_send(requests, rank);
    for (uint32_t index = last; index != NO_PENDING; index = requests->items[index].after)
        if (requests->items[index].complete_ps >= requests->items[last].complete_ps)
            last = index;
    return last;
}
