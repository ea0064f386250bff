/* Activities of streams: how they become records, and which calls of their rank they belong to.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/streams.h"
#include "trace/otf2/calls.h"
#include "trace/otf2/threads.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Calls ---- */

static bool contains_any(const char *name, const char *const *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strstr(name, parts[i]) != NULL)
            return true;
    return false;
}
#define CONTAINS_ANY(name, parts) contains_any(name, parts, sizeof parts / sizeof parts[0])

/* Names of CUDA and HIP, their runtimes and drivers; of OpenCL; of Score-P. */
uint8_t otf_offload_of(const char *name)
{
    static const char *const launches[] = {"Launch", "clEnqueueNDRangeKernel", "clEnqueueTask"};
    static const char *const copies[] = {"Memcpy", "clEnqueueRead", "clEnqueueWrite", "clEnqueueCopy"};
    static const char *const waits_all[] = {"DeviceSynchronize", "ThreadSynchronize", "CtxSynchronize"};
    static const char *const waits[] = {"StreamSynchronize", "EventSynchronize", "clFinish", "clWaitForEvents"};
    if (strcmp(name, "DEVICE SYNCHRONIZE") == 0)
        return OTF_WAITS | OTF_WAITS_ALL;
    if (strncmp(name, "cu", 2) != 0 && strncmp(name, "hip", 3) != 0 && strncmp(name, "cl", 2) != 0)
        return 0;
    if (CONTAINS_ANY(name, copies)) /* OpenCL's may wait, and tell so by what ends within them */
        return strstr(name, "Async") != NULL ? OTF_COPIES : OTF_COPIES | OTF_WAITS;
    if (CONTAINS_ANY(name, waits_all))
        return OTF_WAITS | OTF_WAITS_ALL;
    return CONTAINS_ANY(name, waits) ? OTF_WAITS : CONTAINS_ANY(name, launches) ? OTF_LAUNCHES : 0;
}

/* A call begins: in the first pass, note it; in the second, name what it launches. */
static void begin_call(struct otf_cursor *cursor, uint8_t does)
{
    struct otf_offload *offload = cursor->offload;
    cursor->outer_frames = cursor->n_frames + 1;
    cursor->outer_does = does;
    cursor->n_offload_calls++;
    if (cursor->first_pass) {
        offload->calls = xgrow(offload->calls, offload->n_calls, &offload->calls_capacity, sizeof *offload->calls);
        offload->calls[offload->n_calls++] =
            (struct otf_offload_call){.begin_ps = cursor->now_ps, .end_ps = INT64_MAX, .does = does};
        return;
    }
    const struct otf_offload_call *call = &offload->calls[cursor->n_offload_calls - 1];
    otf_cursor_end_piece(cursor);
    if (call->thread > 0)
        otf_signal_mark(cursor, otf_mark_of(OTF_MARK_FORK, call->activity, call->thread), 2);
}

bool otf_offload_enter(struct otf_cursor *cursor, const struct otf_region *region)
{
    if (cursor->offload == NULL)
        return false;
    bool waits = cursor->outer_frames > 0 && (cursor->outer_does & OTF_WAITS) != 0;
    if (waits && region->is_call) { /* of MPI: nothing is known of such a wait */
        cursor->outer_frames = 0;
        return false;
    }
    if (cursor->outer_frames == 0 && region->offload != 0)
        begin_call(cursor, region->offload);
    return waits;
}

void otf_offload_leave(struct otf_cursor *cursor)
{
    struct otf_offload *offload = cursor->offload;
    int64_t now_ps = cursor->now_ps;
    cursor->outer_frames = 0;
    if (cursor->first_pass) {
        offload->calls[cursor->n_offload_calls - 1].end_ps = now_ps;
        return;
    }
    for (; cursor->n_awaits < offload->n_awaits; cursor->n_awaits++) {
        const struct otf_await *await = &offload->awaits[cursor->n_awaits];
        if (await->call >= cursor->n_offload_calls)
            break;
        const struct otf_activity *activity = &offload->streams[await->thread - offload->first].items[await->activity];
        int64_t end_ps = activity->end_ps + cursor->shared->shift_ps;
        cursor->now_ps = int64_clamp(end_ps, cursor->since_ps, now_ps);
        otf_await_mark(cursor, otf_mark_of(OTF_MARK_JOIN, await->activity, await->thread), 2, await->thread);
    }
    cursor->now_ps = now_ps;
}

/* ---- Activities ---- */

