/* Teams of threads within ranks, as OpenMP has them: the serial part, in which only a rank's own thread runs, and the
 * time in which threads wait for each other.
 *
 * A rank's own thread counts, and those that take part in its teams, each for the whole run. Their time is busy
 * time, or waiting: while the rank's own thread works alone, for others at barriers and the ends of parallel regions,
 * for locks, or for anything else (messages, ...). The serial part is the least that one of the further threads was
 * in no team.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>

enum { N_KINDS = WAIT_THREAD_LOCK - WAIT_SERIAL + 1 };

struct thread {
    int64_t wait_ps[N_KINDS], idle_ps; /* idle: all of it, but before its start and after its end */
    int64_t away_ps;                   /* before its start, after its end */
};

/* One kind of waiting in one scope. */
struct cell {
    int64_t n_waits;
    wide_int time_ps;
    int64_t *for_ps, *of_ps; /* for each processor of a rank; of each rank. NULL: there is nothing */
};

struct threads {
    struct interval_setup setup;
    struct thread *threads;
    struct cell *cells; /* [scope * N_KINDS + kind] */
    bool any;
};

static void *threads_open(const struct interval_setup *setup)
{
    if (setup->n_more_processors == 0)
        return NULL;
    struct threads *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->threads = xcalloc((size_t)interval_processors(setup), sizeof *self->threads);
    self->cells = xcalloc((size_t)setup->n_scopes * N_KINDS, sizeof *self->cells);
    return self;
}

static void take_wait(struct threads *self, const struct interval *interval, int kind)
{
    struct cell *cell = &self->cells[interval->scope * N_KINDS + kind];
    int64_t length_ps = interval->end_ps - interval->start_ps;
    int n_ranks = self->setup.n_ranks;
    if (cell->n_waits++ == 0) {
        cell->for_ps = xcalloc((size_t)self->setup.n_more_processors + 1, sizeof *cell->for_ps);
        cell->of_ps = xcalloc((size_t)n_ranks, sizeof *cell->of_ps);
    }
    cell->time_ps += length_ps;
    cell->of_ps[interval->location % n_ranks] += length_ps;
    if (interval->wait == WAIT_TEAM && interval->peer >= 0)
        cell->for_ps[interval->peer / n_ranks] += length_ps;
    self->threads[interval->location].wait_ps[kind] += length_ps;
    self->any = true;
}

static void threads_take(void *data, const struct interval *interval)
{
    struct threads *self = data;
    int64_t length_ps = interval->end_ps - interval->start_ps;
    if (interval->state != STATE_IDLE || length_ps == 0)
        return;
    struct thread *thread = &self->threads[interval->location];
    if (interval->wait == WAIT_START || interval->wait == WAIT_END)
        thread->away_ps += length_ps;
    else
        thread->idle_ps += length_ps;
    if (interval->wait >= WAIT_SERIAL && interval->wait <= WAIT_THREAD_LOCK)
        take_wait(self, interval, interval->wait - WAIT_SERIAL);
}

static bool is_of_team(const struct thread *thread)
{
    for (int kind = 0; kind < N_KINDS; kind++)
        if (thread->wait_ps[kind] > 0)
            return true;
    return false;
}

static void add_thread(struct teams_row *row, const struct thread *thread, int64_t end_ps)
{
    int64_t known_ps = 0;
    row->threads++;
    row->time_ps += end_ps;
    row->busy_ps += end_ps - thread->idle_ps - thread->away_ps;
    for (int kind = 0; kind < N_KINDS; kind++) {
        row->wait_ps[kind] += thread->wait_ps[kind];
        known_ps += thread->wait_ps[kind];
    }
    row->other_ps += thread->idle_ps + thread->away_ps - known_ps;
}

static void add_rank(const struct threads *self, int rank, int64_t end_ps, struct result_table *table)
{
    int n_ranks = self->setup.n_ranks, n_processors = interval_processors(&self->setup);
    struct teams_row sum = {.rank = rank, .serial_ps = end_ps};
    add_thread(&sum, &self->threads[rank], end_ps);
    for (int i = rank + n_ranks; i < n_processors; i += n_ranks) {
        const struct thread *thread = &self->threads[i];
        if (!is_of_team(thread))
            continue;
        add_thread(&sum, thread, end_ps);
        sum.serial_ps = int64_min(sum.serial_ps, thread->wait_ps[WAIT_SERIAL - WAIT_SERIAL] + thread->away_ps);
    }
    sum.parallel_ps = end_ps - sum.serial_ps;
    *result_add_teams(table) = sum;
}

/* The largest of n times; -1: there is none. */
static int largest(const int64_t *times_ps, int n)
{
    int found = -1;
    for (int i = 0; i < n; i++)
        if (times_ps[i] > 0 && (found < 0 || times_ps[i] > times_ps[found]))
            found = i;
    return found;
}

static void add_wait(const struct threads *self, int scope, int kind, struct result_table *table)
{
    const struct cell *cell = &self->cells[scope * N_KINDS + kind];
    int last = largest(cell->for_ps, self->setup.n_more_processors + 1),
        rank = largest(cell->of_ps, self->setup.n_ranks);
    *result_add_team_waits(table) = (struct team_waits_row){
        .wait = (enum wait_state)(WAIT_SERIAL + kind),
        .scope = metrics_scope_name(&self->setup, scope),
        .waits = cell->n_waits,
        .time_ps = cell->time_ps,
        .last_thread = last,
        .last_ps = last >= 0 ? cell->for_ps[last] : 0,
        .rank = rank,
        .rank_ps = cell->of_ps[rank],
    };
}

static void threads_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct threads *self = data;
    if (!self->any)
        return;
    struct result_table *teams = result_add_table(result, TABLE_TEAMS);
    for (int rank = 0; rank < self->setup.n_ranks; rank++)
        add_rank(self, rank, totals->end_ps, teams);
    struct result_table *waits = result_add_table(result, TABLE_TEAM_WAITS);
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int scope = 0; scope < self->setup.n_scopes; scope++)
            if (self->cells[scope * N_KINDS + kind].n_waits > 0)
                add_wait(self, scope, kind, waits);
}

static void threads_free(void *data)
{
    struct threads *self = data;
    for (int i = 0; i < self->setup.n_scopes * N_KINDS; i++) {
        free(self->cells[i].for_ps);
        free(self->cells[i].of_ps);
    }
    free(self->cells);
    free(self->threads);
    free(self);
}

const struct metric_spec metric_threads = {
    .name = "threads",
    .summary = "traces only: teams of threads: serial parts, barriers, locks, and which thread is last",
    .source = "Geimer10",
    .runs = OF_TRACES,
    .open = threads_open,
    .take = threads_take,
    .report = threads_report,
    .free = threads_free,
};
