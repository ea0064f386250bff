/* Bottlenecks (Zemerly95, section 3.5): which component of the machine the run's time went into.
 *
 * The components are taken along the critical path, the chain of computations and messages that the run's end waited
 * for, so that they add up to T_par exactly.
 *
 * B-ratio of a component = T_c / (T_par - T_c). U_p = sum p_i T_i / (p sum T_i) (eq. 8), p_i the processors that
 * compute, do I/O or set up links.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "metrics/critical_path.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATH_INPUT = N_WORK_COMPONENTS, PATH_OUTPUT, PATH_LIBRARY, PATH_STARTUP, PATH_OFF, PATH_FIRST_SCOPE };

struct bottleneck {
    struct interval_setup setup;
    struct critical_path path; /* its parts: work, input, output, library, off the processor, communication by scope */
    wide_int active_ps;
};

static void *bottleneck_open(const struct interval_setup *setup)
{
    struct bottleneck *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    critical_path_init_narrow(&self->path, interval_paths(setup), PATH_FIRST_SCOPE + setup->n_scopes, 0);
    return self;
}

static void add_work(struct bottleneck *self, const struct interval *interval)
{
    for (int c = 0; c < N_WORK_COMPONENTS; c++)
        critical_path_add(&self->path, interval->location, c, interval->work_ps[c]);
}

static inline void add_interval(void *data, const struct interval *interval, int64_t length)
{
    struct bottleneck *self = data;
    if (interval->state <= STATE_IO)
        self->active_ps += length;
    if (interval->kind == INTERVAL_COMPUTE)
        add_work(self, interval);
    else if (interval->kind == INTERVAL_INPUT || interval->kind == INTERVAL_OUTPUT)
        critical_path_add(&self->path, interval->location, interval->kind == INTERVAL_INPUT ? PATH_INPUT : PATH_OUTPUT,
                          length);
    else if (interval->state == STATE_LIBRARY)
        critical_path_add(&self->path, interval->location, interval->call & CALL_START ? PATH_STARTUP : PATH_LIBRARY,
                          length);
    else if (interval_is_off(interval))
        critical_path_add(&self->path, interval->location, PATH_OFF, length);
    else
        critical_path_add(&self->path, interval->location, PATH_FIRST_SCOPE + interval->scope, length);
}

static inline void bottleneck_take(void *data, const struct interval *interval)
{
    struct bottleneck *self = data;
    critical_path_take(&self->path, interval, add_interval, self);
}

static void bottleneck_take_many(void *data, const struct interval *intervals, int count)
{
    for (int i = 0; i < count; i++)
        bottleneck_take(data, &intervals[i]);
}

/* Groups that only traces and replays have: one without any time is left out. */

enum { N_GROUPS = COMPONENT_IO + 1 };

static bool is_said(const int64_t group_ps[N_GROUPS], int group)
{
    return (group != COMPONENT_LIBRARY && group != COMPONENT_OFF) || group_ps[group] != 0;
}

static void add_path(const struct bottleneck *self, const int64_t *path, const int64_t group_ps[N_GROUPS],
                     struct result *result)
{
    static const char *const names[] = {"processing.cpu",  "processing.fpu", "memory.external",
                                        "memory.internal", "io.input",       "io.output"};
    for (int g = 0; g < N_GROUPS; g++)
        if (is_said(group_ps, g))
            result_add_time(result, "critical_path_s", path_component_names[g], group_ps[g]);
    for (int c = 0; c <= PATH_OUTPUT; c++)
        result_add_time(result, "critical_path_s", names[c], path[c]);
    if (path[PATH_STARTUP] != 0) {
        result_add_time(result, "critical_path_s", "library.startup", path[PATH_STARTUP]);
        result_add_time(result, "critical_path_s", "library.other", path[PATH_LIBRARY]);
    }
    for (int scope = 0; scope < self->setup.n_scopes; scope++) {
        if (path[PATH_FIRST_SCOPE + scope] == 0)
            continue;
        char name[MEASURE_NAME];
        snprintf(name, sizeof name, "communication.%s", self->setup.scopes[scope]);
        result_add_time(result, "critical_path_s", name, path[PATH_FIRST_SCOPE + scope]);
    }
}

static void add_ratios(const int64_t group_ps[N_GROUPS], int64_t end_ps, struct result *result)
{
    for (int g = 0; g < N_GROUPS; g++)
        if (group_ps[g] < end_ps && is_said(group_ps, g))
            result_add_ratio(result, "b_ratio", path_component_names[g],
                             (double)group_ps[g] / (double)(end_ps - group_ps[g]));
    int64_t computation = group_ps[COMPONENT_PROCESSING] + group_ps[COMPONENT_MEMORY];
    if (computation > 0)
        result_add_ratio(result, "", "communication_computation_ratio",
                         (double)group_ps[COMPONENT_COMMUNICATION] / (double)computation);
    if (group_ps[COMPONENT_PROCESSING] > 0)
        result_add_ratio(result, "", "memory_processing_ratio",
                         (double)group_ps[COMPONENT_MEMORY] / (double)group_ps[COMPONENT_PROCESSING]);
}

static void bottleneck_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct bottleneck *self = data;
    const int64_t *path = critical_path_longest(&self->path);
    int64_t group_ps[N_GROUPS] = {0};
    assert(critical_path_sum(&self->path, path) == totals->end_ps);
    group_ps[COMPONENT_PROCESSING] = path[WORK_CPU] + path[WORK_FPU];
    group_ps[COMPONENT_MEMORY] = path[WORK_EXTERNAL] + path[WORK_INTERNAL];
    group_ps[COMPONENT_LIBRARY] = path[PATH_LIBRARY] + path[PATH_STARTUP];
    group_ps[COMPONENT_OFF] = path[PATH_OFF];
    group_ps[COMPONENT_IO] = path[PATH_INPUT] + path[PATH_OUTPUT];
    for (int scope = 0; scope < self->setup.n_scopes; scope++)
        group_ps[COMPONENT_COMMUNICATION] += path[PATH_FIRST_SCOPE + scope];
    add_path(self, path, group_ps, result);
    add_ratios(group_ps, totals->end_ps, result);
    if (totals->end_ps > 0)
        result_add_ratio(result, "", "utilisation",
                         (double)self->active_ps / ((double)totals->end_ps * interval_processors(&self->setup)));
}

static void bottleneck_free(void *data)
{
    struct bottleneck *self = data;
    critical_path_dispose(&self->path);
    free(self);
}

const struct metric_spec metric_bottleneck = {
    .name = "bottleneck",
    .summary = "components of the time along the critical path, B-ratios, utilization",
    .source = "Zemerly95, sections 3.4-3.5",
    .open = bottleneck_open,
    .take = bottleneck_take,
    .take_many = bottleneck_take_many,
    .report = bottleneck_report,
    .free = bottleneck_free,
};
