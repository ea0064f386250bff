/* Records that cross the borders of a part: messages of which only one end is in it, collectives that only some members
 * have begun in it, and marks of threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_PART_BORDER_H
#define TRACE_PART_BORDER_H

#include "base/map.h"
#include "trace/part/part.h"

/* Calls of collectives by a member of a group: before the part, in it, and how many have been read since. */
struct border_calls {
    int64_t before, within, read;
};

struct border_group {
    struct group_member *members; /* of the trace's group, sorted */
    struct border_calls *calls;   /* by group rank */
    int64_t first, end;           /* the calls that all members of the part have in it */
};

struct border {
    const struct part *part;
    const struct record_info *info;
    struct map crossing;         /* location, number of the record: a message's end in the part, without the other */
    struct map marks;            /* rank, mark: how many records in the part have it, as long as that is not all */
    struct border_group *groups; /* two of each group: of collectives, of what only synchronizes */
    int64_t n_crossing, n_outside;
};

/* True if the record begins in the part. */
static inline bool border_is_within(const struct part *part, const struct record *record)
{
    return record->start_ps >= part->from_ps && record->start_ps < part->to_ps;
}

static inline bool border_is_message(const struct record *record)
{
    return record->kind == RECORD_SEND || record->kind == RECORD_RECV || record->kind == RECORD_ISEND ||
           record->kind == RECORD_IRECV;
}

/* Go through the records, and begin the reader anew. */
int border_find(struct border *border, const struct part *part, struct record_reader *reader, struct sim_error *error);
void border_dispose(struct border *border);

/* True if the location's record of that number, a message, has its other end in the part. */
bool border_has_message(const struct border *border, int location, int64_t number, const struct record *record);
/* The group of a collective; the rank's number in it. NULL: its root is not in the part. */
struct border_group *border_group_of(const struct border *border, int rank, const struct record *record, int *member);
/* True if all records of the mark are in the part. */
bool border_has_mark(const struct border *border, int rank, const struct record *record);

#endif
