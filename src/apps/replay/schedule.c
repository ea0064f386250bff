/* Operations of a graph as strands: line 0 of a rank begins what requires nothing; line 1 + 2 i does operation i, and
 * then names what requires its end; line 2 + 2 i names what requires that operation i has begun.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/schedule.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What follows an operation: those that require its end, then those that require its beginning. */
struct followers {
    uint32_t first, first_of_start;
};

struct schedule_rank {
    const struct goal_graph *graph;
    struct followers *followers; /* of each operation, and one more */
    uint32_t *after;             /* indices of operations */
    uint32_t *required;          /* of each operation: how many others must begin or end before it */
};

/* Where the strand that begins others is in their list; it is never interrupted. */
struct schedule_cursor {
    uint32_t at;
    uint8_t kind; /* enum goal_kind: sends are begun first, then receives, then computations */
};

struct schedule_replay {
    const struct goal_graph *graphs;
    int n_ranks;
    struct schedule_rank *ranks;
    struct schedule_cursor cursor;
};

/* --- the graph, by what comes before --- */

static void index_rank(struct schedule_rank *rank)
{
    const struct goal_graph *graph = rank->graph;
    uint32_t n_ops = (uint32_t)graph->n_ops, *next = xcalloc(2 * (size_t)n_ops + 1, sizeof *next), sum = 0;
    rank->followers = xcalloc((size_t)n_ops + 1, sizeof *rank->followers);
    rank->after = xmalloc((graph->n_edges + 1) * sizeof *rank->after);
    rank->required = xcalloc((size_t)n_ops + 1, sizeof *rank->required);
    for (size_t i = 0; i < graph->n_edges; i++) {
        next[2 * (size_t)graph->edges[i].before + graph->edges[i].start]++;
        rank->required[graph->edges[i].after]++;
    }
    for (size_t i = 0; i < 2 * (size_t)n_ops; i++) {
        uint32_t count = next[i];
        next[i] = sum;
        *(i % 2 == 0 ? &rank->followers[i / 2].first : &rank->followers[i / 2].first_of_start) = sum;
        sum += count;
    }
    rank->followers[n_ops].first = sum;
    for (size_t i = 0; i < graph->n_edges; i++)
        rank->after[next[2 * (size_t)graph->edges[i].before + graph->edges[i].start]++] = graph->edges[i].after;
    free(next);
}

struct schedule_replay *schedule_replay_new(const struct goal_graph *graphs, int n_ranks)
{
    struct schedule_replay *replay = xcalloc(1, sizeof *replay);
    replay->n_ranks = n_ranks;
    replay->graphs = graphs;
    replay->ranks = xcalloc((size_t)n_ranks, sizeof *replay->ranks);
    for (int r = 0; r < n_ranks; r++) {
        replay->ranks[r].graph = &graphs[r];
        index_rank(&replay->ranks[r]);
    }
    return replay;
}

void schedule_replay_free(struct schedule_replay *replay)
{
    for (int r = 0; replay != NULL && r < replay->n_ranks; r++) {
        free(replay->ranks[r].followers);
        free(replay->ranks[r].after);
        free(replay->ranks[r].required);
    }
    if (replay != NULL)
        free(replay->ranks);
    free(replay);
}

int64_t schedule_replay_position(const struct schedule_replay *replay, int rank, int64_t line)
{
    return line == 0 ? 0 : replay->ranks[rank].graph->ops[(line - 1) / 2].position;
}

const struct goal_graph *schedule_replay_graphs(const struct schedule_replay *replay)
{
    return replay->graphs;
}

bool schedule_replay_has_any_source(const struct schedule_replay *replay)
{
    for (int r = 0; r < replay->n_ranks; r++)
        for (size_t i = 0; i < replay->ranks[r].graph->n_ops; i++) {
            const struct goal_op *op = &replay->ranks[r].graph->ops[i];
            if (op->kind == GOAL_RECV && (op->any_tag || op->peer == GOAL_ANY))
                return true;
        }
    return false;
}

int schedule_replay_processors(const struct schedule_replay *replay)
{
    int largest = 0;
    for (int r = 0; r < replay->n_ranks; r++)
        for (size_t i = 0; i < replay->ranks[r].graph->n_ops; i++)
            if (replay->ranks[r].graph->ops[i].cpu > largest)
                largest = replay->ranks[r].graph->ops[i].cpu;
    return largest + 1;
}

