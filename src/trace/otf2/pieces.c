/* Pieces of time between calls, as records: computation, pauses, and the processor that the rank had meanwhile.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/calls.h"

#include <string.h>

enum { MOST_UNSETTLED = 1 << 12 }; /* records that wait for the path of a call */

/* ---- Roles ---- */

uint8_t otf_role_of(const char *text)
{
    static const struct {
        const char *name;
        uint8_t role;
    } roles[] = {{"useful", OTF_ROLE_USEFUL},   {"control", OTF_ROLE_CONTROL},
                 {"idle", OTF_ROLE_IDLE},       {"send", OTF_ROLE_SEND},
                 {"receive", OTF_ROLE_RECEIVE}, {"processor", OTF_ROLE_PROCESSOR},
                 {"library", OTF_ROLE_LIBRARY}, {"io", OTF_ROLE_IO},
                 {"ranks", OTF_ROLE_RANKS},     {"foreign", OTF_ROLE_FOREIGN},
                 {"asleep", OTF_ROLE_ASLEEP},   {"off", OTF_ROLE_OFF},
                 {"launch", OTF_ROLE_LAUNCH},   {"unrecorded", OTF_ROLE_UNRECORDED},
                 {"serial", OTF_ROLE_SERIAL},   {"team", OTF_ROLE_TEAM},
                 {"lock", OTF_ROLE_LOCK},       {"messages", OTF_ROLE_MESSAGES}};
    for (size_t i = 0; text != NULL && i < sizeof roles / sizeof roles[0]; i++)
        if (strcmp(text, roles[i].name) == 0)
            return roles[i].role;
    return OTF_ROLE_NONE;
}

bool otf_role_is_pause(uint8_t role)
{
    return role >= OTF_ROLE_PROCESSOR;
}

/* The kind of record that time in each role becomes. */
static const uint8_t kinds[] = {
    [OTF_ROLE_SERIAL] = RECORD_SLEEP,     [OTF_ROLE_TEAM] = RECORD_SLEEP,     [OTF_ROLE_LOCK] = RECORD_SLEEP,
    [OTF_ROLE_NONE] = RECORD_COMPUTE,     [OTF_ROLE_USEFUL] = RECORD_COMPUTE, [OTF_ROLE_CONTROL] = RECORD_COMPUTE,
    [OTF_ROLE_IDLE] = RECORD_SLEEP,       [OTF_ROLE_SEND] = RECORD_CALL,      [OTF_ROLE_RECEIVE] = RECORD_CALL,
    [OTF_ROLE_PROCESSOR] = RECORD_SLEEP,  [OTF_ROLE_RANKS] = RECORD_SLEEP,    [OTF_ROLE_FOREIGN] = RECORD_SLEEP,
    [OTF_ROLE_ASLEEP] = RECORD_SLEEP,     [OTF_ROLE_OFF] = RECORD_SLEEP,      [OTF_ROLE_LIBRARY] = RECORD_CALL,
    [OTF_ROLE_IO] = RECORD_CALL,          [OTF_ROLE_LAUNCH] = RECORD_SLEEP,   [OTF_ROLE_UNRECORDED] = RECORD_SLEEP,
    [OTF_ROLE_MESSAGES] = RECORD_COMPUTE,
};

/* For those that become calls, what they are for; else RECORD_CALL_OTHER. */
static const uint8_t calls[N_OTF_ROLES] = {
    [OTF_ROLE_SEND] = RECORD_CALL_SEND,
    [OTF_ROLE_RECEIVE] = RECORD_CALL_RECEIVE,
    [OTF_ROLE_LIBRARY] = RECORD_CALL_LIBRARY,
    [OTF_ROLE_IO] = RECORD_CALL_WRITE,
};

/* The reason of a pause. */
static const uint8_t sleeps[N_OTF_ROLES] = {
    [OTF_ROLE_IDLE] = SLEEP_IDLE,       [OTF_ROLE_PROCESSOR] = SLEEP_PROCESSOR,
    [OTF_ROLE_RANKS] = SLEEP_PROCESSOR, [OTF_ROLE_FOREIGN] = SLEEP_FOREIGN,
    [OTF_ROLE_ASLEEP] = SLEEP_ASLEEP,   [OTF_ROLE_OFF] = SLEEP_OFF,
    [OTF_ROLE_LAUNCH] = SLEEP_LAUNCH,   [OTF_ROLE_UNRECORDED] = SLEEP_UNRECORDED,
    [OTF_ROLE_SERIAL] = SLEEP_SERIAL,   [OTF_ROLE_TEAM] = SLEEP_TEAM,
    [OTF_ROLE_LOCK] = SLEEP_LOCK,
};

uint8_t otf_role_sleep(uint8_t role)
{
    return otf_role_is_pause(role) ? sleeps[role] : SLEEP_IDLE;
}

/* ---- With and without a processor ---- */

