/* Which runs of a study matter most: those that someone reading in brief sees in its tables.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_PROMINENT_H
#define STUDY_PROMINENT_H

#include "study/run.h"

/* Set `matters` of some of many runs, of few of none. The runs are in the order of the tables. In each ranking these
 * are the best and the worst; for each problem, the first, the last, and runs evenly spread between them. */
void prominent_mark(struct study *study);
/* True if the i-th of `count` is one of `wanted` that are evenly spread, the first and the last of them included. */
bool prominent_is_spread(int i, int count, int wanted);

#endif
