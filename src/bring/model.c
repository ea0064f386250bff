/* Splits half a round trip into wires, the rate of a core, and what its two ends take.
 *
 *     latency(l) = send(l) + receive(l) + start(l) + wires x wire latency + l / core rate      up to the eager limit
 *                                       + 2 x what an empty message is under way                beyond
 *     send(l)    = the time from one message of a window to the next, up to the eager limit
 *
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bring/model.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const double TOLERANCE = 0.01;
static const double MOST_WIRES = 0.3;    /* of the shortest latency, for its wires */
static const double RATE_BOUND = 1.15;   /* below, a gap is that of the rate and not of a processor */
static const double UNKNOWN_SEND = 0.25; /* of the shortest latency, where no rates of messages are known */
static const double BOUND_FROM = 1.2;    /* times as long as alone, from which a host bounds its ranks */
enum { LEAST_LENGTHS = 4, USUAL_WIRES = 2, LONG_BYTES = 65536, BOTH_FROM = 8192 };

/* ---- Rates ---- */

static const struct series *mark(struct series *series)
{
    if (series != NULL)
        series->is_used = true;
    return series;
}

/* The rate of one rank's messages: the best of the windows, and no less than that of any message by itself; without
 * windows, that of what the longest message has more than the one before it. */
static double core_rate(const struct message_model *messages)
{
    const struct series *latency = messages->latency, *stream = messages->stream;
    const struct point *last = &latency->points[latency->count - 1];
    double best = (double)(last[0].bytes - last[-1].bytes) / (last[0].time_s - last[-1].time_s);
    if (stream == NULL)
        return best > 0 && isfinite(best) ? best : (double)last->bytes / last->time_s;
    best = 0;
    for (int i = 0; i < stream->count; i++)
        best = fmax(best, (double)stream->points[i].bytes / series_gap(stream, i, latency));
    for (int i = 0; i < latency->count; i++)
        best = fmax(best, (double)latency->points[i].bytes / latency->points[i].time_s);
    return best;
}

/* The rate of a host whose ranks all send: the best of the windows of several pairs between two hosts. */
static void find_node_rate(struct model *model, const struct series_list *list, double told_Bps)
{
    model->node_Bps = fmax(model->core_Bps, told_Bps);
    for (size_t i = 0; i < list->count; i++) {
        struct series *series = &list->items[i];
        if (series->spec->kind != BENCHMARK_STREAM || series->hosts != 2 || series->pairs < 2)
            continue;
        model->pairs = mark(series);
        for (int p = 0; p < series->count; p++) {
            double gap_s = series_gap(series, p, model->between.latency);
            double rate = series->pairs * (double)series->points[p].bytes / gap_s;
            model->node_Bps = model->node_is_measured ? fmax(model->node_Bps, rate) : fmax(model->core_Bps, rate);
            model->node_is_measured = true;
        }
    }
}

/* How much of a gap is the processor's time for one message: in windows both ways it sends one and receives one. */
static double sends_of(const struct series *stream)
{
    return stream->spec->kind == BENCHMARK_BOTH ? 0.5 : 1;
}

/* The gap that a point of several pairs shows, less the length on the wire. INFINITY if the processors of so many pairs
 * need nearly as long by themselves, or the length is most of it. */
static double gap_at(const struct model *model, const struct series *series, int p)
{
    const struct series *alone = model->between.stream;
    const struct point *point = &series->points[p];
    double gap_s = series_gap(series, p, model->between.latency);
    double wire_s = (double)point->bytes / model->node_Bps, card_s = gap_s / series->pairs - wire_s;
    bool is_bound = gap_s > BOUND_FROM * sends_of(alone) * series_at(alone, point->bytes);
    return is_bound && card_s > wire_s ? card_s : INFINITY;
}

/* The gap between a host's messages: the least that windows of several pairs between two hosts have. */
static void find_node_gap(struct model *model, const struct series_list *list)
{
    double least_s = INFINITY;
    for (size_t i = 0; i < list->count && model->between.stream != NULL; i++) {
        struct series *series = &list->items[i];
        if (series->spec->kind != BENCHMARK_STREAM || series->hosts != 2 || series->pairs < 2)
            continue;
        for (int p = 0; p < series->count; p++) {
            double gap_s = gap_at(model, series, p);
            if (gap_s >= least_s)
                continue;
            least_s = gap_s;
            model->gap = mark(series);
        }
    }
    model->node_gap_s = model->gap != NULL ? least_s : 0;
}

/* ---- Samples ---- */