/* Its launch, which has been waited for since the latest one ended, and the time until it begins. */
static void put_launch(struct otf_cursor *cursor, const struct otf_activity *activity)
{
    int64_t now_ps = cursor->now_ps, launch_ps = activity->launch_ps + cursor->shared->shift_ps;
    if (activity->launch_ps == OTF_NO_LAUNCH) {
        cursor->since_ps = now_ps;
        return;
    }
    if (cursor->n_activities == 0)
        cursor->since_ps = launch_ps;
    cursor->now_ps = int64_max(launch_ps, cursor->since_ps);
    otf_await_mark(cursor, otf_mark_of(OTF_MARK_FORK, (int64_t)cursor->n_activities, cursor->thread), 2, 0);
    cursor->now_ps = now_ps;
    struct record record = otf_record(RECORD_SLEEP, cursor->since_ps, now_ps);
    record.sleep = SLEEP_LAUNCH;
    if (cursor->since_ps < now_ps)
        otf_cursor_put(cursor, &record);
    cursor->since_ps = now_ps;
}

void otf_activity_begin(struct otf_cursor *cursor, bool is_copy)
{
    struct otf_activities *stream = cursor->stream;
    if (cursor->outer_frames > 0)
        return;
    if (cursor->copies)
        otf_transfer_end(cursor);
    if (cursor->first_pass) {
        stream->items = xgrow(stream->items, stream->n, &stream->capacity, sizeof *stream->items);
        stream->items[stream->n++] =
            (struct otf_activity){.start_ps = cursor->now_ps, .end_ps = cursor->now_ps, .is_copy = is_copy};
    } else {
        put_launch(cursor, &stream->items[cursor->n_activities]);
    }
    cursor->n_activities++;
    cursor->outer_frames = is_copy ? 0 : cursor->n_frames + 1;
    cursor->copies = is_copy;
}

void otf_activity_end(struct otf_cursor *cursor)
{
    size_t number = cursor->n_activities - 1;
    struct otf_activity *activity = &cursor->stream->items[number];
    cursor->outer_frames = 0;
    cursor->copies = false;
    cursor->since_ps = cursor->now_ps;
    if (cursor->first_pass)
        activity->end_ps = cursor->now_ps;
    else if (activity->is_awaited)
        otf_signal_mark(cursor, otf_mark_of(OTF_MARK_JOIN, (int64_t)number, cursor->thread), 2);
}

void otf_transfer_begin(struct otf_cursor *cursor, uint64_t bytes, bool to_it)
{
    if (cursor->stream == NULL || cursor->outer_frames > 0)
        return;
    otf_activity_begin(cursor, true);
    cursor->copy_bytes = bytes;
    cursor->copies_to_it = to_it;
}

void otf_transfer_end(struct otf_cursor *cursor)
{
    if (cursor->stream == NULL || !cursor->copies)
        return;
    struct record record = otf_record(RECORD_CALL, cursor->since_ps, cursor->now_ps);
    record.call = cursor->copies_to_it ? RECORD_CALL_RECEIVE : RECORD_CALL_SEND;
    record.bytes = cursor->copy_bytes > INT64_MAX ? INT64_MAX : (int64_t)cursor->copy_bytes;
    record.n_calls = 1;
    otf_cursor_put(cursor, &record);
    otf_activity_end(cursor);
}

/* ---- Which calls they belong to ---- */

/* An activity, and where it is. */
struct candidate {
    struct otf_activity *activity;
    int64_t number;
    int thread;
};

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int64_t of_x = x->activity->start_ps, of_y = y->activity->start_ps;
    return of_x != of_y ? (of_x > of_y) - (of_x < of_y) : (x->thread > y->thread) - (x->thread < y->thread);
}

/* All activities of the rank, as they begin; there are `*n`. The caller frees. */
static struct candidate *list_candidates(const struct otf_offload *offload, size_t *n)
{
    size_t n_all = 0;
    for (int s = 0; s < offload->n_streams; s++)
        n_all += offload->streams[s].n;
    struct candidate *candidates = xcalloc(n_all, sizeof *candidates);
    *n = 0;
    for (int s = 0; s < offload->n_streams; s++)
        for (size_t i = 0; i < offload->streams[s].n; i++)
            candidates[(*n)++] = (struct candidate){&offload->streams[s].items[i], (int64_t)i, offload->first + s};
    qsort(candidates, *n, sizeof *candidates, compare_candidates);
    return candidates;
}

static bool waits_for_all(const struct otf_offload *offload, const struct otf_offload_call *call)
{
    return (call->does & OTF_WAITS_ALL) != 0 || ((call->does & OTF_WAITS) != 0 && offload->n_streams == 1);
}

