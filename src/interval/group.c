/* Finds the place of a rank in a group by a sorted list. */
#include "interval/group.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>

static int by_rank(const void *a, const void *b)
{
    int32_t first = ((const struct group_place *)a)->rank, second = ((const struct group_place *)b)->rank;
    return (first > second) - (first < second);
}

struct group_place *group_sort(const struct record_group *group)
{
    struct group_place *places = xcalloc((size_t)group->n_members, sizeof *places);
    for (int i = 0; i < group->n_members; i++)
        places[i] = (struct group_place){group->members[i], i};
    sort_stable(places, (size_t)group->n_members, sizeof *places, by_rank);
    return places;
}

int group_find(const struct group_place *places, int n_places, int rank)
{
    const struct group_place wanted = {.rank = rank};
    const struct group_place *found = bsearch(&wanted, places, (size_t)n_places, sizeof wanted, by_rank);
    return found != NULL ? found->place : -1;
}
