/* Streams of accelerators in traces: what each does, which kernels and copies take the time, and for which of them
 * ranks wait.
 *
 * A stream is busy in kernels, which are its outermost scopes, and in copies; it waits from a launch until what is
 * launched begins, or it is idle. A rank that waits for a stream waits for what that has done last.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metrics.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/range.h"
#include "interval/intern.h"

#include <math.h>
#include <stdlib.h>

enum { COPY_IN, COPY_OUT, N_COPIES };
static const char *const copy_names[N_COPIES] = {"copy to the device", "copy from the device"};
enum { LATEST_NOTHING = -1, LATEST_COPY_IN = -2, LATEST_COPY_OUT = -3 };

struct stream {
    int64_t kernel_ps, copy_ps, launch_ps;
    int latest; /* the scope of the kernel that it had last, or one of LATEST_... */
};

struct kernel {
    int64_t n, time_ps, longest_ps;
};

struct copies {
    int64_t n, time_ps, bytes;
};

struct wait {
    const char *function, *stream, *activity;
    int64_t n, time_ps;
};

struct streams {
    struct interval_setup setup;
    int first;              /* the location of the first stream */
    struct stream *streams; /* of each location from there on */
    int64_t *now_ps;        /* how long the kernel has taken that each of them is in */
    struct kernel *kernels; /* of each scope */
    struct copies copies[N_COPIES];
    struct wait *waits;
    size_t n_waits, waits_capacity;
    struct map wait_map; /* function, stream and activity: interned -> index */
};

static void *streams_open(const struct interval_setup *setup)
{
    if (setup->first_stream == 0)
        return NULL;
    struct streams *self = xcalloc(1, sizeof *self);
    self->setup = *setup;
    self->first = setup->first_stream * setup->n_ranks;
    int n = interval_processors(setup) - self->first;
    self->streams = xcalloc((size_t)n, sizeof *self->streams);
    self->now_ps = xcalloc((size_t)n, sizeof *self->now_ps);
    self->kernels = xcalloc((size_t)setup->n_scopes, sizeof *self->kernels);
    for (int i = 0; i < n; i++)
        self->streams[i].latest = LATEST_NOTHING;
    return self;
}

static void take_kernel(struct streams *self, const struct interval *interval)
{
    struct stream *stream = &self->streams[interval->location - self->first];
    int64_t length_ps = interval->end_ps - interval->start_ps;
    int64_t *now_ps = &self->now_ps[interval->location - self->first];
    if (interval->n_calls > 0) {
        *now_ps = 0;
        stream->latest = interval->scope;
        self->kernels[interval->scope].n++;
    }
    if (stream->latest < 0) /* in no kernel that is known */
        stream->latest = interval->scope;
    struct kernel *kernel = &self->kernels[stream->latest];
    *now_ps += length_ps;
    stream->kernel_ps += length_ps;
    kernel->time_ps += length_ps;
    kernel->longest_ps = int64_max(kernel->longest_ps, *now_ps);
}

static void take_copy(struct streams *self, const struct interval *interval)
{
    struct stream *stream = &self->streams[interval->location - self->first];
    int way = interval->state == STATE_RECEIVE ? COPY_IN : COPY_OUT;
    int64_t length_ps = interval->end_ps - interval->start_ps;
    stream->latest = way == COPY_IN ? LATEST_COPY_IN : LATEST_COPY_OUT;
    stream->copy_ps += length_ps;
    self->copies[way].n += interval->n_calls;
    self->copies[way].time_ps += length_ps;
    if (__builtin_add_overflow(self->copies[way].bytes, interval->bytes, &self->copies[way].bytes))
        self->copies[way].bytes = INT64_MAX;
}

/* A rank waits for a stream. */
static void take_wait(struct streams *self, const struct interval *interval)
{
    const struct stream *stream = &self->streams[interval->peer - self->first];
    char name[PROCESSOR_NAME];
    interval_name_processor(name, &self->setup, interval->peer);
    int latest = stream->latest;
    struct wait wait = {.function = metrics_scope_name(&self->setup, interval->scope),
                        .stream = intern_text(name),
                        .activity = latest >= 0                 ? metrics_scope_name(&self->setup, latest)
                                    : latest == LATEST_COPY_IN  ? copy_names[COPY_IN]
                                    : latest == LATEST_COPY_OUT ? copy_names[COPY_OUT]
                                                                : ""};
    struct map_entry *entry =
        map_add(&self->wait_map, map_key(interval->scope, latest, interval->peer / self->setup.n_ranks, 0));
    if (entry->index == MAP_NOTHING) {
        entry->index = (uint32_t)self->n_waits;
        self->waits = xgrow(self->waits, self->n_waits, &self->waits_capacity, sizeof *self->waits);
        self->waits[self->n_waits++] = wait;
    }
    self->waits[entry->index].n++;
    self->waits[entry->index].time_ps += interval->end_ps - interval->start_ps;
}

