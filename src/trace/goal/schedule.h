/* A GOAL schedule that has been read: checked, and each rank's steps in a spool. While it is read, memory is taken for
 * one rank at a time, and for what all ranks have in common.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_SCHEDULE_H
#define TRACE_GOAL_SCHEDULE_H

#include "base/error.h"
#include "base/map.h"
#include "trace/goal/graph.h"
#include "trace/goal/spool.h"

#include <stdbool.h>

struct goal_schedule {
    int n_ranks;    /* 0: not known yet */
    int most_ranks; /* that are allowed */
    bool is_text;
    struct goal_spool spool;
    bool *is_read;             /* of each rank */
    bool has_any_source;       /* ranks receive from any source, or from one both under any tag and under a tag */
    bool is_parallel;          /* a rank may do several things at once: then all are read again, and */
    struct goal_graph *graphs; /* of each rank, kept; NULL: the spool says all */
    struct map any_tag;        /* receiver, sender: messages of that pair are received under any tag */
    struct map tags;           /* sender: of the rank that is being read, 0, or 1 if its messages come under any tag */
    struct goal_graph graph;   /* of that rank */
};

/* Read a file of either form. The caller disposes, also after an error. */
int goal_schedule_read(struct goal_schedule *schedule, const char *file, struct sim_error *error);
void goal_schedule_dispose(struct goal_schedule *schedule);

/* The tag of a message; where its receiver takes any from that sender it has none. */
uint32_t goal_schedule_tag(const struct goal_schedule *schedule, uint32_t receiver, uint32_t sender, uint32_t tag);

/* --- for those who read one --- */

/* So many ranks there are. */
int goal_schedule_set_ranks(struct goal_schedule *schedule, int64_t n_ranks, long line, struct sim_error *error);
/* Begin with a rank. */
int goal_schedule_begin(struct goal_schedule *schedule, int64_t rank, long line, struct sim_error *error);
/* Add an operation of it, with what stands for any as GOAL_ANY. */
int goal_schedule_add(struct goal_schedule *schedule, struct goal_op *op, struct sim_error *error);
/* The rank is complete. */
int goal_schedule_end(struct goal_schedule *schedule, struct sim_error *error);

int goal_read_text(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error);
int goal_read_binary(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error);

#endif
