/* Teams of a rank's threads (OpenMP): how long each waits at barriers and for which other, locks, and tasks.
 *
 * A thread waits from where it enters a barrier to where the last one of its team does. The first pass finds out when
 * that is. In the second one, marks say so, as those of forks do (trace/otf2/threads.c): each thread names one where it
 * enters, the rank's own thread waits for that, and then lets each of the others go on by another mark. The rest of the
 * barrier is OpenMP's own work.
 *
 * Threads that wait at a barrier may do tasks meanwhile, each of which others wait for, too. Then all time in the
 * barrier and in no region within it is waiting, and there are no marks. The same is so of barriers to which not all of
 * a team come, of barriers outside of teams and in teams within teams, and of waits for tasks.
 *
 * In memory are 24 bytes for each barrier of a rank.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/calls.h"
#include "trace/otf2/threads.h"

#include "base/memory.h"
#include "base/range.h"

#include <string.h>

bool otf_teams_count(const struct otf_cursor *cursor)
{
    const struct otf_process *processes = cursor->shared->processes;
    return processes != NULL && processes[cursor->rank].n_threads > 0 && cursor->n_calls == 0 && cursor->stream == NULL;
}

/* The next barrier of the team; NULL: the thread is in none, or it is not the team's. The rank's own thread, which is
 * surveyed first, says how many there are. */
static struct otf_barrier *next_barrier(struct otf_cursor *cursor)
{
    struct otf_process *process = &cursor->shared->processes[cursor->rank];
    size_t fork = (size_t)cursor->fork;
    if (cursor->depth != 1 || (cursor->thread > 0 && !cursor->takes_part))
        return NULL;
    size_t index = process->forks[fork - 1].first_barrier + cursor->n_barriers++;
    if (cursor->thread == 0 && cursor->first_pass) {
        process->barriers =
            xgrow(process->barriers, process->n_barriers, &process->barriers_capacity, sizeof *process->barriers);
        process->barriers[process->n_barriers++] = (struct otf_barrier){.last_ps = INT64_MIN};
    }
    size_t end = fork < process->n_forks ? process->forks[fork].first_barrier : process->n_barriers;
    return index < end ? &process->barriers[index] : NULL;
}

static int64_t mark_of(const struct otf_cursor *cursor, int thread)
{
    return otf_mark_of(OTF_MARK_BARRIER, (int64_t)cursor->barrier, thread);
}

void otf_teams_enter(struct otf_cursor *cursor)
{
    struct otf_process *process = &cursor->shared->processes[cursor->rank];
    struct otf_barrier *barrier = next_barrier(cursor);
    if (barrier == NULL || (!cursor->first_pass && (barrier->n_threads != cursor->n_team)))
        return;
    cursor->barrier = (size_t)(barrier - process->barriers) + 1;
    if (!cursor->first_pass) {
        if (cursor->thread > 0)
            otf_signal_mark(cursor, mark_of(cursor, 0), cursor->n_team);
        return;
    }
    int64_t now_ps = cursor->now_ps - cursor->shared->shift_ps;
    bool is_spoiled = barrier->n_threads == 0 && barrier->last_ps > INT64_MIN;
    barrier->n_threads += !is_spoiled;
    if (now_ps <= barrier->last_ps)
        return;
    barrier->last_ps = now_ps;
    barrier->last = cursor->thread;
}

void otf_teams_work(struct otf_cursor *cursor)
{
    if (cursor->first_pass && cursor->barrier > 0)
        cursor->shared->processes[cursor->rank].barriers[cursor->barrier - 1].n_threads = 0;
}

/* The rank's own thread lets the others go on. */
static void release(struct otf_cursor *cursor)
{
    const struct otf_process *process = &cursor->shared->processes[cursor->rank];
    for (int i = 0; cursor->passed != NULL && i < process->n_threads; i++)
        if (cursor->passed[i] > 0 && process->parts[i].forks[cursor->passed[i] - 1] == (uint64_t)cursor->fork)
            otf_signal_mark(cursor, mark_of(cursor, i + 1), 2);
}

bool otf_teams_leave(struct otf_cursor *cursor)
{
    bool is_known = cursor->barrier > 0 && !cursor->first_pass;
    if (is_known) {
        const struct otf_barrier *barrier = &cursor->shared->processes[cursor->rank].barriers[cursor->barrier - 1];
        int64_t now_ps = cursor->now_ps;
        cursor->now_ps = int64_clamp(barrier->last_ps + cursor->shared->shift_ps, cursor->since_ps, now_ps);
        if (cursor->thread > 0)
            otf_await_team(cursor, mark_of(cursor, cursor->thread), 2, barrier->last, SLEEP_TEAM);
        else if (cursor->n_team > 1)
            otf_await_team(cursor, mark_of(cursor, 0), cursor->n_team, barrier->last, SLEEP_TEAM);
        if (cursor->thread == 0)
            release(cursor);
        cursor->now_ps = now_ps;
    }
    cursor->barrier = 0;
    return is_known;
}

/* ---- Locks and tasks ---- */

void otf_cursor_got_lock(struct otf_cursor *cursor)
{
    struct otf_frame *frame = cursor->n_frames > 0 ? &cursor->frames[cursor->n_frames - 1] : NULL;
    if (frame == NULL || !otf_teams_count(cursor) || cursor->shared->defs->regions[frame->region].gathers != OTF_LOCKS)
        return;
    uint8_t role = frame->role;
    frame->role = OTF_ROLE_LOCK;
    otf_cursor_end_piece(cursor);
    frame->role = role;
}

void otf_cursor_switch_task(struct otf_cursor *cursor)
{
    cursor->has_tasks = true;
    if (otf_teams_count(cursor))
        otf_cursor_end_piece(cursor);
}

/* The scope of the i-th frame begins again, or pauses. */
static void repeat_scope(struct otf_cursor *cursor, uint8_t kind, size_t i)
{
    if (!cursor->frames[i].says && !cursor->frames[i].is_hidden)
        otf_cursor_put_scope(cursor, kind, cursor->shared->defs->regions[cursor->frames[i].region].scope);
}

bool otf_teams_find_frame(struct otf_cursor *cursor, uint32_t region)
{
    size_t n = cursor->n_frames, i = n;
    while (i > 0 && cursor->frames[i - 1].region != region)
        i--;
    if (i == 0 || cursor->n_calls > 0)
        return false;
    struct otf_frame frame = cursor->frames[i - 1];
    memmove(&cursor->frames[i - 1], &cursor->frames[i], (n - i) * sizeof frame);
    cursor->frames[n - 1] = frame;
    otf_cursor_end_piece(cursor);
    for (size_t j = n - 1; j >= i; j--)
        repeat_scope(cursor, RECORD_LEAVE, j - 1);
    repeat_scope(cursor, RECORD_LEAVE, n - 1);
    for (size_t j = i; j <= n; j++)
        repeat_scope(cursor, RECORD_ENTER, j - 1);
    return true;
}
