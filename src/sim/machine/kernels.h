/* The costs of programs' routines on a processor, and their need of its memory; by name.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_KERNELS_H
#define SIM_MACHINE_KERNELS_H

#include "interval/interval.h"
#include "sim/machine/kernel_law.h"

#include <stdbool.h>
#include <stdint.h>

/* A polynomial in the dimensions m, n, k of one call of a routine (Caron02, section 2), fitted for dimensions in
 * [from, to]. */
struct polynomial_term {
    double factor;   /* ps or bytes */
    uint8_t m, n, k; /* exponents */
};

#define POLYNOMIAL_MAX_TERMS 12

struct polynomial {
    int n_terms;
    struct polynomial_term terms[POLYNOMIAL_MAX_TERMS];
    int64_t from, to;
    double residual; /* mean relative deviation of the measurements from the polynomial */
};

/* How many times as long a call of a kernel takes where so many ranks share a host, and its memory: in rising order of
 * ranks, from 1 rank and 1 time on; in between along a line, beyond the last as there. */
#define SHARING_MOST 16

struct kernel_sharing {
    char name[32];
    int n;
    struct {
        int ranks;
        double times;
    } at[SHARING_MOST];
};

/* The cost of a kernel on one processor: either one iteration by component (Zemerly95, eqs. 1-2), or a polynomial, or
 * the law of a table. */
struct kernel_cost {
    char name[32];
    int64_t work_ps[N_WORK_COMPONENTS];
    struct polynomial polynomial; /* without terms: by component, or by the law */
    const struct kernel_law *law; /* of the machine's routines; NULL: none */
    int edge;                     /* -1, 1: forecasts take the lower or upper end of the law's band */
    double times;                 /* as long as alone, see struct kernel_sharing; 0: unknown */
};

/* How much memory a call of a routine needs, in bytes. */
struct memory_need {
    char name[32];
    struct polynomial polynomial;
};

/* All that is known of a processor's routines. It does not change once it is read, and machines share it. */
struct routines {
    int n_kernels, n_needs, n_sharings;
    struct kernel_cost *kernels;
    struct memory_need *needs;
    struct kernel_sharing *sharings;
    int n_machines; /* that have it; the last one frees it */
};

/* The times for so many ranks on a host. */
double kernel_sharing_times(const struct kernel_sharing *sharing, int ranks);

/* The time of `times` calls of a kernel with the dimensions, and its components; 0 where a polynomial is negative. For
 * a kernel with a law of iterations, it is one call with so many. -1 if it exceeds the clock, or a law has no time
 * above 0 for it. */
int64_t machine_kernel_ps(const struct kernel_cost *cost, int64_t times, int m, int n, int k,
                          int64_t work_ps[N_WORK_COMPONENTS]);

/* Say why a law has no time for the calls; false where it has one, or the cost is no law. */
bool machine_explain_law(char *why, size_t why_size, const struct kernel_cost *cost, int64_t times, int m, int n,
                         int k);

/* The value for those dimensions, 0 where it is negative; whether it is, as a fitted polynomial may where it was not
 * fitted; and how many dimensions it has: those up to the last that it mentions. */
double polynomial_value(const struct polynomial *polynomial, int m, int n, int k);
bool polynomial_is_negative(const struct polynomial *polynomial, int m, int n, int k);
int polynomial_dimensions(const struct polynomial *polynomial);

#endif
