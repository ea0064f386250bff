/* The numbers of a schedule's file, and what they mean.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/file.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"
#include "trace/goal/binary.h"
#include "trace/goal/pages.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CALC_NS (PS_MAX / 1000)

/* --- numbers --- */

/* Good until the next call. */
static inline const unsigned char *bytes_at(struct goal_file *file, int64_t offset, struct sim_error *error)
{
    uint32_t place = 0;
    return goal_pages_at(file->pages, offset, &place, error);
}
static inline const unsigned char *node_at(struct goal_file *file, struct goal_place *place, uint32_t op,
                                           struct sim_error *error)
{
    return goal_pages_at(file->pages, place->nodes + (int64_t)op * GOAL_NODE_BYTES, &place->node_page, error);
}

static inline void get_node(struct goal_node *node, const unsigned char *bytes, uint32_t op)
{
    node->required = goal_get_u32(bytes);
    node->op.position = (int64_t)op + 1;
    node->op.kind = bytes[4];
    node->op.peer = goal_get_u32(bytes + 5);
    node->op.amount = (int64_t)goal_get_u64(bytes + 9);
    node->op.tag = goal_get_u32(bytes + 17);
    node->op.cpu = bytes[21];
    node->op.nic = bytes[22];
    node->on_end = (struct goal_span){.count = goal_get_u32(bytes + 23), .first = goal_get_u32(bytes + 27)};
    node->on_begin = (struct goal_span){.count = goal_get_u32(bytes + 31), .first = goal_get_u32(bytes + 35)};
}

/* --- what an operation may be --- */

static int fail_message(const struct goal_op *op, int n_ranks, const struct goal_graph *graph, struct sim_error *error)
{
    bool sends = op->kind == GOAL_SEND;
    if (op->peer >= (uint32_t)n_ranks && (sends || op->peer != GOAL_ANY))
        return goal_fail(error, graph, op->position,
                         "%s rank %" PRIu32 " of a schedule of %d ranks; 0 to %d are allowed",
                         sends ? "sends to" : "receives from", op->peer, n_ranks, n_ranks - 1);
    if (op->amount < 0 || op->amount > GOAL_MAX_BYTES)
        return goal_fail(error, graph, op->position, "a message of %" PRIu64 " bytes; 0 to %" PRId64 " are allowed",
                         (uint64_t)op->amount, GOAL_MAX_BYTES);
    if (sends && op->any_tag)
        return goal_fail(error, graph, op->position, "sends with any tag (-1); only a receive may leave it open");
    return 0;
}

int goal_check_op(const struct goal_op *op, int n_ranks, const struct goal_graph *graph, struct sim_error *error)
{
    if (op->kind == GOAL_SEND || op->kind == GOAL_RECV)
        return fail_message(op, n_ranks, graph, error);
    if (op->kind != GOAL_CALC)
        return goal_fail(error, graph, op->position, "is of kind %d; 1 (send), 2 (receive) and 3 (calc) are allowed",
                         op->kind);
    if (op->amount < 0 || op->amount > MAX_CALC_NS)
        return goal_fail(error, graph, op->position, "calculates for %" PRIu64 " ns; 0 to %" PRId64 " are allowed",
                         (uint64_t)op->amount, MAX_CALC_NS);
    return 0;
}

/* A rank, for messages. */
static struct goal_graph rank_of(const struct goal_file *file, int rank)
{
    return (struct goal_graph){.file = file->name, .rank = rank};
}

/* Any tag is a flag from here on. */
static inline int check_node(struct goal_node *node, const struct goal_file *file, int rank, struct sim_error *error)
{
    struct goal_op *op = &node->op;
    bool sends = op->kind == GOAL_SEND, receives = op->kind == GOAL_RECV;
    op->any_tag = op->tag == GOAL_ANY;
    if (op->any_tag)
        op->tag = 0;
    bool has_peer = op->peer < (uint32_t)file->n_ranks || (receives && op->peer == GOAL_ANY);
    bool is_message = (sends || receives) && has_peer && op->amount <= GOAL_MAX_BYTES && !(sends && op->any_tag);
    if (op->amount >= 0 && (is_message || (op->kind == GOAL_CALC && op->amount <= MAX_CALC_NS)))
        return 0;
    const struct goal_graph graph = rank_of(file, rank);
    return goal_check_op(op, file->n_ranks, &graph, error);
}

/* --- the whole file --- */

void goal_file_init(struct goal_file *file, int n_ranks)
{
    file->n_ranks = n_ranks;
    file->places = xcalloc((size_t)n_ranks, sizeof *file->places);
}