/* The rank has, or lacks, a processor up to now. */
static void extend_spell(struct otf_cursor *cursor, bool has_processor)
{
    if (!cursor->in_spell) {
        cursor->spell_ps = cursor->since_ps;
        cursor->spell_used_ps = 0;
        cursor->in_spell = true;
    }
    cursor->spell_used_ps += has_processor ? cursor->now_ps - cursor->since_ps : 0;
}

void otf_end_spell(struct otf_cursor *cursor)
{
    if (cursor->in_spell && cursor->first_pass && cursor->thread == 0)
        record_sharing_add(cursor->shared->sharing, cursor->rank, cursor->spell_ps, cursor->now_ps,
                           cursor->spell_used_ps);
    cursor->in_spell = false;
}

/* ---- Pieces ---- */

/* A pause, of which the last part was for a processor that other programs had, or that is not known. */
static void put_pause(struct otf_cursor *cursor, struct record record, uint8_t role)
{
    const struct record_sharing *sharing = cursor->shared->sharing;
    int64_t length_ps = record.end_ps - record.start_ps, shift_ps = cursor->shared->shift_ps, by_ranks_ps = length_ps;
    record.sleep = sleeps[role];
    if (role == OTF_ROLE_PROCESSOR)
        by_ranks_ps = record_sharing_by_ranks(sharing, cursor->rank, cursor->spell_ps - shift_ps,
                                              cursor->now_ps - shift_ps, cursor->spell_used_ps, length_ps);
    struct record rest = record;
    record.end_ps = rest.start_ps = record.start_ps + by_ranks_ps;
    if (record.end_ps > record.start_ps)
        otf_cursor_put(cursor, &record);
    if (rest.end_ps == rest.start_ps)
        return;
    rest.sleep = (uint8_t)record_sharing_rest(sharing);
    otf_cursor_put(cursor, &rest);
}

/* Fill in what the end of the phase says of the record: how much was done, whom it waited for. */
static void say_phase(struct record *record, uint8_t *role, const struct otf_cursor *cursor,
                      const struct otf_leave *leave)
{
    if (record->kind == RECORD_COMPUTE) {
        record->operations = leave->operations;
        record->quantums = leave->quantums;
        record->of_messages = *role == OTF_ROLE_MESSAGES;
    }
    if (record->kind == RECORD_SLEEP && leave->peer >= 0 && leave->peer < cursor->shared->defs->n_ranks &&
        leave->peer != cursor->rank) {
        *role = OTF_ROLE_RANKS;
        record->peer = (int32_t)leave->peer;
    }
    if (record->kind == RECORD_CALL)
        record->idle_ps = otf_idle_within(record, leave->idle_ps);
}

/* On a stream, the first record of a kernel, and each copy, is one call. */
static void count_on_stream(struct otf_cursor *cursor, struct record *record, uint8_t role,
                            const struct otf_leave *leave)
{
    bool is_copy = role == OTF_ROLE_SEND || role == OTF_ROLE_RECEIVE;
    if (!cursor->shared->defs->locations[cursor->location].of_stream ||
        !(is_copy || (cursor->begins_kernel && record->kind == RECORD_COMPUTE)))
        return;
    record->n_calls = 1;
    record->bytes = is_copy && leave != NULL ? leave->bytes : 0;
    cursor->begins_kernel = false;
}

void otf_end_piece(struct otf_cursor *cursor, const struct otf_leave *leave)
{
    uint8_t role = cursor->n_frames > 0 ? cursor->frames[cursor->n_frames - 1].role : OTF_ROLE_NONE;
    if (cursor->is_off)
        role = OTF_ROLE_UNRECORDED;
    if (kinds[role] == RECORD_COMPUTE || otf_role_is_pause(role))
        extend_spell(cursor, kinds[role] == RECORD_COMPUTE);
    if (cursor->first_pass) {
        cursor->since_ps = cursor->now_ps;
        return;
    }
    struct record record = otf_record(kinds[role], cursor->since_ps, cursor->now_ps);
    record.control = role == OTF_ROLE_CONTROL;
    record.call = calls[role];
    if (leave != NULL)
        say_phase(&record, &role, cursor, leave);
    count_on_stream(cursor, &record, role, leave);
    if (record.kind == RECORD_SLEEP)
        put_pause(cursor, record, role);
    else if (record.end_ps > record.start_ps || record.n_calls > 0 || record.operations > 0 || record.quantums > 0)
        otf_cursor_put(cursor, &record);
    if (cursor->n_queue - cursor->n_settled >= MOST_UNSETTLED)
        otf_settle(cursor, 0);
    cursor->since_ps = cursor->now_ps;
}

void otf_cursor_end_piece(struct otf_cursor *cursor)
{
    otf_end_piece(cursor, NULL);
}

int otf_cursor_switch(struct otf_cursor *cursor, bool on)
{
    if (cursor->n_calls > 0 || on != cursor->is_off) /* what is within a call is the call's */
        return 0;
    otf_end_piece(cursor, NULL);
    cursor->is_off = !on;
    cursor->survey->n_off += cursor->first_pass && !on;
    return 0;
}
