/* What a page draws of the run: its timeline, with the critical path where its segments were asked for, too. */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "timeline/timeline.h"

#include <stdlib.h>

enum { MOST_BYTES = 6 << 20 }; /* more is drawn as an overview */

struct drawing {
    struct event_setup setup;
    struct timeline *timeline;
};

static void *drawing_open(const struct event_setup *setup)
{
    struct drawing *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->timeline = timeline_new(setup, NULL);
    return self;
}

static void drawing_take(void *data, const struct event *event)
{
    struct drawing *self = data;
    timeline_take(self->timeline, event);
}

static void add_path(const struct drawing *self, const struct critical_path_segments_row *rows, size_t n_rows)
{
    timeline_name_components(self->timeline, path_component_names, N_PATH_COMPONENTS);
    for (size_t i = 0; i < n_rows; i++) {
        const struct timeline_segment segment = {.start_ps = rows[i].start_ps,
                                                 .end_ps = rows[i].end_ps,
                                                 .location = rows[i].rank,
                                                 .component = (uint8_t)rows[i].component,
                                                 .scope = (uint8_t)rows[i].scope_index};
        timeline_add_path_segment(self->timeline, &segment);
    }
}

static void drawing_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct drawing *self = data;
    size_t n_rows;
    const struct critical_path_segments_row *path = result_critical_path_segments(result, &n_rows);
    if (path != NULL)
        add_path(self, path, n_rows);
    timeline_finish(self->timeline, totals->end_ps);
    free(result->timeline);
    timeline_encode(&result->timeline, &result->timeline_length, self->timeline, MOST_BYTES);
}

static void drawing_free(void *data)
{
    struct drawing *self = data;
    timeline_free(self->timeline);
    free(self);
}

const struct metric_spec metric_drawing = {
    .name = "drawing",
    .summary = "intervals, messages and critical path, for the page",
    .source = "timeline/timeline.h",
    .details = DETAIL_BIT(DETAIL_TIMELINE),
    .open = drawing_open,
    .take = drawing_take,
    .report = drawing_report,
    .free = drawing_free,
};
