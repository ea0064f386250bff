/* A location's calls of MPI. The effects of a call are known at its end: its sends, its receives, and what it waits
 * for.
 *
 *     a message is sent in it                    SEND; ISEND in MPI_Isend and the like, and beside a receive
 *     one is asked for and received in it        RECV
 *     one is asked for, and received later       IRECV
 *     one is received that was asked for before  WAIT
 *
 * The trace does not say which call waits for a send. MPI_Waitall waits for all that have been begun, and another wait
 * in which nothing is received for the first of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/paraver/place.h"

#include "base/memory.h"
#include "base/mpi_call.h"
#include "base/range.h"

#include <string.h>

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static uint8_t call_of(const char *name)
{
    static const uint8_t calls[] = {[MPI_CALL_MESSAGE] = RECORD_CALL_OTHER,
                                    [MPI_CALL_READ] = RECORD_CALL_READ,
                                    [MPI_CALL_WRITE] = RECORD_CALL_WRITE,
                                    [MPI_CALL_LIBRARY] = RECORD_CALL_LIBRARY,
                                    [MPI_CALL_START] = RECORD_CALL_START};
    if (begins(name, "MPI_Test") || begins(name, "MPI_Iprobe") || begins(name, "MPI_Improbe"))
        return RECORD_CALL_POLL;
    if (begins(name, "MPI_Wait") || begins(name, "MPI_Probe") || begins(name, "MPI_Mprobe"))
        return RECORD_CALL_WAIT;
    return calls[mpi_call_of(name, true)];
}

struct prv_function prv_function_make(const char *name)
{
    static const struct {
        const char *name;
        uint8_t collective;
        bool has_root, varies;
    } collectives[] = {
        {"MPI_Barrier", RECORD_BARRIER, false, false},
        {"MPI_Bcast", RECORD_BROADCAST, true, false},
        {"MPI_Reduce", RECORD_REDUCE, true, false},
        {"MPI_Allreduce", RECORD_ALLREDUCE, false, false},
        {"MPI_Scan", RECORD_SCAN, false, false},
        {"MPI_Exscan", RECORD_EXSCAN, false, false},
        {"MPI_Gather", RECORD_GATHER, true, false},
        {"MPI_Gatherv", RECORD_GATHER, true, true},
        {"MPI_Allgather", RECORD_ALLGATHER, false, false},
        {"MPI_Allgatherv", RECORD_ALLGATHER, false, true},
        {"MPI_Scatter", RECORD_SCATTER, true, false},
        {"MPI_Scatterv", RECORD_SCATTER, true, true},
        {"MPI_Alltoall", RECORD_ALLTOALL, false, false},
        {"MPI_Alltoallv", RECORD_ALLTOALL, false, true},
        {"MPI_Alltoallw", RECORD_ALLTOALL, false, true},
        {"MPI_Reduce_scatter", RECORD_REDUCE_SCATTER, false, true},
        {"MPI_Reduce_scatter_block", RECORD_REDUCE_SCATTER, false, false},
    };
    struct prv_function function = {.collective = N_RECORD_COLLECTIVES,
                                    .call = call_of(name),
                                    .goes_on = begins(name, "MPI_I") || begins(name, "MPI_Start"),
                                    .waits = begins(name, "MPI_Wait"),
                                    .waits_all = strcmp(name, "MPI_Waitall") == 0,
                                    .synchronous = begins(name, "MPI_Ssend") || begins(name, "MPI_Issend")};
    for (size_t i = 0; i < sizeof collectives / sizeof collectives[0]; i++)
        if (strcmp(name, collectives[i].name) == 0) {
            function.collective = collectives[i].collective;
            function.has_root = collectives[i].has_root;
            function.varies = collectives[i].varies;
        }
    return function;
}

/* --- what a call did --- */

/* A line has at most one message, with two sides. */
static uint32_t request_of(const struct prv_item *item)
{
    return (uint32_t)(2 * (item->position & INT32_MAX) + (item->kind != PRV_SENT));
}

static void put_request(struct prv_place *place, uint8_t kind, const struct prv_item *item, int64_t end_ps)
{
    struct record record = prv_message_record(kind, place, item);
    record.request = request_of(item);
    prv_place_put(place, record, end_ps, item->position);
}

static void put_wait(struct prv_place *place, uint32_t request, int64_t end_ps, int64_t position)
{
    prv_place_put(place, (struct record){.kind = RECORD_WAIT, .peer = -1, .request = request}, end_ps, position);
}

