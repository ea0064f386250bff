/* The events of one thread.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/writing.h"

#include "eppa/archive/memory.h"
#include "eppa/archive/strings.h"

#include <stdlib.h>

static uint32_t low(int64_t word)
{
    return (uint32_t)((uint64_t)word & UINT32_MAX);
}

static uint32_t high(int64_t word)
{
    return (uint32_t)((uint64_t)word >> 32);
}

static OTF2_TimeStamp time_of(const struct spool_record *record)
{
    return (OTF2_TimeStamp)record->time_ns;
}

static void enter(struct writing *self, OTF2_TimeStamp time, OTF2_RegionRef region)
{
    if (self->n_open == self->room) {
        self->room = 2 * self->room + 16;
        self->open = memory_need(realloc(self->open, self->room * sizeof *self->open));
    }
    self->open[self->n_open++] = region;
    OTF2_EvtWriter_Enter(self->events, self->attributes, time, region);
}

static void add_awaited(struct writing *self)
{
    const struct spool_record *record = &self->awaited;
    if (record->kind == SPOOL_NOTHING || record->a >= self->map->n_comms || self->n_open == 0)
        return;
    OTF2_AttributeList_AddInt32(self->attributes, ATTRIBUTE_PEER, (int32_t)low(record->words[0]));
    OTF2_AttributeList_AddInt32(self->attributes, ATTRIBUTE_TAG, (int32_t)high(record->words[0]));
    OTF2_AttributeList_AddCommRef(self->attributes, ATTRIBUTE_COMM, self->map->comms[record->a]);
}

static void leave(struct writing *self, OTF2_TimeStamp time)
{
    if (self->awaited.kind == SPOOL_FOUND)
        add_awaited(self);
    self->awaited.kind = SPOOL_NOTHING;
    if (self->n_open > 0)
        OTF2_EvtWriter_Leave(self->events, self->attributes, time, self->open[--self->n_open]);
}

static void scope_enter(struct writing *self, const struct spool_record *record)
{
    static const OTF2_StringRef names[N_SCOPE_ROLES] = {STRING_EMPTY, STRING_USEFUL, STRING_CONTROL, STRING_IDLE,
                                                        STRING_MESSAGES};
    if (record->a >= self->map->n_scopes)
        return;
    if (record->id != SCOPE_PLAIN && record->id < N_SCOPE_ROLES)
        OTF2_AttributeList_AddStringRef(self->attributes, ATTRIBUTE_ROLE, names[record->id]);
    enter(self, time_of(record), self->map->n_calls + self->map->scopes[record->a]);
}

static void scope_leave(struct writing *self, const struct spool_record *record)
{
    if (record->n_words == 2) {
        OTF2_AttributeList_AddUint64(self->attributes, ATTRIBUTE_OPERATIONS, (uint64_t)record->words[0]);
        OTF2_AttributeList_AddUint64(self->attributes, ATTRIBUTE_QUANTUMS, (uint64_t)record->words[1]);
    }
    leave(self, time_of(record));
}

static void add_path(struct writing *self, uint32_t place)
{
    const struct rank_map *map = self->map;
    if (place <= map->n_paths && map->paths[place - 1].outer > 0)
        OTF2_AttributeList_AddCallingContextRef(self->attributes, ATTRIBUTE_PATH, map->paths[place - 1].outer - 1);
}

/* Where a call is made: its site, and, if the rank has paths, that. */
static void add_place(struct writing *self, uint32_t place)
{
    const struct rank_map *map = self->map;
    uint32_t site = map->n_paths == 0 ? place : place <= map->n_paths ? map->paths[place - 1].site : 0;
    if (site == 0 || site > map->n_sites)
        return;
    OTF2_AttributeList_AddStringRef(self->attributes, ATTRIBUTE_SITE, map->first_site + map->sites[site - 1]);
    add_path(self, place);
}

static void call_enter(struct writing *self, const struct spool_record *record)
{
    if (record->id >= N_REGIONS || self->map->calls == NULL || self->map->calls[record->id] == UINT32_MAX)
        return;
    if (record->n_words == 1 && record->words[0] > 1)
        OTF2_AttributeList_AddUint64(self->attributes, ATTRIBUTE_POLLS, (uint64_t)record->words[0]);
    if (record->a != 0)
        add_place(self, record->a);
    enter(self, time_of(record), self->map->calls[record->id]);
}

