/* Makes visits of intervals: of messages and requests, of waiting for them, and of all other time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/interval_visits.h"

#include "base/memory.h"
#include "trace/record/call.h"
#include "trace/record/requests.h"

#include <stdlib.h>

/* The state of a location: what it is doing. */
struct visit_maker {
    struct call call;
    struct requests requests;
    struct request awaited; /* of the receive it waits for */
    bool waits_receive;
    struct request *sends; /* that it waits for */
    size_t n_sends, capacity;
    int64_t waits_ps; /* since when */
    uint8_t waits_scope;
};

/* --- regions --- */

static int region_of_category(int category, int operation)
{
    return N_REGIONS + (category - 1) * N_OPERATIONS + operation;
}

static void number_scopes(struct interval_visits *self)
{
    const struct interval_setup *setup = self->setup;
    int next = setup->has_categories ? region_of_category(N_CATEGORIES, 0) : N_REGIONS;
    self->scope_regions = xcalloc((size_t)setup->n_scopes, sizeof *self->scope_regions);
    for (int i = 0; i < setup->n_scopes; i++)
        self->scope_regions[i] = setup->scopes[i][0] != '\0' ? next++ : -1;
}

/* "Comp", "Extra/page" */
static void define_categories(struct archive_output *archive)
{
    for (int c = CATEGORY_COMP; c < N_CATEGORIES; c++)
        for (int o = 0; o < N_OPERATIONS; o++) {
            const char *slash = o != OPERATION_NONE ? "/" : "",
                       *operation = o != OPERATION_NONE ? operation_names[o] : "";
            char *name = xformat("%s%s%s", category_names[c], slash, operation);
            archive_define_region(archive, region_of_category(c, o), name, OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER);
            free(name);
        }
}

void interval_visits_define(const struct interval_visits *self, struct archive_output *archive)
{
    const struct interval_setup *setup = self->setup;
    if (setup->has_categories)
        define_categories(archive);
    for (int i = 0; i < setup->n_scopes; i++)
        if (self->scope_regions[i] >= 0)
            archive_define_region(archive, self->scope_regions[i], setup->scopes[i], OTF2_REGION_ROLE_CODE,
                                  OTF2_PARADIGM_USER);
}

static void add_visit(struct interval_visits *self, int location, const struct region_visit *visit)
{
    uint64_t words[VISIT_WORDS];
    size_t bytes = visit_pack(words, visit);
    sorter_add(self->sorter, location, 0, words, bytes);
}

/* --- calls --- */

static enum visit_region region_of_send(const struct interval *interval)
{
    bool synchronous = (interval->call & CALL_SYNCHRONOUS) != 0;
    if (interval->call & CALL_BEGUN)
        return synchronous ? REGION_ISSEND : REGION_ISEND;
    return synchronous ? REGION_SSEND : REGION_SEND;
}

static enum visit_region region_of_call(const struct visit_maker *maker, const struct interval *last)
{
    if (last->is_message)
        return region_of_send(last);
    if (last->is_receipt)
        return maker->waits_receive ? REGION_WAIT : REGION_RECV;
    return maker->call.state == STATE_IDLE ? REGION_IDLE : REGION_WAIT;
}

/* True if a call says how much of it was waiting. Where nothing is said, it is found out by when the other rank
 * came. */
static bool says_idle(const struct call *call, enum visit_region region)
{
    return region != REGION_IDLE &&
           (call->waited || call->idle_ps > 0 || region == REGION_SSEND || region == REGION_ISSEND);
}

static void fill_message(struct visit_maker *maker, struct region_visit *visit, const struct interval *last)
{
    if (last->call & (CALL_EXCHANGES | CALL_COMBINES))
        visit->attributes[1] = last->call & CALL_EXCHANGES ? ATTRIBUTE_EXCHANGES : ATTRIBUTE_COMBINES;
    visit->at_ps = last->is_message ? last->start_ps : last->end_ps;
    visit->bytes = last->bytes;
    visit->peer = last->peer;
    visit->tag = last->tag;
    if (last->is_message && (last->call & CALL_BEGUN)) {
        visit->message = MESSAGE_BEGUN;
        visit->request = requests_begin(&maker->requests, last->request, false, last->tag == -1);
    } else if (last->is_message) {
        visit->message = MESSAGE_SENT;
    } else {
        visit->message = maker->waits_receive ? MESSAGE_TAKEN_IN : MESSAGE_RECEIVED;
        visit->request = maker->awaited.id;
        maker->waits_receive = false;
    }
}

