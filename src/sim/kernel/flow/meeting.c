/* Collectives that all ranks of a group do together: who has come, and how the messages pass. */
#include "sim/kernel/flow/meeting.h"

#include "sim/kernel/flow/flow.h"
#include "sim/kernel/flow/halves.h"
#include "sim/kernel/flow/schedule.h"

#include "base/memory.h"

#include <stdlib.h>

/* What is compiled once for halves of a run and once for whole ones, which so pay nothing for them. */
#define FOR_EACH_KIND static inline __attribute__((always_inline))

/* Groups of more members do collectives each rank alone. */
enum { MOST_MEMBERS = 1 << 14 };

/* Of a group. */
struct meeting {
    struct joint_call joint; /* for which those wait who have come */
    int n_come;
    int n_own;                       /* members that this kernel runs; 0: not counted yet */
    const struct schedule *schedule; /* where it has stopped for a message of the other half; NULL: it has not */
    size_t at;                       /* the next message of it */
    bool is_free;                    /* its call takes no time */
    unsigned unsuited;               /* bits of enum coll_family, whose collectives are done alone */
};

struct meetings {
    struct meeting *groups;
    struct schedules *schedules;
    int n_waiting, n_stopped;
    bool never; /* waiting has led to nothing */
};

struct meetings *meetings_new(int n_groups)
{
    struct meetings *meetings = xcalloc(1, sizeof *meetings);
    meetings->groups = xcalloc((size_t)n_groups, sizeof *meetings->groups);
    meetings->schedules = schedules_new();
    return meetings;
}

void meetings_free(struct meetings *meetings)
{
    schedules_free(meetings->schedules);
    free(meetings->groups);
    free(meetings);
}

/* --- the messages pass --- */

/* A message comes from the other half; false where it has not come, and its receiver waits for it. */
static bool pass_from_other(struct kernel *kernel, const struct move *move, const struct flow_receive *as)
{
    struct rank *self = &kernel->ranks[move->receiver];
    if (!kernel_recv_overhead(kernel, move->receiver))
        return false;
    uint32_t index = letters_take(&kernel->flow->letters, self, move->receiver, as->peer, as->tag, as->context);
    if (index != MAP_NOTHING) {
        flow_take_in(kernel, move->receiver, as, &kernel->flow->letters.items[index], index);
        return true;
    }
    self->peer = as->peer;
    self->tag = as->tag;
    self->context = as->context;
    return false;
}

/* A message goes from one that is about to send it to one that is about to receive it; false when it has not come from
 * the other half, or the run fails. */
FOR_EACH_KIND bool pass(struct kernel *kernel, const struct move *move, int scope, int context, bool halved)
{
    bool receives = !halved || flow_has(kernel, move->receiver);
    struct rank *sender = &kernel->ranks[move->sender];
    const struct op op = {.kind = OP_SEND,
                          .bytes = move->bytes,
                          .peer = move->receiver,
                          .tag = -1,
                          .scope = (uint8_t)scope,
                          .exchanges = move->exchanges};
    const struct flow_receive as = {
        .peer = move->sender, .tag = -1, .context = context, .scope = scope, .combines = move->combines};
    if (halved && !flow_has(kernel, move->sender))
        return pass_from_other(kernel, move, &as);
    if (!kernel_recv_overhead(kernel, move->sender) || (receives && !kernel_recv_overhead(kernel, move->receiver)))
        return false;
    if (move->send_ps > 0 && !kernel_send_overhead(kernel, move->sender, &op))
        return false;
    if (move->alone_ps > PS_MAX - sender->clock_ps)
        return flow_give_up(kernel);
    const struct letter letter = flow_letter(sender, move->sender, &op, context, move->alone_ps, move->receive_ps);
    uint32_t index = MAP_NOTHING;
    if (receives)
        flow_take_in(kernel, move->receiver, &as, &letter, MAP_NOTHING);
    else
        *half_send(kernel, move->receiver, &index) =
            flow_letter(sender, move->sender, &op, context, move->alone_ps, move->receive_ps);
    flow_end_send(kernel, move->sender, &op, &letter, index);
    if (!receives)
        half_offer(kernel);
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
    flow_add_runnable(kernel->flow, rank);
}

/* All members leave but one, which is not blocked, or -1. */
static inline void leave_all(struct kernel *kernel, const struct meeting *meeting, int but, bool alone)
{
    for (int place = 0; place < meeting->joint.n_members; place++) {
        int member = groups_rank(&kernel->groups, meeting->joint.op.group, place);
        if (member != but && (kernel->half == NULL || flow_has(kernel, member)))
            leave(kernel, member, alone);
    }
}

FOR_EACH_KIND bool pass_all_of(struct kernel *kernel, struct meeting *meeting, const struct schedule *schedule,
                               bool halved)
{
    int scope = meeting->joint.op.scope, context = meeting->joint.op.group + 1;
    size_t at = meeting->at;
    while (at < schedule->n_moves && pass(kernel, &schedule->moves[at], scope, context, halved))
        at++;
    meeting->at = at;
    return at == schedule->n_moves;
}

/* Its messages have passed; the half of the first member counts it. */
static void count_passed(struct kernel *kernel, const struct meeting *meeting)
{
    const struct joint_call *joint = &meeting->joint;
    if (kernel->half == NULL || flow_has(kernel, groups_rank(&kernel->groups, joint->op.group, 0)))
        kernel_count_collective(kernel, &joint->op, joint->algorithm, &joint->call);
}

