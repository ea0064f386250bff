/* Phases of computation against the number of quantums in them (Lemeire07, section 1.2): in classes by powers of two,
 * how many phases, how many quantums and operations, and how long they take.
 *
 * Traced programs say so (eppa_end()). A phase is a computation of a rank without a call in it; of one with
 * calls in it, it is what follows the last of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { N_CLASSES = 64 }; /* of 2^c ... 2^(c+1) - 1 */

struct class
{
    int64_t count;
    wide_int quantums, operations, time_ps;
};

struct work_phases {
    struct interval_setup setup;
    struct class **classes; /* of each scope, N_CLASSES of useful work, then of control; NULL: without any */
};

static void *work_phases_open(const struct interval_setup *setup)
{
    struct work_phases *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->classes = xcalloc((size_t)setup->n_scopes, sizeof *self->classes);
    return self;
}

static void work_phases_take(void *data, const struct interval *interval)
{
    struct work_phases *self = data;
    if (interval->quantums <= 0 || interval->kind != INTERVAL_COMPUTE)
        return;
    struct class **classes = &self->classes[interval->scope];
    if (*classes == NULL)
        *classes = xcalloc(2 * N_CLASSES, sizeof **classes);
    int size = 63 - __builtin_clzll((unsigned long long)interval->quantums);
    struct class *class = *classes + (interval->state == STATE_CONTROL ? N_CLASSES : 0) + size;
    class->count++;
    class->quantums += interval->quantums;
    class->operations += interval->operations;
    class->time_ps += interval->end_ps - interval->start_ps;
}

static void add_row(struct result_table *table, const char *scope, enum location_state work, int size,
                    const struct class *class)
{
    double seconds = units_seconds(class->time_ps);
    *result_add_work_phases(table) = (struct work_phases_row){.scope = scope,
                                                              .work = work,
                                                              .from_quantums = INT64_C(1) << size,
                                                              .to_quantums = (int64_t)((UINT64_C(2) << size) - 1),
                                                              .phases = class->count,
                                                              .quantums = class->quantums,
                                                              .operations = class->operations,
                                                              .time_ps = class->time_ps,
                                                              .mean_s = seconds / (double)class->count,
                                                              .per_quantum_s = seconds / (double)class->quantums};
}

static void work_phases_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct work_phases *self = data;
    struct result_table *table = NULL;
    (void)totals;
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        for (int i = 0; self->classes[scope] != NULL && i < 2 * N_CLASSES; i++) {
            if (self->classes[scope][i].count == 0)
                continue;
            if (table == NULL)
                table = result_add_table(result, TABLE_WORK_PHASES);
            add_row(table, metrics_scope_name(&self->setup, scope), i < N_CLASSES ? STATE_USEFUL : STATE_CONTROL,
                    i % N_CLASSES, &self->classes[scope][i]);
        }
}

static void work_phases_free(void *data)
{
    struct work_phases *self = data;
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        free(self->classes[scope]);
    free(self->classes);
    free(self);
}

const struct metric_spec metric_work_phases = {
    .name = "work_phases",
    .summary = "number and time of phases of work, by quantums",
    .source = "Lemeire07, section 1.2",
    .runs = OF_TRACES,
    .open = work_phases_open,
    .take = work_phases_take,
    .report = work_phases_report,
    .free = work_phases_free,
};
