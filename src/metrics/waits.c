/* The parts of waits for the memory's protocol (Pereira98, section 4.1, table 1): the 13 intervals of a request in
 * eight categories, by where a rank waited, for what, and for which operation. The eight add up to the whole wait,
 * exactly.
 *
 * A wait is whole: with the time in it in which the processor was busy, serving others or taking the answer in. A
 * controller that waits until its main processor takes an interrupt is in interval 6 of another node's request.
 *
 * A second table has the intervals one by one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

enum { PPRWAIT_INTERVAL = 6 };

/* The intervals of each part, 1 ... 13; 0: none. */
static const int parts[N_REQUEST_PARTS][2] = {
    [CPLWAIT] = {1, 11}, /* in the own controller's queue */
    [CPLCOMP] = {2, 12}, /* the own controller's work */
    [CPCCOMM] = {3, 10}, /* messages */
    [CPRWAIT] = {4, 8},  /* in the remote controller's queue */
    [CPRCOMP] = {5, 9},  /* its work */
    [PPRWAIT] = {6, 0},  /* until the remote main processor takes the interrupt */
    [PPRCOMP] = {7, 0},  /* its work */
    [PPLWAIT] = {13, 0}, /* until the own main processor has noticed */
};

/* The waits in one scope for one operation. */
struct wait {
    int64_t count;
    wide_int total_ps, idle_ps; /* idle: in category Wait */
    wide_int interval_ps[N_WAIT_INTERVALS];
};

struct waits {
    struct interval_setup setup;
    struct wait (*waits)[N_OPERATIONS];         /* of each scope */
    struct wait controller_waits[N_OPERATIONS]; /* a controller has no scope */
};

static void *waits_open(const struct interval_setup *setup)
{
    struct waits *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->waits = xcalloc((size_t)setup->n_scopes, sizeof *self->waits);
    return self;
}

static void take_whole(struct wait *wait, const int64_t *interval_ps)
{
    wait->count++;
    for (int i = 0; i < N_WAIT_INTERVALS; i++) {
        wait->interval_ps[i] += interval_ps[i];
        wait->total_ps += interval_ps[i];
    }
}

static void waits_take(void *data, const struct interval *interval)
{
    struct waits *self = data;
    int64_t length = interval->end_ps - interval->start_ps;
    if (interval->category == CATEGORY_CPWAIT) {
        struct wait *wait = &self->controller_waits[interval->operation];
        wait->count++;
        wait->total_ps += length;
        wait->idle_ps += length;
        wait->interval_ps[PPRWAIT_INTERVAL - 1] += length;
    } else if (interval->category == CATEGORY_WAIT) {
        struct wait *wait = &self->waits[interval->scope][interval->operation];
        wait->idle_ps += length;
        if (interval->wait_ps != NULL)
            take_whole(wait, interval->wait_ps);
    }
}

static wide_int part_of(const struct wait *wait, int part)
{
    wide_int sum = 0;
    for (int i = 0; i < 2; i++)
        if (parts[part][i] > 0)
            sum += wait->interval_ps[parts[part][i] - 1];
    return sum;
}

static void add_wait(struct result_table *table, const struct wait *wait, const char *scope, enum category category,
                     enum operation operation)
{
    if (wait->count == 0)
        return;
    struct waits_row *row = result_add_waits(table);
    wide_int sum = 0;
    row->scope = scope;
    row->category = category;
    row->operation = operation;
    row->count = wait->count;
    row->total_ps = wait->total_ps;
    row->mean_ps = wait->total_ps / wait->count;
    row->busy_ps = wait->total_ps - wait->idle_ps;
    for (int p = 0; p < N_REQUEST_PARTS; p++) {
        row->part_ps[p] = part_of(wait, p);
        row->part[p] = wait->total_ps > 0 ? (double)row->part_ps[p] / (double)wait->total_ps : 0;
        sum += row->part_ps[p];
    }
    assert(sum == wait->total_ps);
    (void)sum;
}

/* A row for each interval that took time. */
static void add_intervals(struct result_table *table, const struct wait *wait, const char *scope,
                          enum category category, enum operation operation)
{
    for (int i = 0; i < N_WAIT_INTERVALS; i++)
        if (wait->interval_ps[i] != 0)
            *result_add_wait_intervals(table) =
                (struct wait_intervals_row){scope, category, operation, i + 1, wait->interval_ps[i]};
}

typedef void add_wait_function(struct result_table *table, const struct wait *wait, const char *scope,
                               enum category category, enum operation operation);

static void add_all(const struct waits *self, struct result_table *table, add_wait_function *add)
{
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        for (int o = 0; o < N_OPERATIONS; o++)
            add(table, &self->waits[scope][o], metrics_scope_name(&self->setup, scope), CATEGORY_WAIT,
                (enum operation)o);
    for (int o = 0; o < N_OPERATIONS; o++)
        add(table, &self->controller_waits[o], "", CATEGORY_CPWAIT, (enum operation)o);
}

static void waits_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct waits *self = data;
    (void)totals;
    add_all(self, result_add_table(result, TABLE_WAITS), add_wait);
    add_all(self, result_add_table(result, TABLE_WAIT_INTERVALS), add_intervals);
}

static void waits_free(void *data)
{
    struct waits *self = data;
    free(self->waits);
    free(self);
}

const struct metric_spec metric_waits = {
    .name = "waits",
    .summary = "shared memory: what waits for the protocol consist of, by scope and operation",
    .source = "Pereira98, figures 1-3 and table 1",
    .runs = OF_SHARED_MEMORY,
    .open = waits_open,
    .take = waits_take,
    .report = waits_report,
    .free = waits_free,
};
