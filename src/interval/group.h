/* Groups of ranks, such as the members of a communicator. */
#ifndef INTERVAL_GROUP_H
#define INTERVAL_GROUP_H

#include <stdint.h>

/* The members of a communicator, as ranks of the world. Group 0 is the world itself. */
struct record_group {
    int n_members;
    int *members;
};

/* A member, and its place in the group. */
struct group_place {
    int32_t rank, place;
};

/* All members by rank; to be freed. */
struct group_place *group_sort(const struct record_group *group);
/* The place of a rank among so many, which are sorted; -1 if it is none of them. */
int group_find(const struct group_place *places, int n_places, int rank);

#endif
