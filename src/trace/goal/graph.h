/* One rank's part of a GOAL schedule: its operations, and which of them must have begun or ended before others
 * begin.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_GOAL_GRAPH_H
#define TRACE_GOAL_GRAPH_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GOAL_MAX_RANKS 65536
#define GOAL_MAX_BYTES (INT64_C(1) << 48) /* of a message */
#define GOAL_MAX_OPS ((size_t)1 << 31)    /* of a rank; of its dependencies as many */
#define GOAL_ANY UINT32_MAX               /* as a peer or a tag, written -1 */

/* The numbers that the binary form has for them. */
enum goal_kind { GOAL_SEND = 1, GOAL_RECV, GOAL_CALC };

struct goal_op {
    int64_t amount;   /* bytes; of GOAL_CALC ns */
    int64_t position; /* its line; in the binary form its number among those of the rank, from 1 */
    uint32_t peer, tag;
    uint8_t kind; /* enum goal_kind */
    uint8_t cpu, nic;
    bool any_tag; /* of GOAL_RECV: whatever the tag */
};

struct goal_edge {
    uint32_t before, after; /* indices of operations */
    bool start;             /* `before` must have begun; else it must have ended */
};

/* All zero is without any. */
struct goal_graph {
    const char *file; /* borrowed, for messages */
    int rank;
    bool is_text; /* positions are lines */
    struct goal_op *ops;
    size_t n_ops, ops_capacity;
    struct goal_edge *edges;
    size_t n_edges, edges_capacity;
};

/* Without operations again, of another rank; its memory is kept. */
void goal_graph_begin(struct goal_graph *graph, int rank);
void goal_graph_dispose(struct goal_graph *graph);

void goal_graph_add_op(struct goal_graph *graph, const struct goal_op *op);
void goal_graph_add_edge(struct goal_graph *graph, struct goal_edge edge);

/* An error that names a position in the graph; -1. */
int goal_fail(struct sim_error *error, const struct goal_graph *graph, int64_t position, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
