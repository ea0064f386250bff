/* Further threads of ranks: when they begin, and where threads wait for each other.
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

/* ---- Forks and joins ---- */

static struct otf_process *process_of(const struct otf_cursor *cursor)
{
    return cursor->shared->processes == NULL ? NULL : &cursor->shared->processes[cursor->rank];
}

/* The record of the rank's own thread. */
static const struct otf_survey *own_survey(const struct otf_cursor *cursor)
{
    return cursor->survey - cursor->location + cursor->rank;
}

/* True if what threads do to each other counts here: the rank has several, and is in no call. */
static bool counts(const struct otf_cursor *cursor)
{
    return process_of(cursor) != NULL && process_of(cursor)->n_threads > 0 && cursor->n_calls == 0;
}

/* Let those go on that take part in the fork; how many do. */
static uint32_t signal_parts(struct otf_cursor *cursor)
{
    const struct otf_process *process = process_of(cursor);
    uint32_t n = 0;
    if (cursor->passed == NULL)
        cursor->passed = xcalloc((size_t)process->n_threads, sizeof *cursor->passed);
    for (int i = 0; i < process->n_threads; i++) {
        const struct otf_part *part = &process->parts[i];
        if (cursor->passed[i] == part->n || part->forks[cursor->passed[i]] != (uint64_t)cursor->fork)
            continue;
        cursor->passed[i]++;
        n++;
        otf_signal_mark(cursor, otf_mark_of(OTF_MARK_FORK, cursor->fork, i + 1), 2);
    }
    return n;
}

void otf_cursor_fork(struct otf_cursor *cursor)
{
    struct otf_process *process = process_of(cursor);
    if (!counts(cursor) || cursor->thread > 0 || cursor->depth++ > 0)
        return;
    cursor->fork++;
    cursor->n_barriers = 0;
    if (cursor->first_pass) {
        process->forks = xgrow(process->forks, process->n_forks, &process->forks_capacity, sizeof *process->forks);
        process->forks[process->n_forks++] = (struct otf_fork){cursor->now_ps, process->n_barriers};
        return;
    }
    otf_cursor_end_piece(cursor);
    cursor->n_team = 1 + signal_parts(cursor);
}

void otf_cursor_join(struct otf_cursor *cursor)
{
    if (!counts(cursor) || cursor->thread > 0 || cursor->depth == 0 || --cursor->depth > 0 || cursor->first_pass)
        return;
    otf_cursor_end_piece(cursor);
    if (cursor->n_team > 1)
        otf_await_team(cursor, otf_mark_of(OTF_MARK_JOIN, cursor->fork, 0), cursor->n_team, -1, SLEEP_TEAM);
}

/* How many forks have been up to now. */
static int64_t fork_now(const struct otf_cursor *cursor)
{
    const struct otf_process *process = process_of(cursor);
    int64_t now_ps = cursor->now_ps - cursor->shared->shift_ps;
    size_t low = 0, high = process->n_forks;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (process->forks[middle].at_ps <= now_ps)
            low = middle + 1;
        else
            high = middle;
    }
    return (int64_t)low;
}

static bool is_at_beginning(const struct otf_cursor *cursor)
{
    return cursor->n_frames == 0 && cursor->now_ps == cursor->survey->first_ps + cursor->shared->shift_ps;
}

/* The number of those that take part in the fork, and of the rank's own thread. */
static uint32_t n_joined(const struct otf_process *process, int64_t fork)
{
    uint32_t n = 1;
    for (int i = 0; i < process->n_threads; i++) {
        const struct otf_part *part = &process->parts[i];
        size_t low = 0, high = part->n;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (part->forks[middle] < (uint64_t)fork)
                low = middle + 1;
            else
                high = middle;
        }
        n += low < part->n && part->forks[low] == (uint64_t)fork;
    }
    return n;
}

