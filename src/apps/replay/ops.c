/* Records to ops. The reader gives each record once, while the kernel asks for a step again and again: so the ops of
 * each rank's present step are kept, and the reader begins anew where an earlier one is asked for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/begun.h"

#include "base/memory.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The tag of messages that a collective is lowered to, of group 0; -1 is the kernel's own. */
enum { LOWERED_TAG = -2 };

/* --- scopes --- */

static uint8_t scope_of(const struct replay_rank *self)
{
    int depth = self->depth < REPLAY_MAX_DEPTH ? self->depth : REPLAY_MAX_DEPTH;
    return depth == 0 ? REPLAY_OUTSIDE : self->scopes[depth - 1];
}

static void enter_scope(struct replay_rank *self, uint8_t scope)
{
    if (self->depth < REPLAY_MAX_DEPTH) {
        self->scopes = xgrow(self->scopes, (size_t)self->depth, &self->scopes_capacity, sizeof *self->scopes);
        self->scopes[self->depth] = scope;
    }
    self->depth++;
}

/* --- ops --- */

static struct op *add_op(struct replay_rank *self, enum op_kind kind)
{
    self->origins[self->count] = self->origin;
    struct op *op = &self->ops[self->count++];
    *op = (struct op){.kind = (uint8_t)kind, .scope = scope_of(self)};
    return op;
}

/* A wait for all is one without a number, to which RECORD_ALL_REQUESTS wraps round; one for several marks each. */
static void add_wait(struct replay_rank *self, const struct record *record)
{
    bool follows = self->marks;
    self->marks = record->goes_on;
    struct op *op = add_op(self, follows || self->marks ? OP_MARK : OP_WAIT);
    op->request = record->request + 1;
    op->mode = record->combines ? RECV_COMBINES : RECV_KEEPS;
    if (follows && !self->marks)
        add_op(self, OP_WAIT)->marked = true;
}

static struct op *add_flops(struct replay_rank *self, double flops, bool control)
{
    struct op *op = add_op(self, OP_FLOPS);
    op->flops = flops;
    op->role = control ? ROLE_CONTROL : ROLE_USEFUL;
    return op;
}

static struct op *add_delay(struct replay_rank *self, int64_t ps, enum op_role role)
{
    struct op *op = add_op(self, OP_DELAY);
    op->delay_ps = ps;
    op->role = (uint8_t)role;
    return op;
}

/* The speed is that of hosts, not of their accelerators. */
static void add_compute(const struct replay *replay, int location, const struct record *record)
{
    const struct record_info *info = &replay->input->reader.info;
    struct replay_rank *self = &replay->ranks[location];
    bool is_stream = info->first_stream > 0 && location >= info->first_stream * info->n_ranks;
    int64_t ps = record->end_ps - record->start_ps;
    struct op *op;
    if (!info->has_times && !info->has_lengths)
        op = add_flops(self, record->flops, record->control);
    else if (replay->speed > 0 && !is_stream)
        op = add_flops(self, units_seconds(ps) * replay->speed, record->control);
    else
        op = add_delay(self, ps, record->control ? ROLE_CONTROL : ROLE_USEFUL);
    op->operations = record->operations;
}

/* Where the trace has times, to lack a processor is of the machine that was traced, and of idling nobody knows what it
 * was for: the messages make it wait by themselves. */
static void add_sleep(const struct replay *replay, struct replay_rank *self, const struct record *record)
{
    int64_t ps = record->end_ps - record->start_ps;
    if (!replay->input->reader.info.has_times)
        add_delay(self, ps, ROLE_CONTROL);
    else if (record->sleep == SLEEP_ASLEEP || record->sleep == SLEEP_OFF || record->sleep == SLEEP_LAUNCH ||
             record->sleep == SLEEP_UNRECORDED)
        add_delay(self, ps, record->sleep == SLEEP_LAUNCH ? ROLE_LAUNCH : ROLE_SLEEP);
}

/* The role of a call's time; one-sided communication exists only because the program is parallel. */
static enum op_role role_of(const struct record *record)
{
    static const uint8_t roles[] = {
        [RECORD_CALL_OTHER] = ROLE_CONTROL, [RECORD_CALL_LIBRARY] = ROLE_LIBRARY, [RECORD_CALL_START] = ROLE_START,
        [RECORD_CALL_READ] = ROLE_INPUT,    [RECORD_CALL_WRITE] = ROLE_OUTPUT,    [RECORD_CALL_INPUT] = ROLE_USEFUL,
        [RECORD_CALL_OUTPUT] = ROLE_USEFUL, [RECORD_CALL_RECEIVE] = ROLE_CONTROL, [RECORD_CALL_CONTROL] = ROLE_CONTROL,
        [RECORD_CALL_POLL] = ROLE_CONTROL,  [RECORD_CALL_CUT] = ROLE_CONTROL,     [RECORD_CALL_SEND] = ROLE_SEND,
        [RECORD_CALL_WAIT] = ROLE_CONTROL,
    };
    return (enum op_role)roles[record->call];
}

/* Add the time of a call. In an aborted run, what a call waited for never came: its rank ends there. Polls wait: that
 * is up to the messages. */