/* Times that never fall with the length: neighbours that do are given their mean (pool adjacent violators). */
static void make_monotone(double *values, int n)
{
    int *weights = xcalloc((size_t)n, sizeof *weights), count = 0;
    double *pools = xcalloc((size_t)n, sizeof *pools);
    for (int i = 0; i < n; i++) {
        pools[count] = values[i];
        weights[count++] = 1;
        for (; count > 1 && pools[count - 2] > pools[count - 1]; count--) {
            int both = weights[count - 2] + weights[count - 1];
            pools[count - 2] = (pools[count - 2] * weights[count - 2] + pools[count - 1] * weights[count - 1]) / both;
            weights[count - 2] = both;
        }
    }
    for (int pool = 0, i = 0; pool < count; pool++)
        for (int k = 0; k < weights[pool]; k++)
            values[i++] = pools[pool];
    free(pools);
    free(weights);
}

/* The processor's time for a message at each point of the latency, up to the eager limit; beyond it that of the
 * shortest, since then the network fetches the data. */
static void find_sends(double *sends, const struct message_model *messages, double byte_s)
{
    const struct series *latency = messages->latency, *stream = messages->stream;
    int n = latency->count, limit_at = limit_point(&messages->limit, latency);
    if (stream == NULL) {
        for (int i = 0; i < n; i++)
            sends[i] = UNKNOWN_SEND * latency->points[0].time_s;
        return;
    }
    struct series gaps = *stream;
    gaps.points = xcalloc((size_t)stream->count, sizeof *gaps.points);
    for (int i = 0; i < stream->count; i++) {
        gaps.points[i] = stream->points[i];
        double gap_s = series_gap(stream, i, latency);
        bool is_rate = i > 0 && gap_s < RATE_BOUND * (double)stream->points[i].bytes * byte_s;
        gaps.points[i].time_s = is_rate ? gaps.points[i - 1].time_s : gap_s * sends_of(stream);
    }
    for (int i = 0; i < n; i++)
        sends[i] = series_at(&gaps, limit_at > 0 && i >= limit_at ? 0 : latency->points[i].bytes);
    free(gaps.points);
}

/* The time of messages at their ends, besides `way_s` and the rate. */
static void fill_samples(struct end_sample *samples, const struct message_model *messages, const double *times,
                         const double *sends, double way_s, double byte_s)
{
    const struct series *latency = messages->latency;
    int limit_at = limit_point(&messages->limit, latency);
    double control_s = way_s;
    for (int i = 0; i < latency->count; i++) {
        double bytes = (double)latency->points[i].bytes;
        double handshake_s = limit_at > 0 && i >= limit_at ? 2 * control_s : 0;
        double ends_s = fmax(times[i] - way_s - bytes * byte_s - handshake_s, 0);
        samples[i] = (struct end_sample){latency->points[i].bytes, ends_s, sends[i], times[i]};
        if (i == 0) /* an empty message has its start, too */
            control_s += fmax(ends_s - 2 * fmin(sends[0], ends_s / 2), 0);
    }
}

static void fit_messages(struct message_model *messages, double way_s, double byte_s)
{
    const struct series *latency = messages->latency;
    size_t n = (size_t)latency->count;
    double *times = xcalloc(n, sizeof *times), *sends = xcalloc(n, sizeof *sends);
    struct end_sample *samples = xcalloc(n, sizeof *samples);
    for (size_t i = 0; i < n; i++)
        times[i] = latency->points[i].time_s;
    make_monotone(times, (int)n);
    find_sends(sends, messages, byte_s);
    fill_samples(samples, messages, times, sends, way_s, byte_s);
    end_rows_fit(&messages->rows, samples, (int)n, limit_point(&messages->limit, latency), messages->limit.bytes,
                 TOLERANCE);
    free(samples);
    free(sends);
    free(times);
}

/* ---- Both ways at once ---- */

/* How much longer long messages take when as many come the other way. */
static double both_ways(const struct model *model)
{
    double most = 1;
    if (model->both == NULL || model->between.stream == model->both)
        return 1;
    for (int i = 0; i < model->both->count; i++) {
        const struct point *point = &model->both->points[i];
        if (point->bytes >= LONG_BYTES)
            most =
                fmax(most, series_gap(model->both, i, model->between.latency) * model->core_Bps / (double)point->bytes);
    }
    return most;
}

/* The time of an exchange of a length: as measured by itself, or the latency with the rate of both ways. */
static double exchange_time(const struct model *model, const struct point *point)
{
    if (model->exchange != NULL)
        return series_at(model->exchange, point->bytes);
    double more = point->bytes >= BOTH_FROM ? (model->both_ways - 1) * (double)point->bytes / model->core_Bps : 0;
    return point->time_s + more;
}

