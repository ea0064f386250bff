/* Looks at all operations of a schedule, a rank at a time, and at what their dependencies leave open.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/file.h"

#include "base/memory.h"
#include "base/range.h"
#include "trace/goal/binary.h"
#include "trace/record/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* So many nodes are read at once, and numbers of dependents. */
enum { BLOCK = 2048, NUMBERS = 16384 };

/* A rank that is looked at. */
struct check {
    struct goal_file *file;
    struct goal_graph graph; /* for messages */
    const struct goal_place *place;
    /* For each operation, by how many it has been named, less how many it waits for. */
    uint32_t *named;
    size_t capacity;
    int64_t n_edges;
    uint32_t n_roots;
    bool is_chain, is_line, one_cpu, lists_roots;
    uint8_t first_cpu;
    unsigned char bytes[BLOCK * GOAL_NODE_BYTES];
    int64_t first_number, n_numbers; /* those of the rank that have been read */
    unsigned char numbers[NUMBERS * GOAL_INDEX_BYTES];
};

/* --- each operation by itself --- */

/* See to it that a number of the rank's dependents has been read; others follow it. */
static int read_numbers(struct check *check, int64_t first, struct sim_error *error)
{
    const struct goal_place *place = check->place;
    if (first >= check->first_number && first < check->first_number + check->n_numbers)
        return 0;
    check->first_number = first;
    check->n_numbers = int64_min(NUMBERS, place->n_followers - first);
    return lines_read_at(check->file->descriptor, check->numbers, (size_t)check->n_numbers * GOAL_INDEX_BYTES,
                         place->followers + first * GOAL_INDEX_BYTES, check->file->name, error);
}

static int name_one(struct check *check, uint32_t op, int64_t number, struct sim_error *error)
{
    if (read_numbers(check, number, error) != 0)
        return -1;
    uint32_t after = goal_get_u32(check->numbers + (number - check->first_number) * GOAL_INDEX_BYTES);
    if (after >= check->place->n_ops)
        return goal_fail(error, &check->graph, (int64_t)op + 1,
                         "has the dependent %" PRIu32 " of a rank with %" PRIu32 " operations", after,
                         check->place->n_ops);
    check->named[after]++;
    check->is_line &= after == op + 1;
    return 0;
}

static int name_span(struct check *check, uint32_t op, const struct goal_span *span, struct sim_error *error)
{
    const struct goal_place *place = check->place;
    if (span->count == 0)
        return 0;
    if ((int64_t)span->first + span->count > place->n_followers || check->n_edges + span->count > place->n_followers)
        return goal_fail(error, &check->graph, (int64_t)op + 1, "has dependents where the rank has none");
    check->n_edges += span->count;
    for (int64_t i = span->first; i < (int64_t)span->first + span->count; i++)
        if (name_one(check, op, i, error) != 0)
            return -1;
    return 0;
}

static int note_root(struct check *check, uint32_t op, struct sim_error *error)
{
    const struct goal_place *place = check->place;
    uint32_t root = 0;
    if (check->n_roots < place->n_roots &&
        goal_file_u32(&root, check->file, place->roots + (int64_t)check->n_roots * GOAL_INDEX_BYTES, error) != 0)
        return -1;
    check->lists_roots = check->lists_roots && check->n_roots < place->n_roots && root == op;
    check->n_roots++;
    return 0;
}

static int check_node(struct check *check, uint32_t op, const unsigned char *bytes, struct sim_error *error)
{
    struct goal_file *file = check->file;
    struct goal_node node;
    if (goal_file_take_node(&node, file, check->graph.rank, op, bytes, error) != 0)
        return -1;
    if (op == 0)
        check->first_cpu = node.op.cpu;
    file->has_any |= node.op.kind == GOAL_RECV && (node.op.any_tag || node.op.peer == GOAL_ANY);
    file->n_cpus = int_max(file->n_cpus, node.op.cpu + 1);
    check->one_cpu &= node.op.cpu == check->first_cpu;
    check->is_chain &= node.required <= 1 && node.on_end.count <= 1 && node.on_begin.count == 0;
    check->is_line &= node.required <= 1 && node.on_end.count == (op + 1 < check->place->n_ops);
    check->named[op] -= node.required;
    if (node.required == 0 && note_root(check, op, error) != 0)
        return -1;
    return name_span(check, op, &node.on_end, error) != 0 ? -1 : name_span(check, op, &node.on_begin, error);
}

