/* A GOAL schedule that has been read and checked: a file in the binary form, into which a text is turned first. While
 * it is read, memory is taken for one rank at a time, and for what all ranks have in common; then for that alone.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_SCHEDULE_H
#define TRACE_GOAL_SCHEDULE_H

#include "base/error.h"
#include "trace/goal/file.h"
#include "trace/goal/graph.h"
#include "trace/goal/order.h"
#include "trace/goal/spool.h"

#include <stdbool.h>
#include <stdio.h>

struct goal_schedule {
    struct goal_file file;
    uint32_t *next;          /* of each rank of GOAL_CHAINS: 1 + the operation that comes next, or 0 */
    bool *is_begun;          /* whether its first one has been given; else `next` is to be found */
    struct goal_spool spool; /* of others: their steps, once a step was asked for */
    bool has_spool;
    /* While a text is read: */
    bool *is_read;           /* of each rank */
    struct goal_graph graph; /* of the rank that is read */
    FILE *written;           /* what becomes the file */
    int64_t n_written;
};

/* Read a file of either form, whose name is borrowed. The caller disposes, also after an error. */
int goal_schedule_read(struct goal_schedule *schedule, const char *file, struct sim_error *error);
void goal_schedule_dispose(struct goal_schedule *schedule);

/* The rank's next step: 1, or 0 if there is none, or -1. For ranks that do several things at once, it is one order of
 * many. */
int goal_schedule_next(struct goal_step *step, struct goal_schedule *schedule, int rank, struct sim_error *error);
void goal_schedule_rewind(struct goal_schedule *schedule);
/* 0, or -1 where operations of some rank wait for each other, with an error that names two. */
int goal_schedule_check_circles(struct goal_file *file, struct sim_error *error);

/* --- for who reads a text --- */

/* So many ranks there are. */
int goal_schedule_set_ranks(struct goal_schedule *schedule, int64_t n_ranks, long line, struct sim_error *error);
/* Begin with a rank. */
int goal_schedule_begin(struct goal_schedule *schedule, int64_t rank, long line, struct sim_error *error);
/* Add an operation of it, with what stands for any as GOAL_ANY. */
int goal_schedule_add(struct goal_schedule *schedule, struct goal_op *op, struct sim_error *error);
/* The rank is complete. */
int goal_schedule_end(struct goal_schedule *schedule, struct sim_error *error);

int goal_read_text(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error);

#endif
