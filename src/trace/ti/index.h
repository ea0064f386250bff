/* Finds where the lines of each rank lie in a file that has those of all ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_TI_INDEX_H
#define TRACE_TI_INDEX_H

#include "base/error.h"
#include "trace/record/lines.h"

#include <stdbool.h>
#include <stdint.h>

/* The parts with lines of a rank are parts[first], parts[parts[first].next], ..., until -1. */
struct ti_rank_part {
    struct lines_part part;
    int64_t next;
};

struct ti_index {
    int n_ranks;
    int64_t *first; /* of each rank, an index into parts or, where there is a spool, an offset in it; -1: none */
    struct ti_rank_part *parts;
    int64_t n_parts;
    int spool; /* a descriptor of the temporary file with copies of the lines, after their numbers; -1: there is none */
};

/* The head of each part of a spool, before the lines. */
struct ti_spool_head {
    int64_t next; /* the offset of the rank's next part; -1 after the last */
    int64_t length;
};

enum { TI_SPOOL_PART = 4096 };

/* Scan a file once, or twice if its lines are to be spooled. *index is empty after an error. */
int ti_index_make(struct ti_index *index, int descriptor, int64_t size, const char *file, struct sim_error *error);
void ti_index_dispose(struct ti_index *index);

/* Copy the lines: fills in index->first and index->spool. */
int ti_spool_make(struct ti_index *index, int descriptor, int64_t size, const char *file, struct sim_error *error);

/* The rank at the beginning of a line, and what follows; a line that says nothing is rank -1. -1 with an error.
 * *is_known says whether a line of the file has had an action, so that the error may quote another: what is no trace
 * may not be meant to be read by all. */
int ti_index_rank(int *rank, const char **rest, const char *line, const char *file, int64_t number, bool *is_known,
                  struct sim_error *error);

#endif
