/* Groups of ranks, such as the members of a communicator. */
#ifndef EVENT_GROUP_H
#define EVENT_GROUP_H

/* The members of a communicator, as ranks of the world. Group 0 is the world itself. */
struct record_group {
    int n_members;
    int *members;
};

#endif
