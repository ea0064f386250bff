/* The common part of both forms of a schedule: what a rank may do, and which ranks there are.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/schedule.h"

#include "base/memory.h"
#include "base/units.h"
#include "trace/goal/binary.h"
#include "trace/goal/order.h"
#include "trace/record/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CALC_NS (PS_MAX / 1000)

/* --- ranks --- */

int goal_schedule_set_ranks(struct goal_schedule *schedule, int64_t n_ranks, long line, struct sim_error *error)
{
    const char *file = schedule->graph.file;
    if (schedule->n_ranks > 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, line, "num_ranks is given a second time; once is allowed");
    if (n_ranks < 1 || n_ranks > schedule->most_ranks)
        return sim_error_set(error, SIM_BAD_INPUT, file, line, "a schedule of %" PRId64 " ranks; 1 to %d are allowed",
                             n_ranks, schedule->most_ranks);
    schedule->n_ranks = (int)n_ranks;
    schedule->is_read = xcalloc((size_t)n_ranks, sizeof *schedule->is_read);
    if (schedule->graphs != NULL)
        return 0;
    return goal_spool_open(&schedule->spool, schedule->n_ranks, error);
}

int goal_schedule_begin(struct goal_schedule *schedule, int64_t rank, long line, struct sim_error *error)
{
    const char *file = schedule->graph.file;
    if (schedule->n_ranks == 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, line,
                             "rank %" PRId64 " comes before num_ranks, which says how many there are", rank);
    if (rank < 0 || rank >= schedule->n_ranks)
        return sim_error_set(error, SIM_BAD_INPUT, file, line,
                             "rank %" PRId64 " of a schedule of %d ranks; 0 to %d are allowed", rank, schedule->n_ranks,
                             schedule->n_ranks - 1);
    if (schedule->is_read[rank])
        return sim_error_set(error, SIM_BAD_INPUT, file, line, "rank %" PRId64 " a second time; once is allowed", rank);
    schedule->is_read[rank] = true;
    goal_graph_begin(&schedule->graph, (int)rank);
    return 0;
}

int goal_schedule_end(struct goal_schedule *schedule, struct sim_error *error)
{
    struct goal_graph *graph = &schedule->graph;
    int rank = graph->rank;
    map_dispose(&schedule->tags);
    if (schedule->graphs != NULL) {
        schedule->graphs[rank] = *graph;
        *graph = (struct goal_graph){.file = graph->file, .is_text = graph->is_text};
        return 0;
    }
    bool is_sequential;
    goal_spool_begin(&schedule->spool, rank);
    int status = goal_order(graph, &is_sequential, goal_spool_take, &schedule->spool, error);
    goal_spool_end(&schedule->spool, rank);
    schedule->is_parallel = schedule->is_parallel || !is_sequential || schedule->has_any_source;
    return status;
}

/* --- operations --- */

/* The tags under which a rank's messages from another are received. Where all are of any, so is no matter. */
static void note_tag(struct goal_schedule *schedule, const struct goal_op *op)
{
    bool is_any = op->tag == GOAL_ANY;
    struct map_entry *entry = map_add(&schedule->tags, map_key((int32_t)op->peer, 0, 0, 0));
    if (entry->index == MAP_NOTHING)
        entry->index = is_any;
    if (entry->index != is_any || op->peer == GOAL_ANY)
        schedule->has_any_source = true;
    if (is_any)
        map_add(&schedule->any_tag, map_key(schedule->graph.rank, (int32_t)op->peer, 0, 0))->index = 0;
}

static int check_message(struct goal_schedule *schedule, const struct goal_op *op, struct sim_error *error)
{
    const struct goal_graph *graph = &schedule->graph;
    bool sends = op->kind == GOAL_SEND;
    if (op->peer >= (uint32_t)schedule->n_ranks && (sends || op->peer != GOAL_ANY))
        return goal_fail(error, graph, op->position,
                         "%s rank %" PRIu32 " of a schedule of %d ranks; 0 to %d are allowed",
                         sends ? "sends to" : "receives from", op->peer, schedule->n_ranks, schedule->n_ranks - 1);
    if (op->amount < 0 || op->amount > GOAL_MAX_BYTES)
        return goal_fail(error, graph, op->position, "a message of %" PRIu64 " bytes; 0 to %" PRId64 " are allowed",
                         (uint64_t)op->amount, GOAL_MAX_BYTES);
    if (sends && op->tag == GOAL_ANY)
        return goal_fail(error, graph, op->position, "sends with any tag (-1); only a receive may leave it open");
    if (!sends)
        note_tag(schedule, op);
    return 0;
}

