/* Times of messages, and of what is done with them, between two processes, by length. MPI must be initialized.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_MEASURE_SERIES_H
#define CALIBRATE_MEASURE_SERIES_H

#include "calibrate/message_fit.h"

#include <mpi.h>

/* The two processes; both call what follows. */
struct pair {
    MPI_Comm comm; /* of the two */
    int rank, peer;
    char *buffers[2]; /* of twice the longest length each */
};

void pair_send(const struct pair *pair, const char *buffer, int64_t bytes);
void pair_receive(const struct pair *pair, char *buffer, int64_t bytes);

/* Half of a round trip, as the mean of a few after one that warms up; right for rank 0. */
double pair_half_s(const struct pair *pair, int64_t bytes);

/* The median of n >= 1 values, which are put in order. */
double series_median(double *values, int n);

/* Fill in the times of all samples, whose lengths are given, but for send_s and receive_s: medians over rounds through
 * all lengths, so that a disturbance that lasts does not hit one of them alone. Each kind goes through them by itself
 * for a while, as benchmarks do, and again later: between others it would be up to 10 % slower or faster. The least of
 * many would be what happens seldom: the processors of a virtual computer may be near each other for a while. Right for
 * rank 0, whose progress() is called with the share done. */
void measure_series(const struct pair *pair, struct message_sample *samples, int n_samples,
                    void (*progress)(const char *what, double share));

#endif
