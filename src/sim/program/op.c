/* Appends ops to the list of a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/program/op.h"

#include <assert.h>
#include <stddef.h>

struct op *op_list_add_at(struct op_list *list, enum op_kind kind, int scope, const char *at)
{
    assert(list->count < OP_LIST_MAX);
    if (list->places != NULL)
        list->places[list->count] = at;
    struct op *op = &list->ops[list->count++];
    *op = (struct op){.kind = (uint8_t)kind, .scope = (uint8_t)scope, .peer = -1};
    return op;
}

void op_list_message_at(struct op_list *list, enum op_kind kind, int scope, int peer, int64_t bytes, const char *at)
{
    if (bytes == 0)
        return;
    struct op *op = op_list_add_at(list, kind, scope, at);
    op->peer = peer;
    op->bytes = bytes;
}

void op_list_work_at(struct op_list *list, int scope, int kernel, int64_t times, const char *at)
{
    if (times <= 0)
        return;
    struct op *op = op_list_add_at(list, OP_COMPUTE, scope, at);
    op->kernel = (int16_t)kernel;
    op->times = times;
}

void op_list_call_at(struct op_list *list, int scope, int kernel, int64_t m, int64_t n, int64_t k, const char *at)
{
    if (m == 0 || n == 0)
        return;
    op_list_work_at(list, scope, kernel, 1, at);
    struct op *op = &list->ops[list->count - 1];
    op->m = (int32_t)m;
    op->n = (int32_t)n;
    op->k = (int32_t)k;
}