static void add_call(struct replay_rank *self, const struct record *record)
{
    bool waits = record->call == RECORD_CALL_CUT || record->call == RECORD_CALL_POLL;
    if (!waits && record->end_ps > record->start_ps)
        add_delay(self, record->end_ps - record->start_ps, role_of(record))->bytes = record->bytes;
}

static void add_message(struct replay_rank *self, const struct record *record)
{
    static const enum op_kind kinds[] = {
        [RECORD_SEND] = OP_SEND, [RECORD_RECV] = OP_RECV, [RECORD_ISEND] = OP_ISEND, [RECORD_IRECV] = OP_IRECV};
    enum op_kind kind = kinds[record->kind];
    struct op *op = add_op(self, kind);
    op->peer = record->peer;
    op->bytes = record->bytes;
    op->tag = record->tag;
    if (kind == OP_SEND || kind == OP_ISEND)
        op->mode = record->synchronous ? SEND_SYNCHRONOUS : SEND_STANDARD;
    else
        op->mode = record->combines ? RECV_COMBINES : RECV_KEEPS;
    if (kind == OP_SEND || kind == OP_ISEND)
        op->exchanges = record->exchanges;
    else
        op->any_tag = record->any_tag;
    if (record->from_any)
        op->from_any = record->position;
    if (kind == OP_ISEND || kind == OP_IRECV)
        op->request = record->request + 1; /* 0 is none */
}

/* --- collectives --- */

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
    self->fixed_role = (uint8_t)role_of(record);
    if (record->blocks == NULL)
        return;
    size_t size = (size_t)self->collective->n_members * sizeof *record->blocks;
    self->collective->blocks = xmalloc(size);
    memcpy(self->collective->blocks, record->blocks, size);
}

static void end_lowered(struct replay_rank *self)
{
    if (self->collective != NULL)
        free(self->collective->blocks);
    free(self->collective);
    self->collective = NULL;
}

/* Go on in the collective as far as the step has room. */
static void add_lowered(const struct replay *replay, struct replay_rank *self)
{
    struct op op;
    while (self->count < REPLAY_STEP_OPS && lowered_next(self->collective, self->collective_op, &op)) {
        op.peer = groups_rank(&replay->groups, self->collective_group, op.peer);
        op.tag = LOWERED_TAG - self->collective_group;
        if (record_synchronises((uint8_t)self->collective->collective))
            op.tag -= replay->groups.n_groups;
        op.scope = scope_of(self);
        self->origins[self->count] = self->origin;
        self->ops[self->count++] = op;
        self->collective_op++;
    }
    if (self->count == REPLAY_STEP_OPS)
        return;
    end_lowered(self);
    if (self->flops > 0)
        add_flops(self, self->flops, false);
    else if (self->fixed_ps > 0)
        add_delay(self, self->fixed_ps, (enum op_role)self->fixed_role);
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
    struct op *op = add_op(&replay->ranks[rank], OP_JOIN);
    op->line = replay_line(replay, rank, begun_join(record->request));
    op->needed = 2;
}

static void add_collective(struct replay *replay, int rank, const struct record *record)
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
    struct op *op = add_op(self, collective_ops[record->collective]);
    fill_collective(replay, op, record);
    if (record->flops > 0)
        add_flops(self, record->flops, false);
}

/* A collective begins that goes on beside its rank. */
static void add_begin(struct replay *replay, int rank, const struct record *record)
{
    struct replay_rank *self = &replay->ranks[rank];
    if (!begun_start(replay, rank, record->request, scope_of(self)))
        return;
    struct op *op = add_op(self, OP_START);
    op->line = replay_line(replay, rank, record->request);
    op->processor = replay->progress > 0 ? replay->progress : rank / replay->groups.n_ranks;
    op->needed = 1;
}

/* --- threads --- */

/* A mark of the rank's, by which its threads wait for each other. */
static void add_mark(struct replay_rank *self, const struct record *record)
{
    static const int64_t first_mark = INT64_C(1) << 61; /* above the lines of threads */
    struct op *op = add_op(self, record->kind == RECORD_SIGNAL ? OP_START : OP_JOIN);
    op->line = first_mark + record->mark;
    op->needed = record->request;
}

/* Each thread begins the next one, of those that the trace has of any rank. */
static void begin_next_thread(const struct replay *replay, struct replay_rank *self, int location)
{
    int next = location + replay->groups.n_ranks;
    if (next >= replay->n_locations)
        return;
    self->origin = (struct replay_origin){0, N_RECORD_COLLECTIVES};
    struct op *op = add_op(self, OP_START);
    op->line = replay_line(replay, next, 0);
    op->processor = next / replay->groups.n_ranks;
}

/* --- records --- */