int goal_schedule_add(struct goal_schedule *schedule, struct goal_op *op, struct sim_error *error)
{
    struct goal_graph *graph = &schedule->graph;
    if (graph->n_ops >= GOAL_MAX_OPS)
        return goal_fail(error, graph, op->position, "more than %zu operations in a rank", GOAL_MAX_OPS);
    if (op->kind != GOAL_CALC && check_message(schedule, op, error) != 0)
        return -1;
    if (op->kind == GOAL_CALC && (op->amount < 0 || op->amount > MAX_CALC_NS))
        return goal_fail(error, graph, op->position, "calculates for %" PRIu64 " ns; 0 to %" PRId64 " are allowed",
                         (uint64_t)op->amount, MAX_CALC_NS);
    op->any_tag = op->tag == GOAL_ANY;
    if (op->any_tag)
        op->tag = 0;
    goal_graph_add_op(graph, op);
    return 0;
}

uint32_t goal_schedule_tag(const struct goal_schedule *schedule, uint32_t receiver, uint32_t sender, uint32_t tag)
{
    bool is_any = !schedule->has_any_source &&
                  map_find(&schedule->any_tag, map_key((int32_t)receiver, (int32_t)sender, 0, 0)) != NULL;
    return is_any ? 0 : tag;
}

/* --- the whole --- */

static int check_all(const struct goal_schedule *schedule, struct sim_error *error)
{
    if (schedule->n_ranks == 0)
        return sim_error_set(error, SIM_BAD_INPUT, schedule->graph.file, 0,
                             "is not a GOAL schedule: it has neither num_ranks nor the first bytes of the binary form");
    for (int r = 0; r < schedule->n_ranks; r++)
        if (!schedule->is_read[r])
            return sim_error_set(error, SIM_BAD_INPUT, schedule->graph.file, 0,
                                 "has no operations of rank %d; a rank that does nothing is 'rank %d { }'", r, r);
    return 0;
}

static int read_ranks(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error)
{
    int status = (schedule->is_text ? goal_read_text : goal_read_binary)(schedule, descriptor, size, error);
    return status == 0 ? check_all(schedule, error) : status;
}

/* Read all ranks again, and keep their graphs. */
static int read_graphs(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error)
{
    size_t n_graphs = (size_t)schedule->n_ranks;
    free(schedule->is_read);
    schedule->graphs = xcalloc(n_graphs, sizeof *schedule->graphs);
    schedule->most_ranks = schedule->n_ranks; /* the file may have changed */
    schedule->n_ranks = 0;
    schedule->is_read = NULL;
    int status = read_ranks(schedule, descriptor, size, error);
    for (int r = 0; status == 0 && r < schedule->n_ranks; r++) {
        struct goal_graph *graph = &schedule->graphs[r];
        for (size_t i = 0; i < graph->n_ops; i++)
            graph->ops[i].any_tag = graph->ops[i].any_tag && schedule->has_any_source;
        for (size_t i = 0; i < graph->n_ops; i++)
            if (graph->ops[i].kind == GOAL_SEND)
                graph->ops[i].tag = goal_schedule_tag(schedule, graph->ops[i].peer, (uint32_t)r, graph->ops[i].tag);
    }
    return status;
}

static int read_either(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error)
{
    int status = goal_is_binary(descriptor, size, schedule->graph.file, error);
    if (status < 0)
        return -1;
    schedule->is_text = schedule->graph.is_text = status == 0;
    schedule->most_ranks = GOAL_MAX_RANKS;
    status = read_ranks(schedule, descriptor, size, error);
    if (status == 0 && schedule->is_parallel)
        status = read_graphs(schedule, descriptor, size, error);
    return status == 0 ? goal_spool_finish(&schedule->spool, error) : -1;
}

int goal_schedule_read(struct goal_schedule *schedule, const char *file, struct sim_error *error)
{
    int64_t size;
    *schedule = (struct goal_schedule){.spool.descriptor = -1, .graph.file = file};
    int descriptor = lines_open_file(&size, file, error);
    if (descriptor < 0)
        return -1;
    int status = read_either(schedule, descriptor, size, error);
    close(descriptor);
    goal_graph_dispose(&schedule->graph);
    schedule->graph = (struct goal_graph){0};
    map_dispose(&schedule->tags);
    return status;
}

void goal_schedule_dispose(struct goal_schedule *schedule)
{
    goal_spool_dispose(&schedule->spool);
    for (int r = 0; schedule->graphs != NULL && r < schedule->n_ranks; r++)
        goal_graph_dispose(&schedule->graphs[r]);
    free(schedule->graphs);
    free(schedule->is_read);
    map_dispose(&schedule->any_tag);
}
