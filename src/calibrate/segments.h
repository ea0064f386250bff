/* Times as a function of a message's length that is linear piece by piece.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_SEGMENTS_H
#define CALIBRATE_SEGMENTS_H

#include "base/error.h"
#include "calibrate/message_fit.h"

#include <stdint.h>

#define SEGMENTS_LEAST 4
#define SEGMENTS_MAX 24

/* start + byte * length, for lengths beyond those of the segment before. Nowhere in the segment below 0. */
struct segment {
    int64_t up_to; /* the last one's is INT64_MAX */
    double start_s, byte_s;
};

struct segments {
    struct segment items[SEGMENTS_MAX];
    int count;
    double residual, worst; /* mean and largest relative deviation of the samples */
};

/* Fit by least squares of the relative deviation. The samples are in ascending order of their lengths, all times above
 * 0. One segment ends at `limit`, if samples lie on both sides of it. There are SEGMENTS_LEAST segments or, where some
 * sample is off by more than `tolerance`, as many more as that takes; of their places the best. An error if there are
 * not twice as many samples as segments at least. */
int segments_fit(struct segments *segments, const struct message_sample *samples, int n_samples, int64_t limit,
                 double tolerance, struct sim_error *error);

double segments_predict(const struct segments *segments, int64_t bytes);

#endif