static void add_send(struct prv_place *place, uint32_t request)
{
    place->sends = xgrow(place->sends, place->n_sends, &place->sends_capacity, sizeof *place->sends);
    place->sends[place->n_sends++] = request;
}

/* Wait for the sends from `first` on, so many of them. */
static void wait_for_sends(struct prv_place *place, size_t first, size_t count, int64_t position)
{
    if (count == 0)
        return;
    for (size_t i = first; i < first + count; i++)
        put_wait(place, place->sends[i], place->now_ps, position);
    memmove(place->sends + first, place->sends + first + count,
            (place->n_sends - first - count) * sizeof *place->sends);
    place->n_sends -= count;
}

/* A message that is sent, asked for or received in a call that ends then: true if it was received. */
static bool put_part(struct prv_place *place, const struct prv_item *part, int64_t end_ps, bool is_both)
{
    const struct prv_function *function = &place->functions[place->function];
    int64_t at_ps = int64_clamp(part->at_ps, place->now_ps, end_ps);
    if (part->kind == PRV_SENT) {
        bool is_begun = function->goes_on || is_both;
        put_request(place, is_begun ? RECORD_ISEND : RECORD_SEND, part, at_ps);
        place->records[place->n - 1].synchronous = function->synchronous;
        if (is_begun)
            add_send(place, request_of(part));
    } else if (part->kind == PRV_POSTED && part->other_ps > end_ps) {
        put_request(place, RECORD_IRECV, part, at_ps);
    } else if (part->kind == PRV_RECEIVED && part->other_ps >= place->call_ps) {
        prv_place_put(place, prv_message_record(RECORD_RECV, place, part), at_ps, part->position);
    } else if (part->kind == PRV_RECEIVED) {
        put_wait(place, request_of(part), at_ps, part->position);
    }
    return part->kind == PRV_RECEIVED;
}

static void put_messages(struct prv_place *place, int64_t end_ps, int64_t position)
{
    const struct prv_function *function = &place->functions[place->function];
    size_t n_sent = 0, n_received = 0, n_before = place->n_sends;
    for (size_t i = 0; i < place->n_parts; i++) {
        n_sent += place->parts[i].kind == PRV_SENT;
        n_received += place->parts[i].kind == PRV_RECEIVED;
    }
    for (size_t i = 0; i < place->n_parts; i++)
        put_part(place, &place->parts[i], end_ps, n_sent > 0 && n_received > 0);
    if (function->waits && (function->waits_all || n_received == 0))
        wait_for_sends(place, 0, function->waits_all ? place->n_sends : size_min(place->n_sends, 1), position);
    else if (!function->goes_on && place->n_sends > n_before)
        wait_for_sends(place, n_before, place->n_sends - n_before, position);
}

/* --- collectives --- */

static uint64_t value_of(const struct prv_place *place, int type)
{
    return (uint64_t)place->values[type - PRV_SENT_BYTES];
}

/* The number of a collective with a root among those of its communicator, and if this rank is the root that is
 * noted. */
static int32_t find_root(struct prv_place *place, uint64_t communicator)
{
    struct map_entry *entry = map_add(&place->n_collectives, map_key_64(communicator));
    uint32_t number = entry->index == MAP_NOTHING ? 0 : entry->index + 1, root = 0;
    entry->index = number;
    map_get(place->roots, (struct map_key){communicator, number}, &root);
    return (int32_t)root;
}

static int64_t collective_bytes(const struct prv_place *place, const struct prv_function *function, int n_members)
{
    int64_t sent = place->values[0], received = place->values[1];
    switch ((enum record_collective)function->collective) {
    case RECORD_BARRIER:
        return 0;
    case RECORD_SCATTER:
    case RECORD_REDUCE_SCATTER:
        return received;
    case RECORD_ALLTOALL:
        return function->varies ? sent / n_members : sent;
    case RECORD_BROADCAST:
    case RECORD_REDUCE:
        return int64_max(sent, received);
    default:
        return sent;
    }
}