/* The location's call went no further: it waited, and then sent or received what is not there. */
static void add_unended(struct interval_visits *self, int number)
{
    struct call *call = &self->makers[number].call;
    int64_t waited_ps = call->start_ps + call->idle_ps;
    struct region_visit visit = {.start_ps = call->start_ps,
                                 .end_ps = waited_ps,
                                 .attributes = {N_ATTRIBUTES, N_ATTRIBUTES},
                                 .region = REGION_IDLE,
                                 .scope_region = self->scope_regions[call->scope],
                                 .role = STATE_IDLE};
    call->open = false;
    if (waited_ps > call->start_ps)
        add_visit(self, number, &visit);
    visit.start_ps = waited_ps;
    visit.end_ps = call->end_ps;
    visit.region = REGION_WAIT;
    visit.role = call->state;
    if (visit.end_ps > visit.start_ps)
        add_visit(self, number, &visit);
}

/* The location's call is over, ended by the interval `last`. */
static void add_call(struct interval_visits *self, int number, const struct interval *last)
{
    struct visit_maker *maker = &self->makers[number];
    const struct call *call = &maker->call;
    enum visit_region region = region_of_call(maker, last);
    struct region_visit visit = {.start_ps = call->start_ps,
                                 .end_ps = call->end_ps,
                                 .numbers = {call->idle_ps},
                                 .attributes = {says_idle(call, region) ? ATTRIBUTE_IDLE : N_ATTRIBUTES, N_ATTRIBUTES},
                                 .region = (int32_t)region,
                                 .scope_region = self->scope_regions[call->scope],
                                 .role = region == REGION_IDLE ? STATE_IDLE : N_LOCATION_STATES};
    if (last->is_message || last->is_receipt)
        fill_message(maker, &visit, last);
    add_visit(self, number, &visit);
    maker->call.open = false;
}

/* A call that takes no time and is only about a request. */
static void add_request(struct interval_visits *self, int number, int64_t start_ps, int64_t end_ps, int scope,
                        enum visit_message message, uint64_t request)
{
    const struct region_visit visit = {
        .start_ps = start_ps,
        .end_ps = end_ps,
        .at_ps = end_ps,
        .attributes = {message == MESSAGE_ENDED ? ATTRIBUTE_IDLE : N_ATTRIBUTES, N_ATTRIBUTES},
        .region = message == MESSAGE_ENDED ? REGION_WAIT : REGION_IRECV,
        .scope_region = self->scope_regions[scope],
        .role = N_LOCATION_STATES,
        .message = (uint8_t)message,
        .request = request};
    add_visit(self, number, &visit);
}

/* The location has waited for its sends until end_ps: for the first of them, then the others are complete too. */
static void end_sends(struct interval_visits *self, int number, int64_t end_ps)
{
    struct visit_maker *maker = &self->makers[number];
    for (size_t i = 0; i < maker->n_sends; i++)
        add_request(self, number, i == 0 ? maker->waits_ps : end_ps, end_ps, maker->waits_scope, MESSAGE_ENDED,
                    maker->sends[i].id);
    maker->n_sends = 0;
}

static void add_awaited_send(struct visit_maker *maker, const struct request *request)
{
    maker->sends = xgrow(maker->sends, maker->n_sends, &maker->capacity, sizeof *maker->sends);
    maker->sends[maker->n_sends++] = *request;
}

/* A number that is not pending means nothing, to the kernel too. */
static void begin_wait(struct visit_maker *maker, const struct interval *interval)
{
    struct request request;
    maker->waits_ps = interval->start_ps;
    maker->waits_scope = interval->scope;
    bool receives = interval->state == STATE_RECEIVE, collective = interval->tag == -1;
    if (interval->request == 0 && !receives) {
        while (requests_end_send(&maker->requests, &request, collective))
            add_awaited_send(maker, &request);
        return;
    }
    if (!requests_end(&maker->requests, &request, receives ? interval->message : interval->request, receives,
                      collective))
        return;
    if (!request.receives)
        add_awaited_send(maker, &request);
    else
        maker->awaited = request;
    maker->waits_receive = request.receives;
}

/* Intervals of enum interval_call that are no messages: whether this is one. */
static bool take_request(struct interval_visits *self, const struct interval *interval)
{
    struct visit_maker *maker = &self->makers[interval->location];
    if (interval->call & CALL_WAITED && maker->n_sends > 0) {
        end_sends(self, interval->location, interval->end_ps);
        return true;
    }
    end_sends(self, interval->location, maker->waits_ps);
    if (interval->call & CALL_WAITS)
        begin_wait(maker, interval);
    else if (interval->call & CALL_BEGUN && !interval->is_message)
        add_request(self, interval->location, interval->start_ps, interval->start_ps, interval->scope, MESSAGE_POSTED,
                    requests_begin(&maker->requests, interval->message, true, interval->tag == -1));
    else
        return false;
    return true;
}