static void streams_take(void *data, const struct interval *interval)
{
    struct streams *self = data;
    if (interval->wait == WAIT_STREAM && interval->state == STATE_IDLE && interval->peer >= self->first &&
        interval->end_ps > interval->start_ps)
        take_wait(self, interval);
    if (interval->location < self->first || interval->location >= interval_processors(&self->setup))
        return;
    if (interval->state == STATE_SEND || interval->state == STATE_RECEIVE) {
        if (!interval->is_checkpoint)
            take_copy(self, interval);
    } else if (interval->state != STATE_IDLE) {
        if (interval->n_calls > 0 || interval->end_ps > interval->start_ps)
            take_kernel(self, interval);
    } else if (interval->wait == WAIT_LAUNCH && interval->peer < 0) { /* else it waits for the rank to launch it */
        self->streams[interval->location - self->first].launch_ps += interval->end_ps - interval->start_ps;
    }
}

static void add_streams(const struct streams *self, int64_t end_ps, struct result *result)
{
    struct result_table *table = result_add_table(result, TABLE_STREAMS);
    for (int i = self->first; i < interval_processors(&self->setup); i++) {
        const struct stream *stream = &self->streams[i - self->first];
        char name[PROCESSOR_NAME];
        if (stream->latest == LATEST_NOTHING)
            continue;
        interval_name_processor(name, &self->setup, i);
        *result_add_streams(table) = (struct streams_row){
            .rank = i % self->setup.n_ranks,
            .stream = result_name(name),
            .kernel_ps = stream->kernel_ps,
            .copy_ps = stream->copy_ps,
            .launch_ps = stream->launch_ps,
            .idle_ps = end_ps - stream->kernel_ps - stream->copy_ps - stream->launch_ps,
        };
    }
}

static void streams_report(void *data, const struct metrics_totals *totals, struct result *result)
{
    const struct streams *self = data;
    add_streams(self, totals->end_ps, result);
    struct result_table *kernels = result_add_table(result, TABLE_KERNELS);
    for (int scope = 0; scope < self->setup.n_scopes; scope++) {
        const struct kernel *kernel = &self->kernels[scope];
        if (kernel->n > 0 || kernel->time_ps > 0)
            *result_add_kernels(kernels) = (struct kernels_row){metrics_scope_name(&self->setup, scope), kernel->n,
                                                                kernel->time_ps, kernel->longest_ps};
    }
    struct result_table *copies = result_add_table(result, TABLE_COPIES);
    for (int way = 0; way < N_COPIES; way++) {
        const struct copies *all = &self->copies[way];
        if (all->n > 0)
            *result_add_copies(copies) =
                (struct copies_row){result_name(copy_names[way]), all->n, all->bytes, all->time_ps,
                                    all->time_ps > 0 ? (double)all->bytes / units_seconds(all->time_ps) : (double)NAN};
    }
    struct result_table *waits = result_add_table(result, TABLE_STREAM_WAITS);
    for (size_t i = 0; i < self->n_waits; i++) {
        const struct wait *wait = &self->waits[i];
        *result_add_stream_waits(waits) =
            (struct stream_waits_row){wait->function, wait->stream, wait->activity, wait->n, wait->time_ps};
    }
}

static void streams_free(void *data)
{
    struct streams *self = data;
    map_dispose(&self->wait_map);
    free(self->waits);
    free(self->kernels);
    free(self->now_ps);
    free(self->streams);
    free(self);
}

const struct metric_spec metric_streams = {
    .name = "streams",
    .summary = "traces only: streams of accelerators: kernels, copies, and what ranks wait for",
    .source = "Eschweiler12",
    .runs = OF_TRACES,
    .open = streams_open,
    .take = streams_take,
    .report = streams_report,
    .free = streams_free,
};
