/* Reads and writes the binary form; whatever a number in the file says, memory is taken only for what the file has.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/binary.h"

#include "base/memory.h"
#include "base/transport.h"
#include "trace/goal/schedule.h"
#include "trace/record/lines.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- numbers --- */

static uint64_t read_unsigned(struct transport *from, int n_bytes)
{
    wide_int number = 0;
    transport_number(from, &number, n_bytes);
    return (uint64_t)number & UINT64_MAX >> (64 - 8 * n_bytes);
}

static uint32_t read_u32(struct transport *from)
{
    return (uint32_t)read_unsigned(from, 4);
}

static void write_unsigned(struct transport *to, uint64_t value, int n_bytes)
{
    wide_int number = (wide_int)value;
    transport_number(to, &number, n_bytes);
}

int goal_is_binary(int descriptor, int64_t size, const char *file, struct sim_error *error)
{
    unsigned char bytes[GOAL_COOKIE_BYTES];
    if (size < GOAL_COOKIE_BYTES)
        return 0;
    if (lines_read_at(descriptor, bytes, sizeof bytes, 0, file, error) != 0)
        return -1;
    struct transport from = {.from = bytes, .size = sizeof bytes};
    uint64_t cookie = read_unsigned(&from, GOAL_COOKIE_BYTES);
    if (cookie == GOAL_COOKIE_USED)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "has been consumed by LogGOPSim's --save-mem; make it again from its text");
    return cookie == GOAL_COOKIE;
}

/* --- reading a rank --- */

/* A rank's bytes. */
struct block {
    struct goal_schedule *schedule;
    unsigned char *bytes;
    size_t size;
    uint32_t n_ops, n_roots;
    const unsigned char *ops, *dependents;
    size_t n_dependents;
};

static int fail_block(const struct block *block, struct sim_error *error, const char *what)
{
    const struct goal_graph *graph = &block->schedule->graph;
    return sim_error_set(error, SIM_BAD_INPUT, graph->file, 0, "rank %d: %s", graph->rank, what);
}

static int measure(struct block *block, struct sim_error *error)
{
    struct transport from = {.from = block->bytes, .size = block->size};
    block->n_ops = read_u32(&from);
    block->n_roots = read_u32(&from);
    uint64_t before = GOAL_RANK_BYTES + (uint64_t)block->n_roots * GOAL_INDEX_BYTES;
    uint64_t after = before + (uint64_t)block->n_ops * GOAL_NODE_BYTES;
    if (from.failed || block->n_roots > block->n_ops || after > block->size)
        return fail_block(block, error, "has more operations than it has bytes for");
    block->ops = block->bytes + before;
    block->dependents = block->bytes + after;
    block->n_dependents = (block->size - (size_t)after) / GOAL_INDEX_BYTES;
    return 0;
}

static int add_op(const struct block *block, struct transport *from, uint32_t index, struct sim_error *error)
{
    struct goal_op op = {.position = (int64_t)index + 1};
    read_u32(from);
    op.kind = (uint8_t)read_unsigned(from, 1);
    op.peer = read_u32(from);
    op.amount = (int64_t)read_unsigned(from, 8);
    op.tag = read_u32(from);
    op.cpu = (uint8_t)read_unsigned(from, 1);
    op.nic = (uint8_t)read_unsigned(from, 1);
    if (op.kind < GOAL_SEND || op.kind > GOAL_CALC)
        return goal_fail(error, &block->schedule->graph, op.position,
                         "is of kind %d; 1 (send), 2 (receive) and 3 (calc) are allowed", op.kind);
    return goal_schedule_add(block->schedule, &op, error);
}

/* Add the operations that wait for the end, or for the beginning, of an operation. */
static int add_edges(const struct block *block, struct transport *from, uint32_t index, bool start,
                     struct sim_error *error)
{
    struct goal_graph *graph = &block->schedule->graph;
    uint32_t count = read_u32(from), first = read_u32(from);
    if ((uint64_t)first + count > block->n_dependents || graph->n_edges + count > block->n_dependents)
        return goal_fail(error, graph, (int64_t)index + 1, "has dependents where the rank has none");
    struct transport list = {.from = block->dependents + (size_t)first * GOAL_INDEX_BYTES,
                             .size = (size_t)count * GOAL_INDEX_BYTES};
    for (uint32_t i = 0; i < count; i++) {
        struct goal_edge edge = {.before = index, .after = read_u32(&list), .start = start};
        if (edge.after >= block->n_ops)
            return goal_fail(error, graph, (int64_t)index + 1,
                             "has the dependent %" PRIu32 " of a rank with %" PRIu32 " operations", edge.after,
                             block->n_ops);
        goal_graph_add_edge(graph, edge);
    }
    return 0;
}

static int add_all_edges(const struct block *block, struct sim_error *error)
{
    enum { BEFORE = GOAL_NODE_BYTES - 4 * GOAL_INDEX_BYTES };
    int status = 0;
    for (uint32_t i = 0; status == 0 && i < block->n_ops; i++) {
        struct transport from = {.from = block->ops + (size_t)i * GOAL_NODE_BYTES + BEFORE,
                                 .size = 4 * GOAL_INDEX_BYTES};
        status = add_edges(block, &from, i, false, error);
        if (status == 0)
            status = add_edges(block, &from, i, true, error);
    }
    return status;
}

