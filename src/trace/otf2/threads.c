/* Further threads of ranks: when they begin, and where threads wait for each other. Forks are in trace/otf2/forks.c.
 *
 * Where one thread lets another go on, both have a mark: a RECORD_SIGNAL names it, and a RECORD_AWAIT waits until it
 * has been named. What the archive says of that:
 *
 *     ThreadCreate, ThreadBegin; ThreadEnd, ThreadWait    the second waits for the first (pthreads and others)
 *     ThreadFork, ThreadTeamBegin, ThreadTeamEnd,         the rank's own thread lets those go on that take part in the
 *     ThreadJoin                                          fork, and waits for them (OpenMP). Forks within forks,
 *                                                         and teams within teams, are left out
 *     barriers of teams                                   see trace/otf2/teams.c
 *
 * If it does not say how a thread begins, the thread begins where the rank's own is at that moment.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/threads.h"
#include "trace/otf2/calls.h"
#include "trace/otf2/input.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

/* A life of a thread that is created: who tells of it. */
enum { TELLS_CREATE = 1, TELLS_BEGIN = 2, TELLS_END = 4, TELLS_WAIT = 8 };

/* ---- Marks ---- */

int64_t otf_mark_of(enum otf_mark purpose, int64_t number, int thread)
{
    return (number * OTF_MOST_THREADS + thread) * N_OTF_MARKS + (int)purpose;
}

/* Between calls: what was done up to now ends. */
static void put_mark(struct otf_cursor *cursor, uint8_t kind, int64_t start_ps, int64_t mark, uint32_t needed, int of,
                     uint8_t sleep)
{
    struct record record = otf_record(kind, start_ps, cursor->now_ps);
    record.mark = mark;
    record.request = needed;
    record.peer = of;
    record.sleep = sleep;
    otf_cursor_put(cursor, &record);
}

void otf_signal_mark(struct otf_cursor *cursor, int64_t mark, uint32_t needed)
{
    put_mark(cursor, RECORD_SIGNAL, cursor->now_ps, mark, needed, -1, SLEEP_IDLE);
}

/* Since the piece began, the thread has been waiting. */
void otf_await_team(struct otf_cursor *cursor, int64_t mark, uint32_t needed, int of, uint8_t sleep)
{
    put_mark(cursor, RECORD_AWAIT, cursor->since_ps, mark, needed, of, sleep);
    cursor->since_ps = cursor->now_ps;
}

void otf_await_mark(struct otf_cursor *cursor, int64_t mark, uint32_t needed, int of)
{
    otf_await_team(cursor, mark, needed, of, SLEEP_IDLE);
}

/* ---- Threads of a rank ---- */

struct otf_process *otf_process_of(const struct otf_cursor *cursor)
{
    return cursor->shared->processes == NULL ? NULL : &cursor->shared->processes[cursor->rank];
}

const struct otf_survey *otf_own_survey(const struct otf_cursor *cursor)
{
    return cursor->survey - cursor->location + cursor->rank;
}

bool otf_threads_count(const struct otf_cursor *cursor)
{
    return otf_process_of(cursor) != NULL && otf_process_of(cursor)->n_threads > 0 && cursor->n_calls == 0;
}

bool otf_is_at_beginning(const struct otf_cursor *cursor)
{
    return cursor->n_frames == 0 && cursor->now_ps == cursor->survey->first_ps + cursor->shared->shift_ps;
}

/* ---- Lives of threads that are created ---- */

static struct map_key life_key(int rank, uint32_t team, uint64_t number)
{
    return map_key(rank, (int32_t)team, (int32_t)(uint32_t)(number >> 32), (int32_t)(uint32_t)number);
}

/* The entry of a life: its events, and its number. */
static struct map_entry *life_of(struct otf_cursor *cursor, uint32_t team, uint64_t number)
{
    struct map_key key = life_key(cursor->rank, team, number);
    if (!cursor->first_pass)
        return map_find(&cursor->shared->lives, key);
    uint32_t n = (uint32_t)cursor->shared->lives.count;
    struct map_entry *life = map_add(&cursor->shared->lives, key);
    if (life->index == MAP_NOTHING) {
        life->index = n;
        life->last = 0;
    }
    return life;
}

/* Note that the archive has this event of a life; in the second pass, true if it has both, and where the mark is. */
static bool tell(int64_t *mark, struct otf_cursor *cursor, uint32_t team, uint64_t number, uint32_t event)
{
    bool of_end = event == TELLS_END || event == TELLS_WAIT;
    uint32_t both = of_end ? TELLS_END | TELLS_WAIT : TELLS_CREATE | TELLS_BEGIN;
    struct map_entry *life = life_of(cursor, team, number);
    if (life == NULL)
        return false;
    if (cursor->first_pass)
        life->last |= event;
    *mark = otf_mark_of(of_end ? OTF_MARK_END : OTF_MARK_CREATE, life->index, 0);
    return !cursor->first_pass && (life->last & both) == both;
}

void otf_cursor_create(struct otf_cursor *cursor, uint32_t team, uint64_t number)
{
    int64_t mark;
    if (!otf_threads_count(cursor) || !tell(&mark, cursor, team, number, TELLS_CREATE))
        return;
    otf_cursor_end_piece(cursor);
    otf_signal_mark(cursor, mark, 2);
}

void otf_cursor_life_begins(struct otf_cursor *cursor, uint32_t team, uint64_t number)
{
    int64_t mark;
    if (!otf_threads_count(cursor) || cursor->thread == 0)
        return;
    if (cursor->first_pass && otf_is_at_beginning(cursor)) {
        cursor->survey->life = life_key(cursor->rank, team, number);
        cursor->survey->has_life = true;
    }
    if (tell(&mark, cursor, team, number, TELLS_BEGIN))
        otf_await_mark(cursor, mark, 2, -1);
}

