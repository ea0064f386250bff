/* Groups of ranks, such as the members of a communicator.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTERVAL_GROUP_H
#define INTERVAL_GROUP_H

#include <stdint.h>

/* The members of a communicator, as ranks of the world. Group 0 is the world itself. */
struct record_group {
    int n_members;
    int *members;
};

/* A member of a group, by its rank in the world and in the group. */
struct group_member {
    int32_t rank, group_rank;
};

/* All members by rank; to be freed. */
struct group_member *group_sort(const struct record_group *group);
/* The group rank of a rank among so many members, which are sorted; -1 if it is none of them. */
int group_find(const struct group_member *members, int n_members, int rank);

#endif
