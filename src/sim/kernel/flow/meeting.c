/* Collectives that all ranks of a group do together: who has come, schedules, and how the messages pass. */
#include "sim/kernel/flow/meeting.h"

#include "sim/kernel/flow/flow.h"
#include "sim/kernel/flow/halves.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

/* Groups of more members, and collectives of more messages, are done by each rank alone. All schedules that are kept
 * have so many messages together at most. */
enum { MOST_MEMBERS = 1 << 14, MOST_MOVES = 1 << 16, MOST_KEPT = 1 << 17, N_SCHEDULES = 64 };

/* A message of a collective, and what it costs. */
struct move {
    int32_t sender, receiver;
    int64_t bytes;
    int64_t alone_ps, send_ps, receive_ps; /* see struct price */
    bool combines, exchanges;
    int32_t turn, place; /* in halves: when it passes, see sort_moves() */
};

/* The messages of a collective in an order in which each send finds its receive. */
struct schedule {
    struct op op; /* whose it is; of kind OP_COMPUTE: nobody's */
    struct move *moves;
    size_t n_moves, capacity;
};

/* Of a group. */
struct meeting {
    struct op op; /* for which those wait who have come */
    const struct coll_spec *algorithm;
    struct coll_call call;
    int n_come, n_members;
    int n_own;                       /* members that this kernel runs; 0: not counted yet */
    const struct schedule *schedule; /* where it has stopped for a message of the other half; NULL: it has not */
    size_t at;                       /* the next message of it */
    bool is_free;                    /* its call takes no time */
    unsigned unsuited;               /* bits of enum coll_family, whose collectives are done alone */
};

/* Where a member of a group stands while a schedule is made. */
struct stand {
    int64_t i;
    struct op op; /* the i-th */
    int depth;    /* of the longest chain of messages up to here */
    bool is_at_end, is_listed;
};

struct meetings {
    struct meeting *groups;
    int n_waiting, n_stopped;
    bool never; /* waiting has led to nothing */
    size_t n_kept;
    struct schedule schedules[N_SCHEDULES];
    struct stand *stands; /* and the places that can go on, a ring: of no value in between */
    int *places;
    int n_places, first, n_listed;
};

struct meetings *meetings_new(int n_groups)
{
    struct meetings *meetings = xcalloc(1, sizeof *meetings);
    meetings->groups = xcalloc((size_t)n_groups, sizeof *meetings->groups);
    return meetings;
}

static void forget_schedules(struct meetings *meetings)
{
    for (int i = 0; i < N_SCHEDULES; i++) {
        free(meetings->schedules[i].moves);
        meetings->schedules[i] = (struct schedule){.moves = NULL};
    }
    meetings->n_kept = 0;
}

void meetings_free(struct meetings *meetings)
{
    forget_schedules(meetings);
    free(meetings->groups);
    free(meetings->stands);
    free(meetings->places);
    free(meetings);
}

static bool is_same(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->group == b->group && a->peer == b->peer && a->bytes == b->bytes &&
           a->blocks == b->blocks;
}

/* --- making a schedule --- */

static void list_place(struct meetings *meetings, int place)
{
    struct stand *stand = &meetings->stands[place];
    if (stand->is_listed)
        return;
    stand->is_listed = true;
    int at = meetings->first + meetings->n_listed++;
    meetings->places[at < meetings->n_places ? at : at - meetings->n_places] = place;
}

static int take_place(struct meetings *meetings)
{
    int place = meetings->places[meetings->first++];
    if (meetings->first == meetings->n_places)
        meetings->first = 0;
    meetings->n_listed--;
    meetings->stands[place].is_listed = false;
    return place;
}

/* Go to the next op; false where that is none of a schedule. */
static bool advance(struct meetings *meetings, const struct meeting *meeting, int place)
{
    struct stand *stand = &meetings->stands[place];
    stand->op = (struct op){.tag = -1};
    stand->is_at_end = !meeting->algorithm->next(&meeting->call, place, stand->i++, &stand->op);
    const struct op *op = &stand->op;
    bool sends = op->kind == OP_SEND && op->mode == SEND_STANDARD;
    return stand->is_at_end ||
           ((sends || op->kind == OP_RECV) && op->peer >= 0 && op->peer < meeting->n_members && op->peer != place);
}

