/* Finds the group rank of a rank by a sorted list.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "interval/group.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

static int by_rank(const void *a, const void *b)
{
    int32_t first = ((const struct group_member *)a)->rank, second = ((const struct group_member *)b)->rank;
    return (first > second) - (first < second);
}

struct group_member *group_sort(const struct record_group *group)
{
    struct group_member *members = xcalloc((size_t)group->n_members, sizeof *members);
    for (int i = 0; i < group->n_members; i++)
        members[i] = (struct group_member){group->members[i], i};
    sort_stable(members, (size_t)group->n_members, sizeof *members, by_rank);
    return members;
}

int group_find(const struct group_member *members, int n_members, int rank)
{
    const struct group_member wanted = {.rank = rank};
    const struct group_member *found = bsearch(&wanted, members, (size_t)n_members, sizeof wanted, by_rank);
    return found != NULL ? found->group_rank : -1;
}