/* LogGOPSim begins what is a root, and what as many have come before as the operation says. */
static int check_counts(const struct block *block, struct sim_error *error)
{
    const struct goal_graph *graph = &block->schedule->graph;
    uint32_t *missing = xcalloc((size_t)block->n_ops + 1, sizeof *missing), n_roots = 0, i = 0;
    for (size_t k = 0; k < graph->n_edges; k++)
        missing[graph->edges[k].after]++;
    for (; i < block->n_ops; i++) {
        struct transport from = {.from = block->ops + (size_t)i * GOAL_NODE_BYTES, .size = GOAL_INDEX_BYTES};
        if (read_u32(&from) != missing[i])
            break;
        n_roots += missing[i] == 0;
    }
    uint32_t found = missing[i];
    free(missing);
    if (i < block->n_ops)
        return goal_fail(error, graph, (int64_t)i + 1, "waits for another number of operations than name it, %" PRIu32,
                         found);
    return n_roots == block->n_roots ? 0 : fail_block(block, error, "has another number of roots than it says");
}

static int read_block(struct block *block, struct sim_error *error)
{
    if (measure(block, error) != 0)
        return -1;
    for (uint32_t i = 0; i < block->n_ops; i++) {
        struct transport from = {.from = block->ops + (size_t)i * GOAL_NODE_BYTES, .size = GOAL_NODE_BYTES};
        if (add_op(block, &from, i, error) != 0)
            return -1;
    }
    if (add_all_edges(block, error) != 0 || check_counts(block, error) != 0)
        return -1;
    return goal_schedule_end(block->schedule, error);
}

static int read_rank(struct goal_schedule *schedule, int rank, int descriptor, int64_t begin, int64_t end,
                     struct sim_error *error)
{
    if (goal_schedule_begin(schedule, rank, 0, error) != 0)
        return -1;
    size_t size = (size_t)(end - begin);
    struct block block = {.schedule = schedule, .bytes = xmalloc(size), .size = size};
    int status = lines_read_at(descriptor, block.bytes, size, begin + GOAL_COOKIE_BYTES, schedule->graph.file, error);
    if (status == 0)
        status = read_block(&block, error);
    free(block.bytes);
    return status;
}

/* --- reading --- */

/* Ranks lie one behind the other, so that all together have no more bytes than the file. */
static int read_ranks(struct goal_schedule *schedule, int descriptor, int64_t size, unsigned char *table,
                      struct sim_error *error)
{
    uint64_t last = GOAL_HEAD_BYTES + (uint64_t)schedule->n_ranks * GOAL_RANGE_BYTES;
    uint64_t whole = (uint64_t)(size - GOAL_COOKIE_BYTES);
    struct transport from = {.from = table, .size = (size_t)schedule->n_ranks * GOAL_RANGE_BYTES};
    for (int rank = 0; rank < schedule->n_ranks; rank++) {
        uint64_t begin = read_unsigned(&from, 8), end = read_unsigned(&from, 8);
        if (begin < last || end < begin || end > whole)
            return sim_error_set(error, SIM_BAD_INPUT, schedule->graph.file, 0,
                                 "rank %d is at bytes %" PRIu64 " to %" PRIu64 "; %" PRIu64 " to %" PRIu64
                                 " are left for it",
                                 rank, begin, end, last, whole);
        if (read_rank(schedule, rank, descriptor, (int64_t)begin, (int64_t)end, error) != 0)
            return -1;
        last = end;
    }
    return 0;
}

int goal_read_binary(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error)
{
    const char *file = schedule->graph.file;
    unsigned char head[GOAL_HEAD_BYTES];
    int64_t before = GOAL_COOKIE_BYTES + GOAL_HEAD_BYTES;
    if (size < before)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "ends within the head of a binary GOAL schedule");
    if (lines_read_at(descriptor, head, sizeof head, GOAL_COOKIE_BYTES, file, error) != 0)
        return -1;
    struct transport from = {.from = head, .size = sizeof head};
    int64_t n_ranks = (int64_t)read_u32(&from);
    if (goal_schedule_set_ranks(schedule, n_ranks, 0, error) != 0)
        return -1;
    if ((size - before) / GOAL_RANGE_BYTES < n_ranks)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "ends within the table of its %" PRId64 " ranks", n_ranks);
    unsigned char *table = xmalloc((size_t)n_ranks * GOAL_RANGE_BYTES);
    int status = lines_read_at(descriptor, table, (size_t)n_ranks * GOAL_RANGE_BYTES, before, file, error);
    if (status == 0)
        status = read_ranks(schedule, descriptor, size, table, error);
    free(table);
    return status;
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

static void write_op(struct transport *to, const struct goal_op *op, uint32_t missing, const uint32_t *first)
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
    struct transport to = {.to = stream};
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
    free(missing);
    free(first);
    free(dependents);
    return (int64_t)(GOAL_RANK_BYTES + n_ops * GOAL_NODE_BYTES + (n_roots + n_edges) * GOAL_INDEX_BYTES);
}

void goal_write_head(FILE *stream, int n_ranks, int last_cpu, int last_nic, const int64_t *ends)
{
    struct transport to = {.to = stream};
    uint64_t first = GOAL_HEAD_BYTES + (uint64_t)n_ranks * GOAL_RANGE_BYTES;
    write_unsigned(&to, GOAL_COOKIE, GOAL_COOKIE_BYTES);
    write_unsigned(&to, (uint64_t)n_ranks, 4);
    write_unsigned(&to, (uint64_t)last_cpu, 1);
    write_unsigned(&to, (uint64_t)last_nic, 1);
    for (int r = 0; r < n_ranks; r++) {
        write_unsigned(&to, first + (uint64_t)(r > 0 ? ends[r - 1] : 0), 8);
        write_unsigned(&to, first + (uint64_t)ends[r], 8);
    }
}