/* Whether the member waits for one that waits for it. */
static bool meets(const struct meetings *meetings, int place)
{
    const struct stand *stand = &meetings->stands[place];
    const struct stand *other = stand->is_at_end ? stand : &meetings->stands[stand->op.peer];
    return !stand->is_at_end && !other->is_at_end && other->op.peer == place && stand->op.kind != other->op.kind;
}

/* False where the message is none of a schedule. */
static bool add_move(struct kernel *kernel, struct schedule *schedule, int from, int to, const struct op *send,
                     const struct op *receive, int depth)
{
    if (!flow_has(kernel, from) && !flow_has(kernel, to))
        return true;
    const struct price *price = kernel_way(kernel, from, to, send->bytes, send->exchanges);
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
                                                         .exchanges = send->exchanges,
                                                         .turn = 2 * depth + !flow_has(kernel, from),
                                                         .place = (int32_t)schedule->n_moves};
    return true;
}

/* Go on with a member as far as it meets others; false where there is no schedule. */
static bool follow(struct kernel *kernel, struct meetings *meetings, const struct meeting *meeting,
                   struct schedule *schedule, int place)
{
    struct stand *stand = &meetings->stands[place];
    while (meets(meetings, place)) {
        int peer = stand->op.peer;
        bool sends = stand->op.kind == OP_SEND;
        const struct op *send = sends ? &stand->op : &meetings->stands[peer].op;
        const struct op *receive = sends ? &meetings->stands[peer].op : &stand->op;
        int from = groups_rank(&kernel->groups, meeting->op.group, sends ? place : peer);
        int to = groups_rank(&kernel->groups, meeting->op.group, sends ? peer : place);
        int depth = int_max(stand->depth, meetings->stands[peer].depth) + 1;
        stand->depth = meetings->stands[peer].depth = depth;
        if (!add_move(kernel, schedule, from, to, send, receive, depth) || !advance(meetings, meeting, place) ||
            !advance(meetings, meeting, peer))
            return false;
        list_place(meetings, peer);
    }
    return true;
}

static void make_room(struct meetings *meetings, int n_members)
{
    meetings->first = meetings->n_listed = 0;
    if (meetings->n_places >= n_members)
        return;
    meetings->stands = xrealloc(meetings->stands, (size_t)n_members * sizeof *meetings->stands);
    meetings->places = xrealloc(meetings->places, (size_t)n_members * sizeof *meetings->places);
    meetings->n_places = n_members;
}

/* False where there is none. */
static bool make_schedule(struct kernel *kernel, struct meetings *meetings, const struct meeting *meeting,
                          struct schedule *schedule)
{
    bool suits = true;
    make_room(meetings, meeting->n_members);
    for (int place = 0; place < meeting->n_members && suits; place++) {
        meetings->stands[place] = (struct stand){.i = 0};
        suits = advance(meetings, meeting, place);
        list_place(meetings, place);
    }
    while (suits && meetings->n_listed > 0)
        suits = follow(kernel, meetings, meeting, schedule, take_place(meetings));
    for (int place = 0; place < meeting->n_members && suits; place++)
        suits = meetings->stands[place].is_at_end;
    return suits;
}

static int by_turn(const void *left, const void *right)
{
    const struct move *a = left, *b = right;
    return a->turn != b->turn ? (a->turn > b->turn) - (a->turn < b->turn)
                              : (a->place > b->place) - (a->place < b->place);
}

/* In halves messages pass by how many others they follow on, those from the other half last: what that waits for leaves
 * early. */
static void sort_moves(struct schedule *schedule)
{
    qsort(schedule->moves, schedule->n_moves, sizeof *schedule->moves, by_turn);
}