/* The calls from which on that of the next kernel, or copy, may be. Before `waited` none can have launched it, because
 * what these did has been waited for; before `seen` are those that have ended. */
struct search {
    size_t next[2], waited, seen;
};

/* The call that has launched an activity; NULL: none is known. */
static struct otf_offload_call *find_launch(struct search *search, const struct otf_offload *offload,
                                            const struct otf_activity *activity)
{
    uint8_t launches = activity->is_copy ? OTF_COPIES : OTF_LAUNCHES;
    for (; search->seen < offload->n_calls && offload->calls[search->seen].end_ps <= activity->start_ps; search->seen++)
        if (waits_for_all(offload, &offload->calls[search->seen]))
            search->waited = search->seen + 1;
    size_t i = search->next[activity->is_copy];
    for (i = i > search->waited ? i : search->waited; i < offload->n_calls; i++) {
        struct otf_offload_call *call = &offload->calls[i];
        if (call->begin_ps > activity->start_ps || (call->does & launches) != 0)
            break;
    }
    bool is_found = i < offload->n_calls && offload->calls[i].begin_ps <= activity->start_ps;
    search->next[activity->is_copy] = i + is_found;
    return is_found ? &offload->calls[i] : NULL;
}

/* ---- Where the rank waits ---- */

static void add_await(struct otf_offload *offload, size_t call, int stream)
{
    struct otf_activities *activities = &offload->streams[stream];
    size_t last = activities->n_ended - 1, first = offload->n_awaits;
    activities->n_awaited = activities->n_ended;
    activities->items[last].is_awaited = true;
    offload->awaits = xgrow(offload->awaits, offload->n_awaits, &offload->awaits_capacity, sizeof *offload->awaits);
    struct otf_await added = {call, offload->first + stream, (int64_t)last};
    for (; first > 0 && offload->awaits[first - 1].call == call; first--) { /* those of a call by their ends */
        const struct otf_await *before = &offload->awaits[first - 1];
        if (offload->streams[before->thread - offload->first].items[before->activity].end_ps <=
            activities->items[last].end_ps)
            break;
        offload->awaits[first] = *before;
    }
    offload->awaits[first] = added;
    offload->n_awaits++;
}

static void find_awaits(struct otf_offload *offload)
{
    for (size_t i = 0; i < offload->n_calls; i++) {
        const struct otf_offload_call *call = &offload->calls[i];
        int64_t latest_ps = call->begin_ps;
        int latest = -1;
        for (int s = 0; (call->does & OTF_WAITS) != 0 && s < offload->n_streams; s++) {
            struct otf_activities *stream = &offload->streams[s];
            while (stream->n_ended < stream->n && stream->items[stream->n_ended].end_ps <= call->end_ps)
                stream->n_ended++;
            if (stream->n_ended == stream->n_awaited)
                continue;
            if (waits_for_all(offload, call)) {
                add_await(offload, i, s);
            } else if (stream->items[stream->n_ended - 1].end_ps > latest_ps) {
                latest_ps = stream->items[stream->n_ended - 1].end_ps;
                latest = s;
            }
        }
        if (latest >= 0)
            add_await(offload, i, latest);
    }
}

static void add_start(struct otf_process *process, const struct candidate *candidate, int64_t last_ps)
{
    struct otf_activity *activity = candidate->activity;
    activity->launch_ps = int64_min(activity->start_ps, last_ps);
    process->starts = xgrow(process->starts, process->n_starts, &process->starts_capacity, sizeof *process->starts);
    process->starts[process->n_starts++] =
        (struct otf_start){activity->launch_ps, candidate->number, candidate->thread};
}

void otf_offload_order(struct otf_process *process, int64_t last_ps)
{
    struct otf_offload *offload = process->offload;
    struct search search = {0};
    size_t n;
    struct candidate *candidates = list_candidates(offload, &n);
    for (size_t i = 0; i < n; i++) {
        struct otf_offload_call *call = find_launch(&search, offload, candidates[i].activity);
        if (call == NULL) {
            add_start(process, &candidates[i], last_ps);
            continue;
        }
        candidates[i].activity->launch_ps = call->begin_ps;
        call->activity = candidates[i].number;
        call->thread = candidates[i].thread;
    }
    free(candidates);
    find_awaits(offload);
}

void otf_offload_free(struct otf_offload *offload)
{
    for (int s = 0; offload != NULL && s < offload->n_streams; s++)
        free(offload->streams[s].items);
    if (offload == NULL)
        return;
    free(offload->streams);
    free(offload->calls);
    free(offload->awaits);
    free(offload);
}
