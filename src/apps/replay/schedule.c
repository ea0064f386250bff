/* Operations of a schedule as strands: line 0 of a rank begins what requires nothing; line 1 + i does operation i, and
 * begins what requires that it has begun, then what requires its end.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/schedule.h"

#include "trace/goal/schedule.h"

int64_t schedule_position(struct goal_file *file, int rank, int64_t line)
{
    return line == 0 ? 0 : goal_file_position(file, rank, (uint32_t)(line - 1));
}

/* --- strands --- */

/* Name an operation: it begins when it has been named as often as it requires others. */
static void add_start(struct op_list *list, const struct goal_node *node)
{
    struct op *start = op_list_add(list, OP_START, 0);
    start->line = node->op.position;
    start->processor = node->op.cpu;
    start->needed = node->required;
}

/* Name the followers of a span that are in its part of that number: 1, or 0 if it has no such part, or -1. */
static int name_part(struct goal_file *file, int rank, const struct goal_span *span, int64_t part, struct op_list *list,
                     struct sim_error *error)
{
    int64_t from = part * OP_LIST_MAX, left = span->count - from;
    struct goal_node node;
    uint32_t op;
    for (int64_t i = 0; i < left && i < OP_LIST_MAX; i++) {
        if (goal_file_follower(&op, file, rank, span->first + from + i, error) != 0 ||
            goal_file_node(&node, file, rank, op, error) != 0)
            return -1;
        add_start(list, &node);
    }
    return left > 0;
}

/* The same of the operations that require nothing; they are among those of the part. */
static int name_roots(struct goal_file *file, int rank, int64_t part, struct op_list *list, struct sim_error *error)
{
    int64_t from = part * OP_LIST_MAX, left = goal_file_n_first(file, rank) - from;
    struct goal_node node;
    uint32_t op;
    for (int64_t i = 0; i < left && i < OP_LIST_MAX; i++) {
        if (goal_file_first(&op, file, rank, (uint32_t)(from + i), error) != 0 ||
            goal_file_node(&node, file, rank, op, error) != 0)
            return -1;
        if (node.required == 0)
            add_start(list, &node);
    }
    return left > 0;
}

/* The ops of one operation; of a computer of so many flop/s, 0: its computations take their time anywhere. */
static void do_operation(const struct goal_node *node, double speed, struct op_list *list)
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

/* An operation begins in its first step. If others require that, they are named in the steps that follow, and one more
 * waits for its end. Then those are named that require its end. */
int schedule_emit(struct goal_file *file, double speed, int rank, int64_t line, int64_t step, struct op_list *list,
                  struct sim_error *error)
{
    struct goal_node node;
    if (line == 0)
        return name_roots(file, rank, step, list, error);
    if (goal_file_node(&node, file, rank, (uint32_t)(line - 1), error) != 0)
        return -1;
    if (step == 0) {
        do_operation(&node, speed, list);
        return 1;
    }
    int64_t n_starts = ((int64_t)node.on_begin.count + OP_LIST_MAX - 1) / OP_LIST_MAX;
    if (step <= n_starts)
        return name_part(file, rank, &node.on_begin, step - 1, list, error);
    if (n_starts > 0 && step == n_starts + 1) {
        if (node.op.kind != GOAL_CALC)
            op_list_add(list, OP_WAIT, 1)->request = 1;
        return 1;
    }
    return name_part(file, rank, &node.on_end, step - 1 - (n_starts > 0 ? n_starts + 1 : 0), list, error);
}

int schedule_finished(struct goal_file *file, int64_t n_started, struct sim_error *error)
{
    return n_started == file->n_ops ? 0 : goal_schedule_check_circles(file, error);
}
