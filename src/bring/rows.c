/* Fits rows: the fewest straight lines between samples, by the shortest way over them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bring/rows.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double WIDER = 1.25; /* so many times, where rows are too few */
static const double SEND_TOLERANCE = 0.05;

static double at(double start_s, double byte_s, int64_t bytes)
{
    return start_s + byte_s * (double)bytes;
}

/* A time per byte as it is written: no more, so that what is left stays above 0. */
static double whole_ps(double byte_s)
{
    return floor(fmax(byte_s, 0) * 1e12 + 1e-6) * 1e-12;
}

/* ---- One row ---- */

/* How much a part grows with a byte, of the slope of the whole: so that neither the part nor the rest is below 0 at any
 * length. The part is part_s of whole_s at that length. */
static double share_slope(double part_s, double whole_s, double wanted, double slope, double length)
{
    double least = slope - (whole_s - part_s) / length, most = fmin(slope, part_s / length);
    return whole_ps(fmin(fmax(wanted, least), most));
}

/* The row between two samples, which is exact at the longer one. */
static struct end_row row_between(const struct end_sample *a, const struct end_sample *b)
{
    double span = (double)(b->bytes - a->bytes), length = (double)b->bytes;
    double send_s = fmin(b->send_s, b->ends_s), receive_s = fmin(send_s, b->ends_s - send_s);
    struct end_row row = {.up_to = b->bytes};
    if (span > 0) {
        double slope = whole_ps(fmin((b->ends_s - a->ends_s) / span, b->ends_s / length));
        double wanted = fmax((b->send_s - a->send_s) / span, 0);
        row.send_byte_s = share_slope(send_s, b->ends_s, wanted, slope, length);
        row.receive_byte_s = share_slope(receive_s, b->ends_s - send_s, wanted, slope - row.send_byte_s, length);
        row.byte_s = whole_ps(slope - row.send_byte_s - row.receive_byte_s);
    }
    row.send_s = fmax(send_s - row.send_byte_s * length, 0);
    row.receive_s = fmax(receive_s - row.receive_byte_s * length, 0);
    row.start_s = fmax(b->ends_s - send_s - receive_s - row.byte_s * length, 0);
    return row;
}

static double row_ends(const struct end_row *row, int64_t bytes)
{
    return at(row->start_s + row->send_s + row->receive_s, row->byte_s + row->send_byte_s + row->receive_byte_s, bytes);
}

static bool fits(const struct end_row *row, const struct end_sample *sample, double tolerance)
{
    double ends_off = fabs(row_ends(row, sample->bytes) - sample->ends_s);
    double send_s = fmin(sample->send_s, sample->ends_s);
    double send_off = fabs(at(row->send_s, row->send_byte_s, sample->bytes) - send_s);
    return ends_off <= tolerance * sample->whole_s &&
           send_off <= fmax(tolerance * sample->whole_s, SEND_TOLERANCE * sample->send_s);
}

/* ---- The way over the samples ---- */

struct way {
    int rows;  /* fewest up to here */
    int begin; /* of the last of them; itself: it is for this sample alone */
};

struct fitting {
    const struct end_sample *samples;
    int n, limit_at;
    double tolerance;
    struct way *ways;
};

/* A row that goes from sample i, which it holds if it is the first one, to j. */
static bool may_go(const struct fitting *self, int i, int j, bool is_first)
{
    struct end_row row = row_between(&self->samples[i], &self->samples[j]);
    for (int s = is_first ? i : i + 1; s < j; s++)
        if (!fits(&row, &self->samples[s], self->tolerance))
            return false;
    return true;
}

static void find_way(struct fitting *self, int j)
{
    int first = j >= self->limit_at ? self->limit_at : 0;
    int before = first > 0 ? self->ways[first - 1].rows : 0;
    struct way best = {INT32_MAX, -1};
    if (j == first)
        best = (struct way){before + 1, j};
    for (int i = first; i < j; i++) {
        bool alone = i == first; /* one row for all from the first sample on */
        int rows = (alone ? before : self->ways[i].rows) + 1;
        if (rows < best.rows && may_go(self, i, j, alone))
            best = (struct way){rows, i};
        if (alone && self->ways[i].rows + 1 < best.rows && may_go(self, i, j, false))
            best = (struct way){self->ways[i].rows + 1, i};
    }
    self->ways[j] = best;
}

static void take_rows(struct end_rows *rows, const struct fitting *self, int64_t limit)
{
    rows->count = self->ways[self->n - 1].rows;
    rows->tolerance = self->tolerance;
    for (int j = self->n - 1, k = rows->count - 1; k >= 0; k--) {
        int begin = self->ways[j].begin, first = j >= self->limit_at ? self->limit_at : 0;
        rows->rows[k] = row_between(&self->samples[begin], &self->samples[j]);
        if (k == rows->count - 1)
            rows->rows[k].up_to = INT64_MAX;
        else if (j == self->limit_at - 1)
            rows->rows[k].up_to = limit;
        int before = first > 0 ? self->ways[first - 1].rows : 0;
        bool ends_part = begin == first && self->ways[j].rows == before + 1;
        j = ends_part ? first - 1 : begin;
    }
}

void end_rows_fit(struct end_rows *rows, const struct end_sample *samples, int n, int limit_at, int64_t limit,
                  double tolerance)
{
    struct fitting self = {.samples = samples,
                           .n = n,
                           .limit_at = limit_at,
                           .tolerance = tolerance,
                           .ways = xcalloc((size_t)n, sizeof *self.ways)};
    for (;; self.tolerance *= WIDER) {
        for (int j = 0; j < n; j++)
            find_way(&self, j);
        if (self.ways[n - 1].rows <= END_ROWS)
            break;
    }
    take_rows(rows, &self, limit);
    free(self.ways);
}

static const struct end_row *row_for(const struct end_rows *rows, int64_t bytes)
{
    const struct end_row *row = rows->rows;
    while (row->up_to < bytes)
        row++;
    return row;
}

double end_rows_at(const struct end_rows *rows, int64_t bytes)
{
    return row_ends(row_for(rows, bytes), bytes);
}

double end_rows_start(const struct end_rows *rows, int64_t bytes)
{
    const struct end_row *row = row_for(rows, bytes);
    return at(row->start_s, row->byte_s, bytes);
}
