/* Intervals out of what the ranks did: each begins where the rank's last one ended.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/internal.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "interval/call_paths.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t account_scope(const struct location *location)
{
    return location->n_scopes > 0 ? location->scopes[location->n_scopes - 1] : 1;
}

/* The path of the location: as its record says, or by the scopes that it is in; within it the library's function. */
static uint32_t path_of(const struct analysis *analysis, const struct location *location)
{
    uint32_t path = location->given_path;
    if (path == 0 && location->n_scopes > 0)
        path = location->paths[location->n_scopes - 1];
    if (path == 0 || location->function == 0 || location->status == LOCATION_DONE)
        return location->status == LOCATION_DONE ? 0 : path;
    return call_paths_within(analysis->paths, path, analysis->function_names[location->function]);
}

static void emit(const struct analysis *analysis, const struct interval *interval)
{
    for (int i = 0; i < analysis->n_sinks; i++)
        analysis->sinks[i].take(analysis->sinks[i].self, interval);
}

/* Emit the rank's next interval. */
static void add_interval(struct analysis *analysis, int rank, int64_t end_ps, struct interval interval)
{
    struct location *location = &analysis->locations[rank];
    int64_t work_ps[N_WORK_COMPONENTS] = {[WORK_CPU] = end_ps - location->now_ps};
    assert(end_ps >= location->now_ps);
    if (end_ps == location->now_ps && interval.cause == CAUSE_SELF && !interval.is_message && !interval.is_receipt &&
        !interval.is_collective && !interval.is_checkpoint && interval.operations == 0 && interval.quantums == 0 &&
        interval.iteration == ITERATION_NONE && location->n_calls == 0)
        return;
    interval.location = rank;
    interval.function = location->function;
    interval.site = location->site;
    interval.path = analysis->paths == NULL ? 0 : path_of(analysis, location);
    interval.n_calls = location->n_calls;
    location->n_calls = 0;
    interval.start_ps = location->now_ps;
    interval.end_ps = end_ps;
    interval.scope = location->status == LOCATION_DONE ? 0 : account_scope(location);
    if (interval.kind == INTERVAL_COMPUTE)
        interval.work_ps = work_ps;
    location->now_ps = end_ps;
    emit(analysis, &interval);
}

/* --- waiting for a processor --- */

static void end_waiting(struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    add_interval(analysis, rank, record->end_ps,
                 (struct interval){.peer = record->peer,
                                   .origin_ps = record->end_ps,
                                   .state = STATE_IDLE,
                                   .kind = INTERVAL_WAIT_CPU,
                                   .wait = WAIT_PROCESSOR,
                                   .awaited = record->peer,
                                   .cause = CAUSE_PEER});
}

/* Let those go on that wait for what the rank did up to now; one that waited for an earlier moment gets a wait of its
 * own. */
static void release_waiters(struct analysis *analysis, int rank)
{
    int64_t now_ps = analysis->locations[rank].now_ps;
    int *link = &analysis->locations[rank].first_waiter;
    while (*link >= 0) {
        int waiter = *link;
        struct location *location = &analysis->locations[waiter];
        if (location->record.end_ps > now_ps) {
            link = &location->next_waiter;
            continue;
        }
        *link = location->next_waiter;
        if (location->record.end_ps == now_ps)
            end_waiting(analysis, waiter);
        analysis_wake(analysis, waiter);
    }
}

int account_processor(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    const struct record *record = &location->record;
    if (record->sleep != SLEEP_PROCESSOR || record->peer < 0 || record->peer >= analysis->n_ranks ||
        record->peer == rank)
        return 1;
    struct location *other = &analysis->locations[record->peer];
    if (other->now_ps == record->end_ps)
        end_waiting(analysis, rank);
    if (other->now_ps >= record->end_ps || other->status == LOCATION_DONE)
        return 1;
    location->next_waiter = other->first_waiter;
    other->first_waiter = rank;
    return 0;
}

void account(struct analysis *analysis, int rank, int64_t end_ps, struct interval interval)
{
    add_interval(analysis, rank, end_ps, interval);
    if (analysis->locations[rank].first_waiter >= 0)
        release_waiters(analysis, rank);
}

