/* Calls: the events inside a region of the message library, as records. Those about requests are in
 * trace/otf2/pending.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/calls.h"
#include "trace/otf2/sizes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct record otf_record(uint8_t kind, int64_t start_ps, int64_t end_ps)
{
    return (struct record){.kind = kind, .start_ps = start_ps, .end_ps = end_ps, .idle_ps = -1, .peer = -1};
}

int64_t otf_idle_within(const struct record *record, int64_t idle_ps)
{
    int64_t length_ps = record->end_ps - record->start_ps;
    return idle_ps > length_ps ? length_ps : idle_ps;
}

/* ---- The parts of a call ---- */

void otf_calls_begin(struct otf_cursor *cursor, const struct otf_region *region, uint8_t call, int64_t polls)
{
    cursor->call = call;
    cursor->call_bytes = 0;
    cursor->called = region;
    cursor->n_calls_at_once = region != NULL && region->is_call ? polls : 0;
    cursor->call_ps = cursor->now_ps;
    cursor->n_parts = 0;
    cursor->site = cursor->path = 0;
    cursor->is_told = false;
    cursor->begun_in_call = 0;
}

bool otf_calls_synchronous(const struct otf_cursor *cursor)
{
    return cursor->called != NULL && cursor->called->synchronous;
}

/* The rank of the world whose message the call was waiting for, as far as the trace says: else -1. */
static int32_t awaited_rank(const struct otf_cursor *cursor, const struct otf_leave *leave)
{
    const struct otf_defs *defs = cursor->shared->defs;
    uint32_t comm;
    if (leave->awaited < 0 || !map_get(&defs->comm_map, map_key_64(leave->awaited_comm), &comm))
        return -1;
    return (int32_t)otf_comm_peer(defs, &defs->comms[comm], cursor->rank, (uint32_t)leave->awaited);
}

static bool has_part(const struct otf_cursor *cursor, uint8_t kind)
{
    for (size_t i = 0; i < cursor->n_parts; i++)
        if (cursor->parts[i].kind == kind)
            return true;
    return false;
}

static void add_part(struct otf_cursor *cursor, const struct record *part)
{
    cursor->parts = xgrow(cursor->parts, cursor->n_parts, &cursor->capacity_parts, sizeof *cursor->parts);
    cursor->parts[cursor->n_parts] = *part;
    cursor->parts[cursor->n_parts++].position = (int64_t)cursor->n_events;
}

static void move_sends_to_front(struct record *parts, size_t n)
{
    struct record *others = xcalloc(n, sizeof *others);
    size_t n_sends = 0, n_others = 0;
    for (size_t i = 0; i < n; i++)
        if (parts[i].kind == RECORD_SEND)
            parts[n_sends++] = parts[i];
        else
            others[n_others++] = parts[i];
    memcpy(parts + n_sends, others, n_others * sizeof *parts);
    free(others);
}

/* MPI_Sendrecv: the sends are begun first and waited for last, so that no order of the two can block. A copy has them
 * so already. */
static void split_sendrecv(struct otf_cursor *cursor)
{
    size_t n = cursor->n_parts;
    move_sends_to_front(cursor->parts, n);
    for (size_t i = 0; i < n; i++)
        cursor->parts[i].exchanges = cursor->parts[i].kind == RECORD_ISEND;
    for (size_t i = 0; i < n && cursor->parts[i].kind == RECORD_SEND; i++) {
        struct record wait = otf_record(RECORD_WAIT, cursor->now_ps, cursor->now_ps);
        wait.request = otf_slot_take(cursor) + 1;
        cursor->parts[i].kind = RECORD_ISEND;
        cursor->parts[i].exchanges = true;
        cursor->parts[i].request = wait.request;
        add_part(cursor, &wait);
    }
    for (size_t i = n; i < cursor->n_parts; i++)
        otf_slot_free(cursor, cursor->parts[i].request - 1);
}

