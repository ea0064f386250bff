/* Groups of ranks, and a ring of the collectives that each has under way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/internal.h"

#include "base/memory.h"

#include <stdlib.h>

struct group *group_of(const struct analysis *analysis, const struct record *record)
{
    return &analysis->groups[2 * record->group + record_synchronises(record->collective)];
}

bool group_prepare(struct group *group, const struct record_group *members, int n_ranks)
{
    size_t n = (size_t)members->n_members;
    group->used = group->identity = true;
    group->members = members;
    group->n_calls = xcalloc(n, sizeof *group->n_calls);
    for (int i = 0; i < members->n_members; i++)
        group->identity &= members->members[i] == i;
    if (group->identity)
        return members->n_members <= n_ranks;
    group->by_rank = group_sort(members);
    bool good = group->by_rank[0].rank >= 0 && group->by_rank[n - 1].rank < n_ranks;
    for (size_t i = 1; i < n; i++)
        good &= group->by_rank[i].rank != group->by_rank[i - 1].rank;
    return good;
}

int group_rank_of(const struct group *group, int rank)
{
    int n = group->members->n_members;
    if (group->identity)
        return rank < n ? rank : -1;
    return group_find(group->by_rank, n, rank);
}

struct instance *group_instance(const struct group *group, int64_t number)
{
    size_t index = (group->first + (size_t)(number - group->first_number)) % group->capacity;
    return &group->instances[index];
}

static void make_room(struct group *group)
{
    size_t capacity = group->capacity > 0 ? 2 * group->capacity : 4;
    if (group->n_instances < group->capacity)
        return;
    struct instance *instances = xcalloc(capacity, sizeof *instances);
    for (size_t i = 0; i < group->n_instances; i++)
        instances[i] = group->instances[(group->first + i) % group->capacity];
    free(group->instances);
    group->instances = instances;
    group->capacity = capacity;
    group->first = 0;
}

struct instance *group_add_instance(struct group *group)
{
    make_room(group);
    group->n_instances++;
    return group_instance(group, group->first_number + (int64_t)group->n_instances - 1);
}

void group_leave(struct analysis *analysis, struct group *group, struct instance *instance)
{
    instance->n_ended++;
    while (group->n_instances > 0) {
        struct instance *first = &group->instances[group->first];
        if (first->n_ended < group->members->n_members)
            return;
        for (int i = 0; first->begun != NULL && i < group->members->n_members; i++)
            message_free(analysis, first->begun[i].checkpoint - 1);
        if (first->begun == NULL)
            message_free(analysis, first->latest.checkpoint);
        if (first->started.checkpoint != MAP_NOTHING)
            message_free(analysis, first->started.checkpoint);
        free(first->begun);
        first->begun = NULL;
        group->first = (group->first + 1) % group->capacity;
        group->first_number++;
        group->n_instances--;
    }
}

int collective_members(const struct analysis *analysis, int group)
{
    return group < 0 ? analysis->n_ranks : analysis->reader->info.groups[group].n_members;
}

int collective_member(const struct analysis *analysis, int group, int group_rank)
{
    return group < 0 ? group_rank : analysis->reader->info.groups[group].members[group_rank];
}

bool collective_has_come(const struct analysis *analysis, int group, int group_rank, int64_t number)
{
    return group >= 0 && analysis->groups[2 * group].n_calls[group_rank] > number;
}

void collectives_dispose(struct analysis *analysis)
{
    for (int g = 0; g < 2 * analysis->reader->info.n_groups; g++) {
        struct group *group = &analysis->groups[g];
        for (size_t i = 0; i < group->n_instances; i++)
            free(group->instances[(group->first + i) % group->capacity].begun);
        free(group->instances);
        free(group->n_calls);
        free(group->by_rank);
    }
    free(analysis->groups);
}
