/* A schedule in its binary form, read where it is asked, so that no operation takes memory. The contents have been
 * checked by goal_file_check(), and are checked again, because a file may change: no number in it leads outside of the
 * schedule.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_FILE_H
#define TRACE_GOAL_FILE_H

#include "base/error.h"
#include "trace/goal/graph.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Where a rank's parts are, from the beginning of the file. */
struct goal_place {
    int64_t roots, nodes, followers;
    int64_t end; /* of a text, from there on the line of each operation, of 8 bytes */
    int64_t n_followers;
    uint32_t n_ops, n_roots;
    uint32_t node_page, follower_page; /* where pages of them were last: see goal_pages_at() */
    bool is_line;     /* each operation requires the end of the one before it in the file, and nothing else */
    bool lists_roots; /* the roots are all there, in order; else they are looked for among all operations */
};

/* The freedom that the dependencies of a rank's operations leave. */
enum goal_class {
    GOAL_CHAINS,     /* each requires the end of the one before it */
    GOAL_SEQUENTIAL, /* they begin in one order, on one processor */
    GOAL_PARALLEL,   /* in several; or what a receive gets depends on what comes first */
};

struct goal_pages;

/* All zero but for the descriptor, -1, is none. */
struct goal_file {
    const char *name; /* borrowed, for messages */
    FILE *stream;     /* whose descriptor it is; NULL: none */
    int descriptor;
    int64_t size;
    bool is_text; /* it has been written from one, and has its lines */
    int n_ranks;
    struct goal_place *places;
    struct goal_pages *pages;
    /* By goal_file_check(): */
    enum goal_class class;
    int n_cpus;
    bool has_any; /* some receive from any source, or under any tag */
    int64_t n_ops;
};

/* Numbers of followers: those from `first` on. */
struct goal_span {
    uint32_t count, first;
};

struct goal_node {
    struct goal_op op;         /* with its number as its position, also of a text */
    uint32_t required;         /* so many others must begin or end before */
    struct goal_span on_end;   /* those that require its end, */
    struct goal_span on_begin; /* and its beginning */
};

/* The same of what begins it alone. */
struct goal_begin {
    uint32_t required;
    int cpu;
};

/* A file of so many ranks. The caller fills in their places, and disposes of it. */
void goal_file_init(struct goal_file *file, int n_ranks);
/* Take over the descriptor of what is read. */
void goal_file_attach(struct goal_file *file, int descriptor, int64_t size);
void goal_file_dispose(struct goal_file *file);

/* The place of a rank between two offsets. */
void goal_file_set_place(struct goal_place *place, int64_t begin, int64_t end, uint32_t n_ops, uint32_t n_roots);
/* Read the table of ranks. */
int goal_file_read_places(struct goal_file *file, struct sim_error *error);
/* Look at all: 0, or -1 where an operation is none, or dependencies contradict each other, but for circles. */
int goal_file_check(struct goal_file *file, struct sim_error *error);

/* A number of 4 bytes at an offset of the file. */
int goal_file_u32(uint32_t *number, struct goal_file *file, int64_t offset, struct sim_error *error);
int goal_file_node(struct goal_node *node, struct goal_file *file, int rank, uint32_t op, struct sim_error *error);
int goal_file_begin(struct goal_begin *begin, struct goal_file *file, int rank, uint32_t op, struct sim_error *error);
/* The same of the operation's bytes. */
int goal_file_take_node(struct goal_node *node, const struct goal_file *file, int rank, uint32_t op,
                        const unsigned char *bytes, struct sim_error *error);
/* The operation that a number of a span stands for; and of several in a row, GOAL_MOST_FOLLOWERS at most. */
enum { GOAL_MOST_FOLLOWERS = 16 };
int goal_file_follower(uint32_t *op, struct goal_file *file, int rank, int64_t number, struct sim_error *error);
int goal_file_followers(uint32_t *ops, int count, struct goal_file *file, int rank, int64_t number,
                        struct sim_error *error);
/* How many there are among which the roots are, and one of them. */
uint32_t goal_file_n_first(const struct goal_file *file, int rank);
int goal_file_first(uint32_t *op, struct goal_file *file, int rank, uint32_t number, struct sim_error *error);
/* The first root of a rank that has operations. */
int goal_file_root(uint32_t *op, struct goal_file *file, int rank, struct sim_error *error);
/* Its line; in the binary form its number among those of the rank, from 1; 0 where it cannot be read. */
int64_t goal_file_position(struct goal_file *file, int rank, uint32_t op);
/* All of a rank. */
int goal_file_graph(struct goal_graph *graph, struct goal_file *file, int rank, struct sim_error *error);

/* Check that an operation is allowed in a schedule of so many ranks; else an error that names its position. */
int goal_check_op(const struct goal_op *op, int n_ranks, const struct goal_graph *graph, struct sim_error *error);

#endif
