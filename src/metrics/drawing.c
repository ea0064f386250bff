/* What a page draws of the run: its timeline, with the critical path where its segments were asked for, too. */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "timeline/timeline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

/* The components of segments, in the order of the timeline's names. */
static const char *const components[] = {"processing",    "memory", "communication", "library",
                                         "off_processor", "io",     "unrecorded"};
enum { N_COMPONENTS = sizeof components / sizeof components[0] };

static uint8_t find_component(const char *name)
{
    int i = N_COMPONENTS - 1;
    while (i > 0 && strcmp(components[i], name) != 0)
        i--;
    assert(strcmp(components[i], name) == 0);
    return (uint8_t)i;
}

static uint8_t find_scope(const struct event_setup *setup, const char *name)
{
    int i = setup->n_scopes - 1;
    while (i > 0 && strcmp(setup->scopes[i], name) != 0)
        i--;
    return (uint8_t)i;
}

static void add_path(const struct drawing *self, const struct result_table *table)
{
    size_t rank = result_column(table, "rank"), start = result_column(table, "start_s");
    size_t end = result_column(table, "end_s"), component = result_column(table, "component");
    size_t scope = result_column(table, "scope");
    timeline_name_components(self->timeline, components, N_COMPONENTS);
    for (size_t row = 0; row < table->n_rows; row++) {
        const struct timeline_segment segment = {.start_ps = (int64_t)result_cell(table, row, start)->number,
                                                 .end_ps = (int64_t)result_cell(table, row, end)->number,
                                                 .location = (int32_t)result_cell(table, row, rank)->number,
                                                 .component = find_component(result_cell(table, row, component)->text),
                                                 .scope =
                                                     find_scope(&self->setup, result_cell(table, row, scope)->text)};
        timeline_add_path_segment(self->timeline, &segment);
    }
}

static void drawing_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct drawing *self = data;
    const struct result_table *path = result_find_table(result, "critical_path_segments");
    if (path != NULL)
        add_path(self, path);
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
