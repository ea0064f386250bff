/* A location without calls of MPI in its events: its states say what it does. So it is in simrun's own traces, whose
 * messages lie in states, and with further threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/paraver/place.h"

#include "base/range.h"

/* States as Paraver's own configurations number them. */
enum {
    STATE_OF_IDLE = 0,
    STATE_OF_RUNNING = 1,
    STATE_OF_NOT_CREATED = 2,
    STATE_OF_WAITING_A_MESSAGE = 3,
    STATE_OF_BLOCKING_SEND = 4,
    STATE_OF_SYNCHRONIZATION = 5,
    STATE_OF_TEST = 6,
    STATE_OF_FORK_JOIN = 7,
    STATE_OF_WAIT = 8,
    STATE_OF_BLOCKED = 9,
    STATE_OF_IMMEDIATE_SEND = 10,
    STATE_OF_IMMEDIATE_RECEIVE = 11,
    STATE_OF_IO = 12,
    STATE_OF_GROUP = 13,
    STATE_OF_NO_TRACING = 14,
    STATE_OF_OTHERS = 15,
    STATE_OF_SEND_RECEIVE = 16,
    N_STATES_OF
};

static struct record record_of(int64_t state)
{
    static const struct {
        uint8_t kind, call;
        bool control;
    } records[N_STATES_OF] = {
        [STATE_OF_IDLE] = {RECORD_SLEEP, 0, false},
        [STATE_OF_RUNNING] = {RECORD_COMPUTE, 0, false},
        [STATE_OF_NOT_CREATED] = {RECORD_SLEEP, 0, false},
        [STATE_OF_WAITING_A_MESSAGE] = {RECORD_CALL, RECORD_CALL_RECEIVE, false},
        [STATE_OF_BLOCKING_SEND] = {RECORD_CALL, RECORD_CALL_SEND, false},
        [STATE_OF_SYNCHRONIZATION] = {RECORD_SLEEP, 0, false},
        [STATE_OF_TEST] = {RECORD_CALL, RECORD_CALL_POLL, false},
        [STATE_OF_FORK_JOIN] = {RECORD_COMPUTE, 0, true},
        [STATE_OF_WAIT] = {RECORD_CALL, RECORD_CALL_WAIT, false},
        [STATE_OF_BLOCKED] = {RECORD_SLEEP, 0, false},
        [STATE_OF_IMMEDIATE_SEND] = {RECORD_CALL, RECORD_CALL_SEND, false},
        [STATE_OF_IMMEDIATE_RECEIVE] = {RECORD_CALL, RECORD_CALL_RECEIVE, false},
        [STATE_OF_IO] = {RECORD_CALL, RECORD_CALL_INPUT, false},
        [STATE_OF_GROUP] = {RECORD_CALL, RECORD_CALL_OTHER, false},
        [STATE_OF_NO_TRACING] = {RECORD_SLEEP, 0, false},
        [STATE_OF_OTHERS] = {RECORD_CALL, RECORD_CALL_LIBRARY, false},
        [STATE_OF_SEND_RECEIVE] = {RECORD_CALL, RECORD_CALL_OTHER, false},
    };
    int s = state >= 0 && state < N_STATES_OF ? (int)state : STATE_OF_RUNNING;
    return (struct record){.kind = records[s].kind, .call = records[s].call, .control = records[s].control, .peer = -1};
}

/* The message's call ends, at the latest with what is known of it. */
static void close_message(struct prv_place *place, int64_t end_ps)
{
    const struct prv_item *item = &place->message;
    struct record record = prv_message_record(item->kind == PRV_SENT ? RECORD_SEND : RECORD_RECV, place, item);
    record.idle_ps = place->idle_ps;
    record.n_calls = 1;
    place->has_message = false;
    prv_place_put(place, record, int64_max(end_ps, place->now_ps), item->position);
}

static void begin_message(struct prv_place *place, const struct prv_item *item)
{
    prv_place_compute(place, item->at_ps, item->position);
    place->message = *item;
    place->has_message = true;
    place->idle_ps = 0;
}

static void put_state(struct prv_place *place, const struct prv_item *item, int64_t end_ps)
{
    struct record record = record_of(item->number);
    if (place->now_ps < 0 && item->number == STATE_OF_NOT_CREATED)
        return;
    prv_place_compute(place, item->at_ps, item->position);
    record.n_calls = record.kind == RECORD_CALL;
    if (end_ps > place->now_ps)
        prv_place_put(place, record, end_ps, item->position);
}

/* A state within the call of a message: waiting until the message goes, and then the sending; or all of a receive. */
static void take_state_of_message(struct prv_place *place, const struct prv_item *item)
{
    const struct prv_item *message = &place->message;
    bool sends =
        message->kind == PRV_SENT && item->number == STATE_OF_BLOCKING_SEND && item->at_ps >= message->other_ps;
    int64_t until_ps = sends ? item->other_ps : message->other_ps, end_ps = int64_min(item->other_ps, until_ps);
    if (item->number == STATE_OF_IDLE)
        place->idle_ps += int64_max(end_ps - item->at_ps, 0);
    if (sends || (item->other_ps >= until_ps && message->kind == PRV_POSTED))
        close_message(place, until_ps);
    if (item->other_ps > until_ps)
        put_state(place, item, item->other_ps);
}

static void take_state(struct prv_place *place, const struct prv_item *item)
{
    bool is_of_message =
        place->has_message && (item->at_ps < place->message.other_ps ||
                               (place->message.kind == PRV_SENT && item->at_ps == place->message.other_ps &&
                                item->number == STATE_OF_BLOCKING_SEND));
    if (is_of_message) {
        take_state_of_message(place, item);
        return;
    }
    if (place->has_message)
        close_message(place, place->message.other_ps);
    put_state(place, item, item->other_ps);
}

void prv_states_take(struct prv_place *place, const struct prv_item *item)
{
    if (item->kind == PRV_STATE) {
        take_state(place, item);
        return;
    }
    if (place->has_message && item->at_ps >= place->message.other_ps && item->kind != PRV_RECEIVED)
        close_message(place, place->message.other_ps);
    if (item->kind == PRV_SCOPE && !place->has_message)
        prv_place_scope(place, item);
    else if ((item->kind == PRV_SENT || item->kind == PRV_POSTED) && !place->has_message)
        begin_message(place, item);
}

void prv_states_end(struct prv_place *place)
{
    if (place->has_message)
        close_message(place, place->message.other_ps);
}