/* The purpose of a call without messages. One that waited when the run was aborted lasts up to the rank's end. */
static uint8_t call_kind(const struct otf_cursor *cursor)
{
    bool is_last = cursor->now_ps == cursor->survey->last_ps + cursor->shared->shift_ps;
    if (cursor->called == NULL)
        return cursor->call;
    if (cursor->shared->is_cut && (cursor->called->waits || cursor->called->unread) && is_last)
        return RECORD_CALL_CUT;
    if (cursor->called->polls)
        return RECORD_CALL_POLL;
    return cursor->called->only_waits ? RECORD_CALL_WAIT : cursor->call;
}

/* A probe that says what it found. */
static bool is_probe(const struct otf_cursor *cursor, const struct otf_leave *leave)
{
    uint32_t comm;
    return cursor->called != NULL && cursor->called->probes && leave->awaited >= 0 &&
           map_get(&cursor->shared->defs->comm_map, map_key_64(leave->awaited_comm), &comm);
}

/* A call of which no event says more. */
static int plain_call(struct record *call, struct otf_cursor *cursor, const struct otf_leave *leave)
{
    *call = otf_record(RECORD_CALL, cursor->call_ps, cursor->now_ps);
    call->call = call_kind(cursor);
    call->request = cursor->begun_in_call;
    if (call->call == RECORD_CALL_CUT) {
        call->what = cursor->called->name;
        call->peer = awaited_rank(cursor, leave);
        call->of_all = cursor->called->is_collective;
    } else if (is_probe(cursor, leave)) {
        call->kind = RECORD_PROBE;
        struct otf_message found = {(uint32_t)leave->awaited, leave->awaited_comm, leave->awaited_tag, 0, .request = 0};
        return otf_calls_fill(call, cursor, &found);
    }
    call->bytes = leave->bytes > 0 ? leave->bytes : cursor->call_bytes;
    otf_gaps_add(cursor, call);
    otf_assume(cursor, call);
    otf_fixed_add(cursor, call);
    return 0;
}

void otf_calls_put_begun(struct otf_cursor *cursor)
{
    if (cursor->begun_in_call == 0)
        return;
    struct record begun = otf_record(RECORD_CALL, cursor->call_ps, cursor->now_ps);
    begun.call = call_kind(cursor);
    begun.request = cursor->begun_in_call;
    cursor->begun_in_call = 0;
    add_part(cursor, &begun);
}

static void finish_synchronising(struct otf_cursor *cursor, struct record *part, const struct otf_leave *leave,
                                 bool assumes)
{
    int64_t bytes = leave->bytes > 0 ? leave->bytes : cursor->call_bytes;
    part->call = cursor->call;
    part->bytes = part->bytes > 0 ? part->bytes : bytes;
    otf_meet(cursor, part, assumes);
}

/* Each part lasts until its event, the last one until the call's end. */
int otf_calls_end(struct otf_cursor *cursor, const struct otf_leave *leave)
{
    int64_t then_ps = cursor->call_ps, idle_ps = leave->idle_ps;
    struct record call;
    if (cursor->n_parts > 0)
        otf_calls_put_begun(cursor);
    bool is_plain = cursor->n_parts == 0;
    if (is_plain) {
        if (plain_call(&call, cursor, leave) < 0)
            return -1;
        add_part(cursor, &call);
    }
    if (cursor->n_parts > 1 && has_part(cursor, RECORD_RECV))
        split_sendrecv(cursor);
    for (size_t i = 0; i < cursor->n_parts; i++) {
        struct record *part = &cursor->parts[i];
        bool is_last = i + 1 == cursor->n_parts;
        part->start_ps = then_ps;
        if (part->end_ps < then_ps)
            part->end_ps = then_ps;
        if (is_last)
            part->end_ps = cursor->now_ps;
        if (idle_ps >= 0) {
            part->idle_ps = otf_idle_within(part, idle_ps);
            idle_ps -= part->idle_ps;
        }
        if (part->kind == RECORD_COLLECTIVE && record_synchronises(part->collective))
            finish_synchronising(cursor, part, leave, is_plain);
        part->goes_on = part->kind == RECORD_WAIT && !is_last && cursor->parts[i + 1].kind == RECORD_WAIT;
        part->exchanges |= part->kind == RECORD_ISEND && leave->exchanges > 0;
        bool receives = part->kind == RECORD_RECV || (part->kind == RECORD_WAIT && part->peer >= 0);
        part->combines = receives && leave->combines > 0;
        part->function = cursor->called != NULL ? cursor->called->function : 0;
        part->site = cursor->site;
        part->path = cursor->path;
        part->n_calls = i == 0 ? cursor->n_calls_at_once : 0;
        then_ps = part->end_ps;
        otf_cursor_put(cursor, part);
    }
    cursor->n_parts = 0;
    return 0;
}

