/* A run without some causes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/what_if/internal.h"

#include "base/memory.h"
#include "sim/simulate.h"

#include <math.h>

/* The change of the work of a run: the parts that take no time, and the factors by which the work of each processor
 * in each scope is multiplied (NULL: none). */
struct omission {
    uint32_t free_parts;
    int n_scopes;
    const double *factors;
};

static void change_work(const void *data, int processor, int64_t step, const struct op *op, int64_t *work_ps)
{
    (void)step;
    const struct omission *change = data;
    if (op->role == ROLE_INPUT || op->role == ROLE_OUTPUT) {
        if (change->free_parts & BIT(op->role == ROLE_INPUT ? PART_INPUT : PART_OUTPUT))
            work_ps[WORK_CPU] = 0;
        return;
    }
    int first = op->role == ROLE_CONTROL ? PART_CONTROL_CPU : PART_CPU;
    for (int c = 0; c < N_WORK_COMPONENTS; c++) {
        if (change->free_parts & BIT(first + c))
            work_ps[c] = 0;
        else if (change->factors != NULL && first == PART_CPU) {
            double ps = (double)work_ps[c] * change->factors[(size_t)processor * (size_t)change->n_scopes + op->scope];
            work_ps[c] = ps < (double)PS_MAX ? llround(ps) : PS_TOO_LONG;
        }
    }
}

void what_if_outcome_dispose(struct outcome *outcome)
{
    attribution_dispose(&outcome->attribution);
}

int what_if_simulate(struct outcome *outcome, const struct what_if *self, uint32_t causes, struct sim_error *error)
{
    unsigned costs = 0;
    struct omission omission = {.n_scopes = self->n_scopes};
    struct kernel_run run = *self->run;
    struct interval_sink sink = {.take = attribution_take, .self = &outcome->attribution};
    struct kernel_stats stats = {0};
    for (int i = 0; i < N_CAUSES; i++) {
        if (!(causes & BIT(i)))
            continue;
        costs |= what_if_causes[i].costs;
        omission.free_parts |= what_if_causes[i].free_parts;
        omission.factors = what_if_causes[i].balanced ? self->factors : omission.factors;
        run.network = what_if_causes[i].quiet ? &network_quiet : run.network;
    }
    struct machine machine;
    machine_copy(&machine, self->run->machine);
    machine.costs = cost_model_without(&machine.costs, costs);
    run.machine = &machine;
    run.sinks = &sink;
    run.n_sinks = 1;
    run.without_receipts = true;
    run.splits_messages = true;
    if (causes != 0) /* where polling takes no time a program may do nothing else */
        run.most_events = 100000 + 20 * self->base.events;
    const struct work_change change = {.apply = change_work, .data = &omission, .next = self->run->change};
    if (omission.free_parts != 0 || omission.factors != NULL)
        run.change = &change;
    attribution_init(&outcome->attribution, self->n_ranks, self->n_each, self->n_scopes, self->shared);
    int status = simulate_run(&stats, &run, error);
    machine_dispose(&machine);
    outcome->end_ps = stats.end_ps;
    outcome->events = stats.events;
    outcome->path = attribution_path(&outcome->attribution);
    if (status != 0)
        what_if_outcome_dispose(outcome);
    return status;
}

/* Those of one scope, of the processors of all ranks from `first` on. */
static void balance(double *factors, const struct attribution *loads, size_t first, size_t scope)
{
    size_t n_scopes = (size_t)loads->n_scopes, n_ranks = (size_t)loads->n_ranks;
    double sum_ps = 0;
    for (size_t rank = 0; rank < n_ranks; rank++)
        sum_ps += (double)loads->computation_ps[(first + rank) * n_scopes + scope];
    for (size_t rank = 0; rank < n_ranks; rank++) {
        double load_ps = (double)loads->computation_ps[(first + rank) * n_scopes + scope];
        factors[(first + rank) * n_scopes + scope] = load_ps > 0 ? sum_ps / (double)n_ranks / load_ps : 1;
    }
}

double *what_if_balancing_factors(const struct attribution *loads)
{
    size_t n_scopes = (size_t)loads->n_scopes, n_processors = (size_t)loads->n_processors;
    double *factors = xcalloc(n_processors * n_scopes, sizeof *factors);
    for (size_t scope = 0; scope < n_scopes; scope++)
        for (size_t first = 0; first < n_processors; first += (size_t)loads->n_ranks)
            balance(factors, loads, first, scope);
    return factors;
}
