/* Causes of waits at barriers and for locks (Pereira98, section 1; Meira, TR 663, University of Rochester, 1997): what
 * the others did, while a rank waited for them, that it had not to do itself.
 *
 * The explanation of a wait is what the late side's chain has more than the waiting rank's own (chains.h), and adds up
 * to the time waited for others. Steps that both sides took are equal if they are in the same scope and category, on
 * whatever processor, and cancel: what one rank computed in a scope explains a wait only as far as it is more than the
 * other computed there. The rest of the wait is for the answer itself, which waits.c explains.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "base/sort.h"
#include "metrics/chains.h"
#include "metrics/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct causes {
    struct interval_setup setup;
    struct chains *chains;
    struct paths *(*groups)[N_OPERATIONS]; /* of each scope in which ranks wait; NULL: no rank waits */
    struct step *steps;                    /* of the explanation at hand */
};

static void *causes_open(const struct interval_setup *setup)
{
    struct causes *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->chains = chains_new(setup->n_ranks, setup->n_scopes);
    self->groups = xcalloc((size_t)setup->n_scopes, sizeof *self->groups);
    self->steps = xcalloc((size_t)chains_n_steps(self->chains), sizeof *self->steps);
    return self;
}

/* The steps of all ranks in one scope and category: those of the sign that outweighs the other's, each less its part of
 * that. The parts are rounded so that the sum stays what it is. */
static int cancel(const struct causes *self, const int64_t *difference, int scope, enum category category,
                  struct step *steps)
{
    wide_int net = 0, gross = 0;
    int count = 0;
    for (int rank = 0; rank < self->setup.n_ranks; rank++)
        net += difference[chains_step(self->chains, rank, scope, category)];
    for (int rank = 0; rank < self->setup.n_ranks; rank++) {
        int64_t ps = difference[chains_step(self->chains, rank, scope, category)];
        gross += (ps > 0) == (net > 0) ? ps : 0;
    }
    for (int rank = 0; rank < self->setup.n_ranks && net != 0; rank++) {
        int index = chains_step(self->chains, rank, scope, category);
        if (difference[index] == 0 || (difference[index] > 0) != (net > 0))
            continue;
        int64_t part = (int64_t)(net * difference[index] / gross);
        net -= part;
        gross -= difference[index];
        if (part != 0)
            steps[count++] = (struct step){index, part};
    }
    return count;
}

static void causes_take(void *data, const struct interval *interval)
{
    struct causes *self = data;
    const int64_t *difference = chains_take(self->chains, interval);
    int n_steps = 0;
    if (difference == NULL)
        return;
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        for (int c = 0; c < N_STEP_CATEGORIES; c++)
            n_steps += cancel(self, difference, scope, (enum category)(CATEGORY_COMP + c), &self->steps[n_steps]);
    struct paths **group = &self->groups[interval->scope][interval->operation];
    if (*group == NULL) {
        *group = xmalloc(sizeof **group);
        paths_init(*group, chains_n_steps(self->chains), self->setup.n_ranks);
    }
    paths_add(*group, self->steps, n_steps, interval->location, interval->end_ps - interval->origin_ps);
}

/* --- the report: for each path a row for each step, and one for the answer --- */

static int by_wait(const void *a, const void *b)
{
    const struct path *left = a, *right = b;
    wide_int left_ps = left->late_ps + left->answer_ps, right_ps = right->late_ps + right->answer_ps;
    return (left_ps < right_ps) - (left_ps > right_ps);
}

struct long_step {
    int index;
    wide_int ps;
};

static int by_length(const void *a, const void *b)
{
    const struct long_step *left = a, *right = b;
    wide_int left_ps = magnitude_of(left->ps), right_ps = magnitude_of(right->ps);
    if (left_ps != right_ps)
        return left_ps < right_ps ? 1 : -1;
    return left->index - right->index;
}

