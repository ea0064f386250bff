/* What the ranks of a traced run had of processors, and what was no computation for want of one or because they slept.
 *
 * The times without a processor are part of state_s.idle. The processor's time is that of the rank's process, all its
 * threads, as the trace says it: computing, but also polling in the library. */
#include "metrics/metrics.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_WAIT = WAIT_PROCESSOR, N_WAITS = WAIT_OFF - WAIT_PROCESSOR + 1 };

struct processors {
    struct event_setup setup;
    int64_t (*without_ps)[N_WAITS]; /* of each rank */
    bool any;
};

static void *processors_open(const struct event_setup *setup)
{
    if (!setup->is_traced)
        return NULL;
    struct processors *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->without_ps = xcalloc((size_t)setup->n_ranks, sizeof *self->without_ps);
    return self;
}

static void processors_take(void *data, const struct event *event)
{
    struct processors *self = data;
    if (!event_is_off(event))
        return;
    self->without_ps[event->location][event->wait - FIRST_WAIT] += event->end_ps - event->start_ps;
    self->any = true;
}

/* processor_s and its share are there if the trace says them of that rank. */
static void processors_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    enum { RANK, WITHOUT, USED = WITHOUT + N_WAITS, SHARE, N_COLUMNS };
    static const struct result_column columns[N_COLUMNS] = {
        {"rank", MEASURE_COUNT},           {"no_processor_s", MEASURE_TIME}, {"other_programs_s", MEASURE_TIME},
        {"asleep_s", MEASURE_TIME},        {"off_s", MEASURE_TIME},          {"processor_s", MEASURE_RATIO},
        {"processor_share", MEASURE_RATIO}};
    const struct processors *self = data;
    const int64_t *used_ps = self->setup.processor_ps;
    if (used_ps == NULL && !self->any)
        return;
    struct result_table *table =
        result_add_table(result, "processors", columns, used_ps != NULL ? N_COLUMNS : (size_t)USED);
    for (int rank = 0; rank < self->setup.n_ranks; rank++) {
        union result_cell *row = result_add_row(table);
        row[RANK].number = rank;
        for (int w = 0; w < N_WAITS; w++)
            row[WITHOUT + w].number = self->without_ps[rank][w];
        if (used_ps == NULL)
            continue;
        row[USED].ratio = used_ps[rank] >= 0 ? units_seconds(used_ps[rank]) : (double)NAN;
        row[SHARE].ratio = row[USED].ratio / units_seconds(totals->end_ps);
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
    .summary = "of traces: what each rank had of a processor, lacked of one, slept",
    .source = "Geimer10",
    .open = processors_open,
    .take = processors_take,
    .report = processors_report,
    .free = processors_free,
};