static int check_nodes(struct check *check, struct sim_error *error)
{
    const struct goal_place *place = check->place;
    for (uint32_t from = 0; from < place->n_ops; from += BLOCK) {
        uint32_t n = place->n_ops - from < BLOCK ? place->n_ops - from : BLOCK;
        if (lines_read_at(check->file->descriptor, check->bytes, (size_t)n * GOAL_NODE_BYTES,
                          place->nodes + (int64_t)from * GOAL_NODE_BYTES, check->file->name, error) != 0)
            return -1;
        for (uint32_t i = 0; i < n; i++)
            if (check_node(check, from + i, check->bytes + (size_t)i * GOAL_NODE_BYTES, error) != 0)
                return -1;
    }
    return 0;
}

/* LogGOPSim begins what is a root, and what as many have come before as the operation says. */
static int check_counts(const struct check *check, struct sim_error *error)
{
    struct goal_node node;
    uint32_t op = 0;
    while (op < check->place->n_ops && check->named[op] == 0)
        op++;
    if (op == check->place->n_ops) {
        if (check->n_roots == check->place->n_roots)
            return 0;
        return sim_error_set(error, SIM_BAD_INPUT, check->file->name, 0,
                             "rank %d: has another number of roots than it says", check->graph.rank);
    }
    if (goal_file_node(&node, check->file, check->graph.rank, op, error) != 0)
        return -1;
    return goal_fail(error, &check->graph, (int64_t)op + 1,
                     "waits for another number of operations than name it, %" PRIu32, check->named[op] + node.required);
}

/* --- what dependencies leave open --- */

/* Do the operation in thought: how many others can be done then, and one of them. -1 with an error. */
static int64_t pass_op(struct check *check, uint32_t *op, struct sim_error *error)
{
    struct goal_node node, next;
    int rank = check->graph.rank;
    int64_t n_ready = 0;
    if (goal_file_node(&node, check->file, rank, *op, error) != 0)
        return -1;
    for (int begins = 0; begins < 2; begins++) {
        const struct goal_span *span = begins ? &node.on_begin : &node.on_end;
        for (uint32_t i = 0; i < span->count; i++) {
            uint32_t after;
            if (goal_file_follower(&after, check->file, rank, (int64_t)span->first + i, error) != 0 ||
                goal_file_node(&next, check->file, rank, after, error) != 0)
                return -1;
            if (++check->named[after] < next.required)
                continue;
            *op = after;
            n_ready++;
        }
    }
    return n_ready;
}

/* See whether all dependencies together leave one order. */
static int classify(struct check *check, struct sim_error *error)
{
    const struct goal_place *place = check->place;
    struct goal_file *file = check->file;
    uint32_t op = 0, n_done = 0;
    int64_t n_ready = place->n_roots;
    if (place->is_line && check->one_cpu)
        return 0;
    if (n_ready == 1 && goal_file_root(&op, file, check->graph.rank, error) != 0)
        return -1;
    for (; n_ready == 1 && check->one_cpu && n_done < place->n_ops; n_done++)
        if ((n_ready = pass_op(check, &op, error)) < 0)
            return -1;
    enum goal_class class = n_done < place->n_ops ? GOAL_PARALLEL : check->is_chain ? GOAL_CHAINS : GOAL_SEQUENTIAL;
    file->class = class > file->class ? class : file->class;
    return 0;
}

static int check_rank(struct check *check, int rank, struct sim_error *error)
{
    struct goal_place *place = &check->file->places[rank];
    check->graph = (struct goal_graph){.file = check->file->name, .rank = rank};
    check->place = place;
    check->n_edges = check->n_numbers = 0;
    check->n_roots = 0;
    check->is_chain = check->is_line = check->one_cpu = check->lists_roots = true;
    if (place->n_ops > check->capacity) {
        free(check->named);
        check->capacity = place->n_ops;
        check->named = xmalloc(check->capacity * sizeof *check->named);
    }
    if (place->n_ops > 0)
        memset(check->named, 0, place->n_ops * sizeof *check->named);
    if (check_nodes(check, error) != 0 || check_counts(check, error) != 0)
        return -1;
    place->lists_roots = check->lists_roots;
    place->is_line = check->is_chain && check->is_line;
    check->file->n_ops += place->n_ops;
    return check->file->class != GOAL_PARALLEL ? classify(check, error) : 0;
}

int goal_file_check(struct goal_file *file, struct sim_error *error)
{
    struct check *check = xcalloc(1, sizeof *check);
    int status = 0;
    check->file = file;
    for (int rank = 0; status == 0 && rank < file->n_ranks; rank++)
        status = check_rank(check, rank, error);
    if (file->has_any)
        file->class = GOAL_PARALLEL;
    free(check->named);
    free(check);
    return status;
}