/* --- strands --- */

static bool add_start(struct op_list *list, const struct goal_op *op, int64_t line, uint32_t needed)
{
    struct op *start = op_list_add(list, OP_START, 0);
    start->line = line;
    start->processor = op->cpu;
    start->needed = needed;
    return list->count < OP_LIST_MAX;
}

/* Name the operations of a list, as many as a step has room for; false when all have been. `operations`: which; NULL:
 * of all, `count` of them, those that require nothing. */
static bool name(struct schedule_replay *replay, struct schedule_rank *rank, const uint32_t *operations, uint32_t count,
                 int64_t step, struct op_list *list)
{
    struct schedule_cursor *cursor = &replay->cursor;
    if (step == 0)
        *cursor = (struct schedule_cursor){.at = 0, .kind = GOAL_SEND};
    for (; cursor->kind <= GOAL_CALC; cursor->kind++, cursor->at = 0)
        while (cursor->at < count) {
            uint32_t index = operations != NULL ? operations[cursor->at] : cursor->at;
            const struct goal_op *op = &rank->graph->ops[index];
            cursor->at++;
            if (op->kind != cursor->kind || (operations == NULL && rank->required[index] > 0))
                continue;
            if (!add_start(list, op, 1 + 2 * (int64_t)index, rank->required[index]))
                return true;
        }
    return list->count > 0;
}

/* Begin what requires that the operation has begun: here, if there are few; else a strand of its own does. */
static void add_starters(struct schedule_rank *rank, uint32_t index, struct op_list *list)
{
    enum { FEW = OP_LIST_MAX - 3 };
    uint32_t from = rank->followers[index].first_of_start, end = rank->followers[index + 1].first;
    if (end - from > FEW) {
        add_start(list, &rank->graph->ops[index], 2 + 2 * (int64_t)index, 1);
        return;
    }
    for (uint32_t i = from; i < end; i++)
        add_start(list, &rank->graph->ops[rank->after[i]], 1 + 2 * (int64_t)rank->after[i],
                  rank->required[rank->after[i]]);
}

/* The ops of one operation. */
static void do_operation(struct schedule_rank *rank, uint32_t index, bool has_starters, struct op_list *list)
{
    const struct goal_op *op = &rank->graph->ops[index];
    if (op->kind == GOAL_CALC) {
        struct op *delay = op_list_add(list, OP_DELAY, 1);
        delay->delay_ps = 1000 * op->amount;
        delay->role = ROLE_USEFUL;
        return;
    }
    bool sends = op->kind == GOAL_SEND;
    struct op *message =
        op_list_add(list, has_starters ? (sends ? OP_ISEND : OP_IRECV) : (sends ? OP_SEND : OP_RECV), 1);
    message->peer = (int32_t)op->peer;
    message->tag = (int32_t)op->tag;
    message->bytes = !sends && op->amount == 0 ? -1 : op->amount;
    message->request = has_starters;
    if (!sends)
        message->any_tag = op->any_tag;
}

/* An operation that others require to have begun begins in its first step; they do in the second; the third waits for
 * its end. Another one has the first alone. In the steps after that those begin that require its end. */
bool schedule_replay_emit(struct schedule_replay *replay, int rank, int64_t line, int64_t step, struct op_list *list)
{
    struct schedule_rank *self = &replay->ranks[rank];
    if (line == 0)
        return name(replay, self, NULL, (uint32_t)self->graph->n_ops, step, list);
    uint32_t index = (uint32_t)((line - 1) / 2);
    const struct followers *followers = &self->followers[index];
    if (line % 2 == 0)
        return name(replay, self, self->after + followers->first_of_start,
                    followers[1].first - followers->first_of_start, step, list);
    bool has_starters = followers->first_of_start < followers[1].first;
    if (step == 0) {
        do_operation(self, index, has_starters, list);
        return true;
    }
    if (has_starters && step == 1) {
        add_starters(self, index, list);
        return true;
    }
    if (has_starters && step == 2) {
        if (self->graph->ops[index].kind != GOAL_CALC)
            op_list_add(list, OP_WAIT, 1)->request = 1;
        return true;
    }
    int64_t n_before = has_starters ? 3 : 1;
    return name(replay, self, self->after + followers->first, followers->first_of_start - followers->first,
                step - n_before, list);
}