void otf_cursor_life_ends(struct otf_cursor *cursor, uint32_t team, uint64_t number)
{
    int64_t mark;
    if (!otf_threads_count(cursor))
        return;
    otf_cursor_end_piece(cursor);
    if (tell(&mark, cursor, team, number, TELLS_END))
        otf_signal_mark(cursor, mark, 2);
}

/* A region that only waits for threads has no computation. */
void otf_threads_wait(struct otf_cursor *cursor, uint32_t team, uint64_t number, bool only_waits)
{
    int64_t mark;
    if (!otf_threads_count(cursor) || !tell(&mark, cursor, team, number, TELLS_WAIT))
        return;
    if (!only_waits)
        otf_cursor_end_piece(cursor);
    otf_await_mark(cursor, mark, 2, -1);
}

/* ---- As simrun writes them ---- */

void otf_threads_mark(struct otf_cursor *cursor, const struct otf_leave *leave)
{
    enum { SECOND_EVENT = 2 };
    uint32_t needed = (uint32_t)int64_min(leave->needed, UINT32_MAX);
    int64_t mark = int64_min(leave->mark, INT64_C(1) << 60);
    if (cursor->first_pass && leave->awaits)
        cursor->survey->is_begun |= cursor->n_events == SECOND_EVENT;
    if (leave->awaits)
        otf_await_team(cursor, mark, needed, (int)int64_min(leave->waited, OTF_MOST_THREADS), leave->await_sleep);
    else
        otf_signal_mark(cursor, mark, needed);
}

/* ---- Threads that begin of themselves ---- */

static bool is_stream(const struct otf_process *process, int thread)
{
    return process->offload != NULL && thread >= process->offload->first;
}

void otf_threads_attach(struct otf_cursor *cursor)
{
    const struct otf_process *process = otf_process_of(cursor);
    if (process == NULL || process->offload == NULL)
        return;
    if (is_stream(process, cursor->thread))
        cursor->stream = &process->offload->streams[cursor->thread - process->offload->first];
    else if (cursor->thread == 0)
        cursor->offload = process->offload;
}

static int compare_starts(const void *a, const void *b)
{
    const struct otf_start *x = a, *y = b;
    if (x->at_ps != y->at_ps)
        return x->at_ps < y->at_ps ? -1 : 1;
    return x->thread != y->thread ? x->thread - y->thread : (x->number > y->number) - (x->number < y->number);
}

static bool is_begun(const struct otf_shared *shared, const struct otf_survey *survey)
{
    const struct map_entry *life = survey->has_life ? map_find(&shared->lives, survey->life) : NULL;
    return survey->is_begun || (life != NULL && (life->last & TELLS_CREATE) != 0);
}

void otf_threads_order(struct otf_input *input)
{
    const struct otf_defs *defs = &input->defs;
    struct otf_process *processes = input->shared.processes;
    for (int i = defs->n_ranks; i < defs->n_locations; i++) {
        const struct otf_location *thread = &defs->locations[i];
        struct otf_process *process = &processes[thread->rank];
        const struct otf_survey *own = &input->surveys[thread->rank];
        if (is_stream(process, thread->thread) || is_begun(&input->shared, &input->surveys[i]) || !own->has_events)
            continue;
        process->starts = xgrow(process->starts, process->n_starts, &process->starts_capacity, sizeof *process->starts);
        process->starts[process->n_starts++] =
            (struct otf_start){int64_min(input->surveys[i].first_ps, own->last_ps), 0, thread->thread};
        input->surveys[i].starts_itself = true;
    }
    for (int rank = 0; processes != NULL && rank < defs->n_ranks; rank++) {
        const struct otf_survey *own = &input->surveys[rank];
        if (processes[rank].offload != NULL)
            otf_offload_order(&processes[rank], own->has_events ? own->last_ps : OTF_NO_LAUNCH);
        if (processes[rank].n_starts > 1)
            qsort(processes[rank].starts, processes[rank].n_starts, sizeof *processes[rank].starts, compare_starts);
    }
}

/* In a call, they have begun before it. */
void otf_threads_begin(struct otf_cursor *cursor, int64_t up_to_ps)
{
    const struct otf_process *process = otf_process_of(cursor);
    if (cursor->first_pass || process == NULL)
        return;
    int64_t shift_ps = cursor->shared->shift_ps, then_ps = cursor->now_ps;
    if (cursor->thread > 0 && !cursor->has_begun && cursor->survey->starts_itself) {
        cursor->now_ps = up_to_ps;
        otf_await_mark(cursor, otf_mark_of(OTF_MARK_FORK, 0, cursor->thread), 2, -1);
    }
    for (; cursor->thread == 0 && cursor->n_started < process->n_starts; cursor->n_started++) {
        const struct otf_start *start = &process->starts[cursor->n_started];
        if (start->at_ps + shift_ps > up_to_ps)
            break;
        cursor->now_ps = cursor->n_calls > 0 ? cursor->call_ps : int64_max(start->at_ps + shift_ps, cursor->since_ps);
        if (cursor->n_calls == 0)
            otf_cursor_end_piece(cursor);
        otf_signal_mark(cursor, otf_mark_of(OTF_MARK_FORK, start->number, start->thread), 2);
    }
    cursor->now_ps = then_ps;
}

void otf_threads_end(struct otf_cursor *cursor)
{
    otf_threads_begin(cursor, INT64_MAX);
    if (otf_process_of(cursor) == NULL)
        return;
    otf_leave_fork(cursor);
    otf_end_teams(cursor);
}
