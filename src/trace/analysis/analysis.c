/* Merges the ranks' records in time order. A rank stalls at a receive or collective whose partner has not started, and
 * resumes when it has. So memory holds what is under way, and what a rank waited for is known when its wait is
 * accounted for, whatever the clocks say.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/analysis/internal.h"

#include "base/memory.h"
#include "base/range.h"
#include "base/units.h"
#include "interval/intern.h"
#include "trace/analysis/repeats.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int analysis_fail(struct analysis *analysis, int rank, const char *format, ...)
{
    char text[512], thread[32] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (rank >= analysis->n_ranks)
        snprintf(thread, sizeof thread, " (thread %d)", rank / analysis->n_ranks);
    return sim_error_set(analysis->error, SIM_BAD_INPUT, analysis->file, 0, "rank %d%s, %.9f s: %s",
                         analysis_rank_of(analysis, rank), thread,
                         units_seconds(analysis->locations[rank].record.start_ps), text);
}

/* --- which rank is next --- */

static void push(struct analysis *analysis, int rank)
{
    heap_push(&analysis->ready,
              (struct heap_entry){.key = analysis->locations[rank].record.start_ps, .item = (uint32_t)rank});
}

void analysis_wake(struct analysis *analysis, int rank)
{
    analysis->locations[rank].status = LOCATION_READY;
    push(analysis, rank);
}

/* --- records --- */

/* A rank's time before its first record is waiting for its start, that between records is computation. */
static void fill_gap(struct analysis *analysis, int rank, bool first)
{
    int64_t start_ps = analysis->locations[rank].record.start_ps;
    if (first)
        account_wait(analysis, rank, start_ps,
                     (struct interval){.peer = -1, .awaited = -1, .kind = INTERVAL_WAIT_CPU, .wait = WAIT_START});
    else
        account(analysis, rank, start_ps,
                (struct interval){.peer = -1, .state = STATE_USEFUL, .kind = INTERVAL_COMPUTE});
}

/* The further waits of a call, with which the record is one. */
static int load_parts(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    struct record part = location->record;
    location->n_parts = 0;
    for (;;) {
        location->parts = xgrow(location->parts, location->n_parts, &location->parts_capacity, sizeof *location->parts);
        location->parts[location->n_parts++] = (struct wait_part){.record = part};
        if (!part.goes_on)
            return 1;
        int64_t last_ps = part.end_ps;
        part = (struct record){.idle_ps = -1};
        int status = record_next(analysis->reader, rank, &part, analysis->error);
        if (status < 0)
            return -1;
        if (status == 0 || part.kind != RECORD_WAIT || part.start_ps < last_ps || part.end_ps < part.start_ps ||
            part.end_ps > PS_MAX)
            return analysis_fail(analysis, rank, "waits for several requests at once, of which one is no wait");
        location->record.end_ps = part.end_ps;
        analysis->stats.records++;
    }
}

/* Read the rank's next record; 1, 0 after its last, -1 with an error. */
static int load(struct analysis *analysis, int rank, bool first)
{
    struct location *location = &analysis->locations[rank];
    struct record record = {.idle_ps = -1};
    int status = record_next(analysis->reader, rank, &record, analysis->error);
    if (status < 0)
        return -1;
    if (status == 0) {
        location->status = LOCATION_DONE;
        return 0;
    }
    wide_int bytes = record.bytes;
    if (record.kind == RECORD_COLLECTIVE && record.blocks != NULL && record.group >= 0 &&
        record.group < analysis->reader->info.n_groups) {
        bytes = 0;
        for (int i = 0; i < analysis->reader->info.groups[record.group].n_members; i++)
            bytes += record.blocks[i];
        record.bytes = bytes < 0 ? 0 : bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
    }
    record.blocks = NULL; /* it is good only until the next call */
    location->record = record;
    location->begun = location->forced = false;
    if (record.start_ps < location->now_ps || record.start_ps < location->asleep_ps ||
        record.end_ps < record.start_ps || record.end_ps > PS_MAX)
        return analysis_fail(analysis, rank, "what begins here ends at %.9f s, and what was before it at %.9f s",
                             units_seconds(record.end_ps), units_seconds(location->now_ps));
    analysis->stats.records++;
    if (record.kind != RECORD_LEAVE || record.end_ps > location->asleep_ps)
        account_sleep(analysis, rank);
    if (location->asleep_ps <= location->now_ps)
        fill_gap(analysis, rank, first);
    return record.kind == RECORD_WAIT ? load_parts(analysis, rank) : 1;
}

/* True if the rank is in the message library during the record. */
static bool is_call(const struct record *record)
{
    switch ((enum record_kind)record->kind) {
    case RECORD_COMPUTE:
    case RECORD_SLEEP:
    case RECORD_ENTER:
    case RECORD_LEAVE:
    case RECORD_SIGNAL:
    case RECORD_AWAIT:
        return false;
    case RECORD_CALL:
        return record->call < RECORD_CALL_READ || record->call > RECORD_CALL_OUTPUT;
    default:
        return true;
    }
}

