/* Where the iterations of a traced program begin and end: a scope that each rank enters again and again or, without
 * one, a call that it makes once in each turn of what it repeats.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_ANALYSIS_REPEATS_H
#define TRACE_ANALYSIS_REPEATS_H

#include "base/error.h"
#include "trace/record/record.h"

#include <stdbool.h>
#include <stdint.h>

enum { REPEATS_LEAST = 5, REPEATS_LEAST_CALLS = 10 };

struct repeats {
    char *name;       /* of the scope, or the function */
    bool *is_scope;   /* of the trace's scopes: one of that name; NULL: by a call */
    uint64_t *anchor; /* by a call: of each rank what stands for it; 0: the rank has none */
    int n_ranks;
    int32_t *depth,
        *outer;       /* of each rank: how deep it is in scopes, and where it entered that one; 0: it is not in it */
    int64_t *n_begun; /* of each rank: iterations so far */
    int64_t number;   /* of the iteration that a rank began last: which one of the rank it is, from 1 */
};

/* Find the iterations of a trace, whose reader stands at its beginning before and afterwards; those of the scope or the
 * function `name`, unless it is NULL. 1, 0 if nothing repeats, or -1 with SIM_BAD_INPUT. Without a name, of the scopes
 * that all ranks enter equally often, REPEATS_LEAST times or more, the one with most time; else, of the calls
 * between which each rank mostly does the same, the one that it makes least often, but REPEATS_LEAST_CALLS times. */
int repeats_find(struct repeats *repeats, struct record_reader *reader, const char *name, struct sim_error *error);
void repeats_dispose(struct repeats *repeats);

/* The rank comes to a record: enum interval_iteration. */
uint8_t repeats_meet(struct repeats *repeats, int rank, const struct record *record);

#endif