static void take_record(struct replay *replay, int rank, const struct record *record)
{
    struct replay_rank *self = &replay->ranks[rank];
    bool collective = record->kind == RECORD_COLLECTIVE;
    self->origin = (struct replay_origin){record->position, collective ? record->collective : N_RECORD_COLLECTIVES};
    switch ((enum record_kind)record->kind) {
    case RECORD_COMPUTE:
        add_compute(replay, rank, record);
        break;
    case RECORD_SLEEP:
        add_sleep(replay, self, record);
        break;
    case RECORD_PROBE: /* the receive waits as long */
        break;
    case RECORD_CALL:
        add_call(self, record);
        if (replay->begun != NULL && record->request != 0)
            add_begin(replay, rank, record);
        break;
    case RECORD_SEND:
    case RECORD_RECV:
    case RECORD_ISEND:
    case RECORD_IRECV:
        add_message(self, record);
        break;
    case RECORD_WAIT:
        add_wait(self, record);
        break;
    case RECORD_COLLECTIVE:
        add_collective(replay, rank, record);
        break;
    case RECORD_ENTER:
        enter_scope(self, replay->input->scopes.scope_of[record->scope]);
        break;
    case RECORD_LEAVE:
        self->depth -= self->depth > 0;
        break;
    case RECORD_SIGNAL:
    case RECORD_AWAIT:
        add_mark(self, record);
        break;
    }
}

void replay_describe(const void *config, int rank, int op, char *text, size_t size)
{
    static const char *const names[N_RECORD_COLLECTIVES] = {
        [RECORD_BARRIER] = "barrier",
        [RECORD_BROADCAST] = "broadcast",
        [RECORD_REDUCE] = "reduce",
        [RECORD_ALLREDUCE] = "allreduce",
        [RECORD_SCAN] = "scan",
        [RECORD_EXSCAN] = "exscan",
        [RECORD_GATHER] = "gather",
        [RECORD_ALLGATHER] = "allgather",
        [RECORD_SCATTER] = "scatter",
        [RECORD_ALLTOALL] = "all-to-all",
        [RECORD_REDUCE_SCATTER] = "reduce-scatter",
        [RECORD_FENCE] = "fence",
        [RECORD_HANDLE] = "making or freeing a handle",
        [RECORD_FILE] = "a call on a file",
    };
    const struct replay *replay = *(struct replay *const *)config;
    const struct record_reader *reader = &replay->input->reader;
    const struct replay_origin *origin = &replay->ranks[rank].origins[op < REPLAY_STEP_OPS ? op : REPLAY_STEP_OPS - 1];
    bool collective = origin->collective < N_RECORD_COLLECTIVES;
    const char *comma = collective ? ", " : "", *name = collective ? names[origin->collective] : "";
    const char *file = reader->format->file_of != NULL ? reader->format->file_of(reader, rank) : NULL;
    if (file != NULL)
        snprintf(text, size, "%.150s:%lld%s%s", file, (long long)origin->position, comma, name);
    else
        snprintf(text, size, "event %lld%s%s", (long long)origin->position, comma, name);
}

static void end_rank(struct replay *replay, struct replay_rank *self)
{
    self->ended = true;
    if (++replay->n_ended == replay->n_locations)
        replay_compare_histories(replay);
}

/* Fill in the ops of the rank's next step; none if there is none. A record makes two ops at most. */
static void advance(struct replay *replay, int rank)
{
    struct replay_rank *self = &replay->ranks[rank];
    struct record record;
    self->count = 0;
    if (++self->step == 0)
        begin_next_thread(replay, self, rank);
    while (!replay->failed) {
        if (self->collective != NULL)
            add_lowered(replay, self);
        if (self->count > REPLAY_STEP_OPS - 2)
            return;
        int status = record_next(&replay->input->reader, rank, &record, &replay->error);
        if (status == 1) {
            take_record(replay, rank, &record);
            continue;
        }
        replay->failed = status < 0;
        if (status == 0 && self->count == 0 && !self->ended)
            end_rank(replay, self);
        return;
    }
}

void replay_reset(struct replay *replay)
{
    for (int r = 0; r < replay->n_locations; r++) {
        struct replay_rank *self = &replay->ranks[r];
        end_lowered(self);
        self->step = -1;
        self->ended = false;
        self->marks = false;
        self->depth = 0;
    }
    for (int g = 0; g < replay->groups.n_groups; g++)
        memset(replay->histories[g], 0, (size_t)groups_size(&replay->groups, g) * sizeof *replay->histories[g]);
    replay->n_ended = 0;
    replay->failed = false;
}

static void rewind_all(struct replay *replay)
{
    replay_reset(replay);
    if (record_rewind(&replay->input->reader, &replay->error) != 0)
        replay->failed = true;
    replay->input->user = replay;
}

bool replay_emit(const void *config, int rank, int64_t step, struct op_list *list)
{
    struct replay *replay = *(struct replay *const *)config;
    struct replay_rank *self = &replay->ranks[rank];
    if (replay->input->user != replay || self->step > step)
        rewind_all(replay);
    while (self->step < step && !self->ended && !replay->failed)
        advance(replay, rank);
    if (self->ended || replay->failed)
        return false;
    memcpy(list->ops, self->ops, self->count * sizeof *list->ops);
    list->count = self->count;
    return true;
}

int replay_failed(const void *config, struct sim_error *error)
{
    const struct replay *replay = *(struct replay *const *)config;
    if (!replay->failed)
        return 0;
    *error = replay->error;
    return -1;
}