int otf_calls_do(struct otf_cursor *cursor, struct record *part)
{
    bool alone = cursor->n_calls == 0;
    if (alone) {
        otf_cursor_end_piece(cursor);
        otf_calls_begin(cursor, NULL, RECORD_CALL_OTHER, 0);
    }
    add_part(cursor, part);
    return alone ? otf_calls_end(cursor, &otf_leaves_plainly) : 0;
}

/* ---- Communicators ---- */

int otf_calls_comm_rank(struct otf_cursor *cursor, const struct otf_comm *comm)
{
    const struct otf_defs *defs = cursor->shared->defs;
    uint32_t index = (uint32_t)(comm - defs->comms);
    size_t line = index % OTF_CACHED_COMMS;
    if (!cursor->cache[line].valid || cursor->cache[line].comm != index) {
        cursor->cache[line].comm_rank = otf_comm_rank(defs, comm, cursor->rank);
        cursor->cache[line].comm = index;
        cursor->cache[line].valid = true;
    }
    return cursor->cache[line].comm_rank;
}

static int find_comm(const struct otf_comm **comm, int *comm_rank, struct otf_cursor *cursor, uint32_t id)
{
    const struct otf_defs *defs = cursor->shared->defs;
    uint32_t index;
    if (!map_get(&defs->comm_map, map_key_64(id), &index))
        return OTF_CURSOR_FAIL(cursor, "communicator %u is not defined as one of MPI", (unsigned)id);
    *comm = &defs->comms[index];
    *comm_rank = otf_calls_comm_rank(cursor, *comm);
    return *comm_rank >= 0 ? 0 : OTF_CURSOR_FAIL(cursor, "the rank is not in communicator %u", (unsigned)id);
}

static int find_bytes(int64_t *bytes, struct otf_cursor *cursor, uint64_t found)
{
    if (found > INT64_MAX)
        return OTF_CURSOR_FAIL(cursor, "a length of %llu bytes; at most %lld are allowed", (unsigned long long)found,
                               (long long)INT64_MAX);
    *bytes = (int64_t)found;
    return 0;
}

int otf_calls_fill(struct record *record, struct otf_cursor *cursor, const struct otf_message *message)
{
    const struct otf_comm *comm = NULL;
    int comm_rank = -1;
    if (find_comm(&comm, &comm_rank, cursor, message->comm) < 0 ||
        find_bytes(&record->bytes, cursor, message->bytes) < 0)
        return -1;
    record->peer = otf_comm_peer(cursor->shared->defs, comm, cursor->rank, message->peer);
    if (record->peer < 0)
        return OTF_CURSOR_FAIL(cursor, "communicator %u has no rank %u", (unsigned)message->comm,
                               (unsigned)message->peer);
    if (message->tag > INT32_MAX && message->tag != UINT32_MAX)
        return OTF_CURSOR_FAIL(cursor, "tag %u; 0 to %d are allowed", (unsigned)message->tag, INT32_MAX);
    record->tag = message->tag == UINT32_MAX ? -1 : (int32_t)message->tag;
    record->group = otf_comm_group(comm, cursor->rank);
    return 0;
}

/* ---- Messages ---- */

void otf_calls_count_any(struct otf_cursor *cursor, bool from_any)
{
    if (cursor->first_pass)
        cursor->survey->n_any_source += from_any;
}