void goal_file_attach(struct goal_file *file, int descriptor, int64_t size)
{
    file->descriptor = descriptor;
    file->size = size;
    file->pages = goal_pages_new(descriptor, size, file->name);
}

void goal_file_dispose(struct goal_file *file)
{
    if (file->stream != NULL)
        fclose(file->stream);
    else if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->places);
    goal_pages_free(file->pages);
    *file = (struct goal_file){.descriptor = -1};
}

static int fail_rank(const struct goal_file *file, int rank, struct sim_error *error, const char *what)
{
    return sim_error_set(error, SIM_BAD_INPUT, file->name, 0, "rank %d: %s", rank, what);
}

void goal_file_set_place(struct goal_place *place, int64_t begin, int64_t end, uint32_t n_ops, uint32_t n_roots)
{
    place->n_ops = n_ops;
    place->n_roots = n_roots;
    place->roots = begin + GOAL_RANK_BYTES;
    place->nodes = place->roots + (int64_t)n_roots * GOAL_INDEX_BYTES;
    place->followers = place->nodes + (int64_t)n_ops * GOAL_NODE_BYTES;
    place->n_followers = (end - place->followers) / GOAL_INDEX_BYTES;
    place->end = end;
}

static int read_place(struct goal_file *file, int rank, int64_t begin, int64_t end, struct sim_error *error)
{
    struct goal_place *place = &file->places[rank];
    const unsigned char *head = bytes_at(file, begin, error);
    if (head == NULL)
        return -1;
    goal_file_set_place(place, begin, end, goal_get_u32(head), goal_get_u32(head + 4));
    if (end - begin < GOAL_RANK_BYTES || place->n_roots > place->n_ops || place->followers > end)
        return fail_rank(file, rank, error, "has more operations than it has bytes for");
    if (place->n_ops > GOAL_MAX_OPS)
        return sim_error_set(error, SIM_BAD_INPUT, file->name, 0, "more than %zu operations in a rank", GOAL_MAX_OPS);
    return 0;
}

/* Ranks lie one behind the other, so that all together have no more bytes than the file. */
int goal_file_read_places(struct goal_file *file, struct sim_error *error)
{
    uint64_t last = GOAL_HEAD_BYTES + (uint64_t)file->n_ranks * GOAL_RANGE_BYTES;
    uint64_t whole = (uint64_t)(file->size - GOAL_COOKIE_BYTES);
    for (int rank = 0; rank < file->n_ranks; rank++) {
        int64_t at = GOAL_COOKIE_BYTES + GOAL_HEAD_BYTES + (int64_t)rank * GOAL_RANGE_BYTES;
        const unsigned char *range = bytes_at(file, at, error);
        if (range == NULL)
            return -1;
        uint64_t begin = goal_get_u64(range), end = goal_get_u64(range + 8);
        if (begin < last || end < begin || end > whole)
            return sim_error_set(error, SIM_BAD_INPUT, file->name, 0,
                                 "rank %d is at bytes %" PRIu64 " to %" PRIu64 "; %" PRIu64 " to %" PRIu64
                                 " are left for it",
                                 rank, begin, end, last, whole);
        if (read_place(file, rank, GOAL_COOKIE_BYTES + (int64_t)begin, GOAL_COOKIE_BYTES + (int64_t)end, error) != 0)
            return -1;
        last = end;
    }
    return 0;
}

/* --- what is in a rank --- */

int goal_file_take_node(struct goal_node *node, const struct goal_file *file, int rank, uint32_t op,
                        const unsigned char *bytes, struct sim_error *error)
{
    get_node(node, bytes, op);
    return check_node(node, file, rank, error);
}

int goal_file_node(struct goal_node *node, struct goal_file *file, int rank, uint32_t op, struct sim_error *error)
{
    const unsigned char *bytes = node_at(file, &file->places[rank], op, error);
    if (bytes == NULL)
        return -1;
    get_node(node, bytes, op);
    return check_node(node, file, rank, error);
}

int goal_file_begin(struct goal_begin *begin, struct goal_file *file, int rank, uint32_t op, struct sim_error *error)
{
    const unsigned char *bytes = node_at(file, &file->places[rank], op, error);
    if (bytes == NULL)
        return -1;
    *begin = (struct goal_begin){.required = goal_get_u32(bytes), .cpu = bytes[21]};
    return 0;
}

