/* Looks for steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bring/limit.h"

#include <math.h>
#include <stdbool.h>

enum { LEAST_BYTES = 256, MOST_BYTES = 1 << 20 };
static const double LEAST_LATENCY_STEP = 0.5; /* a rendezvous takes two more messages on their way */
static const double LEAST_BANDWIDTH_STEP = 0.1;

static bool may_be(int64_t bytes)
{
    return bytes >= LEAST_BYTES && bytes <= MOST_BYTES;
}

static double slope(const struct point *a, const struct point *b)
{
    return (b->time_s - a->time_s) / (double)(b->bytes - a->bytes);
}

/* What the time from point i to the next one rises beyond lines, as a share of the shortest time. */
static double latency_step(const struct series *series, int i)
{
    const struct point *p = &series->points[i];
    double steeper = fmax(slope(p - 1, p), slope(p + 1, p + 2));
    return (p[1].time_s - p[0].time_s - steeper * (double)(p[1].bytes - p[0].bytes)) / series->points[0].time_s;
}

static double rate(const struct point *point)
{
    return (double)point->bytes / point->time_s;
}

/* Once a rate has come near to its greatest, it grows ever less from length to length: more, or a fall, is a step. */
static double bandwidth_step(const struct series *series, int i)
{
    const struct point *p = &series->points[i];
    double before = rate(p) / rate(p - 1), growth = rate(p + 1) / rate(p);
    return growth < 1 ? 1 - growth : before < 1.5 ? growth / fmax(before, 1) - 1 : 0;
}

static void note_step(struct limit *limit, double step, int64_t bytes)
{
    if (step > limit->step) {
        limit->second_step = limit->step;
        limit->step = step;
        limit->bytes = bytes;
    } else {
        limit->second_step = fmax(limit->second_step, step);
    }
}

static struct limit find(const struct series *series, enum limit_source source)
{
    struct limit limit = {.source = source};
    for (int i = 1; i + 2 < series->count; i++)
        if (may_be(series->points[i].bytes))
            note_step(&limit, (source == LIMIT_LATENCY ? latency_step : bandwidth_step)(series, i),
                      series->points[i].bytes);
    double least = source == LIMIT_LATENCY ? LEAST_LATENCY_STEP : LEAST_BANDWIDTH_STEP;
    return limit.step >= least ? limit : (struct limit){.step = limit.step};
}

struct limit limit_find(const struct series *latency, const struct series *stream)
{
    struct limit limit = find(latency, LIMIT_LATENCY);
    if (limit.source == LIMIT_NONE && stream != NULL)
        limit = find(stream, LIMIT_BANDWIDTH);
    return limit;
}

int limit_point(const struct limit *limit, const struct series *latency)
{
    int i = 0;
    while (limit->source != LIMIT_NONE && i < latency->count && latency->points[i].bytes <= limit->bytes)
        i++;
    return i < latency->count ? i : 0;
}
