/* Records to ops; those of collectives are in apps/replay/collectives.c. The reader gives each record once, while the
 * kernel asks for a step again and again: so the ops of each rank's present step are kept, and the reader begins anew
 * where an earlier one is asked for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/ops.h"

#include "base/memory.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>

/* --- scopes --- */

uint8_t replay_scope(const struct replay_rank *self)
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

struct op *replay_add_op(struct replay_rank *self, enum op_kind kind)
{
    self->origins[self->count] = self->origin;
    struct op *op = &self->ops[self->count++];
    *op = (struct op){.kind = (uint8_t)kind, .scope = replay_scope(self)};
    return op;
}

/* A wait for all is one without a number, to which RECORD_ALL_REQUESTS wraps round; one for several marks each. */
static void add_wait(struct replay_rank *self, const struct record *record)
{
    bool follows = self->marks;
    self->marks = record->goes_on;
    struct op *op = replay_add_op(self, follows || self->marks ? OP_MARK : OP_WAIT);
    op->request = record->request + 1;
    op->mode = record->combines ? RECV_COMBINES : RECV_KEEPS;
    if (follows && !self->marks)
        replay_add_op(self, OP_WAIT)->marked = true;
}

struct op *replay_add_flops(struct replay_rank *self, double flops, bool control)
{
    struct op *op = replay_add_op(self, OP_FLOPS);
    op->flops = flops;
    op->role = control ? ROLE_CONTROL : ROLE_USEFUL;
    return op;
}

struct op *replay_add_delay(struct replay_rank *self, int64_t ps, enum op_role role)
{
    struct op *op = replay_add_op(self, OP_DELAY);
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
        op = replay_add_flops(self, record->flops, record->control);
    else if (replay->speed > 0 && !is_stream)
        op = replay_add_flops(self, units_seconds(ps) * replay->speed, record->control);
    else
        op = replay_add_delay(self, ps, record->control ? ROLE_CONTROL : ROLE_USEFUL);
    op->operations = record->operations;
}

/* Where the trace has times, to lack a processor is of the machine that was traced, and of idling nobody knows what it
 * was for: the messages make it wait by themselves. */
static void add_sleep(const struct replay *replay, struct replay_rank *self, const struct record *record)
{
    int64_t ps = record->end_ps - record->start_ps;
    if (!replay->input->reader.info.has_times)
        replay_add_delay(self, ps, ROLE_CONTROL);
    else if (record->sleep == SLEEP_ASLEEP || record->sleep == SLEEP_OFF || record->sleep == SLEEP_LAUNCH ||
             record->sleep == SLEEP_UNRECORDED)
        replay_add_delay(self, ps, record->sleep == SLEEP_LAUNCH ? ROLE_LAUNCH : ROLE_SLEEP);
}

enum op_role replay_call_role(const struct record *record)
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
        replay_add_delay(self, record->end_ps - record->start_ps, replay_call_role(record))->bytes = record->bytes;
}

static void add_message(struct replay_rank *self, const struct record *record)
{
    static const enum op_kind kinds[] = {
        [RECORD_SEND] = OP_SEND, [RECORD_RECV] = OP_RECV, [RECORD_ISEND] = OP_ISEND, [RECORD_IRECV] = OP_IRECV};
    enum op_kind kind = kinds[record->kind];
    struct op *op = replay_add_op(self, kind);
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

/* --- threads --- */

/* A mark of the rank's, by which its threads wait for each other. */
static void add_mark(struct replay_rank *self, const struct record *record)
{
    static const int64_t first_mark = INT64_C(1) << 61; /* above the lines of threads */
    struct op *op = replay_add_op(self, record->kind == RECORD_SIGNAL ? OP_START : OP_JOIN);
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
    struct op *op = replay_add_op(self, OP_START);
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
            replay_add_begin(replay, rank, record);
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
        replay_add_collective(replay, rank, record);
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
            replay_add_lowered(replay, self);
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
        replay_end_lowered(self);
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
