/* Records the timeline of a run for the page, with the critical path where its segments were asked for, too.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "timeline/timeline.h"

#include <stdlib.h>

enum { MOST_BYTES = 6 << 20 }; /* more is drawn as an overview */

struct timeline_recorder {
    struct interval_setup setup;
    struct timeline *timeline;
};

static void *timeline_recorder_open(const struct interval_setup *setup)
{
    struct timeline_recorder *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->timeline = timeline_new(setup, NULL);
    return self;
}

static void timeline_recorder_take(void *data, const struct interval *interval)
{
    struct timeline_recorder *self = data;
    timeline_take(self->timeline, interval);
}

static void add_path(const struct timeline_recorder *self, const struct critical_path_segments_row *rows, size_t n_rows)
{
    timeline_name_components(self->timeline, path_component_names, N_PATH_COMPONENTS);
    for (size_t i = 0; i < n_rows; i++) {
        const struct timeline_segment segment = {.start_ps = rows[i].start_ps,
                                                 .end_ps = rows[i].end_ps,
                                                 .location = rows[i].processor * self->setup.n_ranks + rows[i].rank,
                                                 .component = (uint8_t)rows[i].component,
                                                 .scope = (uint8_t)rows[i].scope_index};
        timeline_add_path_segment(self->timeline, &segment);
    }
}

static void timeline_recorder_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct timeline_recorder *self = data;
    size_t n_rows;
    const struct critical_path_segments_row *path = result_critical_path_segments(result, &n_rows);
    if (path != NULL)
        add_path(self, path, n_rows);
    timeline_finish(self->timeline, totals->end_ps);
    free(result->timeline);
    timeline_encode(&result->timeline, &result->timeline_length, self->timeline, MOST_BYTES);
}

static void timeline_recorder_free(void *data)
{
    struct timeline_recorder *self = data;
    timeline_free(self->timeline);
    free(self);
}

const struct metric_spec metric_timeline_recorder = {
    .name = "drawing",
    .summary = "intervals, messages and critical path, for the page",
    .source = "timeline/timeline.h",
    .details = DETAIL_BIT(DETAIL_TIMELINE),
    .open = timeline_recorder_open,
    .take = timeline_recorder_take,
    .report = timeline_recorder_report,
    .free = timeline_recorder_free,
};
