/* How much longer calls take while other processors of the computer work on calls of their own.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_SHARING_H
#define CALIBRATE_SHARING_H

#define SHARING_COUNTS 16 /* numbers of processors beyond one, as many as platforms have */

/* The law that platforms have as shared.NAME: times[i] as long as alone where ranks[i] processors work. */
struct sharing {
    int n; /* 0: not measured */
    int ranks[SHARING_COUNTS];
    double times[SHARING_COUNTS]; /* 1 at least */
    int n_shapes;
    double residual; /* mean relative deviation of the times that the law forecasts from those alone */
};

/* The numbers of processors to measure with, in rising order: 1 to 8 one by one, then ever wider apart, and at last all
 * of them. Returns how many. */
int sharing_plan(int counts[1 + SHARING_COUNTS], int processors);

/* Fit the law to seconds above 0: of n_shapes shapes for each of n_counts counts, the first of which is 1. One factor
 * for all shapes: the geometric mean, which has the least squares of the deviations in the logarithm. */
void sharing_fit(struct sharing *sharing, const int *counts, int n_counts, const double *seconds, int n_shapes);

#endif
