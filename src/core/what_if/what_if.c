/* Runs a program again without each cause, and sets the gain beside the share of the critical path.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/what_if/internal.h"

#include "base/memory.h"
#include "base/range.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- comparing paths --- */

static int64_t sum_parts(const struct what_if *self, const struct outcome *outcome, uint32_t parts)
{
    int64_t sum = 0;
    for (int part = 0; part < N_PATH_PARTS; part++)
        for (int scope = 0; (parts & BIT(part)) && scope < self->n_scopes; scope++)
            sum += outcome->path[part * self->n_scopes + scope];
    return sum;
}

/* The share of the path that runs over other processors than before: 0 none, 1 all of it. NAN where it is not told by
 * processor, or there is none. */
static double find_moved(const struct what_if *self, const struct outcome *without)
{
    double moved = 0;
    if (!self->base.attribution.by_processor || self->base.end_ps == 0 || without->end_ps == 0)
        return NAN;
    const int64_t *before = self->base.path + N_PATH_PARTS * self->n_scopes;
    const int64_t *after = without->path + N_PATH_PARTS * self->n_scopes;
    for (int i = 0; i < self->base.attribution.n_processors; i++)
        moved += fabs((double)before[i] / (double)self->base.end_ps - (double)after[i] / (double)without->end_ps);
    return moved / 2;
}

static uint32_t parts_of(const struct what_if *self, const struct what_if_cause *cause)
{
    return self->shared ? cause->shared_parts : cause->parts;
}

/* The time that the metrics attribute to the cause: its parts of the critical path; for imbalance, how much more than
 * the mean the processor that computes most has, which is in *mean_ps then. -1 where they do not say. */
static int64_t find_attributed(const struct what_if *self, const struct what_if_cause *cause, int64_t *mean_ps)
{
    *mean_ps = 0;
    if (cause->balanced)
        return attribution_imbalance(&self->base.attribution, mean_ps);
    return parts_of(self, cause) == 0 ? -1 : sum_parts(self, &self->base, parts_of(self, cause));
}

/* The other cause whose parts of the path have changed most, if by more than a tenth of the difference that is to be
 * explained; -1 if there is none. */
static int find_partner(const struct what_if *self, int cause, const struct outcome *without, int64_t difference_ps)
{
    int partner = -1;
    int64_t most_ps = difference_ps / 10;
    uint32_t own = parts_of(self, &what_if_causes[cause]);
    for (int i = 0; i < N_CAUSES; i++) {
        uint32_t parts = parts_of(self, &what_if_causes[i]);
        if (!what_if_causes[i].is_partner || i == cause || (parts & own) != 0)
            continue;
        int64_t change_ps = llabs(sum_parts(self, without, parts) - sum_parts(self, &self->base, parts));
        if (change_ps > most_ps) {
            most_ps = change_ps;
            partner = i;
        }
    }
    return partner;
}

/* --- what is reported --- */

/* Rows for all parts that are not what they were. */
static void add_changes(struct result *result, const struct what_if *self, const struct what_if_cause *cause,
                        const struct outcome *without)
{
    const int64_t *before = self->base.path, *after = without->path;
    struct result_table *table = result_find_table(result, TABLE_WHAT_IF_PATHS);
    const char *const *scopes = self->run->program->app->scopes;
    for (int i = 0; i < N_PATH_PARTS * self->n_scopes; i++)
        if (before[i] != after[i])
            *result_add_what_if_paths(table) =
                (struct what_if_paths_row){.cause = (enum without)(cause - what_if_causes),
                                           .component = (enum path_part)(i / self->n_scopes),
                                           .scope = result_name(scopes[i % self->n_scopes]),
                                           .is_attributed = (parts_of(self, cause) & BIT(i / self->n_scopes)) != 0,
                                           .before_ps = before[i],
                                           .after_ps = after[i]};
}

static void add_ratio(struct result *result, const char *cause, const char *name, double ratio)
{
    char full[48];
    snprintf(full, sizeof full, "%s.%s", cause, name);
    result_add_ratio(result, "what_if", full, ratio);
}

