/* Barriers of a rank's teams (OpenMP): how long each thread waits there, and for which.
 *
 * A thread waits from where it enters a barrier to where the last one of its team does. The first pass finds out when
 * that is. In the second one, marks say so, as those of forks do (trace/otf2/threads.c): each thread names one where it
 * enters, the rank's own thread waits for that, and then lets each of the others go on by another mark. What is left of
 * the barrier is OpenMP's own work.
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
