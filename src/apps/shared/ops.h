/* Ops of programs that share memory: accesses to regular pieces of it, sections under a lock.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_SHARED_OPS_H
#define APPS_SHARED_OPS_H

#include "sim/program/op.h"

#include <stdint.h>

/* Indices from ... to-1. */
struct span {
    int64_t from, to;
};

/* The indices of 0 ... n-1 that a rank has, in blocks, cut where rank n / n_ranks is rounded down. */
struct span span_of(int64_t n, int n_ranks, int rank);

/* `pieces` pieces of `bytes`, the first at `address`, `stride` bytes from the beginning of one to that of the next. */
struct pieces {
    int64_t address, bytes, pieces, stride;
};

/* The program reads or writes the pieces; nothing if there are none. */
#define shared_read(list, scope, ...) shared_read_at(list, scope, (__VA_ARGS__), OP_HERE)
#define shared_write(list, scope, ...) shared_write_at(list, scope, (__VA_ARGS__), OP_HERE)
void shared_read_at(struct op_list *list, int scope, struct pieces pieces, const char *at);
void shared_write_at(struct op_list *list, int scope, struct pieces pieces, const char *at);
/* ... takes or lets go a lock. */
#define shared_lock(list, kind, scope, lock) shared_lock_at(list, kind, scope, lock, OP_HERE)
void shared_lock_at(struct op_list *list, enum op_kind kind, int scope, int64_t lock, const char *at);

#endif
