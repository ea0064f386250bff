/* Collectives: lowered to sends, receives and waits, one at a time, among the members of a group.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/joint_collective.h"

#include "base/debug.h"
#include "base/units.h"

/* Find the group rank of the rank and of the root; false, with the run failed, where there is none. */
static bool find_group_ranks(struct kernel *kernel, int rank, const struct op *op, struct coll_call *call,
                             int *group_rank)
{
    const struct groups *groups = &kernel->groups;
    *group_rank = groups_group_rank(groups, op->group, kernel_rank_of(kernel, rank));
    if (call->root >= 0)
        call->root = groups_group_rank(groups, op->group, call->root);
    if (op->group < 0 || op->group >= groups->n_groups)
        kernel_fail(kernel, "rank %d calls a collective of group %d; there are groups 0 to %d", rank, op->group,
                    groups->n_groups - 1);
    else if (*group_rank < 0)
        kernel_fail(kernel, "rank %d calls a collective of group %d, but is not a member of it", rank, op->group);
    else
        call->n_ranks = groups_size(groups, op->group);
    return !kernel->failed;
}

/* True if all blocks together, twice, are a number of bytes that there is; else the run fails. */
static bool has_a_size(struct kernel *kernel, int rank, const struct op *op, int n_ranks)
{
    int64_t blocks = op->kind == OP_SCATTER || op->kind == OP_GATHER ? op->blocks : n_ranks;
    if ((wide_int)op->bytes * blocks <= INT64_MAX / 2)
        return true;
    kernel_fail(kernel, "rank %d calls a collective of %lld blocks of %lld bytes; together they may have at most %lld",
                rank, (long long)blocks, (long long)op->bytes, (long long)(INT64_MAX / 2));
    return false;
}

/* Find out, where that is asked for, which algorithm is the fastest; the kernel calls itself for that. */
static const struct coll_spec *fastest(struct kernel *kernel, const struct op *op)
{
    struct autotune *wanted = kernel->run->program->collectives.autotune;
    return autotune_find(wanted != NULL ? wanted : &kernel->own_autotune, kernel->run, &kernel->groups, op);
}

/* Spend what the call costs the processor besides its messages; false when the rank has to be called again. */
static bool pay_call(struct kernel *kernel, int rank, const struct op *op)
{
    const struct cost_model *costs = &kernel->machine->costs;
    struct rank *self = &kernel->ranks[rank];
    int64_t call_ps = coll_call_ps(costs, (enum op_kind)op->kind, op->bytes);
    if (call_ps == 0 || self->call_paid)
        return true;
    struct interval interval = {.end_ps = call_ps,
                                .peer = -1,
                                .state = STATE_SEND,
                                .kind = INTERVAL_COMMUNICATE,
                                .call = CALL_COLLECTIVE,
                                .scope = op->scope};
    self->call_paid = kernel_occupy(kernel, rank, &interval);
    return self->call_paid;
}

/* Find out what the collective is, and pay for the call; false when the rank has to be called again, or the run has
 * failed. */
static bool begin(struct kernel *kernel, int rank, const struct op *op, struct listed_step *listed)
{
    const struct coll_options *options = &kernel->run->program->collectives;
    bool has_root = coll_families[coll_family_of((enum op_kind)op->kind)].has_root;
    struct coll_call *call = &listed->call;
    *call = (struct coll_call){.placement = kernel->run->placement,
                               .machine = kernel->machine,
                               .options = options,
                               .n_ranks = kernel->groups.n_ranks,
                               .root = op->peer,
                               .bytes = op->bytes,
                               .blocks = op->blocks};
    listed->group_rank = kernel_rank_of(kernel, rank);
    if (op->group != 0 && !find_group_ranks(kernel, rank, op, call, &listed->group_rank))
        return false;
    if (has_root && (call->root < 0 || call->root >= call->n_ranks)) {
        kernel_fail(kernel, "rank %d calls a collective of group %d with root %d, which is not a member", rank,
                    op->group, op->peer);
        return false;
    }
    if (!has_a_size(kernel, rank, op, call->n_ranks) || !pay_call(kernel, rank, op))
        return false;
    assert(listed->group_rank >= 0 && listed->group_rank < call->n_ranks);
    listed->algorithm = coll_of(options, op);
    if (listed->algorithm->next == NULL && kernel_needs_order(kernel))
        return false;
    if (listed->algorithm->next == NULL)
        listed->algorithm = fastest(kernel, op);
    DEBUG(COLLECTIVE, kernel->ranks[rank].clock_ps, "rank", rank,
          "begins %s by %s: group %d, place %d of %d, root %d, %lld bytes",
          coll_families[coll_family_of((enum op_kind)op->kind)].name, listed->algorithm->name, op->group,
          listed->group_rank, call->n_ranks, call->root, (long long)op->bytes);
    return listed->in_collective = true;
}

void kernel_count_collective(struct kernel *kernel, const struct op *op, const struct coll_spec *algorithm,
                             const struct coll_call *call)
{
    if (kernel->run->program->traced != NULL)
        algorithms_count(&kernel->stats.algorithms, coll_family_of((enum op_kind)op->kind), algorithm, call);
}

/* Do the messages of a collective, one after the other; false when the rank has to be called again. */
static bool do_messages(struct kernel *kernel, int rank, const struct op *op, struct listed_step *listed)
{
    struct rank *self = &kernel->ranks[rank];
    struct op message = {.scope = op->scope, .tag = -1 - op->tag};
    while (listed->algorithm->next(&listed->call, listed->group_rank, self->collective_op, &message)) {
        if (op->group != 0)
            message.peer = groups_rank(&kernel->groups, op->group, message.peer);
        DEBUG(COLLECTIVE, self->clock_ps, "rank", rank, "op %lld: %s rank %d, %lld bytes",
              (long long)self->collective_op,
              message.kind == OP_WAIT                               ? "wait"
              : message.kind == OP_SEND || message.kind == OP_ISEND ? "send to"
                                                                    : "receive from",
              message.peer, (long long)message.bytes);
        if (!kernel_recv_overhead(kernel, rank) ||
            !kernel_do_message(kernel, rank, &message, op->group + 1, &self->collective_op))
            return false;
    }
    if (listed->group_rank == 0)
        kernel_count_collective(kernel, op, listed->algorithm, &listed->call);
    return true;
}

bool kernel_collective(struct kernel *kernel, int rank, const struct op *op, struct listed_step *listed)
{
    struct rank *self = &kernel->ranks[rank];
    enum joint_outcome outcome = JOINT_ALONE;
    if (kernel->collectives != NULL && op->group == 0)
        outcome = joint_collective_enter(kernel, rank, op, NULL);
    if (outcome == JOINT_ALONE) {
        if (!listed->in_collective && !begin(kernel, rank, op, listed))
            return false;
        if (kernel->collectives != NULL)
            outcome = joint_collective_enter(kernel, rank, op, listed);
    }
    if (outcome == JOINT_WAITS || (outcome == JOINT_ALONE && !do_messages(kernel, rank, op, listed)))
        return false;
    DEBUG(COLLECTIVE, self->clock_ps, "rank", rank, "is done with it");
    self->collective_op = 0;
    self->call_paid = false;
    self->alone = false;
    listed->in_collective = false;
    return true;
}
