/* The time of a message at its two ends, as rows of a platform: piece by piece a straight line over its length.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BRING_ROWS_H
#define BRING_ROWS_H

#include <stdint.h>

enum { END_ROWS = 24 }; /* at most, as of a platform's props */

struct end_sample {
    int64_t bytes;
    double ends_s;  /* at both ends together, from 0 on */
    double send_s;  /* of that the processor's at each end, as far as there is room */
    double whole_s; /* the time of the message, of which deviations are shares */
};

/* Lengths up to `up_to`; of the last row it is INT64_MAX. All from 0 on; times per byte are whole picoseconds. */
struct end_row {
    int64_t up_to;
    double start_s, byte_s, send_s, send_byte_s, receive_s, receive_byte_s;
};

struct end_rows {
    struct end_row rows[END_ROWS];
    int count;
    double tolerance; /* with which they were found */
};

/* Fit as few rows as keep every sample within the tolerance; a wider one where END_ROWS are too few. Lengths ascend.
 * Between samples it is a straight line. New rows begin behind `limit` with the sample limit_at; 0: none has to. The
 * first send_s of the ends are the sender's, the next as much the receiver's; the rest is time that neither is busy. */
void end_rows_fit(struct end_rows *rows, const struct end_sample *samples, int n, int limit_at, int64_t limit,
                  double tolerance);

/* Both ends together at a length, and what of it is the start. */
double end_rows_at(const struct end_rows *rows, int64_t bytes);
double end_rows_start(const struct end_rows *rows, int64_t bytes);

#endif
