/* Cuts the lengths of messages into segments and fits a line in each: dynamic programming over where they end. */
#include "calibrate/segments.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct line {
    double start_s, byte_s;
    double squares, worst; /* sum of the squares, and the largest, of the relative deviations */
};

/* The line of least squares of the relative deviation through samples first ... last. Times do not fall with the
 * length, and none is below 0 from length `from` on. */
static struct line fit_line(const struct message_sample *samples, int first, int last, int64_t from)
{
    double s11 = 0, s1x = 0, sxx = 0, r1 = 0, rx = 0;
    for (int s = first; s <= last; s++) {
        double w = 1 / samples[s].half_s, x = (double)samples[s].bytes * w;
        s11 += w * w;
        s1x += w * x;
        sxx += x * x;
        r1 += w;
        rx += x;
    }
    double determinant = s11 * sxx - s1x * s1x;
    struct line line = {.start_s = r1 / s11};
    if (last > first && determinant > 1e-12 * s11 * sxx) {
        line.start_s = (r1 * sxx - rx * s1x) / determinant;
        line.byte_s = (s11 * rx - s1x * r1) / determinant;
    }
    if (line.byte_s < 0)
        line = (struct line){.start_s = r1 / s11};
    if (line.start_s + line.byte_s * (double)from < 0)
        line = (struct line){.byte_s = rx / sxx};
    for (int s = first; s <= last; s++) {
        double off = (line.start_s + line.byte_s * (double)samples[s].bytes) / samples[s].half_s - 1;
        line.squares += off * off;
        line.worst = fmax(line.worst, fabs(off));
    }
    return line;
}

/* What is known of the first samples cut into so many segments: the best way, and where its last one begins. */
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

static struct line line_of(const struct cutting *self, int first, int last)
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
        struct line line = line_of(self, begins, n - 1);
        double squares = line.squares + (before != NULL ? before->squares : 0);
        if (squares < best.squares)
            best = (struct cut){squares, fmax(line.worst, before != NULL ? before->worst : 0), begins};
    }
    *cut_of(self, count, n) = best;
}

static void take(struct segments *segments, const struct cutting *self, int count, int64_t limit)
{
    segments->count = count;
    for (int i = count, n = self->n_samples; i > 0; i--) {
        int begins = cut_of(self, i, n)->begins;
        struct line line = line_of(self, begins, n - 1);
        int64_t up_to = i == count ? INT64_MAX : n == self->limit_at ? limit : self->samples[n - 1].bytes;
        segments->items[i - 1] = (struct segment){up_to, line.start_s, line.byte_s};
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
