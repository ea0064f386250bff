/* Keeps the members of each group, and finds the group rank of a rank by a sorted list.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/program/groups.h"

#include "base/memory.h"

#include <stdlib.h>

/* The group's members by rank, or NULL with an error. */
static struct group_member *sort_members(const struct record_group *group, int number, int n_ranks,
                                         struct sim_error *error)
{
    if (group->n_members < 1) {
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "group %d has no members", number);
        return NULL;
    }
    struct group_member *members = group_sort(group);
    for (int i = 0; i < group->n_members; i++) {
        int rank = members[i].rank;
        if (rank >= 0 && rank < n_ranks && (i == 0 || rank != members[i - 1].rank))
            continue;
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "group %d has %s %d as a member; allowed: each of 0 to %d once",
                      number, rank >= 0 && rank < n_ranks ? "twice rank" : "rank", rank, n_ranks - 1);
        free(members);
        return NULL;
    }
    return members;
}

int groups_init(struct groups *groups, const struct record_group *given, int n_given, int n_ranks,
                struct sim_error *error)
{
    struct groups made = {.n_ranks = n_ranks, .n_groups = n_given > 1 ? n_given : 1, .groups = given};
    if (n_given > 1)
        made.by_rank = xcalloc((size_t)n_given, sizeof *made.by_rank);
    for (int g = 1; g < made.n_groups; g++) {
        made.by_rank[g] = sort_members(&given[g], g, n_ranks, error);
        if (made.by_rank[g] == NULL) {
            groups_dispose(&made);
            return -1;
        }
    }
    *groups = made;
    return 0;
}

void groups_dispose(struct groups *groups)
{
    for (int g = 1; g < groups->n_groups; g++)
        free(groups->by_rank[g]);
    free(groups->by_rank);
}

int groups_group_rank(const struct groups *groups, int group, int rank)
{
    if (rank < 0 || rank >= groups->n_ranks || group < 0 || group >= groups->n_groups)
        return -1;
    if (group == 0)
        return rank;
    return group_find(groups->by_rank[group], groups->groups[group].n_members, rank);
}
