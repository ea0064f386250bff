/* Holes of a trace: time in which recording was off on all ranks, of which nothing is known. It is left out: the
 * reader's clock stands still meanwhile, so that all figures are of what was recorded.
 *
 * Where only some ranks were off, their time is SLEEP_UNRECORDED as before.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_HOLES_H
#define TRACE_RECORD_HOLES_H

#include "trace/record/record.h"

#include <stddef.h>

/* From a moment of the run to another one; before it, holes of `before_ps` together were left out. */
struct record_hole {
    int64_t from_ps, to_ps, before_ps;
};

struct record_holes {
    struct record_hole *list; /* in order */
    size_t count;
    int64_t total_ps;
};

/* Go through the records of an open reader that has times, once, and begin it anew without the holes. Memory grows with
 * how often recording went off. -1 with an error. */
int record_holes_find(struct record_reader *reader, struct sim_error *error);
/* Put a record of the reader's format into the time without holes. */
void record_holes_leave_out(const struct record_holes *holes, struct record *record);
void record_holes_free(struct record_holes *holes);

#endif
