/* Inside parts: the parts of the time of runs, each of one kind in one function or scope.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_TIME_PARTS_H
#define STUDY_TIME_PARTS_H

#include "study/models/parts.h"

enum { TIME_PART_NAME_SIZE = 38 }; /* with a kind behind it a name is that of a measure */

/* Time of all ranks of a run. */
struct time_part {
    char name[TIME_PART_NAME_SIZE];
    enum part_kind kind;
    int run;
    wide_int ps;
};

struct time_parts {
    struct time_part *list; /* on the heap */
    size_t count, capacity;
};

/* Append those of a run, whose index is `run`. They add up to its states: what waits are for is taken off DOING_WAITING
 * in parts of less than 0. */
void time_parts_find_functions(struct time_parts *parts, int run, const struct study_run *from);
void time_parts_find_scopes(struct time_parts *parts, int run, const struct study_run *from);

/* Sort, and add up what is of the same name, kind and run. */
void time_parts_merge(struct time_parts *parts);
/* The end of a name in sorted parts: behind the last part with the name that the one at `first` has. */
size_t time_parts_end_of_name(const struct time_parts *parts, size_t first);

#endif
