/* A series of times of one thing that is done again and again: its median, a trend, and those that stand out.
 *
 * Robust throughout: medians, and the median absolute deviation (MAD) as the scale, 1.4826 MAD for normal noise
 * (Rousseeuw93). A trend is the median slope of pairs half a series apart, and there is one if the signs
 * of these slopes differ from a coin's by 4.5 standard deviations and it makes a tenth of the median. A time stands
 * out if its logarithm is above that of the trend by 8 (1 + 10 / n) scales, the scale being a hundredth at least, and
 * the time a quarter above. Noise of normal or lognormal times passes neither, however long the series.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_SERIES_H
#define METRICS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

enum { SERIES_LEAST = 5 };

struct series {
    double median;
    double slope; /* per step; 0 unless there is a trend */
    double scale; /* of the logarithms about the trend */
};

/* The median of `count` numbers, which are put into another order. */
double series_median(double *numbers, size_t count);
/* The median slope of pairs half a series apart, per step; *sign is how many standard deviations the signs of slopes
 * are from even. `room` has place for as many numbers. */
double series_slope(double *sign, const double *values, size_t count, double *room);
/* Summary of `count` times above 0; with fewer than SERIES_LEAST, it has only the median. */
struct series series_look(const double *values, size_t count);
/* The value expected of the i-th time; true if `value` in its place is an outlier. */
double series_expected(const struct series *series, size_t count, size_t i);
bool series_stands_out(const struct series *series, size_t count, size_t i, double value);

#endif
