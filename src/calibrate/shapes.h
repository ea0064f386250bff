/* The shapes of matrices at which a kernel is measured.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_SHAPES_H
#define CALIBRATE_SHAPES_H

#include "calibrate/fit.h"

/* Fill in the dimensions of up to `capacity` samples, all within from ... to, and return how many: cubes; panels, tall
 * and flat matrices, which have one dimension near `from`; and shapes spread evenly over the logarithms of the
 * dimensions. n_dimensions is 2 (m, n) or 3 (m, n, k). `seed` numbers different sets of the same kind. */
int shapes_plan(struct fit_sample *samples, int capacity, int n_dimensions, int from, int to, int seed);

#endif
