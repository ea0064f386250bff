/* The memory that real kernels need on this computer.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_MEASURE_MEMORY_H
#define CALIBRATE_MEASURE_MEMORY_H

#include "calibrate/fit.h"
#include "calibrate/measure_kernels.h"

/* Fill in the bytes that a call needs at each sample's shape, its operands included: the peak of the resident memory
 * less what was resident before the operands were made. Memory that the library allocates in its first call and keeps
 * does not count. -1 if the system does not say: it must be Linux, and let the process write /proc/self/clear_refs. */
int measure_memory(struct fit_sample *samples, int n_samples, const struct kernel_spec *spec);

#endif
