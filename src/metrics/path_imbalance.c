/* The imbalance of the critical path (Boehme, Wolf, de Supinski, Schulz, Geimer: Scalable critical-path based
 * performance analysis, IPDPS 2012): what the path has in a scope beyond the mean of all processors.
 *
 * Over all processors that is its impact. Part of it is lost within the processors that are ever in the scope, the rest
 * between these and the others, which are never there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "base/range.h"
#include "metrics/critical_path.h"

#include <stdlib.h>

struct path_imbalance {
    struct interval_setup setup;
    struct critical_path path; /* its parts: the scopes */
    int64_t *busy_ps;          /* of each location and scope */
};

static void *path_imbalance_open(const struct interval_setup *setup)
{
    if (setup->has_categories)
        return NULL;
    struct path_imbalance *self = xcalloc(1, sizeof *self);
    int n = interval_paths(setup);
    self->setup = *setup;
    critical_path_init_narrow(&self->path, n, setup->n_scopes, 0);
    self->busy_ps = xcalloc((size_t)n * (size_t)setup->n_scopes, sizeof *self->busy_ps);
    return self;
}

static void path_imbalance_free(void *data)
{
    struct path_imbalance *self = data;
    critical_path_dispose(&self->path);
    free(self->busy_ps);
    free(self);
}

static int64_t *busy_of(const struct path_imbalance *self, int location, int scope)
{
    return &self->busy_ps[(size_t)location * (size_t)self->setup.n_scopes + (size_t)scope];
}

static void add_interval(void *data, const struct interval *interval, int64_t length_ps)
{
    struct path_imbalance *self = data;
    critical_path_add(&self->path, interval->location, interval->scope, length_ps);
}

static void path_imbalance_take(void *data, const struct interval *interval)
{
    struct path_imbalance *self = data;
    if (interval->location >= interval_paths(&self->setup))
        return;
    if (interval->state != STATE_IDLE || interval_is_off(interval))
        *busy_of(self, interval->location, interval->scope) += interval->end_ps - interval->start_ps;
    critical_path_take(&self->path, interval, add_interval, self);
}

/* The time that the processors have in a scope, and how many have any. */
static wide_int busy_in(const struct path_imbalance *self, int scope, int *count)
{
    wide_int sum = 0;
    *count = 0;
    for (int location = 0; location < interval_processors(&self->setup); location++) {
        int64_t ps = *busy_of(self, location, scope);
        sum += ps;
        *count += ps > 0;
    }
    return sum;
}

static wide_int clamp(wide_int ps, wide_int most)
{
    return ps < 0 ? 0 : ps > most ? most : ps;
}

static void path_imbalance_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct path_imbalance *self = data;
    struct result_table *table = result_add_table(result, TABLE_PATH_IMBALANCE);
    const int64_t *longest = critical_path_longest(&self->path);
    int n = interval_processors(&self->setup), there;
    (void)totals;
    for (int scope = 0; scope < self->setup.n_scopes; scope++) {
        wide_int path_ps = longest[scope], sum_ps = busy_in(self, scope, &there);
        if (path_ps == 0)
            continue;
        wide_int impact_ps = clamp(path_ps * n - sum_ps, path_ps * n);
        wide_int within_ps = clamp(path_ps * there - sum_ps, impact_ps);
        *result_add_path_imbalance(table) =
            (struct path_imbalance_row){.scope = metrics_scope_name(&self->setup, scope),
                                        .path_ps = (int64_t)path_ps,
                                        .mean_ps = (int64_t)(sum_ps / n),
                                        .imbalance_ps = int64_max(0, (int64_t)(path_ps - sum_ps / n)),
                                        .impact_ps = impact_ps,
                                        .within_ps = within_ps,
                                        .between_ps = impact_ps - within_ps};
    }
}

const struct metric_spec metric_path_imbalance = {
    .name = "path_imbalance",
    .summary = "what the critical path has in a scope beyond the mean, and what that costs all processors",
    .source = "Boehme12",
    .details = DETAIL_BIT(DETAIL_DELAYS),
    .open = path_imbalance_open,
    .take = path_imbalance_take,
    .report = path_imbalance_report,
    .free = path_imbalance_free,
};
