/* Splits half a round trip, fitted piece by piece, into what occupies the processors and what is under way; and fits
 * what exchanges, combining and copies take.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/message_rows.h"

#include "base/memory.h"
#include "calibrate/line.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define TOLERANCE 0.015    /* of half a round trip at a sample */
#define WORK_TOLERANCE 0.1 /* of what a processor does with a message */
#define WORK_FROM 256      /* of less it is lost in what the message takes */
#define LEAST_S 1e-9
#define MOST_OVERHEAD 0.9 /* of half a round trip */

/* Through the overheads of one side, for lengths in the row. */
static struct line overhead_line(const struct message_sample *samples, int n_samples, int64_t from, int64_t up_to,
                                 bool of_receiver)
{
    struct line_sums sums = {0};
    for (int s = 0; s < n_samples; s++) {
        double time_s = of_receiver ? samples[s].receive_s : samples[s].send_s;
        if (samples[s].bytes >= from && samples[s].bytes <= up_to && time_s > 0)
            line_add(&sums, (double)samples[s].bytes, time_s);
    }
    return line_of(&sums, 0);
}

/* Overheads leave something of the half round trip for the way, at no length and for each byte. */
static void share(struct message_row *row, const struct segment *segment)
{
    double start = row->send_s + row->receive_s, byte = row->send_byte_s + row->receive_byte_s;
    double start_share =
        start > MOST_OVERHEAD * segment->start_s ? fmax(MOST_OVERHEAD * segment->start_s / start, 0) : 1;
    double byte_share = byte > MOST_OVERHEAD * segment->byte_s ? MOST_OVERHEAD * segment->byte_s / byte : 1;
    row->send_s *= start_share;
    row->receive_s *= start_share;
    row->send_byte_s *= byte_share;
    row->receive_byte_s *= byte_share;
    row->start_s = segment->start_s - row->send_s - row->receive_s;
    row->byte_s = segment->byte_s - row->send_byte_s - row->receive_byte_s;
}

/* The rows of half a round trip. */
static int fit_rows(struct message_rows *rows, const struct message_sample *samples, int n_samples, int64_t eager_limit,
                    struct sim_error *error)
{
    struct segments segments;
    if (segments_fit(&segments, samples, n_samples, eager_limit, TOLERANCE, error) != 0)
        return -1;
    *rows = (struct message_rows){.count = segments.count,
                                  .n_samples = n_samples,
                                  .eager_limit = eager_limit,
                                  .residual = segments.residual,
                                  .worst = segments.worst};
    int64_t from = 0;
    for (int i = 0; i < segments.count; i++) {
        struct message_row *row = &rows->rows[i];
        const struct segment *segment = &segments.items[i];
        row->up_to = segment->up_to;
        if (from <= eager_limit) {
            struct line send = overhead_line(samples, n_samples, from, segment->up_to, false);
            struct line receive = overhead_line(samples, n_samples, from, segment->up_to, true);
            *row = (struct message_row){.up_to = segment->up_to,
                                        .send_s = send.start,
                                        .send_byte_s = send.slope,
                                        .receive_s = receive.start,
                                        .receive_byte_s = receive.slope};
        }
        share(row, segment);
        if (from > eager_limit)
            row->start_s -= 2 * rows->rows[0].start_s;
        from = segment->up_to + (i + 1 < segments.count);
    }
    return 0;
}

/* ---- What differs where both send and receive, and what processors do with messages ---- */

static const struct message_row *row_for(const struct message_rows *rows, int64_t bytes)
{
    const struct message_row *row = rows->rows;
    while (row->up_to < bytes)
        row++;
    return row;
}

/* The time of a message besides that on the way: overheads, and a rendezvous' messages without length. */
static double besides_s(const struct message_rows *rows, int64_t bytes)
{
    const struct message_row *row = row_for(rows, bytes);
    return row->send_s + row->receive_s + (row->send_byte_s + row->receive_byte_s) * (double)bytes +
           (bytes > rows->eager_limit ? 2 * rows->rows[0].start_s : 0);
}

typedef double series_value(const struct message_rows *rows, const struct message_sample *sample);

static double exchange_value(const struct message_rows *rows, const struct message_sample *sample)
{
    return sample->exchange_s - sample->copy_s - besides_s(rows, sample->bytes);
}

static double combine_value(const struct message_rows *rows, const struct message_sample *sample)
{
    if (sample->bytes <= rows->eager_limit) /* what exchanges add is lost in their noise */
        return sample->sum_s;
    return sample->combine_s - 2 * (sample->exchange_s - sample->copy_s);
}

static double copy_value(const struct message_rows *rows, const struct message_sample *sample)
{
    (void)rows;
    return sample->copy_s;
}

/* Cut what a series adds, at lengths of at least `from`, into segments; what is lost in noise counts as LEAST_S. */
static int fit_series(struct segments *segments, const struct message_rows *rows, series_value *value, int64_t from,
                      double tolerance, const struct message_sample *samples, int n_samples, struct sim_error *error)
{
    struct message_sample *values = xcalloc((size_t)n_samples, sizeof *values);
    int n = 0;
    for (int s = 0; s < n_samples; s++)
        if (samples[s].bytes >= from)
            values[n++] =
                (struct message_sample){.bytes = samples[s].bytes, .half_s = fmax(LEAST_S, value(rows, &samples[s]))};
    int status = segments_fit(segments, values, n, rows->eager_limit, tolerance, error);
    free(values);
    return status;
}

/* The time of calls besides their messages: means over the lengths at which they were measured. An allreduce exchanges
 * and adds a vector. */
static void fit_calls(struct message_rows *rows, const struct message_sample *samples, int n_samples)
{
    double broadcast_s = 0, allreduce_s = 0;
    int n = 0, n_vectors = 0;
    for (int s = 0; s < n_samples; s++) {
        const struct message_sample *sample = &samples[s];
        if (sample->broadcast_s > 0) {
            broadcast_s += 2 * (sample->broadcast_s - sample->half_s);
            n++;
        }
        if (sample->allreduce_s > 0 && sample->bytes % (int64_t)sizeof(double) == 0) {
            allreduce_s += sample->allreduce_s - (sample->exchange_s - sample->copy_s) - sample->sum_s;
            n_vectors++;
        }
    }
    rows->broadcast_s = n > 0 ? fmax(0, broadcast_s / n) : 0;
    rows->allreduce_s = n_vectors > 0 ? fmax(0, allreduce_s / n_vectors) : 0;
}

int message_rows_fit(struct message_rows *rows, const struct message_sample *samples, int n_samples,
                     int64_t eager_limit, struct sim_error *error)
{
    if (fit_rows(rows, samples, n_samples, eager_limit, error) != 0 ||
        fit_series(&rows->exchange, rows, exchange_value, 1, TOLERANCE, samples, n_samples, error) != 0 ||
        fit_series(&rows->combine, rows, combine_value, WORK_FROM, WORK_TOLERANCE, samples, n_samples, error) != 0 ||
        fit_series(&rows->copy, rows, copy_value, WORK_FROM, WORK_TOLERANCE, samples, n_samples, error) != 0)
        return -1;
    fit_calls(rows, samples, n_samples);
    return 0;
}

double message_rows_predict(const struct message_rows *rows, int64_t bytes)
{
    const struct message_row *row = row_for(rows, bytes);
    return besides_s(rows, bytes) + row->start_s + row->byte_s * (double)bytes;
}

double message_rows_predict_exchange(const struct message_rows *rows, int64_t bytes)
{
    return besides_s(rows, bytes) + segments_predict(&rows->exchange, bytes);
}
