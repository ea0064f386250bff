/* The times of real kernels on this processor.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_MEASURE_KERNELS_H
#define CALIBRATE_MEASURE_KERNELS_H

#include "calibrate/fit.h"

#include <stddef.h>

/* Three matrices of up to `side` by `side` numbers. */
struct operands {
    double *a, *b, *c;
    int side;
};

struct kernel_spec {
    const char *name, *summary;
    const char *terms;        /* to choose the polynomial of the time from */
    const char *memory_terms; /* the same of the memory */
    const char *memory;       /* size of the operands, as a platform has it */
    const char *operands[3];  /* how many numbers a, b and c have, "mk" for m times k; NULL: not used */
    int n_dimensions;
    void (*call)(const struct operands *operands, int m, int n, int k);
};

#define N_KERNEL_SPECS 3
extern const struct kernel_spec kernel_specs[N_KERNEL_SPECS];

const struct kernel_spec *kernel_find(const char *name); /* NULL if there is none */

/* Small numbers, so that call after call on the same operands neither overflows nor ends in denormal numbers. */
void matrix_fill(double *matrix, size_t count);

void operands_init(struct operands *operands, int side);
void operands_dispose(struct operands *operands);

/* The least time of a call in all repetitions, once over. Times are the processor's own, so that what else runs on the
 * computer counts only by what it does to caches and clock. */
double measure_call(const struct kernel_spec *spec, const struct operands *operands, int m, int n, int k);

/* The processor time of one call, of which the shape has the dimensions. */
double measure_once(const struct kernel_spec *spec, const struct operands *operands, const struct fit_sample *shape);

/* Fill in the times of the samples: go over all of them again and again, for about budget_s, and keep the least time of
 * each, so that a disturbance is not taken for a property of one shape. `progress` is called with the share done. */
void measure_samples(struct fit_sample *samples, int n_samples, const struct kernel_spec *spec,
                     const struct operands *operands, double budget_s,
                     void (*progress)(const char *what, double share));

/* Bytes copied per second between two arrays of `side` * `side` numbers. */
double measure_copy_Bps(const struct operands *operands);

#endif
