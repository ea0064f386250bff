/* Robust statistics of a series.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/series.h"

#include "base/memory.h"
#include "base/range.h"

#include <math.h>
#include <stdlib.h>

#define MAD_TO_SCALE 1.4826
#define LEAST_SCALE 0.01
#define LEAST_EXCESS 1.25
#define MOST_SCALES 8
#define LEAST_SIGN 4.5
#define LEAST_TREND 0.1

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double series_median(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare);
    return count == 0 ? 0 : count % 2 == 1 ? numbers[count / 2] : (numbers[count / 2 - 1] + numbers[count / 2]) / 2;
}

double series_slope(double *sign, const double *values, size_t count, double *room)
{
    size_t half = count / 2, n_up = 0, n_down = 0;
    for (size_t i = 0; i < half; i++) {
        double step = values[i + count - half] - values[i];
        room[i] = step / (double)(count - half);
        n_up += step > 0;
        n_down += step < 0;
    }
    *sign = half > 0 ? ((double)n_up - (double)n_down) / sqrt((double)half) : 0;
    return series_median(room, half);
}

double series_expected(const struct series *series, size_t count, size_t i)
{
    double middle = ((double)count - 1) / 2;
    return double_max(series->median + series->slope * ((double)i - middle), series->median / 100);
}

struct series series_look(const double *values, size_t count)
{
    double sign, *room = xcalloc(count + 1, sizeof *room);
    struct series series = {.scale = LEAST_SCALE};
    for (size_t i = 0; i < count; i++)
        room[i] = values[i];
    series.median = series_median(room, count);
    double slope = series_slope(&sign, values, count, room);
    if (fabs(sign) >= LEAST_SIGN && fabs(slope) * (double)count >= LEAST_TREND * series.median)
        series.slope = slope;
    for (size_t i = 0; i < count; i++)
        room[i] = fabs(log(double_max(values[i], 1e-30) / double_max(series_expected(&series, count, i), 1e-30)));
    series.scale = double_max(MAD_TO_SCALE * series_median(room, count), LEAST_SCALE);
    free(room);
    return series;
}

bool series_stands_out(const struct series *series, size_t count, size_t i, double value)
{
    double expected = series_expected(series, count, i);
    if (count < SERIES_LEAST || value < LEAST_EXCESS * expected || expected <= 0)
        return false;
    return log(value / expected) > MOST_SCALES * (1 + 10 / (double)count) * series->scale;
}