static void add_measures(struct result *result, const struct what_if *self, const char *cause, int64_t attributed_ps,
                         int64_t time_ps)
{
    char name[48];
    double base = (double)self->base.end_ps;
    if (base > 0 && attributed_ps >= 0)
        add_ratio(result, cause, "share", (double)attributed_ps / base);
    if (base > 0)
        add_ratio(result, cause, "gain", (double)(self->base.end_ps - time_ps) / base);
    snprintf(name, sizeof name, "%s.time_s", cause);
    result_add_time(result, "what_if", name, time_ps);
}

/* By more than a fifth of the share. */
static bool differs(int64_t share_ps, int64_t gain_ps)
{
    return llabs(share_ps - gain_ps) > llabs(share_ps) / 5;
}

/* Have the time without a cause in alone_ps. */
static int find_alone(const struct what_if *self, int cause, struct sim_error *error)
{
    struct outcome without;
    if (self->alone_ps[cause] >= 0)
        return 0;
    if (what_if_simulate(&without, self, BIT(cause), error) != 0)
        return -1;
    self->alone_ps[cause] = without.end_ps;
    what_if_outcome_dispose(&without);
    return 0;
}

/* Simulate what the cause and its partner gain together, and the partner alone. */
static int add_partner(struct what_if_causes_row *row, const struct what_if *self, int cause, int partner,
                       struct sim_error *error)
{
    struct outcome joint;
    if (find_alone(self, partner, error) != 0 || what_if_simulate(&joint, self, BIT(cause) | BIT(partner), error) != 0)
        return error->status == SIM_UNFINISHED ? 0 : -1;
    row->partner = (enum without)partner;
    row->partner_time_ps = self->alone_ps[partner];
    row->joint_time_ps = joint.end_ps;
    what_if_outcome_dispose(&joint);
    return 0;
}

/* REMOVAL_DONE if causes can be removed from such a program, or why not. */
static enum removal find_removal(const struct what_if *self, uint32_t causes)
{
    unsigned programs = ANY_PROGRAM;
    for (int i = 0; i < N_CAUSES; i++)
        if (causes & BIT(i))
            programs &= what_if_causes[i].programs;
    if (!(programs & (self->shared ? WITH_SHARED_MEMORY : WITH_MESSAGES)))
        return self->shared ? REMOVAL_NEEDS_MESSAGES : REMOVAL_NEEDS_SHARED_MEMORY;
    return REMOVAL_DONE;
}

/* Simulate without a cause, unless that has been done. */
static int simulate_cause(struct outcome *without, struct what_if *self, int index, struct sim_error *error)
{
    if (index != WITHOUT_NETWORK || !self->has_ideal)
        return what_if_simulate(without, self, BIT(index), error);
    *without = self->ideal;
    self->has_ideal = false;
    return 0;
}

static int measure_cause(struct result *result, struct what_if *self, int index, struct sim_error *error)
{
    const struct what_if_cause *cause = &what_if_causes[index];
    enum removal removal = find_removal(self, BIT(index));
    struct what_if_causes_row *row = result_add_what_if_causes(result_find_table(result, TABLE_WHAT_IF_CAUSES));
    struct outcome without;
    row->cause = (enum without)index;
    row->part_of = cause->part_of;
    row->partner = WITHOUT_NOTHING;
    row->removal = removal;
    if (removal != REMOVAL_DONE)
        return 0;
    if (simulate_cause(&without, self, index, error) != 0) {
        row->removal = REMOVAL_UNFINISHED;
        return error->status == SIM_UNFINISHED ? 0 : -1;
    }
    int64_t attributed_ps = find_attributed(self, cause, &row->mean_computation_ps);
    int64_t gain_ps = self->base.end_ps - without.end_ps;
    uint32_t parts = parts_of(self, cause);
    row->removed_ps = sum_parts(self, &self->base, parts) - sum_parts(self, &without, parts);
    row->path_ps = sum_parts(self, &self->base, parts);
    row->is_attributed = attributed_ps >= 0;
    row->attributed_ps = attributed_ps >= 0 ? attributed_ps : 0;
    row->time_ps = self->alone_ps[index] = without.end_ps;
    row->differs = attributed_ps >= 0 && differs(attributed_ps, gain_ps);
    row->returned_ps = row->removed_ps - gain_ps;
    row->moved = find_moved(self, &without);
    add_changes(result, self, cause, &without);
    add_measures(result, self, without_names[index], attributed_ps, without.end_ps);
    int status = 0, partner = -1;
    if (row->differs)
        partner = find_partner(self, index, &without, llabs(attributed_ps - gain_ps));
    if (partner >= 0 && find_removal(self, BIT(partner)) == REMOVAL_DONE)
        status = add_partner(row, self, index, partner, error);
    what_if_outcome_dispose(&without);
    return status;
}

