/* The families that watch a run: opened, asked and closed together. */
#include "metrics/metrics.h"

#include <assert.h>

const char *metrics_scope_name(const struct event_setup *setup, int scope)
{
    return setup->scopes[scope][0] != '\0' ? setup->scopes[scope] : "end";
}

void metrics_open(struct metrics *metrics, const struct event_setup *setup)
{
    metrics->count = 0;
    for (int i = 0; metric_specs[i] != NULL; i++) {
        assert(metrics->count < METRICS_MAX);
        void *self = metric_specs[i]->open(setup);
        if (self == NULL)
            continue;
        metrics->specs[metrics->count] = metric_specs[i];
        metrics->sinks[metrics->count++] = (struct event_sink){metric_specs[i]->take, self};
    }
}

void metrics_report(const struct metrics *metrics, const struct metrics_totals *totals, struct result *result)
{
    for (int i = 0; i < metrics->count; i++)
        metrics->specs[i]->report(metrics->sinks[i].self, totals, result);
}

void metrics_close(struct metrics *metrics)
{
    for (int i = 0; i < metrics->count; i++)
        metrics->specs[i]->free(metrics->sinks[i].self);
}
