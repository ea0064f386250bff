/* The collectives that have been begun, by location and number.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/begun.h"

#include "base/map.h"
#include "base/memory.h"
#include "trace/formats.h"

#include <stdlib.h>
#include <string.h>

/* The tags of messages that a collective is lowered to: those of other kinds are above, or far below. */
enum { BEGUN_TAGS = -(1 << 20), MOST_TAGS = 1 << 28 };

struct begun {
    struct record record; /* its blocks are the table's own */
    struct lowered lowered;
    int32_t number; /* among those of its group, from 1, as all members count them */
    uint8_t scope;
    uint32_t next; /* of a free one */
};

struct begun_collectives {
    char *file;
    bool is_open;
    struct record_reader reader; /* ahead of the replay */
    struct map items;            /* location and number: index */
    struct map counts;           /* rank and group: how many */
    struct begun *pool;
    size_t n_pool, capacity;
    uint32_t free;
};

struct begun_collectives *begun_new(const char *file)
{
    struct begun_collectives *begun = xcalloc(1, sizeof *begun);
    begun->file = xstrdup(file);
    begun->free = MAP_NOTHING;
    return begun;
}

void begun_free(struct begun_collectives *begun)
{
    if (begun == NULL)
        return;
    if (begun->is_open)
        record_close(&begun->reader);
    for (size_t i = 0; i < begun->n_pool; i++)
        free(begun->pool[i].record.blocks);
    map_dispose(&begun->items);
    map_dispose(&begun->counts);
    free(begun->pool);
    free(begun->file);
    free(begun);
}

static struct map_key key_of(int location, uint32_t number)
{
    return map_key(location, (int32_t)number, 0, 0);
}

/* --- reading ahead --- */

static struct begun *keep(struct begun_collectives *begun, int location, const struct record *record)
{
    uint32_t index = begun->free;
    if (index != MAP_NOTHING) {
        begun->free = begun->pool[index].next;
    } else {
        begun->pool = xgrow(begun->pool, begun->n_pool, &begun->capacity, sizeof *begun->pool);
        index = (uint32_t)begun->n_pool++;
    }
    struct begun *item = &begun->pool[index];
    *item = (struct begun){.record = *record};
    if (record->blocks != NULL) {
        size_t size = (size_t)begun->reader.info.groups[record->group].n_members * sizeof *record->blocks;
        item->record.blocks = memcpy(xmalloc(size), record->blocks, size);
    }
    map_add(&begun->items, key_of(location, record->request))->index = index;
    return item;
}

static struct begun *find(const struct begun_collectives *begun, int location, uint32_t number)
{
    uint32_t index;
    return map_get(&begun->items, key_of(location, number), &index) ? &begun->pool[index] : NULL;
}

/* Read the location's records until the collective is known; NULL if the trace has none of that number. */
static struct begun *read_ahead(struct replay *replay, int location, uint32_t number)
{
    struct begun_collectives *begun = replay->begun;
    struct begun *item = find(begun, location, number);
    struct record record;
    int status = 1;
    if (!begun->is_open && record_open(&begun->reader, begun->file, &replay->error) != 0) {
        replay->failed = true;
        return NULL;
    }
    begun->is_open = true;
    while (item == NULL && (status = record_next(&begun->reader, location, &record, &replay->error)) == 1)
        if (record.kind == RECORD_COLLECTIVE && record.was_begun && record.request != 0) {
            keep(begun, location, &record);
            item = find(begun, location, number);
        }
    replay->failed = replay->failed || status < 0;
    return item;
}

/* --- collectives --- */

bool begun_start(struct replay *replay, int location, uint32_t number, uint8_t scope)
{
    struct begun *item = read_ahead(replay, location, number);
    if (item == NULL)
        return false;
    int rank = replay_rank_of(replay, location), group = item->record.group;
    int group_rank = groups_group_rank(&replay->groups, group, rank);
    if (group_rank < 0)
        return false; /* which the rank is told where it waits */
    struct map_entry *count = map_add(&replay->begun->counts, map_key(rank, group, 0, 0));
    count->index = count->index == MAP_NOTHING ? 1 : count->index + 1;
    item->number = (int32_t)(count->index % MOST_TAGS);
    item->scope = scope;
    item->lowered = replay_lowered(replay, group_rank, &item->record);
    return true;
}

void begun_end(struct replay *replay, int location, uint32_t number)
{
    struct begun_collectives *begun = replay->begun;
    struct map_entry *entry = map_find(&begun->items, key_of(location, number));
    if (entry == NULL)
        return;
    uint32_t index = entry->index;
    map_remove(&begun->items, entry);
    free(begun->pool[index].record.blocks);
    begun->pool[index].record.blocks = NULL;
    begun->pool[index].next = begun->free;
    begun->free = index;
}

/* The messages that it is lowered to, as many as a step has room for; none at the end. */
static void emit_lowered(const struct replay *replay, const struct begun *item, int64_t step, struct op_list *list)
{
    const struct groups *groups = &replay->groups;
    int tag = BEGUN_TAGS - (int)((int64_t)item->number * groups->n_groups % MOST_TAGS) - item->record.group;
    for (int64_t i = step * OP_LIST_MAX; list->count < OP_LIST_MAX; i++) {
        struct op op = {.scope = item->scope};
        if (!lowered_next(&item->lowered, i, &op))
            return;
        op.peer = groups_rank(groups, item->record.group, op.peer);
        op.tag = tag;
        op.scope = item->scope;
        list->ops[list->count++] = op;
    }
}

bool begun_emit(struct replay *replay, int location, uint32_t number, int64_t step, struct op_list *list)
{
    const struct begun *item = find(replay->begun, location, number);
    if (item == NULL)
        return false;
    bool is_lowered = lowered_is_needed((enum record_collective)item->record.collective,
                                        item->record.blocks != NULL || item->record.varies);
    if (is_lowered)
        emit_lowered(replay, item, step, list);
    else if (step == 0)
        replay_collective_op(replay, &item->record, item->scope, item->number, list);
    if (list->count > 0)
        return true;
    struct op_list before = {.count = 0};
    if (is_lowered && step > 0)
        emit_lowered(replay, item, step - 1, &before);
    if (is_lowered ? step > 0 && before.count == 0 : step > 1)
        return false;
    struct op *join = op_list_add(list, OP_START, item->scope);
    join->line = replay_line(replay, location, begun_join(number));
    join->needed = 2;
    return true;
}
