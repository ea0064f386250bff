/* Records that are visits of a region, written to an archive: computation, sleep, messages, and other calls.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/copying.h"

#include "interval/interval.h"

/* How each kind is written. An attribute: what its Leave says, if the record has it. */
static const struct {
    uint8_t region, role, message;
} ways[] = {
    [RECORD_COMPUTE] = {REGION_USEFUL, STATE_USEFUL, MESSAGE_NONE},
    [RECORD_SLEEP] = {REGION_IDLE, STATE_IDLE, MESSAGE_NONE},
    [RECORD_SEND] = {REGION_SEND, N_LOCATION_STATES, MESSAGE_SENT},
    [RECORD_RECV] = {REGION_RECV, N_LOCATION_STATES, MESSAGE_RECEIVED},
    [RECORD_ISEND] = {REGION_ISEND, N_LOCATION_STATES, MESSAGE_BEGUN},
    [RECORD_IRECV] = {REGION_IRECV, N_LOCATION_STATES, MESSAGE_POSTED},
    [RECORD_WAIT] = {REGION_WAIT, N_LOCATION_STATES, MESSAGE_ENDED},
    [RECORD_CALL] = {REGION_OTHER, N_LOCATION_STATES, MESSAGE_NONE},
    [RECORD_PROBE] = {REGION_OTHER, N_LOCATION_STATES, MESSAGE_NONE},
};

static const struct {
    uint8_t region, role;
} calls[] = {
    [RECORD_CALL_OTHER] = {REGION_OTHER, N_LOCATION_STATES},
    [RECORD_CALL_INPUT] = {REGION_INPUT, STATE_USEFUL},
    [RECORD_CALL_LIBRARY] = {REGION_LIBRARY, STATE_LIBRARY},
    [RECORD_CALL_START] = {REGION_START, STATE_LIBRARY},
    [RECORD_CALL_READ] = {REGION_READ, STATE_IO},
    [RECORD_CALL_WRITE] = {REGION_WRITE, STATE_IO},
    [RECORD_CALL_OUTPUT] = {REGION_OUTPUT, STATE_USEFUL},
    [RECORD_CALL_SEND] = {REGION_COLLECTIVE_CALL, STATE_SEND},
    [RECORD_CALL_RECEIVE] = {REGION_RECEIVE, STATE_RECEIVE},
    [RECORD_CALL_CONTROL] = {REGION_LINKS, STATE_CONTROL},
    [RECORD_CALL_POLL] = {REGION_OTHER, N_LOCATION_STATES},
    [RECORD_CALL_WAIT] = {REGION_OTHER, N_LOCATION_STATES},
};

const uint8_t copy_sleep_roles[N_RECORD_SLEEPS] = {[SLEEP_IDLE] = STATE_IDLE,
                                                   [SLEEP_PROCESSOR] = VISIT_RANKS,
                                                   [SLEEP_FOREIGN] = VISIT_FOREIGN,
                                                   [SLEEP_ASLEEP] = VISIT_ASLEEP,
                                                   [SLEEP_OFF] = VISIT_OFF,
                                                   [SLEEP_LAUNCH] = VISIT_LAUNCH,
                                                   [SLEEP_UNRECORDED] = VISIT_UNRECORDED,
                                                   [SLEEP_SERIAL] = VISIT_SERIAL,
                                                   [SLEEP_TEAM] = VISIT_TEAM,
                                                   [SLEEP_LOCK] = VISIT_THREAD_LOCK};

static void say(struct region_visit *visit, enum visit_attribute attribute, int64_t number)
{
    int i = visit->attributes[0] < N_ATTRIBUTES;
    visit->attributes[i] = (uint8_t)attribute;
    visit->numbers[i] = number;
}

static void say_all(struct region_visit *visit, const struct record *record)
{
    if (record->kind == RECORD_COMPUTE && record->operations > 0)
        say(visit, ATTRIBUTE_OPERATIONS, record->operations);
    if (record->kind == RECORD_COMPUTE && record->quantums > 0)
        say(visit, ATTRIBUTE_QUANTUMS, record->quantums);
    if (record->kind == RECORD_SLEEP && record->sleep == SLEEP_PROCESSOR && record->peer >= 0)
        say(visit, ATTRIBUTE_PEER, record->peer);
    if (record->idle_ps >= 0)
        say(visit, ATTRIBUTE_IDLE, record->idle_ps);
    if (record->kind == RECORD_CALL && record->bytes > 0)
        say(visit, ATTRIBUTE_BYTES, record->bytes);
}

/* A region of MPI_Sendrecv says by itself that it exchanges. */
static void say_price(struct region_visit *visit, const struct record *record)
{
    if (record->exchanges)
        say(visit, ATTRIBUTE_EXCHANGES, 1);
    if (record->combines)
        say(visit, ATTRIBUTE_COMBINES, 1);
}

/* Fill in the message; a message received under a request is put where the request is waited for. */
static void fill_message(struct copying *self, struct region_visit *visit, const struct record *record)
{
    bool ends_receive = record->kind == RECORD_WAIT && record->peer >= 0;
    int group_rank = record->peer >= 0 ? copy_group_rank(self, record->group, record->peer) : -1;
    if (record->synchronous)
        visit->region += REGION_SSEND - REGION_SEND;
    if (ends_receive)
        visit->message = MESSAGE_TAKEN_IN;
    visit->from_any = record->from_any;
    bool sends = record->kind == RECORD_SEND || record->kind == RECORD_ISEND;
    visit->at_ps = sends && self->is_alone ? record->start_ps : record->end_ps;
    visit->request = record->request;
    visit->bytes = record->bytes;
    visit->tag = record->tag;
    visit->comm = group_rank >= 0 ? record->group : 0;
    visit->peer = group_rank >= 0 ? group_rank : record->peer;
}

void copy_visit(struct copying *self, const struct record *record, bool is_inside)
{
    struct region_visit visit = {.start_ps = record->start_ps,
                                 .end_ps = record->end_ps,
                                 .region = ways[record->kind].region,
                                 .scope_region = -1,
                                 .role = ways[record->kind].role,
                                 .message = ways[record->kind].message,
                                 .attributes = {N_ATTRIBUTES, N_ATTRIBUTES}};
    if (record->kind == RECORD_COMPUTE && record->control) {
        visit.region = REGION_CONTROL;
        visit.role = STATE_CONTROL;
    } else if (record->kind == RECORD_COMPUTE && record->of_messages) {
        visit.region = REGION_MESSAGES;
        visit.role = VISIT_MESSAGES;
    } else if (record->kind == RECORD_SLEEP && record->peer < 0) {
        visit.role = copy_sleep_roles[record->sleep];
    } else if (record->kind == RECORD_CALL) {
        visit.region = calls[record->call].region;
        visit.role = calls[record->call].role;
    }
    say_all(&visit, record);
    if (self->is_alone)
        say_price(&visit, record);
    if (visit.message != MESSAGE_NONE)
        fill_message(self, &visit, record);
    if (is_inside)
        visit.region = -1;
    visit_write(self->output, &visit);
}
