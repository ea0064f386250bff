/* The state of a reader of a part: within.c reads records and keeps a queue of each location, within_keep.c decides
 * which of them belong to the part.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_PART_WITHIN_INTERNAL_H
#define TRACE_PART_WITHIN_INTERNAL_H

#include "trace/part/border.h"
#include "trace/part/within.h"

struct place {
    int64_t number;      /* records read */
    struct record *open; /* of the scopes that it is in, before the part */
    size_t n_open, open_capacity;
    struct record *queue;
    size_t first, n_queued, capacity;
    int64_t *blocks; /* of the record in the queue that has some */
    bool has_begun, has_ended;
};

struct within {
    struct record_reader inner;
    struct record_format format;
    struct part part;
    struct border border;
    struct place *places; /* of each location of the part */
    int n_places;
    struct map requests; /* location of the part, request: of a message in the part */
    struct record_part said;
    char *ranks; /* that are asked for; or NULL */
};

/* The rank's number in the part; -1: it is not in it. */
int within_number_of(const struct part *part, int rank);
/* Cut a record to the part, in its time; operations and quantums by their share of the time. */
void within_cut(const struct part *part, struct record *record);
/* True for records of which a piece may be in the part. */
bool within_has_pieces(const struct record *record);
/* True if the request that is waited for is of a message in the part; then it is over. */
bool within_keep_wait(struct within *within, int location, const struct record *record);
/* True if a record that begins in the part belongs to it; `from` is its location in the trace. */
bool within_keep(struct within *within, int location, int from, struct record *record);

#endif
