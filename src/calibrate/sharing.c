/* Fits how much longer calls take on several processors at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "calibrate/sharing.h"

#include <assert.h>
#include <math.h>

/* 8 12 16 24 32 ... : between powers of two, half as many again. */
static int next_count(int count)
{
    if (count < 8)
        return count + 1;
    return (count & (count - 1)) == 0 ? count + count / 2 : count / 3 * 4;
}

int sharing_plan(int counts[1 + SHARING_COUNTS], int processors)
{
    int n = 0;
    for (int count = 1; count < processors && n < SHARING_COUNTS; count = next_count(count))
        counts[n++] = count;
    counts[n++] = processors;
    return n;
}

static double mean_times(const double *seconds, const double *alone, int n_shapes)
{
    double sum = 0;
    for (int s = 0; s < n_shapes; s++)
        sum += log(seconds[s] / alone[s]);
    return fmax(exp(sum / n_shapes), 1);
}

void sharing_fit(struct sharing *sharing, const int *counts, int n_counts, const double *seconds, int n_shapes)
{
    assert(n_counts > 0 && n_counts <= 1 + SHARING_COUNTS && counts[0] == 1 && n_shapes > 0);
    double deviations = 0;
    *sharing = (struct sharing){.n = n_counts - 1, .n_shapes = n_shapes};
    for (int c = 0; c < sharing->n; c++) {
        const double *together = &seconds[(c + 1) * n_shapes];
        sharing->ranks[c] = counts[c + 1];
        sharing->times[c] = mean_times(together, seconds, n_shapes);
        for (int s = 0; s < n_shapes; s++)
            deviations += fabs(seconds[s] * sharing->times[c] / together[s] - 1);
    }
    if (sharing->n > 0)
        sharing->residual = deviations / (sharing->n * n_shapes);
}