/* Let the messages pass, from the meeting's next one on; false when one has not come, or the run fails. */
static bool pass_all(struct kernel *kernel, struct meeting *meeting, const struct schedule *schedule)
{
    return kernel->half != NULL ? pass_all_of(kernel, meeting, schedule, true)
                                : pass_all_of(kernel, meeting, schedule, false);
}

/* All have come, `rank` last. */
static enum meeting_outcome hold(struct kernel *kernel, struct meetings *meetings, struct meeting *meeting, int rank)
{
    bool has_none;
    const struct schedule *schedule =
        schedules_find(kernel, meetings->schedules, &meeting->joint, meetings->n_stopped > 0, &has_none);
    meetings->n_waiting -= meeting->n_come;
    meeting->n_come = 0;
    meeting->at = 0;
    if (has_none)
        meeting->unsuited |= 1U << coll_family_of((enum op_kind)meeting->joint.op.kind);
    if (schedule == NULL) {
        leave_all(kernel, meeting, rank, true);
        return MEETING_ALONE;
    }
    if (!pass_all(kernel, meeting, schedule)) {
        meeting->schedule = schedule;
        meetings->n_stopped++;
        kernel->ranks[rank].status = RANK_MEETING;
        return MEETING_WAITS;
    }
    count_passed(kernel, meeting);
    leave_all(kernel, meeting, rank, false);
    return MEETING_DONE;
}

void meeting_go_on(struct kernel *kernel, int group)
{
    struct meetings *meetings = kernel->flow->meetings;
    struct meeting *meeting = group >= 0 && group < kernel->groups.n_groups ? &meetings->groups[group] : NULL;
    if (meeting == NULL || meeting->schedule == NULL || !pass_all(kernel, meeting, meeting->schedule))
        return;
    meeting->schedule = NULL;
    meetings->n_stopped--;
    count_passed(kernel, meeting);
    leave_all(kernel, meeting, -1, false);
}

static int count_own(const struct kernel *kernel, const struct meeting *meeting)
{
    int count = 0;
    for (int place = 0; place < meeting->joint.n_members; place++)
        count += flow_has(kernel, groups_rank(&kernel->groups, meeting->joint.op.group, place));
    return count;
}

/* The first one comes. */
static void open_meeting(const struct kernel *kernel, struct meeting *meeting, const struct op *op,
                         const struct listed_step *listed, bool is_free)
{
    meeting->joint.op = *op;
    meeting->joint.algorithm = listed->algorithm;
    meeting->joint.call = listed->call;
    meeting->joint.n_members = listed->call.n_ranks;
    meeting->is_free = is_free;
    if (meeting->n_own == 0)
        meeting->n_own = count_own(kernel, meeting);
}

bool meetings_waiting(const struct meetings *meetings)
{
    return meetings->n_waiting > 0;
}

/* Which ranks are in a collective that has stopped for the other half; to be freed. */
static bool *find_stopped(const struct kernel *kernel)
{
    bool *stopped = xcalloc((size_t)kernel->flow->n_ranks, sizeof *stopped);
    for (int group = 0; group < kernel->groups.n_groups; group++) {
        const struct meeting *meeting = &kernel->flow->meetings->groups[group];
        for (int place = 0; meeting->schedule != NULL && place < meeting->joint.n_members; place++)
            stopped[groups_rank(&kernel->groups, group, place)] = true;
    }
    return stopped;
}

bool meetings_break_up(struct kernel *kernel)
{
    struct meetings *meetings = kernel->flow->meetings;
    bool was_waiting = meetings->n_waiting > 0;
    meetings->never = true;
    meetings->n_waiting = 0;
    if (!was_waiting)
        return false;
    bool *stopped = find_stopped(kernel);
    for (int rank = 0; rank < kernel->flow->n_ranks; rank++)
        if (kernel->ranks[rank].status == RANK_MEETING && !stopped[rank])
            leave(kernel, rank, true);
    free(stopped);
    return true;
}

enum meeting_outcome meeting_join(struct kernel *kernel, int rank, const struct op *op,
                                  const struct listed_step *listed)
{
    struct meetings *meetings = kernel->flow->meetings;
    struct rank *self = &kernel->ranks[rank];
    if (meetings->never || self->alone || self->collective_op > 0)
        return MEETING_ALONE;
    struct meeting *meeting = &meetings->groups[op->group];
    bool is_first = meeting->n_come == 0;
    if (listed == NULL && (is_first || !meeting->is_free))
        return MEETING_ALONE;
    if (is_first && (listed->call.n_ranks < 2 || listed->call.n_ranks > MOST_MEMBERS ||
                     (meeting->unsuited >> coll_family_of((enum op_kind)op->kind) & 1) != 0))
        return MEETING_ALONE;
    if (is_first)
        open_meeting(kernel, meeting, op, listed, !self->call_paid);
    else if (!schedule_is_of(&meeting->joint.op, op) || meeting->joint.op.scope != op->scope) {
        meetings->never = true; /* who waits is called again where nobody else can go on */
        return MEETING_ALONE;
    }
    if (meeting->n_come + 1 == meeting->n_own)
        return hold(kernel, meetings, meeting, rank);
    meeting->n_come++;
    meetings->n_waiting++;
    self->status = RANK_MEETING;
    return MEETING_WAITS;
}
