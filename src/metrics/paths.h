/* Explanations of waits, paths that are alike added together (Meira, LeBlanc, Almeida, SPDT 98).
 *
 * An explanation is a list of steps with their durations. Two are alike if the differences between the steps' shares,
 * summed over the steps of both, are small. A share is a duration over the sum of the explanation's, all without
 * sign.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_PATHS_H
#define METRICS_PATHS_H

#include "base/units.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAX_PATHS = 32 }; /* in a group; what is unlike all of them is added to the nearest */

struct step {
    int index;
    int64_t ps; /* less than 0: who waited did that much more of it */
};

struct path {
    wide_int *step_ps;  /* n_steps; NULL: it waited for no rank */
    wide_int magnitude; /* the sum of step_ps without sign */
    wide_int late_ps;   /* the sum of step_ps: the time waited for others */
    wide_int answer_ps; /* from there to the end of the wait */
    int64_t count;      /* of waits */
    bool *waiters;      /* n_waiters: who waited */
};

struct paths {
    int n_steps, n_waiters;
    int count;
    struct path paths[MAX_PATHS + 1]; /* one more for waits for no rank */
    int direct;                       /* which that is; -1: none */
};

/* Without its sign. */
static inline wide_int magnitude_of(wide_int ps)
{
    return ps < 0 ? -ps : ps;
}

void paths_init(struct paths *paths, int n_steps, int n_waiters);
void paths_dispose(struct paths *paths);
/* A wait, explained; without steps, it was for no rank. */
void paths_add(struct paths *paths, const struct step *steps, int n_steps, int waiter, int64_t answer_ps);

#endif