int goal_file_u32(uint32_t *number, struct goal_file *file, int64_t offset, struct sim_error *error)
{
    const unsigned char *bytes = bytes_at(file, offset, error);
    if (bytes == NULL)
        return -1;
    *number = goal_get_u32(bytes);
    return 0;
}

static int fail_number(const struct goal_file *file, int rank, uint32_t n_ops, uint32_t found, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, file->name, 0,
                         "rank %d: the dependent %" PRIu32 " of a rank with %" PRIu32 " operations", rank, found,
                         n_ops);
}

static_assert(GOAL_MOST_FOLLOWERS * GOAL_INDEX_BYTES <= GOAL_PAGE_OVERLAP, "they are in one page");

int goal_file_followers(uint32_t *ops, int count, struct goal_file *file, int rank, int64_t number,
                        struct sim_error *error)
{
    struct goal_place *place = &file->places[rank];
    assert(count <= GOAL_MOST_FOLLOWERS);
    if (number + count > place->n_followers)
        return fail_rank(file, rank, error, "has dependents where it has none");
    int64_t at = place->followers + number * GOAL_INDEX_BYTES;
    const unsigned char *bytes = goal_pages_at(file->pages, at, &place->follower_page, error);
    if (bytes == NULL)
        return -1;
    for (int i = 0; i < count; i++) {
        ops[i] = goal_get_u32(bytes + i * GOAL_INDEX_BYTES);
        if (ops[i] >= place->n_ops)
            return fail_number(file, rank, place->n_ops, ops[i], error);
    }
    return 0;
}

int goal_file_follower(uint32_t *op, struct goal_file *file, int rank, int64_t number, struct sim_error *error)
{
    return goal_file_followers(op, 1, file, rank, number, error);
}

uint32_t goal_file_n_first(const struct goal_file *file, int rank)
{
    const struct goal_place *place = &file->places[rank];
    return place->lists_roots ? place->n_roots : place->n_ops;
}

int goal_file_first(uint32_t *op, struct goal_file *file, int rank, uint32_t number, struct sim_error *error)
{
    const struct goal_place *place = &file->places[rank];
    *op = number;
    if (!place->lists_roots)
        return 0;
    if (goal_file_u32(op, file, place->roots + (int64_t)number * GOAL_INDEX_BYTES, error) != 0)
        return -1;
    return *op < place->n_ops ? 0 : fail_number(file, rank, place->n_ops, *op, error);
}

int goal_file_root(uint32_t *op, struct goal_file *file, int rank, struct sim_error *error)
{
    uint32_t required = 1, number = 0;
    for (; required > 0; number++) {
        if (goal_file_first(op, file, rank, number, error) != 0 ||
            goal_file_u32(&required, file, file->places[rank].nodes + (int64_t)*op * GOAL_NODE_BYTES, error) != 0)
            return -1;
        if (required > 0 && number + 1 >= goal_file_n_first(file, rank))
            return fail_rank(file, rank, error, "has no root");
    }
    return 0;
}

int64_t goal_file_position(struct goal_file *file, int rank, uint32_t op)
{
    struct sim_error error;
    if (!file->is_text)
        return (int64_t)op + 1;
    const unsigned char *bytes = bytes_at(file, file->places[rank].end + 8 * (int64_t)op, &error);
    return bytes != NULL ? (int64_t)goal_get_u64(bytes) : 0;
}

static int add_edges(struct goal_graph *graph, struct goal_file *file, uint32_t before, const struct goal_span *span,
                     bool start, struct sim_error *error)
{
    uint32_t after = 0;
    for (uint32_t i = 0; i < span->count; i++) {
        if (goal_file_follower(&after, file, graph->rank, (int64_t)span->first + i, error) != 0)
            return -1;
        goal_graph_add_edge(graph, (struct goal_edge){.before = before, .after = after, .start = start});
    }
    return 0;
}

int goal_file_graph(struct goal_graph *graph, struct goal_file *file, int rank, struct sim_error *error)
{
    struct goal_node node;
    goal_graph_begin(graph, rank);
    graph->file = file->name;
    graph->is_text = file->is_text;
    for (uint32_t i = 0; i < file->places[rank].n_ops; i++) {
        if (goal_file_node(&node, file, rank, i, error) != 0)
            return -1;
        node.op.position = goal_file_position(file, rank, i);
        goal_graph_add_op(graph, &node.op);
        if (add_edges(graph, file, i, &node.on_end, false, error) != 0 ||
            add_edges(graph, file, i, &node.on_begin, true, error) != 0)
            return -1;
    }
    return 0;
}