static int enter_scope(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    if (location->record.scope >= analysis->reader->info.n_scopes)
        return analysis_fail(analysis, rank, "enters the unknown scope %d", location->record.scope);
    location->scopes =
        xgrow(location->scopes, location->n_scopes, &location->scopes_capacity, sizeof *location->scopes);
    uint8_t parent = account_scope(location), scope = analysis->scopes->scope_of[location->record.scope];
    analysis->scopes->nests[scope * analysis->scopes->count + parent] = true;
    location->paths = xgrow(location->paths, location->n_scopes, &location->paths_capacity, sizeof *location->paths);
    uint32_t outer = location->n_scopes > 0 ? location->paths[location->n_scopes - 1] : 0;
    location->paths[location->n_scopes] =
        analysis->paths == NULL || analysis->scope_names[location->record.scope][0] == '\0'
            ? outer
            : call_paths_within(analysis->paths, outer, analysis->scope_names[location->record.scope]);
    location->scopes[location->n_scopes++] = scope;
    return 1;
}

/* Begin the record: what it does to others and needs of them. 1, 0 if it has to wait for them, -1. */
static int begin(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    if (is_call(&location->record))
        messages_notice(analysis, rank);
    switch ((enum record_kind)location->record.kind) {
    case RECORD_PROBE:
    case RECORD_SEND:
    case RECORD_RECV:
    case RECORD_ISEND:
    case RECORD_IRECV:
    case RECORD_WAIT:
        return message_begin(analysis, rank);
    case RECORD_COLLECTIVE:
        return collective_begin(analysis, rank);
    case RECORD_SLEEP:
        return account_processor(analysis, rank);
    case RECORD_ENTER:
        return enter_scope(analysis, rank);
    case RECORD_SIGNAL:
        marks_signal(analysis, rank);
        return 1;
    case RECORD_AWAIT:
        return marks_are_named(analysis, rank);
    case RECORD_LEAVE:
        if (location->n_scopes == 0)
            return analysis_fail(analysis, rank, "leaves a scope without being in one");
        location->n_scopes--;
        return 1;
    default:
        return 1;
    }
}

/* The rank sleeps until the end of its record; the scope and path of that time are those that it is in. */
static void fall_asleep(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    if (location->record.sleep == SLEEP_UNRECORDED)
        unrecorded_forget(analysis, rank, location->record.end_ps);
    location->asleep_ps = location->record.end_ps;
    location->asleep_scope = account_scope(location);
    location->asleep_path = location->given_path != 0 ? location->given_path
                            : location->n_scopes > 0  ? location->paths[location->n_scopes - 1]
                                                      : 0;
    location->asleep_for = location->record.sleep;
}

/* Mark the beginning or the end of an iteration. */
static void mark_iteration(struct analysis *analysis, int rank, uint8_t iteration)
{
    account(analysis, rank, analysis->locations[rank].now_ps,
            (struct interval){.peer = -1, .state = STATE_USEFUL, .kind = INTERVAL_COMPUTE, .iteration = iteration});
}

static void finish(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    if (analysis->scopes->repeats != NULL) {
        uint8_t iteration = repeats_meet(analysis->scopes->repeats, rank, &location->record);
        if (iteration != ITERATION_NONE)
            mark_iteration(analysis, rank, iteration);
    }
    if (is_call(&location->record))
        location->left_ps = location->record.end_ps;
    location->function = location->record.function;
    location->site = location->record.site;
    location->given_path = location->record.path;
    location->n_calls = location->record.n_calls;
    switch ((enum record_kind)location->record.kind) {
    case RECORD_COMPUTE:
        account_compute(analysis, rank);
        break;
    case RECORD_SLEEP:
        fall_asleep(analysis, rank);
        break;
    case RECORD_COLLECTIVE:
        collective_finish(analysis, rank);
        break;
    case RECORD_CALL:
        account_call(analysis, rank);
        break;
    case RECORD_ENTER:
    case RECORD_LEAVE:
    case RECORD_SIGNAL:
        if (location->asleep_ps <= location->now_ps)
            account(analysis, rank, location->record.end_ps,
                    (struct interval){.peer = -1, .state = STATE_USEFUL, .kind = INTERVAL_COMPUTE});
        break;
    case RECORD_AWAIT:
        marks_finish(analysis, rank);
        break;
    default:
        message_finish(analysis, rank);
        break;
    }
    location->function = 0;
    location->site = location->given_path = 0;
    location->n_calls = 0;
}

/* Let the rank go on; it is asked for again after every record. */
static int step(struct analysis *analysis, int rank)
{
    struct location *location = &analysis->locations[rank];
    if (!location->begun) {
        int ready = begin(analysis, rank);
        if (ready < 0)
            return -1;
        location->begun = true;
        if (ready == 0) {
            location->status = LOCATION_STALLED;
            return 0;
        }
    }
    if (location->status != LOCATION_HELD && message_is_held(analysis, rank)) {
        location->status = LOCATION_HELD;
        heap_push(&analysis->ready, (struct heap_entry){.key = location->record.end_ps, .item = (uint32_t)rank});
        return 0;
    }
    location->status = LOCATION_READY;
    finish(analysis, rank);
    int status = load(analysis, rank, false);
    if (status == 1)
        push(analysis, rank);
    return status < 0 ? -1 : 0;
}

