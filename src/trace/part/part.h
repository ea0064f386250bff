/* A part of a traced run: what lies between two moments, of some ranks.
 *
 * The moments are the same for all ranks. The border at a scope's n-th occurrence is, for the beginning, when the first
 * of the ranks comes to it, and for the end, when the last one leaves it. Occurrences count from 1, of each rank by
 * itself; within the scope itself it does not occur again.
 *
 * An analysis goes through the whole trace, so that waits are explained as ever, and its intervals are cut
 * (trace/part/cut.h). A replay gets the records of the part alone (trace/part/within.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_PART_PART_H
#define TRACE_PART_PART_H

#include "base/error.h"
#include "interval/part.h"
#include "trace/record/record.h"

#include <stdint.h>

struct part {
    int64_t from_ps, to_ps; /* of the trace; to_ps INT64_MAX: its end, of which the trace says nothing before */
    int n_whole;            /* ranks of the trace */
    int n_ranks;            /* of the part */
    int *ranks;             /* the trace's number of each, in order */
    int *number_of;         /* the part's number of each rank of the trace; -1: outside */
};

/* Find the part in a trace, whose reader stands at its beginning before and afterwards. -1 with SIM_BAD_INPUT, which
 * names the option and what is allowed. After an error there is nothing to dispose of. */
int part_find(struct part *part, struct record_reader *reader, const struct part_request *request,
              struct sim_error *error);
void part_dispose(struct part *part);

/* The notes on it, of a run that ends then; the messages are not counted, nor are the ranks' words there. */
struct record_part part_said(const struct part *part, int64_t run_end_ps);

/* The location of the part that stands for one of the trace; -1: outside. */
static inline int part_location(const struct part *part, int location)
{
    int number = part->number_of[location % part->n_whole];
    return number < 0 ? -1 : location / part->n_whole * part->n_ranks + number;
}

/* The names of the part's processors, of the trace's: see struct interval_setup. To be freed, without the names; NULL:
 * they have none. */
char **part_processor_names(const struct part *part, const struct record_info *info);

#endif