/* A piece of the time up to now, but not of what was before the record before. */
static void pause_within(struct writing *self, const struct spool_record *record)
{
    static const OTF2_StringRef roles[] = {STRING_PROCESSOR, STRING_ASLEEP, STRING_OFF};
    OTF2_TimeStamp now = time_of(record), length = now - self->time;
    const uint32_t *calls = self->map->calls;
    if (record->id < REGION_WITHOUT || record->id > REGION_OFF || record->n_words != 1 || record->words[0] <= 0 ||
        calls == NULL || calls[record->id] == UINT32_MAX)
        return;
    if ((uint64_t)record->words[0] < length)
        length = (uint64_t)record->words[0];
    if (record->a != 0)
        add_path(self, record->a);
    OTF2_AttributeList_AddStringRef(self->attributes, ATTRIBUTE_ROLE, roles[record->id - REGION_WITHOUT]);
    enter(self, now - length, calls[record->id]);
    leave(self, now);
}

/* The receive whose event comes next was from any source, if its record says so. */
static void add_any_source(struct writing *self, const struct spool_record *record)
{
    if (record->id != 0)
        OTF2_AttributeList_AddUint64(self->attributes, ATTRIBUTE_ANY_SOURCE, 1);
}

static bool is_begun_off(const struct writing *self, uint32_t request)
{
    size_t i = self->n_begun_off;
    while (i > 0 && self->begun_off[i - 1].first >= request)
        i--;
    return i > 0 && request <= self->begun_off[i - 1].last;
}

/* Records that are about a communicator of which nothing is known are left out. */
static void message(struct writing *self, const struct spool_record *record)
{
    OTF2_TimeStamp time = time_of(record);
    uint32_t peer = low(record->words[0]), tag = high(record->words[0]), request = low(record->words[2]);
    uint64_t bytes = (uint64_t)record->words[1];
    if (record->a >= self->map->n_comms)
        return;
    OTF2_CommRef comm = self->map->comms[record->a];
    switch (record->kind) {
    case SPOOL_SEND:
        OTF2_EvtWriter_MpiSend(self->events, NULL, time, peer, comm, tag, bytes);
        break;
    case SPOOL_RECV:
        add_any_source(self, record);
        OTF2_EvtWriter_MpiRecv(self->events, self->attributes, time, peer, comm, tag, bytes);
        break;
    case SPOOL_ISEND:
        OTF2_EvtWriter_MpiIsend(self->events, NULL, time, peer, comm, tag, bytes, request);
        break;
    default:
        if (is_begun_off(self, request)) /* as if it were posted where it is complete */
            OTF2_EvtWriter_MpiRecv(self->events, NULL, time, peer, comm, tag, bytes);
        else
            OTF2_EvtWriter_MpiIrecv(self->events, NULL, time, peer, comm, tag, bytes, request);
        break;
    }
}

static void collective_end(struct writing *self, const struct spool_record *record)
{
    OTF2_TimeStamp time = time_of(record);
    uint32_t root = low(record->words[0]);
    uint64_t sent = (uint64_t)record->words[1], received = (uint64_t)record->words[2];
    if (record->a >= self->map->n_comms ||
        (record->kind == SPOOL_ICOLL_DONE && is_begun_off(self, low(record->words[3]))))
        return;
    OTF2_CommRef comm = self->map->comms[record->a];
    OTF2_CollectiveOp op = (OTF2_CollectiveOp)record->id;
    if (record->kind == SPOOL_COLL_END)
        OTF2_EvtWriter_MpiCollectiveEnd(self->events, NULL, time, op, comm, root, sent, received);
    else
        OTF2_EvtWriter_NonBlockingCollectiveComplete(self->events, NULL, time, op, comm, root, sent, received,
                                                     low(record->words[3]));
}

static bool creates(OTF2_CollectiveOp op)
{
    return op == OTF2_COLLECTIVE_OP_CREATE_HANDLE || op == OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE;
}