/* --- the whole --- */

static int go_through(struct analysis *analysis)
{
    for (int rank = 0; rank < analysis->n_locations; rank++)
        analysis->locations[rank].first_waiter = -1, analysis->locations[rank].unready = MAP_NOTHING;
    for (int rank = 0; rank < analysis->n_locations; rank++) {
        int status = load(analysis, rank, true);
        if (status < 0)
            return -1;
        if (status == 1)
            push(analysis, rank);
    }
    do {
        while (analysis->ready.count > 0)
            if (step(analysis, (int)heap_pop(&analysis->ready).item) != 0)
                return -1;
        if (analysis_resolve(analysis) != 0)
            return -1;
    } while (analysis->ready.count > 0);
    return 0;
}

static void count_silent(struct analysis *analysis, int64_t end_ps)
{
    struct analysis_stats *stats = &analysis->stats;
    for (int rank = 0; rank < analysis->n_locations; rank++) {
        const struct location *location = &analysis->locations[rank];
        int64_t last_ps = int64_max(location->now_ps, location->asleep_ps);
        if (end_ps - last_ps <= end_ps / 1000)
            continue;
        if (stats->n_silent++ > 0 && last_ps >= stats->silent_ps)
            continue;
        stats->silent_rank = rank;
        stats->silent_ps = last_ps;
    }
}

/* The rest of the run after a rank's end is idle. So is a sleep of which nothing is said, unless the run ends with it:
 * then the run's end waited for that sleep. */
static void finish_locations(struct analysis *analysis)
{
    int64_t busy_ps = 0, end_ps = 0;
    for (int rank = 0; rank < analysis->n_locations; rank++) {
        if (analysis->locations[rank].asleep_for != SLEEP_IDLE)
            account_sleep(analysis, rank);
        busy_ps = int64_max(busy_ps, analysis->locations[rank].now_ps);
        end_ps = int64_max(end_ps, int64_max(analysis->locations[rank].now_ps, analysis->locations[rank].asleep_ps));
    }
    if (analysis->reader->info.is_cut)
        count_silent(analysis, end_ps), hang_find(&analysis->stats.hang, analysis);
    for (int rank = 0; end_ps > busy_ps && rank < analysis->n_locations; rank++)
        account_sleep(analysis, rank);
    for (int rank = 0; rank < analysis->n_locations; rank++)
        account(analysis, rank, end_ps,
                (struct interval){
                    .peer = -1, .awaited = -1, .state = STATE_IDLE, .kind = INTERVAL_COMMUNICATE, .wait = WAIT_END});
    analysis->stats.end_ps = end_ps;
}

/* Names of the trace, interned; to be freed. */
static const char **intern_names(char *const *names, int n)
{
    const char **interned = xcalloc((size_t)n + 1, sizeof *interned);
    for (int i = 0; i < n; i++)
        interned[i] = intern_text(names[i]);
    return interned;
}

static void dispose(struct analysis *analysis)
{
    free(analysis->scope_names);
    free(analysis->function_names);
    for (int rank = 0; rank < analysis->n_locations; rank++)
        free(analysis->locations[rank].scopes), free(analysis->locations[rank].parts),
            free(analysis->locations[rank].paths);
    collectives_dispose(analysis);
    marks_dispose(analysis);
    map_dispose(&analysis->matches);
    map_dispose(&analysis->requests);
    map_dispose(&analysis->starts);
    free(analysis->messages);
    free(analysis->locations);
    heap_dispose(&analysis->ready);
}

int analysis_run(struct analysis_stats *stats, struct record_reader *reader, const char *file,
                 const struct analysis_scopes *scopes, const struct interval_sink *sinks, int n_sinks,
                 struct sim_error *error)
{
    int n_locations = record_locations(&reader->info);
    struct analysis analysis = {.reader = reader,
                                .file = file,
                                .scopes = scopes,
                                .sinks = sinks,
                                .n_sinks = n_sinks,
                                .n_ranks = reader->info.n_ranks,
                                .n_locations = n_locations,
                                .locations = xcalloc((size_t)n_locations, sizeof *analysis.locations),
                                .free_message = MAP_NOTHING,
                                .free_named = MAP_NOTHING,
                                .groups = xcalloc(2 * (size_t)reader->info.n_groups, sizeof *analysis.groups),
                                .error = error};
    analysis.paths = reader->info.paths;
    if (analysis.paths != NULL) {
        analysis.scope_names = intern_names(reader->info.scopes, reader->info.n_scopes);
        analysis.function_names = intern_names(reader->info.functions, reader->info.n_functions);
    }
    int status = go_through(&analysis);
    if (status == 0) {
        finish_locations(&analysis);
        *stats = analysis.stats;
    }
    dispose(&analysis);
    return status;
}