/* POP's efficiencies: u is a processor's useful work, T the time, T° that on the ideal network, both without the
 * beginning and the end of the message library. */
static int add_efficiencies(struct result *result, struct what_if *self, struct sim_error *error)
{
    if (what_if_simulate(&self->ideal, self, BIT(WITHOUT_NETWORK), error) != 0)
        return error->status == SIM_UNFINISHED ? 0 : -1;
    self->has_ideal = true;
    self->alone_ps[WITHOUT_NETWORK] = self->ideal.end_ps;
    const struct attribution *loads = &self->base.attribution;
    double largest = (double)attribution_largest(loads);
    int n_working = loads->n_processors - (self->run->program->has_progress ? loads->n_ranks : 0);
    double mean = (double)attribution_sum(loads) / n_working;
    double startup = (double)sum_parts(self, &self->base, (uint32_t)BIT(PART_STARTUP)); /* the same without a network */
    double time = (double)self->base.end_ps - startup, ideal_time = (double)self->alone_ps[WITHOUT_NETWORK] - startup;
    result_add_time(result, "pop", "ideal_time_s", self->alone_ps[WITHOUT_NETWORK]);
    if (largest <= 0 || time <= 0 || ideal_time <= 0)
        return 0;
    result_add_ratio(result, "pop", "parallel_efficiency", mean / time);
    result_add_ratio(result, "pop", "load_balance", mean / largest);
    result_add_ratio(result, "pop", "communication_efficiency", largest / time);
    result_add_ratio(result, "pop", "serialisation", largest / ideal_time);
    result_add_ratio(result, "pop", "transfer", ideal_time / time);
    return 0;
}

static int measure(struct result *result, const struct kernel_run *run, uint32_t causes, struct sim_error *error)
{
    const struct app_spec *app = run->program->app;
    struct what_if self = {.run = run,
                           .shared = app->emit_shared != NULL,
                           .n_ranks = run->placement->n_ranks,
                           .n_each = int_max(run->program->n_processors, 1),
                           .n_scopes = names_count(app->scopes)};
    if (what_if_simulate(&self.base, &self, 0, error) != 0)
        return -1;
    assert(sum_parts(&self, &self.base, (uint32_t)BIT(N_PATH_PARTS) - 1) == self.base.end_ps);
    self.alone_ps = xmalloc((size_t)N_CAUSES * sizeof *self.alone_ps);
    for (int i = 0; i < N_CAUSES; i++)
        self.alone_ps[i] = -1;
    self.factors = what_if_balancing_factors(&self.base.attribution);
    result_add_table(result, TABLE_WHAT_IF_CAUSES);
    result_add_table(result, TABLE_WHAT_IF_PATHS);
    int status = add_efficiencies(result, &self, error);
    for (int i = 0; i < N_CAUSES && status == 0; i++)
        if (causes & BIT(i))
            status = measure_cause(result, &self, i, error);
    free(self.alone_ps);
    free(self.factors);
    if (self.has_ideal)
        what_if_outcome_dispose(&self.ideal);
    what_if_outcome_dispose(&self.base);
    return status;
}

int what_if_measure(struct result *result, const struct kernel_run *run, uint32_t causes, struct sim_error *error)
{
    struct result measured;
    result_init(&measured);
    if (measure(&measured, run, causes, error) != 0) {
        result_dispose(&measured);
        return -1;
    }
    result_remove_group(result, "what_if");
    result_remove_group(result, "pop");
    result_remove_table(result, TABLE_WHAT_IF_CAUSES);
    result_remove_table(result, TABLE_WHAT_IF_PATHS);
    result_append(result, &measured);
    return 0;
}