void otf_cursor_team(struct otf_cursor *cursor)
{
    if (!counts(cursor) || cursor->thread == 0 || cursor->depth++ > 0)
        return;
    int64_t fork = fork_now(cursor);
    if (fork <= cursor->fork)
        return;
    bool is_first = cursor->fork == 0 && is_at_beginning(cursor);
    cursor->fork = fork;
    cursor->n_barriers = 0;
    cursor->takes_part = true;
    if (cursor->first_pass) {
        struct otf_part *part = &process_of(cursor)->parts[cursor->thread - 1];
        part->forks = xgrow(part->forks, part->n, &part->capacity, sizeof *part->forks);
        part->forks[part->n++] = (uint64_t)fork;
        cursor->survey->is_begun |= is_at_beginning(cursor);
        return;
    }
    cursor->n_team = n_joined(process_of(cursor), fork);
    if (is_first) /* it has been there since the rank began */
        cursor->since_ps = int64_min(cursor->since_ps, own_survey(cursor)->first_ps + cursor->shared->shift_ps);
    otf_await_team(cursor, otf_mark_of(OTF_MARK_FORK, fork, cursor->thread), 2, -1, SLEEP_SERIAL);
}

static void leave_fork(struct otf_cursor *cursor)
{
    if (cursor->takes_part && !cursor->first_pass)
        otf_signal_mark(cursor, otf_mark_of(OTF_MARK_JOIN, cursor->fork, 0), cursor->n_team);
    cursor->takes_part = false;
}

void otf_cursor_team_ends(struct otf_cursor *cursor)
{
    if (!counts(cursor) || cursor->thread == 0 || cursor->depth == 0 || --cursor->depth > 0)
        return;
    otf_cursor_end_piece(cursor);
    leave_fork(cursor);
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
    if (!counts(cursor) || !tell(&mark, cursor, team, number, TELLS_CREATE))
        return;
    otf_cursor_end_piece(cursor);
    otf_signal_mark(cursor, mark, 2);
}

void otf_cursor_life_begins(struct otf_cursor *cursor, uint32_t team, uint64_t number)
{
    int64_t mark;
    if (!counts(cursor) || cursor->thread == 0)
        return;
    if (cursor->first_pass && is_at_beginning(cursor)) {
        cursor->survey->life = life_key(cursor->rank, team, number);
        cursor->survey->has_life = true;
    }
    if (tell(&mark, cursor, team, number, TELLS_BEGIN))
        otf_await_mark(cursor, mark, 2, -1);
}

void otf_cursor_life_ends(struct otf_cursor *cursor, uint32_t team, uint64_t number)
{
    int64_t mark;
    if (!counts(cursor))
        return;
    otf_cursor_end_piece(cursor);
    if (tell(&mark, cursor, team, number, TELLS_END))
        otf_signal_mark(cursor, mark, 2);
}

/* A region that only waits for threads has no computation. */
void otf_threads_wait(struct otf_cursor *cursor, uint32_t team, uint64_t number, bool only_waits)
{
    int64_t mark;
    if (!counts(cursor) || !tell(&mark, cursor, team, number, TELLS_WAIT))
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
    const struct otf_process *process = process_of(cursor);
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
    const struct otf_process *process = process_of(cursor);
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

/* After the last fork, threads of teams are there until the rank ends. */
static void end_teams(struct otf_cursor *cursor)
{
    const struct otf_process *process = process_of(cursor);
    int64_t last_fork = (int64_t)process->n_forks + 1;
    for (int i = 0; cursor->thread == 0 && i < process->n_threads; i++)
        if (process->parts[i].n > 0)
            otf_signal_mark(cursor, otf_mark_of(OTF_MARK_FORK, last_fork, i + 1), 2);
    if (cursor->thread == 0 || cursor->fork == 0)
        return;
    cursor->now_ps = int64_max(cursor->now_ps, own_survey(cursor)->last_ps + cursor->shared->shift_ps);
    otf_await_team(cursor, otf_mark_of(OTF_MARK_FORK, last_fork, cursor->thread), 2, -1, SLEEP_SERIAL);
}

void otf_threads_end(struct otf_cursor *cursor)
{
    otf_threads_begin(cursor, INT64_MAX);
    if (process_of(cursor) == NULL)
        return;
    leave_fork(cursor);
    end_teams(cursor);
}
