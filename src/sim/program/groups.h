/* The groups of ranks among which collectives are done, and the place of a rank in each. Group 0 is all ranks in
 * order. */
#ifndef SIM_PROGRAM_GROUPS_H
#define SIM_PROGRAM_GROUPS_H

#include "base/error.h"
#include "interval/group.h"

struct groups {
    int n_ranks, n_groups;             /* n_groups is 1 where the program has none of its own */
    const struct record_group *groups; /* borrowed; [0] is not looked at */
    struct group_place **places;       /* of each group but the first, by rank */
};

/* A group of the program that has no members, one twice, or one that is no rank is an error. */
int groups_init(struct groups *groups, const struct record_group *given, int n_given, int n_ranks,
                struct sim_error *error);
void groups_dispose(struct groups *groups);

/* The place of a rank among the group's members; -1 if it is none, or there is no such group. */
int groups_place(const struct groups *groups, int group, int rank);

/* How many members the group has, and which rank is at a place. */
static inline int groups_size(const struct groups *groups, int group)
{
    return group == 0 ? groups->n_ranks : groups->groups[group].n_members;
}

static inline int groups_rank(const struct groups *groups, int group, int place)
{
    return group == 0 ? place : groups->groups[group].members[place];
}

#endif
