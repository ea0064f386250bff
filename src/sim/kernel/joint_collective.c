/* Collectives that all ranks of a group do together: who has come, and how the messages pass.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/joint_collective.h"

#include "sim/kernel/ahead.h"
#include "sim/kernel/schedule.h"

#include "base/memory.h"

#include <stdlib.h>

/* Groups of more members do collectives each rank alone. */
enum { MOST_MEMBERS = 1 << 14 };

/* The state of one group's collectives. */
struct joint_collective {
    struct joint_call joint; /* for which those wait who have come */
    int n_come;
    bool is_free;      /* its call takes no time */
    unsigned unsuited; /* bits of enum coll_family, whose collectives are done alone */
};

struct joint_collectives {
    struct joint_collective *groups;
    struct schedules *schedules;
    int n_waiting;
    bool never; /* waiting has led to nothing */
};

struct joint_collectives *joint_collectives_new(int n_groups)
{
    struct joint_collectives *collectives = xcalloc(1, sizeof *collectives);
    collectives->groups = xcalloc((size_t)n_groups, sizeof *collectives->groups);
    collectives->schedules = schedules_new();
    return collectives;
}

void joint_collectives_free(struct joint_collectives *collectives)
{
    schedules_free(collectives->schedules);
    free(collectives->groups);
    free(collectives);
}

/* --- the messages pass --- */

/* A message goes from one that is about to send it to one that is about to receive it; false when the run fails. */
static inline bool pass(struct kernel *kernel, const struct move *move, int scope)
{
    struct rank *sender = &kernel->ranks[move->sender];
    const struct op op = {.kind = OP_SEND,
                          .bytes = move->bytes,
                          .peer = move->receiver,
                          .tag = -1,
                          .scope = (uint8_t)scope,
                          .exchanges = move->exchanges};
    const struct ahead_receive as = {.peer = move->sender, .tag = -1, .scope = scope, .combines = move->combines};
    if (!kernel_recv_overhead(kernel, move->sender) || !kernel_recv_overhead(kernel, move->receiver))
        return false;
    if (move->send_ps > 0 && !kernel_send_overhead(kernel, move->sender, &op))
        return false;
    if (move->alone_ps > PS_MAX - sender->clock_ps)
        kernel_fail_clock(kernel, move->sender);
    if (kernel->failed)
        return false;
    const struct ahead_message message = {sender->clock_ps, sender->clock_ps + move->alone_ps, move->bytes,
                                          move->receive_ps,
                                          kernel_count_message(kernel, move->sender, move->receiver, move->bytes)};
    ahead_take_in(kernel, move->receiver, &as, &message, NO_MESSAGE);
    ahead_end_send(kernel, move->sender, &op, &message, NO_MESSAGE);
    return true;
}

/* A rank that has waited, or still stands in its collective, leaves it. */
static inline void leave(struct kernel *kernel, int rank, bool alone)
{
    struct rank *self = &kernel->ranks[rank];
    struct listed_step *listed = &kernel->listed[(uint32_t)rank & kernel->listed_mask];
    self->status = RANK_RUNNING;
    self->alone = alone;
    if (!alone) {
        self->op++;
        self->call_paid = false;
        if (listed->rank == rank)
            listed->in_collective = false;
    }
    kernel_make_ready(kernel, rank);
}

/* All members leave but one, which is not blocked, or -1. */
static inline void leave_all(struct kernel *kernel, const struct joint_collective *collective, int but, bool alone)
{
    for (int group_rank = 0; group_rank < collective->joint.n_members; group_rank++) {
        int member = groups_rank(&kernel->groups, collective->joint.op.group, group_rank);
        if (member != but)
            leave(kernel, member, alone);
    }
}

static bool pass_all(struct kernel *kernel, const struct joint_collective *collective, const struct schedule *schedule)
{
    int scope = collective->joint.op.scope;
    for (size_t i = 0; i < schedule->n_moves; i++)
        if (!pass(kernel, &schedule->moves[i], scope))
            return false;
    return true;
}

/* All have come, `rank` last. */
static enum joint_outcome hold(struct kernel *kernel, struct joint_collectives *collectives,
                               struct joint_collective *collective, int rank)
{
    const struct joint_call *joint = &collective->joint;
    const struct schedule *schedule = schedules_find(kernel, collectives->schedules, joint);
    collectives->n_waiting -= collective->n_come;
    assert(collectives->n_waiting >= 0);
    collective->n_come = 0;
    if (schedule == NULL) {
        collective->unsuited |= 1U << coll_family_of((enum op_kind)joint->op.kind);
        leave_all(kernel, collective, rank, true);
        return JOINT_ALONE;
    }
    if (!pass_all(kernel, collective, schedule))
        return JOINT_WAITS; /* the run has failed */
    kernel_count_collective(kernel, &joint->op, joint->algorithm, &joint->call);
    leave_all(kernel, collective, rank, false);
    return JOINT_DONE;
}

/* The first one comes. */
static void open_collective(struct joint_collective *collective, const struct op *op, const struct listed_step *listed,
                            bool is_free)
{
    collective->joint.op = *op;
    collective->joint.algorithm = listed->algorithm;
    collective->joint.call = listed->call;
    collective->joint.n_members = listed->call.n_ranks;
    collective->is_free = is_free;
}

bool joint_collectives_break_up(struct kernel *kernel)
{
    struct joint_collectives *collectives = kernel->collectives;
    bool was_waiting = collectives->n_waiting > 0;
    collectives->never = true;
    collectives->n_waiting = 0;
    if (!was_waiting)
        return false;
    for (int rank = 0; rank < kernel->run->placement->n_ranks; rank++)
        if (kernel->ranks[rank].status == RANK_JOINING)
            leave(kernel, rank, true);
    return true;
}

enum joint_outcome joint_collective_enter(struct kernel *kernel, int rank, const struct op *op,
                                          const struct listed_step *listed)
{
    struct joint_collectives *collectives = kernel->collectives;
    struct rank *self = &kernel->ranks[rank];
    if (collectives->never || self->alone || self->collective_op > 0)
        return JOINT_ALONE;
    struct joint_collective *collective = &collectives->groups[op->group];
    bool is_first = collective->n_come == 0;
    if (listed == NULL && (is_first || !collective->is_free))
        return JOINT_ALONE;
    if (is_first && (listed->call.n_ranks < 2 || listed->call.n_ranks > MOST_MEMBERS ||
                     (collective->unsuited >> coll_family_of((enum op_kind)op->kind) & 1) != 0))
        return JOINT_ALONE;
    if (is_first)
        open_collective(collective, op, listed, !self->call_paid);
    else if (!schedule_is_of(&collective->joint.op, op) || collective->joint.op.scope != op->scope) {
        collectives->never = true; /* a rank that waits is called again if no other can go on */
        return JOINT_ALONE;
    }
    if (collective->n_come + 1 == collective->joint.n_members)
        return hold(kernel, collectives, collective, rank);
    collective->n_come++;
    collectives->n_waiting++;
    self->status = RANK_JOINING;
    return JOINT_WAITS;
}
