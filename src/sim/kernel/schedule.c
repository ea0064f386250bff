/* Makes schedules: each member of the group goes on as long as it meets one that waits for it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/schedule.h"

#include "sim/kernel/ahead.h"
#include "sim/kernel/price.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

/* A collective of more messages has none. All that are kept have so many messages together at most. */
enum { MOST_MOVES = 1 << 16, MOST_KEPT = 1 << 17, N_SCHEDULES = 64 };

/* Where a member of a group stands while a schedule is made. */
struct stand {
    int64_t i;
    struct op op; /* the i-th */
    bool is_at_end, is_listed;
};

struct schedules {
    size_t n_kept; /* messages of all that are kept */
    struct schedule items[N_SCHEDULES];
    struct stand *stands; /* and the group ranks of those that can go on, a ring: of no value in between */
    int *group_ranks;
    int n_group_ranks, first, n_listed;
};

struct schedules *schedules_new(void)
{
    return xcalloc(1, sizeof(struct schedules));
}

static void forget(struct schedules *schedules)
{
    for (int i = 0; i < N_SCHEDULES; i++) {
        free(schedules->items[i].moves);
        schedules->items[i] = (struct schedule){.moves = NULL};
    }
    schedules->n_kept = 0;
}

void schedules_free(struct schedules *schedules)
{
    forget(schedules);
    free(schedules->stands);
    free(schedules->group_ranks);
    free(schedules);
}

static void list_group_rank(struct schedules *schedules, int group_rank)
{
    struct stand *stand = &schedules->stands[group_rank];
    if (stand->is_listed)
        return;
    stand->is_listed = true;
    int at = schedules->first + schedules->n_listed++;
    schedules->group_ranks[at < schedules->n_group_ranks ? at : at - schedules->n_group_ranks] = group_rank;
}

static int take_group_rank(struct schedules *schedules)
{
    int group_rank = schedules->group_ranks[schedules->first++];
    if (schedules->first == schedules->n_group_ranks)
        schedules->first = 0;
    schedules->n_listed--;
    schedules->stands[group_rank].is_listed = false;
    return group_rank;
}

/* Go to the next op; false where that is none of a schedule. A receive that is posted ahead is one where it is waited
 * for. */
static bool advance(struct schedules *schedules, const struct joint_call *joint, int group_rank)
{
    struct stand *stand = &schedules->stands[group_rank];
    struct op *op = &stand->op;
    do {
        *op = (struct op){.tag = -1};
        stand->is_at_end = !joint->algorithm->next(&joint->call, group_rank, stand->i++, op);
    } while (!stand->is_at_end && op->kind == OP_IRECV);
    if (op->kind == OP_WAIT && op->request != 0)
        op->kind = OP_RECV;
    bool sends = op->kind == OP_SEND && op->mode == SEND_STANDARD;
    return stand->is_at_end ||
           ((sends || op->kind == OP_RECV) && op->peer >= 0 && op->peer < joint->n_members && op->peer != group_rank);
}

/* True if the member waits for one that waits for it. */
static bool meets(const struct schedules *schedules, int group_rank)
{
    const struct stand *stand = &schedules->stands[group_rank];
    const struct stand *other = stand->is_at_end ? stand : &schedules->stands[stand->op.peer];
    return !stand->is_at_end && !other->is_at_end && other->op.peer == group_rank && stand->op.kind != other->op.kind;
}

/* False where the message is none of a schedule. */
static bool add_move(struct kernel *kernel, struct schedule *schedule, int from, int to, const struct op *send,
                     const struct op *receive)
{
    const struct price *price = kernel_message_cost(kernel, from, to, send->bytes, send->exchanges);
    if (kernel->failed || send->bytes > price->eager_limit || schedule->n_moves == MOST_MOVES)
        return false;
    schedule->moves = xgrow(schedule->moves, schedule->n_moves, &schedule->capacity, sizeof *schedule->moves);
    schedule->moves[schedule->n_moves++] = (struct move){.sender = from,
                                                         .receiver = to,
                                                         .bytes = send->bytes,
                                                         .alone_ps = price->alone_ps,
                                                         .send_ps = price->send_ps,
                                                         .receive_ps = price->receive_ps,
                                                         .combines = receive->mode == RECV_COMBINES,
                                                         .exchanges = send->exchanges};
    return true;
}

/* Go on with a member as far as it meets others; false where there is no schedule. */
static bool follow(struct kernel *kernel, struct schedules *schedules, const struct joint_call *joint,
                   struct schedule *schedule, int group_rank)
{
    struct stand *stand = &schedules->stands[group_rank];
    while (meets(schedules, group_rank)) {
        int peer = stand->op.peer;
        bool sends = stand->op.kind == OP_SEND;
        const struct op *send = sends ? &stand->op : &schedules->stands[peer].op;
        const struct op *receive = sends ? &schedules->stands[peer].op : &stand->op;
        int from = groups_rank(&kernel->groups, joint->op.group, sends ? group_rank : peer);
        int to = groups_rank(&kernel->groups, joint->op.group, sends ? peer : group_rank);
        if (!add_move(kernel, schedule, from, to, send, receive) || !advance(schedules, joint, group_rank) ||
            !advance(schedules, joint, peer))
            return false;
        list_group_rank(schedules, peer);
    }
    return true;
}

static void make_room(struct schedules *schedules, int n_members)
{
    schedules->first = schedules->n_listed = 0;
    if (schedules->n_group_ranks >= n_members)
        return;
    schedules->stands = xrealloc(schedules->stands, (size_t)n_members * sizeof *schedules->stands);
    schedules->group_ranks = xrealloc(schedules->group_ranks, (size_t)n_members * sizeof *schedules->group_ranks);
    schedules->n_group_ranks = n_members;
}

/* False where there is none. */
static bool make_schedule(struct kernel *kernel, struct schedules *schedules, const struct joint_call *joint,
                          struct schedule *schedule)
{
    bool suits = true;
    make_room(schedules, joint->n_members);
    for (int group_rank = 0; group_rank < joint->n_members && suits; group_rank++) {
        schedules->stands[group_rank] = (struct stand){.i = 0};
        suits = advance(schedules, joint, group_rank);
        list_group_rank(schedules, group_rank);
    }
    while (suits && schedules->n_listed > 0)
        suits = follow(kernel, schedules, joint, schedule, take_group_rank(schedules));
    for (int group_rank = 0; group_rank < joint->n_members && suits; group_rank++)
        suits = schedules->stands[group_rank].is_at_end;
    return suits;
}

const struct schedule *schedules_find(struct kernel *kernel, struct schedules *schedules,
                                      const struct joint_call *joint)
{
    const struct op *op = &joint->op;
    uint64_t hash = ((uint64_t)op->bytes ^ (uint64_t)(uint32_t)op->peer << 40) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (uint64_t)(uint32_t)op->group << 8 ^ op->kind) * UINT64_C(0xc2b2ae3d27d4eb4f);
    struct schedule *schedule = &schedules->items[hash >> 58];
    if (schedule_is_of(&schedule->op, op))
        return schedule;
    if (schedules->n_kept > MOST_KEPT)
        forget(schedules);
    size_t capacity = schedule->capacity;
    schedule->n_moves = 0;
    schedule->op = *op;
    bool suits = make_schedule(kernel, schedules, joint, schedule);
    schedules->n_kept += schedule->capacity - capacity;
    if (!suits)
        schedule->op.kind = OP_COMPUTE;
    return suits ? schedule : NULL;
}
