/* Writes accesses to shared memory and locked sections as ops.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/shared/ops.h"

struct span span_of(int64_t n, int n_ranks, int rank)
{
    return (struct span){n * rank / n_ranks, n * (rank + 1) / n_ranks};
}

static void add_access(struct op_list *list, enum op_kind kind, int scope, const struct pieces *pieces, const char *at)
{
    if (pieces->pieces <= 0 || pieces->bytes <= 0)
        return;
    struct op *op = op_list_add_at(list, kind, scope, at);
    op->address = pieces->address;
    op->bytes = pieces->bytes;
    op->pieces = (int32_t)pieces->pieces;
    op->stride = (int32_t)pieces->stride;
}

void shared_read_at(struct op_list *list, int scope, struct pieces pieces, const char *at)
{
    add_access(list, OP_PAGE_READ, scope, &pieces, at);
}

void shared_write_at(struct op_list *list, int scope, struct pieces pieces, const char *at)
{
    add_access(list, OP_PAGE_WRITE, scope, &pieces, at);
}

void shared_lock_at(struct op_list *list, enum op_kind kind, int scope, int64_t lock, const char *at)
{
    op_list_add_at(list, kind, scope, at)->lock = (int32_t)lock;
}
