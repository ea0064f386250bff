/* Cuts the lengths of messages into segments and fits a line in each: dynamic programming over where they end.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/segments.h"

#include "base/memory.h"
#include "calibrate/line.h"

#include <math.h>
#include <stdlib.h>

/* A line through some samples: the sum of the squares, and the largest, of the relative deviations. */
struct fitted {
    struct line line;
    double squares, worst;
};

/* Through samples first ... last, possible from length `from` on. */
static struct fitted fit_line(const struct message_sample *samples, int first, int last, int64_t from)
{
    struct line_sums sums = {0};
    for (int s = first; s <= last; s++)
        line_add(&sums, (double)samples[s].bytes, samples[s].half_s);
    struct fitted fitted = {.line = line_of(&sums, (double)from)};
    for (int s = first; s <= last; s++) {
        double off = (fitted.line.start + fitted.line.slope * (double)samples[s].bytes) / samples[s].half_s - 1;
        fitted.squares += off * off;
        fitted.worst = fmax(fitted.worst, fabs(off));
    }
    return fitted;
}

/* The best way to cut the first samples into so many segments: its deviations, and where its last segment begins. */
struct cut {
    double squares, worst;
    int begins;
};

struct cutting {
    const struct message_sample *samples;
    int n_samples, limit_at; /* the sample with which a segment begins; 0: any may */
    struct cut *cuts;        /* [segments - 1][samples] */
};

static struct cut *cut_of(const struct cutting *self, int count, int n_samples)
{
    return &self->cuts[(size_t)(count - 1) * (size_t)(self->n_samples + 1) + (size_t)n_samples];
}

static struct fitted fit_between(const struct cutting *self, int first, int last)
{
    return fit_line(self->samples, first, last, first == 0 ? 0 : self->samples[first - 1].bytes + 1);
}

/* The best way to cut the first `n` samples into `count` segments, none of which goes on over the limit. */
static void cut_best(struct cutting *self, int count, int n)
{
    struct cut best = {.squares = INFINITY};
    for (int begins = count - 1; begins < n; begins++) {
        const struct cut *before = count > 1 ? cut_of(self, count - 1, begins) : NULL;
        if ((count == 1 && begins > 0) || (begins < self->limit_at && self->limit_at < n))
            continue;
        struct fitted fitted = fit_between(self, begins, n - 1);
        double squares = fitted.squares + (before != NULL ? before->squares : 0);
        if (squares < best.squares)
            best = (struct cut){squares, fmax(fitted.worst, before != NULL ? before->worst : 0), begins};
    }
    *cut_of(self, count, n) = best;
}

static void take(struct segments *segments, const struct cutting *self, int count, int64_t limit)
{
    segments->count = count;
    for (int i = count, n = self->n_samples; i > 0; i--) {
        int begins = cut_of(self, i, n)->begins;
        struct fitted fitted = fit_between(self, begins, n - 1);
        int64_t up_to = i == count ? INT64_MAX : n == self->limit_at ? limit : self->samples[n - 1].bytes;
        segments->items[i - 1] = (struct segment){up_to, fitted.line.start, fitted.line.slope};
        n = begins;
    }
    segments->worst = cut_of(self, count, self->n_samples)->worst;
    segments->residual = 0;
    for (int s = 0; s < self->n_samples; s++)
        segments->residual +=
            fabs(segments_predict(segments, self->samples[s].bytes) / self->samples[s].half_s - 1) / self->n_samples;
}

int segments_fit(struct segments *segments, const struct message_sample *samples, int n_samples, int64_t limit,
                 double tolerance, struct sim_error *error)
{
    if (n_samples < 2 * SEGMENTS_LEAST)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "%d lengths are too few to fit %d segments", n_samples,
                             SEGMENTS_LEAST);
    struct cutting self = {.samples = samples, .n_samples = n_samples};
    while (self.limit_at < n_samples && samples[self.limit_at].bytes <= limit)
        self.limit_at++;
    if (self.limit_at == n_samples)
        self.limit_at = 0;
    self.cuts = xcalloc((size_t)SEGMENTS_MAX * (size_t)(n_samples + 1), sizeof *self.cuts);
    int most = n_samples / 2 < SEGMENTS_MAX ? n_samples / 2 : SEGMENTS_MAX, count = 1;
    for (;; count++) {
        for (int n = count; n <= n_samples; n++)
            cut_best(&self, count, n);
        if (count == most || (count >= SEGMENTS_LEAST && cut_of(&self, count, n_samples)->worst <= tolerance))
            break;
    }
    take(segments, &self, count, limit);
    free(self.cuts);
    return 0;
}

double segments_predict(const struct segments *segments, int64_t bytes)
{
    const struct segment *segment = segments->items;
    while (segment->up_to < bytes)
        segment++;
    return segment->start_s + segment->byte_s * (double)bytes;
}
