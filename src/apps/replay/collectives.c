/* Collectives to ops: as ops of the kernel, lowered to messages, or begun and going on beside their rank.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/begun.h"
#include "apps/replay/ops.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The tag of messages that a collective is lowered to, of group 0; -1 is the kernel's own. */
enum { LOWERED_TAG = -2 };

static const enum op_kind collective_ops[N_RECORD_COLLECTIVES] = {
    [RECORD_BARRIER] = OP_BARRIER,     [RECORD_BROADCAST] = OP_BROADCAST, [RECORD_REDUCE] = OP_REDUCE,
    [RECORD_ALLREDUCE] = OP_ALLREDUCE, [RECORD_GATHER] = OP_GATHER,       [RECORD_ALLGATHER] = OP_ALLGATHER,
    [RECORD_SCATTER] = OP_SCATTER,     [RECORD_ALLTOALL] = OP_ALLTOALL,
};

struct lowered replay_lowered(const struct replay *replay, int group_rank, const struct record *record)
{
    const struct groups *groups = &replay->groups;
    int root = groups_group_rank(groups, record->group, record->peer);
    return (struct lowered){.collective = (enum record_collective)record->collective,
                            .n_members = groups_size(groups, record->group),
                            .group_rank = group_rank,
                            .root = root < 0 ? 0 : root,
                            .bytes = record->bytes,
                            .blocks = record->blocks,
                            .varies = record->varies};
}

static void begin_lowered(struct replay *replay, struct replay_rank *self, int group_rank, const struct record *record)
{
    self->collective = xmalloc(sizeof *self->collective);
    *self->collective = replay_lowered(replay, group_rank, record);
    self->collective_op = 0;
    self->collective_group = record->group;
    self->flops = record->flops;
    self->fixed_ps = record->fixed_ps;
    self->fixed_role = (uint8_t)replay_call_role(record);
    if (record->blocks == NULL)
        return;
    size_t size = (size_t)self->collective->n_members * sizeof *record->blocks;
    self->collective->blocks = xmalloc(size);
    memcpy(self->collective->blocks, record->blocks, size);
}

void replay_end_lowered(struct replay_rank *self)
{
    if (self->collective != NULL)
        free(self->collective->blocks);
    free(self->collective);
    self->collective = NULL;
}

void replay_add_lowered(const struct replay *replay, struct replay_rank *self)
{
    struct op op;
    while (self->count < REPLAY_STEP_OPS && lowered_next(self->collective, self->collective_op, &op)) {
        op.peer = groups_rank(&replay->groups, self->collective_group, op.peer);
        op.tag = LOWERED_TAG - self->collective_group;
        if (record_synchronises((uint8_t)self->collective->collective))
            op.tag -= replay->groups.n_groups;
        op.scope = replay_scope(self);
        self->origins[self->count] = self->origin;
        self->ops[self->count++] = op;
        self->collective_op++;
    }
    if (self->count == REPLAY_STEP_OPS)
        return;
    replay_end_lowered(self);
    if (self->flops > 0)
        replay_add_flops(self, self->flops, false);
    else if (self->fixed_ps > 0)
        replay_add_delay(self, self->fixed_ps, (enum op_role)self->fixed_role);
}

static void fill_collective(const struct replay *replay, struct op *op, const struct record *record)
{
    op->bytes = record->bytes;
    op->peer = record->peer;
    op->group = record->group;
    op->mode = record->was_begun ? COLL_BEGUN : COLL_WHOLE;
    op->blocks = groups_size(&replay->groups, record->group); /* blocks of scatter and gather */
}

void replay_collective_op(const struct replay *replay, const struct record *record, uint8_t scope, int32_t number,
                          struct op_list *list)
{
    struct op *op = op_list_add(list, collective_ops[record->collective], scope);
    fill_collective(replay, op, record);
    op->tag = number;
}

/* The rank waits for a collective that goes on beside it. */
static void add_join(struct replay *replay, int rank, const struct record *record)
{
    struct op *op = replay_add_op(&replay->ranks[rank], OP_JOIN);
    op->line = replay_line(replay, rank, begun_join(record->request));
    op->needed = 2;
}

void replay_add_collective(struct replay *replay, int rank, const struct record *record)
{
    struct replay_rank *self = &replay->ranks[rank];
    int group_rank = groups_group_rank(&replay->groups, record->group, replay_rank_of(replay, rank));
    if (group_rank < 0) {
        replay->failed = true;
        sim_error_set(&replay->error, SIM_BAD_INPUT, replay->input->file, 0,
                      "rank %d calls a collective of group %d, but is not a member of it", replay_rank_of(replay, rank),
                      record->group);
        return;
    }
    if (!record_synchronises(record->collective))
        replay_note_collective(replay, group_rank, record);
    if (replay->begun != NULL && record->was_begun && record->request != 0) {
        add_join(replay, rank, record);
        return;
    }
    if (lowered_is_needed((enum record_collective)record->collective, record->blocks != NULL || record->varies)) {
        begin_lowered(replay, self, group_rank, record);
        return;
    }
    struct op *op = replay_add_op(self, collective_ops[record->collective]);
    fill_collective(replay, op, record);
    if (record->flops > 0)
        replay_add_flops(self, record->flops, false);
}

void replay_add_begin(struct replay *replay, int rank, const struct record *record)
{
    struct replay_rank *self = &replay->ranks[rank];
    if (!begun_start(replay, rank, record->request, replay_scope(self)))
        return;
    struct op *op = replay_add_op(self, OP_START);
    op->line = replay_line(replay, rank, record->request);
    op->processor = replay->progress > 0 ? replay->progress : rank / replay->groups.n_ranks;
    op->needed = 1;
}