static void put_collective(struct prv_place *place, int64_t end_ps, int64_t position)
{
    const struct prv_function *function = &place->functions[place->function];
    uint64_t communicator = value_of(place, PRV_COMMUNICATOR);
    uint32_t group = 0;
    map_get(&place->input->group_map, map_key_64(communicator), &group);
    struct record record = {.kind = RECORD_COLLECTIVE,
                            .collective = function->collective,
                            .varies = function->varies,
                            .group = (int32_t)group,
                            .peer = -1};
    record.bytes = int64_max(collective_bytes(place, function, place->input->groups[group].n_members), 0);
    if (function->has_root)
        record.peer = find_root(place, communicator);
    prv_place_put(place, record, end_ps, position);
}

/* --- the whole --- */

static void begin_call(struct prv_place *place, uint16_t function, int64_t at_ps, int64_t position)
{
    prv_place_compute(place, at_ps, position);
    place->in_call = true;
    place->is_piece = false;
    place->call_ps = place->now_ps;
    place->function = function;
    memset(place->values, 0, sizeof place->values);
}

/* All records of a call have its function; the first begins it, the last ends with it, and waits side by side are
 * one. */
static void finish_call(struct prv_place *place, size_t first, int64_t end_ps)
{
    bool waits = place->functions[place->function].waits;
    place->records[place->n - 1].end_ps = end_ps;
    place->now_ps = end_ps;
    place->records[first].n_calls = !place->is_piece;
    for (size_t i = first; i < place->n; i++) {
        struct record *record = &place->records[i];
        record->function = place->function;
        record->goes_on = waits && record->kind == RECORD_WAIT && i + 1 < place->n && record[1].kind == RECORD_WAIT;
    }
}

static void end_call(struct prv_place *place, int64_t end_ps, int64_t position, bool is_cut)
{
    size_t first = place->n;
    const struct prv_function *function = &place->functions[place->function];
    end_ps = int64_max(end_ps, place->now_ps);
    if (function->collective < N_RECORD_COLLECTIVES && !is_cut && !place->is_piece)
        put_collective(place, end_ps, position);
    else
        put_messages(place, end_ps, position);
    if (place->n == first)
        prv_place_put(place, (struct record){.kind = RECORD_CALL, .call = function->call, .peer = -1}, end_ps,
                      position);
    finish_call(place, first, end_ps);
    place->in_call = false;
    for (size_t i = 0; i < place->n_parts; i++)
        if (place->parts[i].kind == PRV_SCOPE)
            prv_place_scope(place, &place->parts[i]);
    place->n_parts = 0;
}

/* A call begins, or ends. One that begins within another cuts that into pieces; a collective that is cut is made of
 * messages. */
static void take_call(struct prv_place *place, const struct prv_item *item)
{
    bool begins = item->number != 0, goes_on = !begins && place->in_call && place->outer != 0;
    uint16_t outer = begins && place->in_call ? place->function : 0;
    if (place->in_call)
        end_call(place, item->at_ps, item->position, begins);
    if (begins || goes_on)
        begin_call(place, begins ? (uint16_t)item->number : place->outer, item->at_ps, item->position);
    place->is_piece = goes_on;
    place->outer = outer;
}

static void add_part(struct prv_place *place, const struct prv_item *item)
{
    place->parts = xgrow(place->parts, place->n_parts, &place->parts_capacity, sizeof *place->parts);
    place->parts[place->n_parts++] = *item;
}

/* A message that no call has is one of a call of no length, of which the name is not known. */
static void take_outside(struct prv_place *place, const struct prv_item *item)
{
    begin_call(place, 0, item->at_ps, item->position);
    add_part(place, item);
    end_call(place, item->at_ps, item->position, false);
}

void prv_calls_take(struct prv_place *place, const struct prv_item *item)
{
    switch ((enum prv_kind)item->kind) {
    case PRV_CALL:
        take_call(place, item);
        break;
    case PRV_VALUE:
        if (place->in_call)
            place->values[item->type - PRV_SENT_BYTES] = item->number;
        break;
    case PRV_STATE:
        place->last_ps = int64_max(place->last_ps, item->other_ps);
        break;
    case PRV_SCOPE:
        if (place->in_call)
            add_part(place, item);
        else
            prv_place_scope(place, item);
        break;
    default:
        if (place->in_call)
            add_part(place, item);
        else
            take_outside(place, item);
    }
}

void prv_calls_end(struct prv_place *place)
{
    int64_t end_ps = int64_max(place->last_ps, place->now_ps);
    if (place->in_call)
        end_call(place, end_ps, 0, false);
    prv_place_compute(place, end_ps, 0);
    wait_for_sends(place, 0, place->n_sends, 0);
}
