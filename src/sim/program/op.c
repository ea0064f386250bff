/* Appends ops to the list of a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/program/op.h"

#include <assert.h>

struct op *op_list_add(struct op_list *list, enum op_kind kind, int scope)
{
    assert(list->count < OP_LIST_MAX);
    struct op *op = &list->ops[list->count++];
    *op = (struct op){.kind = (uint8_t)kind, .scope = (uint8_t)scope, .peer = -1};
    return op;
}

void op_list_message(struct op_list *list, enum op_kind kind, int scope, int peer, int64_t bytes)
{
    if (bytes == 0)
        return;
    struct op *op = op_list_add(list, kind, scope);
    op->peer = peer;
    op->bytes = bytes;
}

void op_list_work(struct op_list *list, int scope, int kernel, int64_t times)
{
    if (times <= 0)
        return;
    struct op *op = op_list_add(list, OP_COMPUTE, scope);
    op->kernel = (int16_t)kernel;
    op->times = times;
}

void op_list_call(struct op_list *list, int scope, int kernel, int64_t m, int64_t n, int64_t k)
{
    if (m == 0 || n == 0)
        return;
    op_list_work(list, scope, kernel, 1);
    struct op *op = &list->ops[list->count - 1];
    op->m = (int32_t)m;
    op->n = (int32_t)n;
    op->k = (int32_t)k;
}