void account_checkpoint(struct analysis *analysis, int rank, uint32_t checkpoint, int peer)
{
    account(analysis, rank, analysis->locations[rank].now_ps,
            (struct interval){.state = STATE_SEND,
                              .kind = INTERVAL_COMMUNICATE,
                              .peer = peer,
                              .message = checkpoint,
                              .is_checkpoint = 1});
}

void account_wait(struct analysis *analysis, int rank, int64_t end_ps, struct interval interval)
{
    int64_t now_ps = analysis->locations[rank].now_ps;
    if (end_ps <= now_ps)
        return;
    uint32_t checkpoint = message_new(analysis);
    account_checkpoint(analysis, rank, checkpoint, -1);
    interval.state = STATE_IDLE;
    interval.cause = CAUSE_CHECKPOINT;
    interval.message = checkpoint;
    interval.origin_ps = now_ps;
    account(analysis, rank, end_ps, interval);
    message_free(analysis, checkpoint);
}

void account_sleep(struct analysis *analysis, int rank)
{
    static const uint8_t waits[N_RECORD_SLEEPS] = {[SLEEP_IDLE] = WAIT_OTHER,
                                                   [SLEEP_PROCESSOR] = WAIT_PROCESSOR,
                                                   [SLEEP_FOREIGN] = WAIT_FOREIGN,
                                                   [SLEEP_ASLEEP] = WAIT_SLEEP,
                                                   [SLEEP_OFF] = WAIT_OFF,
                                                   [SLEEP_LAUNCH] = WAIT_LAUNCH,
                                                   [SLEEP_UNRECORDED] = WAIT_UNRECORDED,
                                                   [SLEEP_SERIAL] = WAIT_SERIAL,
                                                   [SLEEP_TEAM] = WAIT_TEAM,
                                                   [SLEEP_LOCK] = WAIT_THREAD_LOCK};
    struct location *location = &analysis->locations[rank];
    if (location->asleep_ps <= location->now_ps)
        return;
    location->scopes =
        xgrow(location->scopes, location->n_scopes, &location->scopes_capacity, sizeof *location->scopes);
    location->paths = xgrow(location->paths, location->n_scopes, &location->paths_capacity, sizeof *location->paths);
    location->paths[location->n_scopes] = location->asleep_path;
    location->scopes[location->n_scopes++] = location->asleep_scope;
    account_wait(
        analysis, rank, location->asleep_ps,
        (struct interval){.peer = -1, .awaited = -1, .kind = INTERVAL_WAIT_CPU, .wait = waits[location->asleep_for]});
    location->n_scopes--;
}

/* --- records of which nothing depends on others --- */

/* Add what a trace says, which may be nonsense. */
static void add_count(int64_t *sum, int64_t count)
{
    if (count > 0 && __builtin_add_overflow(*sum, count, sum))
        *sum = INT64_MAX;
}

void account_compute(struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    struct interval interval = {.peer = -1,
                                .operations = record->operations > 0 ? record->operations : 0,
                                .quantums = record->quantums > 0 ? record->quantums : 0,
                                .state = record->control ? STATE_CONTROL : STATE_USEFUL,
                                .kind = INTERVAL_COMPUTE};
    if (record->of_messages) {
        interval.state = STATE_SEND;
        interval.kind = INTERVAL_COMMUNICATE;
    }
    add_count(record->of_messages ? &analysis->stats.message_quantums : &analysis->stats.quantums, record->quantums);
    account(analysis, rank, record->end_ps, interval);
}

/* Files that the sequential program has too are useful. Calls of the library that move data, and of which nothing more
 * is known, count as sending: probing, one-sided communication. */