int otf_cursor_send(struct otf_cursor *cursor, const struct otf_message *message)
{
    struct record record = otf_record(RECORD_SEND, cursor->now_ps, cursor->now_ps);
    record.synchronous = cursor->n_calls > 0 && otf_calls_synchronous(cursor);
    return otf_calls_fill(&record, cursor, message) < 0 ? -1 : otf_calls_do(cursor, &record);
}

int otf_cursor_recv(struct otf_cursor *cursor, const struct otf_message *message)
{
    struct record record = otf_record(RECORD_RECV, cursor->now_ps, cursor->now_ps);
    record.from_any = message->from_any;
    otf_calls_count_any(cursor, message->from_any);
    return otf_calls_fill(&record, cursor, message) < 0 ? -1 : otf_calls_do(cursor, &record);
}

/* ---- Files ---- */

int otf_cursor_io_begin(struct otf_cursor *cursor, bool writes)
{
    if (cursor->n_calls == 1)
        cursor->call = otf_region_file_call(cursor->called != NULL && cursor->called->is_mpi, writes);
    return 0;
}

int otf_cursor_io_end(struct otf_cursor *cursor, uint64_t bytes)
{
    if (cursor->n_calls != 1)
        return 0;
    if (bytes > INT64_MAX || __builtin_add_overflow(cursor->call_bytes, (int64_t)bytes, &cursor->call_bytes))
        cursor->call_bytes = INT64_MAX;
    return 0;
}

/* ---- Collectives ---- */

static int find_root(struct record *record, bool *is_root, struct otf_cursor *cursor, const struct otf_comm *comm,
                     uint32_t root)
{
    uint32_t root_rank = root == OTF2_COLLECTIVE_ROOT_SELF && comm->kind == OTF_COMM_SELF ? 0 : root;
    record->peer = otf_comm_peer(cursor->shared->defs, comm, cursor->rank, root_rank);
    *is_root = record->peer == cursor->rank;
    return record->peer >= 0
               ? 0
               : OTF_CURSOR_FAIL(cursor, "the root of a collective is %u, which is not a rank of its communicator",
                                 (unsigned)root);
}

int otf_cursor_collective(struct otf_cursor *cursor, uint8_t op, uint32_t comm_id, uint32_t root, uint64_t sent,
                          uint64_t received, bool was_begun, uint32_t number)
{
    struct record record = otf_record(RECORD_COLLECTIVE, cursor->now_ps, cursor->now_ps);
    const struct otf_comm *comm = NULL;
    struct otf_collective call = {.op = op, .sent = sent, .received = received};
    int kind = otf_collective_kind(op), comm_rank = -1;
    bool synchronises = otf_only_synchronises(cursor, op);
    if (synchronises || kind < 0)
        otf_cursor_leave_out(cursor, number);
    if (synchronises)
        return otf_cursor_synchronise(cursor, op, comm_id, sent, received);
    if (kind < 0) /* what is left is the time of the call */
        return 0;
    if (find_comm(&comm, &comm_rank, cursor, comm_id) < 0)
        return -1;
    if (comm->kind == OTF_COMM_INTER && kind != RECORD_BARRIER) { /* no record has words for it: the time is left */
        otf_cursor_leave_out(cursor, number);
        return 0;
    }
    if (otf_collective_has_root(op) && find_root(&record, &call.is_root, cursor, comm, root) < 0)
        return -1;
    call.n_members = comm->kind == OTF_COMM_SELF ? 1 : (uint64_t)cursor->shared->defs->members[comm->members].n_members;
    call.me = (uint64_t)comm_rank;
    if (comm->kind != OTF_COMM_INTER && find_bytes(&record.bytes, cursor, otf_collective_bytes(&call)) < 0)
        return -1;
    record.collective = (uint8_t)kind;
    record.varies = otf_collective_varies(op);
    record.was_begun = was_begun;
    record.request = number;
    record.group = otf_comm_group(comm, cursor->rank);
    return otf_calls_do(cursor, &record);
}
