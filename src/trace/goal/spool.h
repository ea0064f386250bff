/* The steps of all ranks, rank after rank, in a temporary file without a name; they are read through small buffers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_SPOOL_H
#define TRACE_GOAL_SPOOL_H

#include "base/error.h"
#include "trace/goal/order.h"

#include <stddef.h>
#include <stdint.h>

struct goal_spool_rank {
    int64_t first, count;     /* of its steps in the file */
    int64_t next;             /* how many have been given */
    struct goal_step *buffer; /* those from `next` - `at` on */
    size_t at, filled;
};

/* All zero but for the descriptor, -1, and n_ranks and ranks, is an empty one. */
struct goal_spool {
    int descriptor;
    int n_ranks;
    struct goal_spool_rank *ranks;
    size_t capacity;          /* of each buffer, in steps */
    struct goal_step *buffer; /* of what is being written */
    size_t filled;
    int64_t end; /* steps in the file */
};

int goal_spool_open(struct goal_spool *spool, int n_ranks, struct sim_error *error);
void goal_spool_dispose(struct goal_spool *spool);

/* The steps that follow are of that rank; then no more follow. Each rank is written once at most. */
void goal_spool_begin(struct goal_spool *spool, int rank);
void goal_spool_end(struct goal_spool *spool, int rank);
/* A goal_take(). */
int goal_spool_take(void *spool, const struct goal_step *step, struct sim_error *error);
/* All have been written. */
int goal_spool_finish(struct goal_spool *spool, struct sim_error *error);

/* The rank's next step: 1, or 0 if there is none, or -1. */
int goal_spool_next(struct goal_spool *spool, int rank, struct goal_step *step, struct sim_error *error);
void goal_spool_rewind(struct goal_spool *spool, int rank);

#endif
