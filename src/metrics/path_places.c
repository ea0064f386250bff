/* The critical path by place: what it consists of, in which function of the message library or, outside of it, in which
 * scope. The places add up to the run's time, so that of two runs their differences add up to that of the times.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "metrics/critical_path.h"

#include <assert.h>
#include <stdlib.h>

struct path_places {
    struct interval_setup setup;
    int n_places;              /* scopes, then functions */
    struct critical_path path; /* its parts: [component * n_places + place] */
};

static void *path_places_open(const struct interval_setup *setup)
{
    struct path_places *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->n_places = setup->n_scopes + setup->n_functions;
    critical_path_init_narrow(&self->path, interval_paths(setup), N_PATH_COMPONENTS * self->n_places, 0);
    return self;
}

/* Memory is a part of processing here. A rank's activity before its first record is unknown. */
static enum path_component component_of(const struct interval *interval)
{
    if (interval->kind == INTERVAL_COMPUTE)
        return COMPONENT_PROCESSING;
    if (interval->kind == INTERVAL_INPUT || interval->kind == INTERVAL_OUTPUT)
        return COMPONENT_IO;
    if (interval->state == STATE_LIBRARY)
        return COMPONENT_LIBRARY;
    if (interval->wait == WAIT_START)
        return COMPONENT_UNRECORDED;
    return interval_is_off(interval) ? COMPONENT_OFF : COMPONENT_COMMUNICATION;
}

static inline void add_interval(void *data, const struct interval *interval, int64_t length_ps)
{
    struct path_places *self = data;
    int place = interval->function != 0 ? self->setup.n_scopes + interval->function : interval->scope;
    critical_path_add(&self->path, interval->location, (int)component_of(interval) * self->n_places + place, length_ps);
}

static void path_places_take(void *data, const struct interval *interval)
{
    struct path_places *self = data;
    critical_path_take(&self->path, interval, add_interval, self);
}

static void path_places_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct path_places *self = data;
    const int64_t *path = critical_path_longest(&self->path);
    struct result_table *table = result_add_table(result, TABLE_PATH_PLACES);
    assert(critical_path_sum(&self->path, path) == totals->end_ps);
    (void)totals;
    for (int i = 0; i < N_PATH_COMPONENTS * self->n_places; i++) {
        int place = i % self->n_places, function = place - self->setup.n_scopes;
        if (path[i] == 0)
            continue;
        struct path_places_row *row = result_add_path_places(table);
        row->component = (enum path_component)(i / self->n_places);
        row->function = result_name(function >= 0 ? self->setup.functions[function] : "");
        row->scope = result_name(function >= 0 ? "" : self->setup.scopes[place]);
        row->time_ps = path[i];
    }
}

static void path_places_free(void *data)
{
    struct path_places *self = data;
    critical_path_dispose(&self->path);
    free(self);
}

const struct metric_spec metric_path_places = {
    .name = "path_places",
    .summary = "the critical path by component, and by function or scope",
    .details = DETAIL_BIT(DETAIL_PLACES),
    .open = path_places_open,
    .take = path_places_take,
    .report = path_places_report,
    .free = path_places_free,
};
