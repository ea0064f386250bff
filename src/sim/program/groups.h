/* The groups of ranks among which collectives are done, and the group rank of a rank in each. Group 0 is all ranks in
 * order.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PROGRAM_GROUPS_H
#define SIM_PROGRAM_GROUPS_H

#include "base/error.h"
#include "interval/group.h"

struct groups {
    int n_ranks, n_groups;             /* n_groups is 1 where the program has none of its own */
    const struct record_group *groups; /* borrowed; [0] is not looked at */
    struct group_member **by_rank;     /* of each group but the first, by rank */
};

/* A group of the program that has no members, one twice, or one that is no rank is an error. */
int groups_init(struct groups *groups, const struct record_group *given, int n_given, int n_ranks,
                struct sim_error *error);
void groups_dispose(struct groups *groups);

/* The group rank of a rank; -1 if it is no member, or there is no such group. */
int groups_group_rank(const struct groups *groups, int group, int rank);

/* How many members the group has, and the rank of one of them. */
static inline int groups_size(const struct groups *groups, int group)
{
    return group == 0 ? groups->n_ranks : groups->groups[group].n_members;
}

static inline int groups_rank(const struct groups *groups, int group, int group_rank)
{
    return group == 0 ? group_rank : groups->groups[group].members[group_rank];
}

#endif
