/* The processor time of the ranks of a traced run, and the time in which they had no processor or slept.
 *
 * The times without a processor are part of state_s.idle. The processor's time is that of the rank's process, all its
 * threads, as the trace says it: computing, but also polling in the library.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct processors {
    struct interval_setup setup;
    int64_t (*without_ps)[N_WAITS_OFF]; /* of each rank */
    bool any;
};

static void *processors_open(const struct interval_setup *setup)
{
    struct processors *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->without_ps = xcalloc((size_t)setup->n_ranks, sizeof *self->without_ps);
    return self;
}

static void processors_take(void *data, const struct interval *interval)
{
    struct processors *self = data;
    if (!interval_is_off(interval))
        return;
    self->without_ps[interval->location % self->setup.n_ranks][interval->wait - WAIT_PROCESSOR] +=
        interval->end_ps - interval->start_ps;
    self->any = true;
}

/* processor_s and its share are there if the trace says them of that rank. */
static void processors_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct processors *self = data;
    const int64_t *used_ps = self->setup.processor_ps;
    if (used_ps == NULL && !self->any)
        return;
    struct result_table *table = result_add_table(result, TABLE_PROCESSORS);
    if (used_ps == NULL) {
        result_leave_out(table, offsetof(struct processors_row, processor_s));
        result_leave_out(table, offsetof(struct processors_row, processor_share));
    }
    for (int rank = 0; rank < self->setup.n_ranks; rank++) {
        struct processors_row *row = result_add_processors(table);
        row->rank = rank;
        memcpy(row->without_ps, self->without_ps[rank], sizeof row->without_ps);
        row->processor_s = used_ps != NULL && used_ps[rank] >= 0 ? units_seconds(used_ps[rank]) : (double)NAN;
        row->processor_share = row->processor_s / units_seconds(totals->end_ps);
    }
}

static void processors_free(void *data)
{
    struct processors *self = data;
    free(self->without_ps);
    free(self);
}

const struct metric_spec metric_processors = {
    .name = "processors",
    .summary = "traces only: time of each rank on a processor, without one, and asleep",
    .source = "Geimer10",
    .runs = OF_TRACES,
    .open = processors_open,
    .take = processors_take,
    .report = processors_report,
    .free = processors_free,
};