/* The rows of exchanges have what is neither the processors' nor the wires'. */
static void fit_exchanges(struct model *model, double way_s)
{
    const struct series *latency = model->between.latency;
    size_t n = (size_t)latency->count;
    double *times = xcalloc(n, sizeof *times), *sends = xcalloc(n, sizeof *sends), off = 0;
    struct end_sample *samples = xcalloc(n, sizeof *samples);
    for (size_t i = 0; i < n; i++) {
        times[i] = exchange_time(model, &latency->points[i]);
        off += times[i] / latency->points[i].time_s - 1;
    }
    make_monotone(times, (int)n);
    find_sends(sends, &model->between, 1 / model->core_Bps);
    fill_samples(samples, &model->between, times, sends, way_s, 1 / model->core_Bps);
    for (size_t i = 0; i < n; i++) {
        const struct end_rows *rows = &model->between.rows;
        double work_s = end_rows_at(rows, samples[i].bytes) - end_rows_start(rows, samples[i].bytes);
        samples[i].ends_s = fmax(samples[i].ends_s - work_s, 0);
        samples[i].send_s = 0;
    }
    model->has_exchanges = off > 0.05 * (double)n;
    end_rows_fit(&model->exchanges, samples, (int)n, limit_point(&model->between.limit, latency),
                 model->between.limit.bytes, TOLERANCE);
    free(samples);
    free(sends);
    free(times);
}

/* ---- All of it ---- */

static int check(const struct model *model, struct sim_error *error)
{
    const struct series *latency = model->between.latency;
    if (latency == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "no file has latencies between two hosts, which a platform is made from: osu_latency, IMB "
                             "PingPong, NetPIPE, mpptest, or a CSV with columns such as bytes,latency_us");
    if (latency->count < LEAST_LENGTHS)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s has %d lengths; allowed: at least %d",
                             latency->spec->name, latency->count, LEAST_LENGTHS);
    return 0;
}

static void set_limit(struct message_model *messages, int64_t told)
{
    messages->limit = told >= 0 ? (struct limit){.source = LIMIT_TOLD, .bytes = told}
                                : limit_find(messages->latency, messages->stream);
}

/* Messages within a host, where something is known of these. */
static void fit_local(struct model *model, const struct series_list *list, int64_t told_limit)
{
    struct message_model *local = &model->local;
    struct series *within = series_find(list, BENCHMARK_LATENCY, 1);
    model->local_is_assumed = within == NULL || within->count < LEAST_LENGTHS;
    if (model->local_is_assumed)
        return;
    local->latency = mark(within);
    local->stream = mark(series_find(list, BENCHMARK_STREAM, 1));
    set_limit(local, told_limit);
    fit_messages(local, 0, 0);
}

/* The rate of a host's memory: the best that windows of the longest messages of several pairs on one host have, if each
 * pair is then slower than one alone. */
static void find_memory_rate(struct model *model, const struct series_list *list)
{
    const struct series *alone = model->local.stream;
    for (size_t i = 0; i < list->count && !model->local_is_assumed && alone != NULL; i++) {
        struct series *series = &list->items[i];
        if (series->spec->kind != BENCHMARK_STREAM || series->hosts != 1 || series->pairs < 2)
            continue;
        int last = series->count - 1;
        double gap_s = series_gap(series, last, model->local.latency);
        double alone_s = series_at(alone, series->points[last].bytes);
        double rate_Bps = series->pairs * (double)series->points[last].bytes / gap_s;
        if (gap_s < BOUND_FROM * alone_s || rate_Bps <= model->memory_Bps)
            continue;
        model->memory_Bps = rate_Bps;
        model->memory = mark(series);
    }
}

int bring_fit(struct model *model, const struct series_list *list, const struct model_facts *facts,
              struct sim_error *error)
{
    struct message_model *between = &model->between;
    *model = (struct model){.both_ways = 1};
    between->latency = mark(series_find(list, BENCHMARK_LATENCY, 2));
    if (check(model, error) != 0)
        return -1;
    model->both = mark(series_find(list, BENCHMARK_BOTH, 2));
    struct series *one_way = series_find(list, BENCHMARK_STREAM, 2);
    between->stream = one_way != NULL ? mark(one_way) : model->both;
    model->exchange = mark(series_find(list, BENCHMARK_EXCHANGE, 2));
    set_limit(between, facts->eager_limit);
    model->core_Bps = core_rate(between);
    find_node_rate(model, list, facts->wire_Bps);
    find_node_gap(model, list);
    model->wires = between->latency->wires > 0 ? between->latency->wires : USUAL_WIRES;
    model->wire_latency_s = fmin(facts->wire_latency_s, MOST_WIRES * between->latency->points[0].time_s / model->wires);
    double way_s = model->wires * model->wire_latency_s;
    fit_messages(between, way_s, 1 / model->core_Bps);
    model->both_ways = both_ways(model);
    if (model->exchange != NULL || model->both_ways > 1.1)
        fit_exchanges(model, way_s);
    fit_local(model, list, facts->eager_limit);
    find_memory_rate(model, list);
    return 0;
}
