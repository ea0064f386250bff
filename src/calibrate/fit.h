/* Polynomials in the dimensions m, n, k of a call, fitted to measured times or sizes (Caron02, section 2).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALIBRATE_FIT_H
#define CALIBRATE_FIT_H

#include "base/error.h"

#include <stdint.h>

#define FIT_MAX_TERMS 8

struct fit_sample {
    int m, n, k;  /* a dimension that the call does not have is 1 */
    double value; /* measured: seconds, or bytes */
};

struct fit_term {
    double coefficient;
    uint8_t m, n, k; /* exponents */
};

struct fit {
    struct fit_term terms[FIT_MAX_TERMS];
    int n_terms, n_samples;
    int from, to;    /* the range of each dimension for which it holds */
    double residual; /* mean relative deviation of the samples */
    double left_out; /* the same, of each sample from the polynomial that was fitted without it */
};

/* Fit by least squares of the relative deviation, so that small calls count as much as large ones.
 *
 * `candidates` lists the terms to choose from as products of m, n and k, separated by blanks: "1 m n mn nn mnn". All
 * are in at first; then, as long as the mean leave-one-out deviation does not grow, the term whose loss helps most or
 * harms least goes. A polynomial that is not positive all over the range loses terms in any case. An error if there are
 * fewer than two samples to a candidate, or none of the polynomials is positive. */
int fit_polynomial(struct fit *fit, const char *candidates, const struct fit_sample *samples, int n_samples, int from,
                   int to, struct sim_error *error);

double fit_predict(const struct fit *fit, double m, double n, double k);

#endif
