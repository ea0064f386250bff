/* The families that watch a run: opened, asked and closed together.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include <assert.h>

const char *metrics_scope_name(const struct interval_setup *setup, int scope)
{
    return result_name(setup->scopes[scope][0] != '\0' ? setup->scopes[scope] : METRICS_NO_SCOPE);
}

void metrics_open(struct metrics *metrics, const struct interval_setup *setup)
{
    metrics->count = 0;
    for (int i = 0; metric_specs[i] != NULL; i++) {
        const struct metric_spec *spec = metric_specs[i];
        if ((spec->runs == OF_TRACES && !setup->is_traced) ||
            (spec->runs == OF_SHARED_MEMORY && !setup->has_categories))
            continue;
        uint32_t details = spec->always_for_traces && setup->is_traced ? 0 : spec->details;
        bool wanted = details == 0 || (details & setup->details) != 0;
        void *self = wanted ? spec->open(setup) : NULL;
        if (self == NULL)
            continue;
        assert(metrics->count < METRICS_MAX);
        metrics->specs[metrics->count] = spec;
        metrics->details[metrics->count] = details;
        metrics->sinks[metrics->count++] = (struct interval_sink){spec->take, self, spec->take_many};
    }
}

void metrics_report(const struct metrics *metrics, const struct metrics_totals *totals, struct result *result)
{
    for (int i = 0; i < metrics->count; i++) {
        size_t table = result->n_tables;
        metrics->specs[i]->report(metrics->sinks[i].self, totals, result);
        for (; table < result->n_tables; table++)
            result->tables[table].of_detail |= metrics->details[i] != 0;
    }
}

void metrics_close(struct metrics *metrics)
{
    for (int i = 0; i < metrics->count; i++)
        metrics->specs[i]->free(metrics->sinks[i].self);
}
