/* Declarations that the recorder and the encoder of a timeline share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TIMELINE_INTERNAL_H
#define TIMELINE_INTERNAL_H

#include "base/map.h"
#include "timeline/bins.h"
#include "timeline/timeline.h"

#include <stdbool.h>

/* The class of an interval: its state, kind, category, operation and scope in one number. */
typedef uint32_t timeline_class;

static inline timeline_class timeline_class_of(const struct interval *interval)
{
    return (timeline_class)(interval->state | interval->kind << 3 | interval->category << 6 | interval->operation << 9 |
                            interval->scope << 13);
}

static inline int timeline_state(timeline_class class)
{
    return class & 7;
}

static inline int timeline_kind(timeline_class class)
{
    return class >> 3 & 7;
}

static inline int timeline_category(timeline_class class)
{
    return class >> 6 & 7;
}

static inline int timeline_operation(timeline_class class)
{
    return class >> 9 & 15;
}

static inline int timeline_scope(timeline_class class)
{
    return (int)(class >> 13);
}

_Static_assert(N_LOCATION_STATES <= 8 && N_INTERVAL_KINDS <= 8 && N_CATEGORIES <= 8 && N_OPERATIONS <= 16,
               "three bits each, four for operations");

enum { N_TIMELINE_CLASSES = 1 << 21 };

/* It begins where the location's last one ends. */
struct drawn_interval {
    int64_t end_ps;
    int32_t location;
    timeline_class class;
};

/* The interval of a location that may go on; empty before the first. */
struct open_interval {
    struct drawn_interval interval;
    int64_t start_ps;
};

struct message {
    int64_t sent_ps;
    int32_t from, to, tag; /* to: the rank, once the receipt is known the location */
    uint32_t serial;       /* see struct interval */
    uint32_t receipt;      /* which is its, when the run has ended; MAP_NOTHING: none */
};

struct receipt {
    int64_t at_ps, bytes;
    int32_t from, to, tag;
    uint32_t serial;
};

struct timeline {
    struct timeline_limits limits;
    struct interval_setup setup; /* of its numbers alone; what it points to may be gone */
    int n_ranks, n_locations;
    char **scopes, **components;
    int n_scopes, n_components;
    int64_t end_ps; /* of the run; -1: it is not finished */

    struct open_interval *open; /* of each location */

    struct drawn_interval *intervals; /* in the order in which they came to their ends; NULL once they are in bins */
    size_t n_intervals, interval_capacity;
    int64_t all_intervals;
    bool has_bins; /* there were too many */
    struct bins bins;

    struct message *messages; /* in the order of their sending */
    size_t n_messages, message_capacity;
    struct receipt *receipts;
    size_t n_receipts, receipt_capacity;
    int64_t all_messages; /* that were received */
    bool lacks_messages;  /* there were too many */

    struct timeline_segment *segments;
    size_t n_segments, segment_capacity;
    int64_t all_segments;
};

/* Add the intervals that are kept to bins. */
void timeline_fill(struct bins *bins, const struct timeline *timeline);

#endif
