/* The costs of messages by length, as LogGP has them: rows of a platform, fitted to round trips and overheads.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_MESSAGE_ROWS_H
#define CALIBRATE_MESSAGE_ROWS_H

#include "calibrate/segments.h"

/* A message of the row's lengths occupies its sender for send + send_byte * l (LogGP's o), is under way for start +
 * byte * l (L, and G for each byte), and occupies its receiver for receive + receive_byte * l. */
struct message_row {
    int64_t up_to; /* the last one's is INT64_MAX */
    double start_s, byte_s;
    double send_s, send_byte_s;
    double receive_s, receive_byte_s;
};

struct message_rows {
    struct message_row rows[SEGMENTS_MAX];
    int count, n_samples;
    int64_t eager_limit;
    double residual, worst; /* mean and largest relative deviation of half a round trip */
    /* On the way where both send and receive; and of a processor: combining a vector, copying a block, calling a
     * broadcast and an allreduce. Segments of which none has a time below 0. */
    struct segments exchange, combine, copy;
    double broadcast_s, allreduce_s;
};

/* A rendezvous has two messages without length besides: a time under way of the first row each. Overheads are taken
 * from the samples up to the eager limit, as far as they have any, and at most 9/10 of half a round trip. */
int message_rows_fit(struct message_rows *rows, const struct message_sample *samples, int n_samples,
                     int64_t eager_limit, struct sim_error *error);

/* Half of a round trip, and an exchange. */
double message_rows_predict(const struct message_rows *rows, int64_t bytes);
double message_rows_predict_exchange(const struct message_rows *rows, int64_t bytes);

#endif