/* "0-3,5"; what is too long ends in dots. */
static void name_waiters(char *text, size_t size, const bool *waiters, int n)
{
    size_t used = 0;
    text[0] = '\0';
    for (int first = 0, last; first < n; first = last + 1) {
        last = first;
        if (!waiters[first])
            continue;
        while (last + 1 < n && waiters[last + 1])
            last++;
        if (used + 28 > size) {
            snprintf(text + used, size - used, ",...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, used > 0 ? ",%d" : "%d", first);
        if (last > first)
            used += (size_t)snprintf(text + used, size - used, "-%d", last);
    }
}

/* The cells that all rows of a path have in common. */
static struct causes_row row_of_path(const char *scope, enum operation operation, int number, const struct path *path,
                                     int n_ranks)
{
    char ranks[48];
    name_waiters(ranks, sizeof ranks, path->waiters, n_ranks);
    return (struct causes_row){.scope = scope,
                               .operation = operation,
                               .path = number,
                               .ranks = result_name(ranks),
                               .count = path->count,
                               .wait_ps = path->late_ps + path->answer_ps,
                               .cause_scope = result_name("")};
}

static void set_time(struct causes_row *row, wide_int ps)
{
    row->time_ps = ps;
    row->share = row->wait_ps > 0 ? (double)ps / (double)row->wait_ps : 0;
}

/* All steps, the longest first; those are pruned that come when 95 % of the time waited for others is explained. */
static void add_steps(const struct causes *self, struct result_table *table, struct causes_row row,
                      const struct path *path)
{
    int n_steps = chains_n_steps(self->chains), count = 0;
    struct long_step *steps = xmalloc((size_t)n_steps * sizeof *steps);
    wide_int rest = path->late_ps;
    for (int s = 0; s < n_steps; s++)
        if (path->step_ps[s] != 0)
            steps[count++] = (struct long_step){s, path->step_ps[s]};
    sort_stable(steps, (size_t)count, sizeof *steps, by_length);
    for (int i = 0; i < count; i++) {
        row.pruned = magnitude_of(rest) * 20 <= path->late_ps;
        row.cause_rank = chains_rank_of(self->chains, steps[i].index);
        row.cause_scope = metrics_scope_name(&self->setup, chains_scope_of(self->chains, steps[i].index));
        row.cause_category = chains_category_of(steps[i].index);
        set_time(&row, steps[i].ps);
        *result_add_causes(table) = row;
        rest -= row.pruned ? 0 : steps[i].ps;
    }
    free(steps);
}

static void add_group(const struct causes *self, struct result_table *table, int scope, enum operation operation)
{
    const struct paths *group = self->groups[scope][operation];
    struct path sorted[MAX_PATHS + 1];
    memcpy(sorted, group->paths, (size_t)group->count * sizeof *sorted);
    sort_stable(sorted, (size_t)group->count, sizeof *sorted, by_wait);
    for (int i = 0; i < group->count; i++) {
        struct causes_row row =
            row_of_path(metrics_scope_name(&self->setup, scope), operation, i, &sorted[i], self->setup.n_ranks);
        if (sorted[i].step_ps != NULL)
            add_steps(self, table, row, &sorted[i]);
        row.cause_rank = -1;
        set_time(&row, sorted[i].answer_ps);
        *result_add_causes(table) = row;
    }
}

static void causes_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct causes *self = data;
    struct result_table *table = result_add_table(result, TABLE_CAUSES);
    (void)totals;
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        for (int o = 0; o < N_OPERATIONS; o++)
            if (self->groups[scope][o] != NULL)
                add_group(self, table, scope, (enum operation)o);
}

static void causes_free(void *data)
{
    struct causes *self = data;
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        for (int o = 0; o < N_OPERATIONS; o++)
            if (self->groups[scope][o] != NULL) {
                paths_dispose(self->groups[scope][o]);
                free(self->groups[scope][o]);
            }
    chains_free(self->chains);
    free(self->groups);
    free(self->steps);
    free(self);
}

const struct metric_spec metric_causes = {
    .name = "causes",
    .summary = "shared memory: what made others wait at barriers and for locks",
    .source = "Pereira98, section 1; Meira 1997",
    .runs = OF_SHARED_MEMORY,
    .open = causes_open,
    .take = causes_take,
    .report = causes_report,
    .free = causes_free,
};
