/* Appends ops to the list of a step. */
#include "sim/program/op.h"

#include <assert.h>

struct op *op_list_add(struct op_list *list, enum op_kind kind, int scope)
{
    assert(list->count < OP_LIST_MAX);
    struct op *op = &list->ops[list->count++];
    *op = (struct op){.kind = (uint8_t)kind, .scope = (uint8_t)scope, .peer = -1};
    return op;
}
