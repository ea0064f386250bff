/* Causes of waits at barriers and for locks (Pereira98, section 1; Meira, TR 663, University of Rochester, 1997): what
 * the others did, while a rank waited for them, that it had not to do itself.
 *
 * The explanation of a wait is what the late side's chain has more than the waiting rank's own (chains.h), and adds up
 * to the time waited for others. Steps that both sides took are equal if they are in the same scope and category, on
 * whatever processor, and cancel: what one rank computed in a scope explains a wait only as far as it is more than the
 * other computed there. The rest of the wait is for the answer itself, which waits.c explains. */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "base/sort.h"
#include "metrics/chains.h"
#include "metrics/shared/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct causes {
    struct event_setup setup;
    struct chains *chains;
    struct paths *(*groups)[N_OPERATIONS]; /* of each scope in which ranks wait; NULL: nobody did */
    struct step *steps;                    /* of the explanation at hand */
};

static void *causes_open(const struct event_setup *setup)
{
    if (!setup->has_categories)
        return NULL;
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

static void causes_take(void *data, const struct event *event)
{
    struct causes *self = data;
    const int64_t *difference = chains_take(self->chains, event);
    int n_steps = 0;
    if (difference == NULL)
        return;
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        for (int c = 0; c < N_STEP_CATEGORIES; c++)
            n_steps += cancel(self, difference, scope, (enum category)(CATEGORY_COMP + c), &self->steps[n_steps]);
    struct paths **group = &self->groups[event->scope][event->operation];
    if (*group == NULL) {
        *group = xmalloc(sizeof **group);
        paths_init(*group, chains_n_steps(self->chains), self->setup.n_ranks);
    }
    paths_add(*group, self->steps, n_steps, event->location, event->end_ps - event->origin_ps);
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

static const struct result_column columns[] = {
    {"scope", MEASURE_TEXT},       {"operation", MEASURE_TEXT},   {"path", MEASURE_COUNT},
    {"ranks", MEASURE_TEXT},       {"count", MEASURE_COUNT},      {"wait_s", MEASURE_TIME},
    {"cause_rank", MEASURE_COUNT}, {"cause_scope", MEASURE_TEXT}, {"cause_category", MEASURE_TEXT},
    {"time_s", MEASURE_TIME},      {"share", MEASURE_RATIO},      {"pruned", MEASURE_COUNT},
};
enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

/* Where a row stands: what was waited for, and by whom. */
struct row_place {
    const char *scope;
    int operation, number;
    const struct path *path;
    int n_ranks;
};

static void add_row(struct result_table *table, const struct row_place *place, int rank, const char *scope,
                    const char *category, wide_int ps, bool pruned)
{
    wide_int wait_ps = place->path->late_ps + place->path->answer_ps;
    union result_cell *row = result_add_row(table);
    snprintf(row[0].text, sizeof row[0].text, "%s", place->scope);
    snprintf(row[1].text, sizeof row[1].text, "%s", operation_names[place->operation]);
    row[2].number = place->number;
    name_waiters(row[3].text, sizeof row[3].text, place->path->waiters, place->n_ranks);
    row[4].number = place->path->count;
    row[5].number = wait_ps;
    row[6].number = rank;
    snprintf(row[7].text, sizeof row[7].text, "%s", scope);
    snprintf(row[8].text, sizeof row[8].text, "%s", category);
    row[9].number = ps;
    row[10].ratio = wait_ps > 0 ? (double)ps / (double)wait_ps : 0;
    row[11].number = pruned;
}

/* All steps, the longest first; those are pruned that come when 95 % of the time waited for others is explained. */
static void add_steps(const struct causes *self, struct result_table *table, const struct row_place *place)
{
    int n_steps = chains_n_steps(self->chains), count = 0;
    struct long_step *steps = xmalloc((size_t)n_steps * sizeof *steps);
    wide_int rest = place->path->late_ps;
    for (int s = 0; s < n_steps; s++)
        if (place->path->step_ps[s] != 0)
            steps[count++] = (struct long_step){s, place->path->step_ps[s]};
    sort_stable(steps, (size_t)count, sizeof *steps, by_length);
    for (int i = 0; i < count; i++) {
        bool pruned = magnitude_of(rest) * 20 <= place->path->late_ps;
        add_row(table, place, chains_rank_of(self->chains, steps[i].index),
                metrics_scope_name(&self->setup, chains_scope_of(self->chains, steps[i].index)),
                category_names[chains_category_of(steps[i].index)], steps[i].ps, pruned);
        rest -= pruned ? 0 : steps[i].ps;
    }
    free(steps);
}

static void add_group(const struct causes *self, struct result_table *table, int scope, int operation)
{
    const struct paths *group = self->groups[scope][operation];
    struct path sorted[MAX_PATHS + 1];
    memcpy(sorted, group->paths, (size_t)group->count * sizeof *sorted);
    sort_stable(sorted, (size_t)group->count, sizeof *sorted, by_wait);
    for (int i = 0; i < group->count; i++) {
        const struct row_place place = {metrics_scope_name(&self->setup, scope), operation, i, &sorted[i],
                                        self->setup.n_ranks};
        if (sorted[i].step_ps != NULL)
            add_steps(self, table, &place);
        add_row(table, &place, -1, "", "answer", sorted[i].answer_ps, false);
    }
}

static void causes_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct causes *self = data;
    struct result_table *table = result_add_table(result, "causes", columns, N_COLUMNS);
    (void)totals;
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        for (int o = 0; o < N_OPERATIONS; o++)
            if (self->groups[scope][o] != NULL)
                add_group(self, table, scope, o);
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
    .open = causes_open,
    .take = causes_take,
    .report = causes_report,
    .free = causes_free,
};