struct interval account_call_interval(const struct record *record)
{
    static const struct {
        uint8_t state, kind;
    } calls[] = {
        [RECORD_CALL_OTHER] = {STATE_SEND, INTERVAL_COMMUNICATE},
        [RECORD_CALL_LIBRARY] = {STATE_LIBRARY, INTERVAL_COMMUNICATE},
        [RECORD_CALL_START] = {STATE_LIBRARY, INTERVAL_COMMUNICATE},
        [RECORD_CALL_READ] = {STATE_IO, INTERVAL_INPUT},
        [RECORD_CALL_WRITE] = {STATE_IO, INTERVAL_OUTPUT},
        [RECORD_CALL_INPUT] = {STATE_USEFUL, INTERVAL_INPUT},
        [RECORD_CALL_OUTPUT] = {STATE_USEFUL, INTERVAL_OUTPUT},
        [RECORD_CALL_SEND] = {STATE_SEND, INTERVAL_COMMUNICATE},
        [RECORD_CALL_RECEIVE] = {STATE_RECEIVE, INTERVAL_COMMUNICATE},
        [RECORD_CALL_CONTROL] = {STATE_CONTROL, INTERVAL_COMMUNICATE},
        [RECORD_CALL_POLL] = {STATE_SEND, INTERVAL_COMMUNICATE},
        [RECORD_CALL_WAIT] = {STATE_SEND, INTERVAL_COMMUNICATE},
        [RECORD_CALL_CUT] = {STATE_SEND, INTERVAL_COMMUNICATE},
    };
    uint8_t kind = calls[record->call].kind;
    return (struct interval){.peer = -1,
                             .bytes = kind == INTERVAL_COMMUNICATE ? 0 : record->bytes,
                             .state = calls[record->call].state,
                             .call = record->call == RECORD_CALL_START ? CALL_START : CALL_PLAIN,
                             .kind = kind};
}

void account_call(struct analysis *analysis, int rank)
{
    const struct record *record = &analysis->locations[rank].record;
    if (record->request != 0)
        collective_start(analysis, rank);
    if (record->call == RECORD_CALL_CUT)
        analysis_count_unfinished(analysis, rank, record->peer, record->what);
    if (record->call == RECORD_CALL_CUT || record->call == RECORD_CALL_POLL || record->call == RECORD_CALL_WAIT) {
        bool names_rank = record->call == RECORD_CALL_CUT && record->peer >= 0 && record->peer < analysis->n_ranks;
        uint8_t wait = names_rank ? WAIT_NEVER : record->call == RECORD_CALL_POLL ? WAIT_IN_VAIN : WAIT_OTHER;
        account_wait(
            analysis, rank, record->end_ps,
            (struct interval){
                .peer = -1, .awaited = names_rank ? record->peer : -1, .kind = INTERVAL_COMMUNICATE, .wait = wait});
    }
    struct interval interval = account_call_interval(record);
    if (analysis_is_stream(analysis, rank)) /* what it copies, which no message does */
        interval.bytes = record->bytes;
    account(analysis, rank, record->end_ps, interval);
}

/* --- scopes --- */

enum { SCOPE_END, SCOPE_PROGRAM, FIRST_SCOPE, OTHER_SCOPES = UINT8_MAX, NAME_LENGTH = 36 };

static int find_name(const struct analysis_scopes *scopes, const char *text)
{
    for (int i = SCOPE_PROGRAM; i < scopes->count; i++)
        if (strcmp(scopes->texts[i], text) == 0)
            return i;
    return scopes->count;
}

void analysis_scopes_init(struct analysis_scopes *scopes, const struct record_info *info)
{
    size_t most = info->n_scopes < OTHER_SCOPES ? (size_t)info->n_scopes + FIRST_SCOPE : OTHER_SCOPES + 1;
    scopes->repeats = NULL;
    scopes->texts = xcalloc(most, sizeof *scopes->texts);
    scopes->names = xcalloc(most, sizeof *scopes->names);
    scopes->scope_of = xcalloc((size_t)info->n_scopes + 1, sizeof *scopes->scope_of);
    scopes->count = FIRST_SCOPE;
    strcpy(scopes->texts[SCOPE_PROGRAM], "program");
    for (int i = 0; i < info->n_scopes; i++) {
        char text[NAME_LENGTH + 1];
        utf8_copy(text, sizeof text, info->scopes[i]); /* as much of it as reports have room for */
        if (scopes->count >= OTHER_SCOPES)
            strcpy(text, "other scopes");
        int found = text[0] == '\0' ? SCOPE_PROGRAM : find_name(scopes, text);
        scopes->scope_of[i] = (uint8_t)found;
        if (found == scopes->count)
            strcpy(scopes->texts[scopes->count++], text);
    }
    for (int i = 0; i < scopes->count; i++)
        scopes->names[i] = scopes->texts[i];
    scopes->nests = xcalloc((size_t)scopes->count * (size_t)scopes->count, sizeof *scopes->nests);
}

void analysis_scopes_dispose(struct analysis_scopes *scopes)
{
    free(scopes->names);
    free(scopes->texts);
    free(scopes->scope_of);
    free(scopes->nests);
}
