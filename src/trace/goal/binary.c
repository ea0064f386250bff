/* Writes the binary form, and knows it by its first bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/binary.h"

#include "base/memory.h"
#include "base/transport.h"
#include "trace/record/lines.h"

#include <stdlib.h>

/* --- numbers --- */

/* A buffer before a stream: a call for each number would take longer than all else. */
struct pieces {
    FILE *stream;
    size_t n;
    unsigned char bytes[32 * 1024];
};

static void write_piece(struct pieces *to)
{
    fwrite(to->bytes, 1, to->n, to->stream);
    to->n = 0;
}

/* The lowest byte first. */
static inline void write_unsigned(struct pieces *to, uint64_t value, size_t n_bytes)
{
    if (to->n + n_bytes > sizeof to->bytes)
        write_piece(to);
    for (size_t i = 0; i < n_bytes; i++)
        to->bytes[to->n + i] = (unsigned char)(value >> (8 * i));
    to->n += n_bytes;
}

int goal_is_binary(int descriptor, int64_t size, const char *file, struct sim_error *error)
{
    unsigned char bytes[GOAL_COOKIE_BYTES];
    if (size < GOAL_COOKIE_BYTES)
        return 0;
    if (lines_read_at(descriptor, bytes, sizeof bytes, 0, file, error) != 0)
        return -1;
    struct transport from = {.from = bytes, .size = sizeof bytes};
    int64_t cookie;
    transport_int64(&from, &cookie);
    if (cookie == GOAL_COOKIE_USED)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "has been consumed by LogGOPSim's --save-mem; make it again from its text");
    return cookie == GOAL_COOKIE;
}

/* --- writing --- */

/* The dependents of all operations, those of its end before those of its beginning; first[2 i] and first[2 i + 1] are
 * where those of operation i begin. */
static void list_dependents(uint32_t *first, uint32_t *dependents, const struct goal_graph *graph)
{
    uint32_t *next = xcalloc(2 * graph->n_ops + 1, sizeof *next);
    for (size_t i = 0; i < graph->n_edges; i++)
        next[2 * graph->edges[i].before + graph->edges[i].start]++;
    for (size_t i = 0; i < 2 * graph->n_ops; i++) {
        first[i + 1] = first[i] + next[i];
        next[i] = first[i];
    }
    for (size_t i = 0; i < graph->n_edges; i++)
        dependents[next[2 * graph->edges[i].before + graph->edges[i].start]++] = graph->edges[i].after;
    free(next);
}

static void write_op(struct pieces *to, const struct goal_op *op, uint32_t missing, const uint32_t *first)
{
    write_unsigned(to, missing, 4);
    write_unsigned(to, op->kind, 1);
    write_unsigned(to, op->peer, 4);
    write_unsigned(to, (uint64_t)op->amount, 8);
    write_unsigned(to, op->any_tag ? GOAL_ANY : op->tag, 4);
    write_unsigned(to, op->cpu, 1);
    write_unsigned(to, op->nic, 1);
    for (int start = 0; start < 2; start++) {
        write_unsigned(to, first[start + 1] - first[start], 4);
        write_unsigned(to, first[start], 4);
    }
}

int64_t goal_write_rank(FILE *stream, const struct goal_graph *graph)
{
    struct pieces to = {.stream = stream};
    size_t n_ops = graph->n_ops, n_edges = graph->n_edges, n_roots = 0;
    uint32_t *missing = xcalloc(n_ops + 1, sizeof *missing), *first = xcalloc(2 * n_ops + 1, sizeof *first);
    uint32_t *dependents = xcalloc(n_edges + 1, sizeof *dependents);
    for (size_t i = 0; i < n_edges; i++)
        missing[graph->edges[i].after]++;
    for (size_t i = 0; i < n_ops; i++)
        n_roots += missing[i] == 0;
    list_dependents(first, dependents, graph);
    write_unsigned(&to, n_ops, 4);
    write_unsigned(&to, n_roots, 4);
    for (size_t i = 0; i < n_ops; i++)
        if (missing[i] == 0)
            write_unsigned(&to, i, 4);
    for (size_t i = 0; i < n_ops; i++)
        write_op(&to, &graph->ops[i], missing[i], &first[2 * i]);
    for (size_t i = 0; i < n_edges; i++)
        write_unsigned(&to, dependents[i], 4);
    write_piece(&to);
    free(missing);
    free(first);
    free(dependents);
    return (int64_t)(GOAL_RANK_BYTES + n_ops * GOAL_NODE_BYTES + (n_roots + n_edges) * GOAL_INDEX_BYTES);
}

void goal_write_head(FILE *stream, int n_ranks, int last_cpu, int last_nic, const int64_t *ends)
{
    struct pieces to = {.stream = stream};
    uint64_t first = GOAL_HEAD_BYTES + (uint64_t)n_ranks * GOAL_RANGE_BYTES;
    write_unsigned(&to, GOAL_COOKIE, GOAL_COOKIE_BYTES);
    write_unsigned(&to, (uint64_t)n_ranks, 4);
    write_unsigned(&to, (uint64_t)last_cpu, 1);
    write_unsigned(&to, (uint64_t)last_nic, 1);
    for (int r = 0; r < n_ranks; r++) {
        write_unsigned(&to, first + (uint64_t)(r > 0 ? ends[r - 1] : 0), 8);
        write_unsigned(&to, first + (uint64_t)ends[r], 8);
    }
    write_piece(&to);
}
