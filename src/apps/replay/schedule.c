/* Operations of a schedule as strands: line 0 of a rank begins what requires nothing; line 1 + i does operation i, and
 * begins what requires that it has begun, then what requires its end.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/schedule.h"

#include "base/range.h"
#include "trace/goal/schedule.h"

#include <assert.h>

int64_t schedule_position(struct goal_file *file, int rank, int64_t line)
{
    return line == 0 ? 0 : goal_file_position(file, rank, (uint32_t)(line - 1));
}

static_assert(OP_LIST_MAX <= GOAL_MOST_FOLLOWERS, "the followers of a step are asked for together");

/* --- strands --- */

/* Name an operation: it begins when it has been named as often as it requires others. */
static void add_start(struct op_list *list, uint32_t operation, const struct goal_begin *begin)
{
    struct op *start = op_list_add(list, OP_START, 0);
    start->line = (int64_t)operation + 1;
    start->processor = begin->cpu;
    start->needed = begin->required;
}

/* Name the operations that require nothing, those among the step's share: 1, or 0 if it has none, or -1. */
static int name_roots(struct goal_file *file, int rank, int64_t step, struct op_list *list, struct sim_error *error)
{
    int64_t from = step * OP_LIST_MAX, left = goal_file_n_first(file, rank) - from;
    struct goal_begin begin;
    uint32_t operation;
    for (int64_t i = 0; i < left && i < OP_LIST_MAX; i++) {
        if (goal_file_first(&operation, file, rank, (uint32_t)(from + i), error) != 0 ||
            goal_file_begin(&begin, file, rank, operation, error) != 0)
            return -1;
        if (begin.required == 0)
            add_start(list, operation, &begin);
    }
    list->is_last = left <= OP_LIST_MAX;
    return left > 0;
}

/* Name the followers from the step's op `from` on, of which the first in the span is op `first`; they end, or the step
 * is full. */
static int name_followers(struct goal_file *file, int rank, const struct goal_span *span, int64_t first,
                          struct op_list *list, int64_t from, struct sim_error *error)
{
    uint32_t operations[OP_LIST_MAX];
    struct goal_begin begin;
    int64_t skipped = from + list->count - first;
    int count = (int)int64_min(span->count - skipped, OP_LIST_MAX - list->count);
    if (count <= 0)
        return 0;
    if (goal_file_followers(operations, count, file, rank, span->first + skipped, error) != 0)
        return -1;
    for (int i = 0; i < count; i++) {
        if (goal_file_begin(&begin, file, rank, operations[i], error) != 0)
            return -1;
        add_start(list, operations[i], &begin);
    }
    return 0;
}

/* The work of an operation, on a computer of so many flop/s; 0: computations take their time anywhere. */
static void add_work(struct op_list *list, const struct goal_node *node, double speed)
{
    const struct goal_op *op = &node->op;
    if (op->kind == GOAL_CALC && speed > 0) {
        struct op *flops = op_list_add(list, OP_FLOPS, 1);
        flops->flops = (double)op->amount * 1e-9 * speed;
        flops->role = ROLE_USEFUL;
        return;
    }
    if (op->kind == GOAL_CALC) {
        struct op *delay = op_list_add(list, OP_DELAY, 1);
        delay->delay_ps = 1000 * op->amount;
        delay->role = ROLE_USEFUL;
        return;
    }
    bool sends = op->kind == GOAL_SEND, goes_on = node->on_begin.count > 0;
    struct op *message = op_list_add(list, goes_on ? (sends ? OP_ISEND : OP_IRECV) : (sends ? OP_SEND : OP_RECV), 1);
    message->peer = (int32_t)op->peer;
    message->tag = (int32_t)op->tag;
    message->bytes = !sends && op->amount == 0 ? -1 : op->amount;
    message->request = goes_on;
    if (!sends)
        message->any_tag = op->any_tag;
}

/* The ops of an operation: its work, then those are named that require its beginning, then its end is waited for if any
 * do, then those are named that require its end. A step has OP_LIST_MAX of them. */
int schedule_emit(struct goal_file *file, double speed, int rank, int64_t line, int64_t step, struct op_list *list,
                  struct sim_error *error)
{
    struct goal_node node;
    if (line == 0)
        return name_roots(file, rank, step, list, error);
    if (goal_file_node(&node, file, rank, (uint32_t)(line - 1), error) != 0)
        return -1;
    int64_t wait = 1 + (int64_t)node.on_begin.count, waits = node.on_begin.count > 0 && node.op.kind != GOAL_CALC;
    int64_t n_ops = wait + waits + node.on_end.count, from = step * OP_LIST_MAX;
    if (from == 0)
        add_work(list, &node, speed);
    if (name_followers(file, rank, &node.on_begin, 1, list, from, error) != 0)
        return -1;
    if (waits && list->count < OP_LIST_MAX && from + list->count == wait)
        op_list_add(list, OP_WAIT, 1)->request = 1;
    if (list->count < OP_LIST_MAX && from + list->count >= wait + waits &&
        name_followers(file, rank, &node.on_end, wait + waits, list, from, error) != 0)
        return -1;
    list->is_last = n_ops <= from + OP_LIST_MAX;
    return from < n_ops;
}

int schedule_finished(struct goal_file *file, int64_t n_started, struct sim_error *error)
{
    return n_started == file->n_ops ? 0 : goal_schedule_check_circles(file, error);
}
