/* T_seq of measured runs: the time of the same problem on one rank, where that is among the runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_SEQUENTIAL_H
#define STUDY_SEQUENTIAL_H

#include "study/run.h"

/* Give the runs without T_seq the time of those on one rank that agree in all other parameters, of several the median:
 * they get a speedup, and overheads over T_seq (Lemeire07, eqs. 1.1 and 1.13). One that is the number of ranks in all
 * runs, such as a p of the program's own, may differ. Returns how many runs got a T_seq. */
int sequential_find(struct study *study);

/* The longest time over the shortest among runs with the same parameters; 1 where none is repeated. */
double sequential_spread(const struct study *study);

#endif
