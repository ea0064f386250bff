/* The counters of a traced run, by function and rank, as its trace says them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "interval/counters.h"
#include "metrics/metrics.h"

#include <math.h>

static void *counters_open(const struct interval_setup *setup)
{
    return (void *)(uintptr_t)setup->counters;
}

static void counters_take(void *data, const struct interval *interval)
{
    (void)data, (void)interval;
}

static void counters_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct counters *self = data;
    double whole_s = units_seconds(totals->end_ps);
    if (self->n_rows == 0)
        return;
    struct result_table *table = result_add_table(result, TABLE_COUNTERS);
    for (size_t i = 0; i < self->n_rows; i++) {
        const struct counter_row *from = &self->rows[i];
        double seconds = from->function[0] == '\0' && from->seconds == 0 ? whole_s : from->seconds;
        *result_add_counters(table) = (struct counters_row){
            .rank = from->rank,
            .function = from->function,
            .counter = from->counter,
            .unit = from->unit,
            .value = from->value,
            .time_s = seconds,
            .per_s = !from->is_level && seconds > 0 ? from->value / seconds : (double)NAN,
            .least = from->least,
            .most = from->most,
            .samples = from->samples,
        };
    }
}

static void counters_free(void *data)
{
    (void)data; /* borrowed */
}

const struct metric_spec metric_counters = {
    .name = "counters",
    .summary = "traces only: counters of processors and devices by function and rank, and their rates",
    .source = "Eschweiler12",
    .runs = OF_TRACES,
    .details = DETAIL_BIT(DETAIL_COUNTERS),
    .open = counters_open,
    .take = counters_take,
    .report = counters_report,
    .free = counters_free,
};