/* The schedule of a meeting; NULL: there is none, or no room for it because others are in use. */
static const struct schedule *find_schedule(struct kernel *kernel, struct meetings *meetings, struct meeting *meeting)
{
    const struct op *op = &meeting->op;
    uint64_t hash = ((uint64_t)op->bytes ^ (uint64_t)(uint32_t)op->peer << 40) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (uint64_t)(uint32_t)op->group << 8 ^ op->kind) * UINT64_C(0xc2b2ae3d27d4eb4f);
    struct schedule *schedule = &meetings->schedules[hash >> 58];
    if (is_same(&schedule->op, op))
        return schedule;
    if (meetings->n_stopped > 0)
        return NULL;
    if (meetings->n_kept > MOST_KEPT)
        forget_schedules(meetings);
    size_t capacity = schedule->capacity;
    schedule->n_moves = 0;
    schedule->op = *op;
    bool suits = make_schedule(kernel, meetings, meeting, schedule);
    if (suits && kernel->half != NULL)
        sort_moves(schedule);
    meetings->n_kept += schedule->capacity - capacity;
    if (!suits) {
        schedule->op.kind = OP_COMPUTE;
        meeting->unsuited |= 1U << coll_family_of((enum op_kind)op->kind);
    }
    return suits ? schedule : NULL;
}

/* --- the messages pass --- */

/* A message comes from the other half; false where it has not come, and its receiver waits for it. */
static bool pass_from_other(struct kernel *kernel, const struct move *move, const struct flow_receive *as)
{
    struct rank *self = &kernel->ranks[move->receiver];
    struct letter letter;
    if (!kernel_recv_overhead(kernel, move->receiver))
        return false;
    uint32_t index =
        letters_take(&kernel->flow->letters, self, move->receiver, as->peer, as->tag, as->context, &letter);
    if (index != MAP_NOTHING) {
        flow_take_in(kernel, move->receiver, as, &letter, index);
        return true;
    }
    self->peer = as->peer;
    self->tag = as->tag;
    self->context = as->context;
    return false;
}

/* A message goes from one that is about to send it to one that is about to receive it; false when it has not come from
 * the other half, or the run fails. */
static inline bool pass(struct kernel *kernel, const struct move *move, int scope, int context)
{
    bool receives = flow_has(kernel, move->receiver);
    struct rank *sender = &kernel->ranks[move->sender];
    const struct op op = {.kind = OP_SEND,
                          .bytes = move->bytes,
                          .peer = move->receiver,
                          .tag = -1,
                          .scope = (uint8_t)scope,
                          .exchanges = move->exchanges};
    const struct flow_receive as = {
        .peer = move->sender, .tag = -1, .context = context, .scope = scope, .combines = move->combines};
    if (!flow_has(kernel, move->sender))
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
static void leave(struct kernel *kernel, int rank, bool alone)
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
static void leave_all(struct kernel *kernel, const struct meeting *meeting, int but, bool alone)
{
    for (int place = 0; place < meeting->n_members; place++) {
        int member = groups_rank(&kernel->groups, meeting->op.group, place);
        if (member != but && flow_has(kernel, member))
            leave(kernel, member, alone);
    }
}

/* Let the messages pass, from the meeting's next one on; false when one has not come, or the run fails. */
static bool pass_all(struct kernel *kernel, struct meeting *meeting, const struct schedule *schedule)
{
    int scope = meeting->op.scope, context = meeting->op.group + 1;
    while (meeting->at < schedule->n_moves && pass(kernel, &schedule->moves[meeting->at], scope, context))
        meeting->at++;
    return meeting->at == schedule->n_moves;
}

/* All have come, `rank` last. */
static enum meeting_outcome hold(struct kernel *kernel, struct meetings *meetings, struct meeting *meeting, int rank)
{
    const struct schedule *schedule = find_schedule(kernel, meetings, meeting);
    meetings->n_waiting -= meeting->n_come;
    meeting->n_come = 0;
    meeting->at = 0;
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
    leave_all(kernel, meeting, -1, false);
}

static int count_own(const struct kernel *kernel, const struct meeting *meeting)
{
    int count = 0;
    for (int place = 0; place < meeting->n_members; place++)
        count += flow_has(kernel, groups_rank(&kernel->groups, meeting->op.group, place));
    return count;
}

/* The first one comes. */
static void open_meeting(const struct kernel *kernel, struct meeting *meeting, const struct op *op,
                         const struct listed_step *listed, bool is_free)
{
    meeting->op = *op;
    meeting->algorithm = listed->algorithm;
    meeting->call = listed->call;
    meeting->n_members = listed->call.n_ranks;
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
        for (int place = 0; meeting->schedule != NULL && place < meeting->n_members; place++)
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
    else if (!is_same(&meeting->op, op) || meeting->op.scope != op->scope) {
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
