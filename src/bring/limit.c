/* Looks for steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bring/limit.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LEAST_BYTES = 256, MOST_BYTES = 1 << 20 };
static const double LEAST_LATENCY_STEP = 0.5; /* a rendezvous takes two more messages on their way */
static const double LEAST_BANDWIDTH_STEP = 0.1;
static const double NOISE = 0.08;
static const double APART = 1.5; /* one length and the next that is looked at */

static bool may_be(int64_t bytes)
{
    return bytes >= LEAST_BYTES && bytes <= MOST_BYTES;
}

static double slope(const struct point *a, const struct point *b)
{
    return (b->time_s - a->time_s) / (double)(b->bytes - a->bytes);
}

/* The rise of the time beyond lines from the second of four points to the third, as a share of the shortest time. One
 * that is small beside the time there is noise. */
static double latency_step(const struct point p[4], double shortest_s)
{
    double steeper = fmax(slope(&p[0], &p[1]), slope(&p[2], &p[3]));
    double rise_s = p[2].time_s - p[1].time_s - steeper * (double)(p[2].bytes - p[1].bytes);
    return rise_s < NOISE * p[1].time_s ? 0 : rise_s / shortest_s;
}

static double rate(const struct point *point)
{
    return (double)point->bytes / point->time_s;
}

/* Once a rate has come near to its greatest, it grows ever less from length to length: more, or a fall, is a step. */
static double bandwidth_step(const struct point p[4], double shortest_s)
{
    (void)shortest_s;
    double before = rate(&p[1]) / rate(&p[0]), growth = rate(&p[2]) / rate(&p[1]);
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
    struct point window[4]; /* lengths that are far enough from each other for slopes */
    for (int i = 0, n = 0; i < series->count; i++) {
        if (n > 0 && (double)series->points[i].bytes < APART * (double)window[n < 4 ? n - 1 : 3].bytes)
            continue;
        if (n >= 4)
            memmove(window, window + 1, 3 * sizeof window[0]);
        window[n < 4 ? n : 3] = series->points[i];
        if (++n >= 4 && may_be(window[1].bytes))
            note_step(&limit,
                      (source == LIMIT_LATENCY ? latency_step : bandwidth_step)(window, series->points[0].time_s),
                      window[1].bytes);
    }
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
