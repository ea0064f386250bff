/* Ops of a rank's step, between the files that make them: ops.c and collectives.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_REPLAY_OPS_H
#define APPS_REPLAY_OPS_H

#include "apps/replay/internal.h"

/* The scope that the rank is in. */
uint8_t replay_scope(const struct replay_rank *self);

/* Add an op to the step, which comes from self->origin; flops, or a time. */
struct op *replay_add_op(struct replay_rank *self, enum op_kind kind);
struct op *replay_add_flops(struct replay_rank *self, double flops, bool control);
struct op *replay_add_delay(struct replay_rank *self, int64_t ps, enum op_role role);

/* The role of a call's time; one-sided communication exists only because the program is parallel. */
enum op_role replay_call_role(const struct record *record);

/* Add a collective, or the first part of one that is lowered: self->collective is the rest. */
void replay_add_collective(struct replay *replay, int rank, const struct record *record);
/* Go on in the collective as far as the step has room. */
void replay_add_lowered(const struct replay *replay, struct replay_rank *self);
void replay_end_lowered(struct replay_rank *self);
/* A collective begins that goes on beside its rank. */
void replay_add_begin(struct replay *replay, int rank, const struct record *record);

#endif
