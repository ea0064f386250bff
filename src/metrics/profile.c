/* Profiles of programs that share memory (Pereira98, section 4.1): the time of main processors and protocol controllers
 * in four dimensions: node, scope of the program, category, operation of the protocol.
 *
 * Each location's account closes: its times add up to the run's time. Scopes do not nest, so what a scope holds is
 * exclusive and inclusive alike; only the whole program, scope "0", includes them all.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

struct profile {
    struct interval_setup setup;
    int64_t (*time_ps)[N_CATEGORIES][N_OPERATIONS]; /* of each location, scope by scope */
};

static void *profile_open(const struct interval_setup *setup)
{
    struct profile *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->time_ps = xcalloc((size_t)setup->n_locations * (size_t)setup->n_scopes, sizeof *self->time_ps);
    return self;
}

static size_t place_of(const struct profile *self, int location, int scope)
{
    return (size_t)location * (size_t)self->setup.n_scopes + (size_t)scope;
}

static void profile_take(void *data, const struct interval *interval)
{
    struct profile *self = data;
    self->time_ps[place_of(self, interval->location, interval->scope)][interval->category][interval->operation] +=
        interval->end_ps - interval->start_ps;
}

/* By scope and category over all locations; sees that the account of each location closes, in its own categories. */
static void sum_up(const struct profile *self, int64_t end_ps, wide_int (*sums)[N_CATEGORIES])
{
    for (int location = 0; location < self->setup.n_locations; location++) {
        int64_t location_sum = 0;
        for (int scope = 0; scope < self->setup.n_scopes; scope++)
            for (int c = 0; c < N_CATEGORIES; c++)
                for (int o = 0; o < N_OPERATIONS; o++) {
                    int64_t ps = self->time_ps[place_of(self, location, scope)][c][o];
                    assert(ps == 0 || (c >= CATEGORY_CPCOMP) == (location >= self->setup.n_ranks));
                    sums[scope][c] += ps;
                    location_sum += ps;
                }
        assert(location_sum == end_ps);
        (void)location_sum;
    }
    (void)end_ps;
}

static void add_location(const struct profile *self, int location, struct result_table *table)
{
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        for (int c = 0; c < N_CATEGORIES; c++)
            for (int o = 0; o < N_OPERATIONS; o++) {
                int64_t ps = self->time_ps[place_of(self, location, scope)][c][o];
                if (ps != 0)
                    *result_add_profile(table) =
                        (struct profile_row){location % self->setup.n_ranks, metrics_scope_name(&self->setup, scope),
                                             (enum category)c, (enum operation)o, ps};
            }
}

static void add_profile(const struct profile *self, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_PROFILE);
    for (int location = 0; location < self->setup.n_locations; location++)
        add_location(self, location, table);
}

/* The time of the main processors by scope. */
static void add_scopes(const struct profile *self, wide_int (*sums)[N_CATEGORIES], struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_PROFILE_SCOPES);
    wide_int all = 0, outside = 0;
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        for (int c = CATEGORY_COMP; c <= CATEGORY_PRSTE; c++) {
            all += sums[scope][c];
            outside += scope == 0 ? sums[scope][c] : 0;
        }
    *result_add_profile_scopes(table) = (struct profile_scopes_row){"0", all, outside};
    for (int scope = 1; scope < self->setup.n_scopes; scope++) {
        wide_int sum = 0;
        for (int c = CATEGORY_COMP; c <= CATEGORY_PRSTE; c++)
            sum += sums[scope][c];
        if (sum > 0)
            *result_add_profile_scopes(table) =
                (struct profile_scopes_row){result_name(self->setup.scopes[scope]), sum, sum};
    }
}

static void profile_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct profile *self = data;
    wide_int(*sums)[N_CATEGORIES] = xcalloc((size_t)self->setup.n_scopes, sizeof *sums);
    sum_up(self, totals->end_ps, sums);
    int last = self->setup.n_locations > self->setup.n_ranks ? CATEGORY_CPIDLE : CATEGORY_PRSTE;
    for (int c = CATEGORY_COMP; c <= last; c++) {
        wide_int sum = 0;
        for (int scope = 0; scope < self->setup.n_scopes; scope++)
            sum += sums[scope][c];
        result_add_time(result, "category_s", category_names[c], sum);
    }
    add_profile(self, result);
    add_scopes(self, sums, result);
    free(sums);
}

static void profile_free(void *data)
{
    struct profile *self = data;
    free(self->time_ps);
    free(self);
}

const struct metric_spec metric_profile = {
    .name = "profile",
    .summary = "shared memory: time by node, scope, category and operation of the protocol",
    .source = "Pereira98, section 4.1",
    .runs = OF_SHARED_MEMORY,
    .open = profile_open,
    .take = profile_take,
    .report = profile_report,
    .free = profile_free,
};