/* A call of all members of a window: OTF2 has both a record of its creation and one of the collective. */
static void window_end(struct writing *self, OTF2_CollectiveOp op, OTF2_RmaWinRef window, OTF2_TimeStamp time)
{
    OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_PROCESS;
    if (op == OTF2_COLLECTIVE_OP_BARRIER)
        level |= OTF2_RMA_SYNC_LEVEL_MEMORY;
    if (creates(op))
        OTF2_EvtWriter_RmaWinCreate(self->events, NULL, time, window);
    OTF2_EvtWriter_RmaCollectiveEnd(self->events, NULL, time, op, level, window, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    if (op != OTF2_COLLECTIVE_OP_BARRIER && !creates(op))
        OTF2_EvtWriter_RmaWinDestroy(self->events, NULL, time, window);
}

static void window(struct writing *self, const struct spool_record *record)
{
    OTF2_TimeStamp time = time_of(record);
    const struct rank_map *map = self->map;
    OTF2_RmaWinRef window = record->a < map->n_comms ? map->windows[record->a] : UINT32_MAX;
    uint32_t other = low(record->words[0]);
    if (window == UINT32_MAX)
        return;
    switch (record->kind) {
    case SPOOL_WINDOW_END:
        window_end(self, (OTF2_CollectiveOp)record->id, window, time);
        break;
    case SPOOL_GROUP_SYNC:
        if (other < map->n_comms)
            OTF2_EvtWriter_RmaGroupSync(self->events, NULL, time, OTF2_RMA_SYNC_LEVEL_PROCESS, window,
                                        map->comms[other]);
        break;
    case SPOOL_LOCK:
        OTF2_EvtWriter_RmaAcquireLock(self->events, NULL, time, window, other, 0, (OTF2_LockType)record->id);
        break;
    default:
        OTF2_EvtWriter_RmaReleaseLock(self->events, NULL, time, window, other, 0);
        break;
    }
}

static void file_end(struct writing *self, const struct spool_record *record)
{
    OTF2_TimeStamp time = time_of(record);
    if (record->a < self->map->n_comms)
        OTF2_EvtWriter_MpiCollectiveEnd(self->events, NULL, time, (OTF2_CollectiveOp)record->id,
                                        self->map->comms[record->a], OTF2_COLLECTIVE_ROOT_NONE,
                                        (uint64_t)record->words[0], (uint64_t)record->words[1]);
}

/* The thread, or another one of the rank, begins or ends. Nothing else is said of these threads as a team. */
static void life(struct writing *self, const struct spool_record *record)
{
    OTF2_TimeStamp time = time_of(record);
    switch (record->id) {
    case LIFE_IS_CREATED:
        OTF2_EvtWriter_ThreadCreate(self->events, NULL, time, OTF2_UNDEFINED_COMM, record->a);
        break;
    case LIFE_BEGINS:
        OTF2_EvtWriter_ThreadBegin(self->events, NULL, time, OTF2_UNDEFINED_COMM, record->a);
        break;
    case LIFE_ENDS:
        OTF2_EvtWriter_ThreadEnd(self->events, NULL, time, OTF2_UNDEFINED_COMM, record->a);
        break;
    case LIFE_IS_AWAITED:
        OTF2_EvtWriter_ThreadWait(self->events, NULL, time, OTF2_UNDEFINED_COMM, record->a);
        break;
    default:
        break;
    }
}

void writing_begin(struct writing *self, OTF2_TimeStamp time)
{
    if (self->is_to_begin)
        OTF2_EvtWriter_ProgramBegin(self->events, NULL, time, STRING_PROGRAM(self->rank), 0, NULL);
    self->is_to_begin = false;
}

static void go_off(struct writing *self, const struct spool_record *record)
{
    OTF2_TimeStamp time = time_of(record);
    self->awaited.kind = SPOOL_NOTHING;
    while (self->n_open > 0)
        leave(self, time);
    OTF2_EvtWriter_MeasurementOnOff(self->events, NULL, time, OTF2_MEASUREMENT_OFF);
}

static void go_on(struct writing *self, const struct spool_record *record)
{
    if (self->n_begun_off == self->room_off) {
        self->room_off = 2 * self->room_off + 16;
        self->begun_off = memory_need(realloc(self->begun_off, self->room_off * sizeof *self->begun_off));
    }
    self->begun_off[self->n_begun_off++] = (struct request_range){low(record->words[0]), low(record->words[1])};
}

/* A receive is asked for, a send is complete, or either is canceled. */
static void request(struct writing *self, const struct spool_record *record)
{
    OTF2_TimeStamp time = time_of(record);
    if (record->kind == SPOOL_IRECV_REQUEST) {
        add_any_source(self, record);
        OTF2_EvtWriter_MpiIrecvRequest(self->events, self->attributes, time, record->a);
    } else if (is_begun_off(self, record->a))
        return;
    else if (record->kind == SPOOL_ISEND_DONE)
        OTF2_EvtWriter_MpiIsendComplete(self->events, NULL, time, record->a);
    else
        OTF2_EvtWriter_MpiRequestCancelled(self->events, NULL, time, record->a);
}

static void begin(struct writing *self, const struct spool_record *record)
{
    (void)record;
    self->is_to_begin = true;
}

static void call_leave(struct writing *self, const struct spool_record *record)
{
    leave(self, time_of(record));
}

static void collective_begin(struct writing *self, const struct spool_record *record)
{
    OTF2_EvtWriter_MpiCollectiveBegin(self->events, NULL, time_of(record));
}

static void collective_request(struct writing *self, const struct spool_record *record)
{
    OTF2_EvtWriter_NonBlockingCollectiveRequest(self->events, NULL, time_of(record), record->a);
}

static void block(struct writing *self, const struct spool_record *record)
{
    OTF2_EvtWriter_ParameterUnsignedInt(self->events, NULL, time_of(record), PARAMETER_BLOCK,
                                        (uint64_t)record->words[0]);
}

static void await(struct writing *self, const struct spool_record *record)
{
    self->awaited = *record;
}

static void window_begin(struct writing *self, const struct spool_record *record)
{
    OTF2_EvtWriter_RmaCollectiveBegin(self->events, NULL, time_of(record));
}

/* The events of each kind of record; NULL: it has none. */
static void (*const writers[N_SPOOL_KINDS])(struct writing *self, const struct spool_record *record) = {
    [SPOOL_BEGIN] = begin,
    [SPOOL_ENTER] = call_enter,
    [SPOOL_LEAVE] = call_leave,
    [SPOOL_SCOPE_ENTER] = scope_enter,
    [SPOOL_SCOPE_LEAVE] = scope_leave,
    [SPOOL_SEND] = message,
    [SPOOL_RECV] = message,
    [SPOOL_ISEND] = message,
    [SPOOL_IRECV] = message,
    [SPOOL_IRECV_REQUEST] = request,
    [SPOOL_ISEND_DONE] = request,
    [SPOOL_CANCELLED] = request,
    [SPOOL_COLL_BEGIN] = collective_begin,
    [SPOOL_COLL_END] = collective_end,
    [SPOOL_ICOLL_REQUEST] = collective_request,
    [SPOOL_ICOLL_DONE] = collective_end,
    [SPOOL_BLOCK] = block,
    [SPOOL_AWAITS] = await,
    [SPOOL_FOUND] = await,
    [SPOOL_PAUSE] = pause_within,
    [SPOOL_WINDOW_BEGIN] = window_begin,
    [SPOOL_WINDOW_END] = window,
    [SPOOL_GROUP_SYNC] = window,
    [SPOOL_LOCK] = window,
    [SPOOL_UNLOCK] = window,
    [SPOOL_FILE_END] = file_end,
    [SPOOL_LIFE] = life,
    [SPOOL_OFF] = go_off,
    [SPOOL_ON] = go_on,
};

void writing_take(struct writing *self, const struct spool_record *record)
{
    bool is_first = self->is_to_begin, goes_on = record->kind == SPOOL_ON;
    if (is_first && record->kind == SPOOL_OFF) /* the time begins where it is on */
        return;
    writing_begin(self, goes_on ? time_of(record) : self->time);
    if (goes_on && !is_first)
        OTF2_EvtWriter_MeasurementOnOff(self->events, NULL, time_of(record), OTF2_MEASUREMENT_ON);
    if (record->kind < N_SPOOL_KINDS && writers[record->kind] != NULL)
        writers[record->kind](self, record);
}

bool writing_is_in_call(const struct writing *self)
{
    return self->n_open > 0 && self->open[self->n_open - 1] < self->map->n_calls;
}

/* End what a thread was in the middle of. */
void writing_finish(struct writing *self)
{
    add_awaited(self);
    while (self->n_open > 0)
        leave(self, self->time);
}
