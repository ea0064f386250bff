/* Splits half a round trip, fitted piece by piece, into what occupies the processors and what is under way. */
#include "calibrate/message_rows.h"

#include "calibrate/line.h"

#include <math.h>
#include <stdbool.h>

#define TOLERANCE 0.025   /* of half a round trip at a sample */
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

int message_rows_fit(struct message_rows *rows, const struct message_sample *samples, int n_samples,
                     int64_t eager_limit, struct sim_error *error)
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

double message_rows_predict(const struct message_rows *rows, int64_t bytes)
{
    const struct message_row *row = rows->rows;
    while (row->up_to < bytes)
        row++;
    return row->send_s + row->start_s + row->receive_s +
           (row->send_byte_s + row->byte_s + row->receive_byte_s) * (double)bytes +
           (bytes > rows->eager_limit ? 2 * rows->rows[0].start_s : 0);
}