/* --- all other time --- */

static int region_of_state(const struct interval *interval)
{
    static const int of_state[N_LOCATION_STATES] = {
        [STATE_USEFUL] = REGION_USEFUL, [STATE_CONTROL] = REGION_CONTROL, [STATE_SEND] = REGION_WAIT,
        [STATE_RECEIVE] = REGION_WAIT,  [STATE_LIBRARY] = REGION_LIBRARY, [STATE_IDLE] = REGION_IDLE,
    };
    if (interval->category != CATEGORY_NONE)
        return region_of_category(interval->category, interval->operation);
    if (interval->state == STATE_LIBRARY && (interval->call & CALL_START))
        return REGION_START;
    if (interval->state == STATE_IO)
        return interval->kind == INTERVAL_INPUT ? REGION_READ : REGION_WRITE;
    if (interval->call & CALL_COLLECTIVE)
        return REGION_COLLECTIVE_CALL;
    if (interval->kind == INTERVAL_INPUT || interval->kind == INTERVAL_OUTPUT)
        return interval->kind == INTERVAL_INPUT ? REGION_INPUT : REGION_OUTPUT;
    if (interval->kind == INTERVAL_COMMUNICATE && interval->state == STATE_CONTROL)
        return REGION_LINKS;
    return of_state[interval->state];
}

/* The attribute to be given on Leave, with its `number`; N_ATTRIBUTES if there is none. */
static enum visit_attribute attribute_of(const struct interval *interval, int64_t *number)
{
    if (interval->kind == INTERVAL_WAIT_CPU && interval->cause == CAUSE_PEER) {
        *number = interval->peer;
        return ATTRIBUTE_PEER;
    }
    bool is_io = interval->kind == INTERVAL_INPUT || interval->kind == INTERVAL_OUTPUT;
    *number = is_io ? interval->bytes : interval->operations;
    return *number == 0 ? N_ATTRIBUTES : is_io ? ATTRIBUTE_BYTES : ATTRIBUTE_OPERATIONS;
}

static void add_state(struct interval_visits *self, const struct interval *interval)
{
    int64_t number;
    enum visit_attribute attribute = attribute_of(interval, &number);
    const struct region_visit visit = {.start_ps = interval->start_ps,
                                       .end_ps = interval->end_ps,
                                       .numbers = {number},
                                       .attributes = {(uint8_t)attribute, N_ATTRIBUTES},
                                       .region = region_of_state(interval),
                                       .scope_region = self->scope_regions[interval->scope],
                                       .role = interval->wait == WAIT_SLEEP ? VISIT_ASLEEP : interval->state};
    if (interval->start_ps < interval->end_ps || interval->operations > 0)
        add_visit(self, interval->location, &visit);
}

/* --- the intervals of a run --- */

void interval_visits_init(struct interval_visits *self, const char *file)
{
    *self = (struct interval_visits){.sorter = sorter_new(file)};
}

void interval_visits_begin(struct interval_visits *self, const struct interval_setup *setup)
{
    self->setup = setup;
    number_scopes(self);
    self->makers = xcalloc((size_t)setup->n_locations, sizeof *self->makers);
}

void interval_visits_add(struct interval_visits *self, const struct interval *interval)
{
    struct call *call = &self->makers[interval->location].call;
    bool is_mark = call_is_mark(interval);
    if (is_mark && interval->call == CALL_PLAIN)
        return;
    if (call->open && (is_mark || !call_takes(call, interval)))
        add_unended(self, interval->location);
    if (take_request(self, interval))
        return;
    if (!call_takes(call, interval))
        add_state(self, interval);
    else if (call_add(call, interval))
        add_call(self, interval->location, interval);
}

void interval_visits_end(struct interval_visits *self)
{
    for (int i = 0; i < self->setup->n_locations; i++) {
        if (self->makers[i].call.open)
            add_unended(self, i);
        end_sends(self, i, self->makers[i].waits_ps);
    }
}

void interval_visits_dispose(struct interval_visits *self)
{
    for (int i = 0; self->setup != NULL && i < self->setup->n_locations; i++) {
        requests_dispose(&self->makers[i].requests);
        free(self->makers[i].sends);
    }
    sorter_free(self->sorter);
    free(self->scope_regions);
    free(self->makers);
}
