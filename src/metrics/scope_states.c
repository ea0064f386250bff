/* The states of each processor in each scope, when each has done its last, and which scopes lie in which.
 *
 * Over its scopes the states of a processor add up to its states, exactly. Scopes of traces nest, and a scope may lie
 * in several: each is a parent. Times of a scope are exclusive: without the time in scopes that lie in it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct scope_states {
    struct interval_setup setup;
    int64_t (*state_ps)[N_LOCATION_STATES]; /* of each processor, scope by scope */
    int64_t *end_ps;                        /* of each processor, where it last did something but wait */
};

static void *scope_states_open(const struct interval_setup *setup)
{
    struct scope_states *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->state_ps = xcalloc((size_t)interval_processors(setup) * (size_t)setup->n_scopes, sizeof *self->state_ps);
    self->end_ps = xcalloc((size_t)interval_processors(setup), sizeof *self->end_ps);
    return self;
}

static void scope_states_take(void *data, const struct interval *interval)
{
    struct scope_states *self = data;
    if (interval->location >= interval_processors(&self->setup))
        return;
    size_t place = (size_t)interval->location * (size_t)self->setup.n_scopes + interval->scope;
    self->state_ps[place][interval->state] += interval->end_ps - interval->start_ps;
    if (interval->state != STATE_IDLE || interval->is_receipt)
        self->end_ps[interval->location] = interval->end_ps;
}

/* True if any rank was in a state that only some runs have. */
static bool has_unusual(const struct scope_states *self)
{
    size_t n = (size_t)interval_processors(&self->setup) * (size_t)self->setup.n_scopes;
    bool any = false;
    for (size_t i = 0; i < n && !any; i++)
        any = self->state_ps[i][STATE_IO] != 0 || self->state_ps[i][STATE_LIBRARY] != 0;
    return any;
}

/* Add the states of each processor in the scopes in which it was. The states that only some runs have come last. */
static void add_states(const struct scope_states *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_SCOPE_STATES);
    if (!has_unusual(self)) {
        result_leave_out(table, offsetof(struct scope_states_row, state_ps[STATE_IO]));
        result_leave_out(table, offsetof(struct scope_states_row, state_ps[STATE_LIBRARY]));
    }
    if (self->setup.n_more_processors == 0)
        result_leave_out(table, offsetof(struct scope_states_row, processor));
    for (int i = 0; i < interval_processors(&self->setup); i++)
        for (int scope = 0; scope < self->setup.n_scopes; scope++) {
            int location = interval_in_order(&self->setup, 1 + self->setup.n_more_processors, i);
            const int64_t *state_ps = self->state_ps[(size_t)location * (size_t)self->setup.n_scopes + (size_t)scope];
            int64_t sum = 0;
            for (int s = 0; s < N_LOCATION_STATES; s++)
                sum += state_ps[s];
            if (sum == 0)
                continue;
            struct scope_states_row *row = result_add_scope_states(table);
            row->rank = location % self->setup.n_ranks;
            row->processor = location / self->setup.n_ranks;
            row->scope = metrics_scope_name(&self->setup, scope);
            memcpy(row->state_ps, state_ps, sizeof row->state_ps);
        }
}

static void add_ends(const struct scope_states *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_RANK_ENDS);
    int n_ranks = self->setup.n_ranks;
    if (self->setup.n_more_processors == 0)
        result_leave_out(table, offsetof(struct rank_ends_row, processor));
    for (int i = 0; i < interval_processors(&self->setup); i++) {
        int location = interval_in_order(&self->setup, 1 + self->setup.n_more_processors, i);
        *result_add_rank_ends(table) =
            (struct rank_ends_row){location % n_ranks, location / n_ranks, self->end_ps[location]};
    }
}

static void add_parents(const struct interval_setup *setup, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_SCOPES);
    for (int scope = 0; scope < setup->n_scopes; scope++)
        for (int parent = 0; parent < setup->n_scopes; parent++)
            if (scope != parent && setup->nests[scope * setup->n_scopes + parent])
                *result_add_scopes(table) =
                    (struct scopes_row){metrics_scope_name(setup, scope), metrics_scope_name(setup, parent)};
}

static void scope_states_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct scope_states *self = data;
    (void)totals;
    add_states(self, result);
    add_ends(self, result);
    if (self->setup.nests != NULL)
        add_parents(&self->setup, result);
}

static void scope_states_free(void *data)
{
    struct scope_states *self = data;
    free(self->state_ps);
    free(self->end_ps);
    free(self);
}

const struct metric_spec metric_scope_states = {
    .name = "scope_states",
    .summary = "the states of each rank in each scope, when it ends, and how scopes are nested",
    .source = "Lemeire07, section 1.2; Pereira98, figure 4",
    .details = DETAIL_BIT(DETAIL_SCOPES),
    .open = scope_states_open,
    .take = scope_states_take,
    .report = scope_states_report,
    .free = scope_states_free,
};
