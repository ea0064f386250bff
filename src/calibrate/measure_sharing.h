/* The times of real kernels while several processors of this computer work at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_MEASURE_SHARING_H
#define CALIBRATE_MEASURE_SHARING_H

#include "calibrate/measure_kernels.h"
#include "calibrate/sharing.h"

/* How many processors the system lets this process use, however it is bound now. */
int measure_processors(void);

/* Measure calls of a kernel, with dimensions up to `side`, by 1, 2 and more processes of this computer, up to
 * `processors`. Each is bound to a processor of its own, and all of them work from before the first measured call to
 * after the last. The process must not be one of MPI any more. sharing->n is 0 where it cannot be measured: there is
 * one processor only, or processes cannot be started or bound. */
void measure_sharing(struct sharing *sharing, const struct kernel_spec *spec, int side, int processors);

#endif
