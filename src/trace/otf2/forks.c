/* Forks and joins of a rank's threads (OpenMP): which take part in which fork, and how they let each other go on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/calls.h"
#include "trace/otf2/threads.h"

#include "base/memory.h"
#include "base/range.h"

/* Let those go on that take part in the fork; how many do. */
static uint32_t signal_parts(struct otf_cursor *cursor)
{
    const struct otf_process *process = otf_process_of(cursor);
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
    struct otf_process *process = otf_process_of(cursor);
    if (!otf_threads_count(cursor) || cursor->thread > 0 || cursor->depth++ > 0)
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
    if (!otf_threads_count(cursor) || cursor->thread > 0 || cursor->depth == 0 || --cursor->depth > 0 ||
        cursor->first_pass)
        return;
    otf_cursor_end_piece(cursor);
    if (cursor->n_team > 1)
        otf_await_team(cursor, otf_mark_of(OTF_MARK_JOIN, cursor->fork, 0), cursor->n_team, -1, SLEEP_TEAM);
}

/* How many forks have been up to now. */
static int64_t fork_now(const struct otf_cursor *cursor)
{
    const struct otf_process *process = otf_process_of(cursor);
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
    if (!otf_threads_count(cursor) || cursor->thread == 0 || cursor->depth++ > 0)
        return;
    int64_t fork = fork_now(cursor);
    if (fork <= cursor->fork)
        return;
    bool is_first = cursor->fork == 0 && otf_is_at_beginning(cursor);
    cursor->fork = fork;
    cursor->n_barriers = 0;
    cursor->takes_part = true;
    if (cursor->first_pass) {
        struct otf_part *part = &otf_process_of(cursor)->parts[cursor->thread - 1];
        part->forks = xgrow(part->forks, part->n, &part->capacity, sizeof *part->forks);
        part->forks[part->n++] = (uint64_t)fork;
        cursor->survey->is_begun |= otf_is_at_beginning(cursor);
        return;
    }
    cursor->n_team = n_joined(otf_process_of(cursor), fork);
    if (is_first) /* it has been there since the rank began */
        cursor->since_ps = int64_min(cursor->since_ps, otf_own_survey(cursor)->first_ps + cursor->shared->shift_ps);
    otf_await_team(cursor, otf_mark_of(OTF_MARK_FORK, fork, cursor->thread), 2, -1, SLEEP_SERIAL);
}

void otf_leave_fork(struct otf_cursor *cursor)
{
    if (cursor->takes_part && !cursor->first_pass)
        otf_signal_mark(cursor, otf_mark_of(OTF_MARK_JOIN, cursor->fork, 0), cursor->n_team);
    cursor->takes_part = false;
}

void otf_cursor_team_ends(struct otf_cursor *cursor)
{
    if (!otf_threads_count(cursor) || cursor->thread == 0 || cursor->depth == 0 || --cursor->depth > 0)
        return;
    otf_cursor_end_piece(cursor);
    otf_leave_fork(cursor);
}

void otf_end_teams(struct otf_cursor *cursor)
{
    const struct otf_process *process = otf_process_of(cursor);
    int64_t last_fork = (int64_t)process->n_forks + 1;
    for (int i = 0; cursor->thread == 0 && i < process->n_threads; i++)
        if (process->parts[i].n > 0)
            otf_signal_mark(cursor, otf_mark_of(OTF_MARK_FORK, last_fork, i + 1), 2);
    if (cursor->thread == 0 || cursor->fork == 0)
        return;
    cursor->now_ps = int64_max(cursor->now_ps, otf_own_survey(cursor)->last_ps + cursor->shared->shift_ps);
    otf_await_team(cursor, otf_mark_of(OTF_MARK_FORK, last_fork, cursor->thread), 2, -1, SLEEP_SERIAL);
}
