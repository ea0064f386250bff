/* Student's t and Fisher's F.
 *
 * The upper quantiles come from the regularized incomplete beta function I_x(a, b), computed by its continued fraction
 * (DLMF 8.17.22, AS 26.5.8), and are inverted by Newton's method within bounds. For 1 to 1e6 degrees of freedom and
 * probabilities from 1e-10 to 1 - 1e-10, their relative errors are below 5e-14. tests/model/distributions.c compares
 * them with closed forms, published tables, 40 digits, and GSL.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_DISTRIBUTIONS_H
#define MODEL_DISTRIBUTIONS_H

/* The t that is exceeded with probability `p`, 0 < p <= 0.5, of a t distribution with `degrees` >= 1 degrees of
 * freedom: 0 or more. */
double student_t_upper(double p, double degrees);

/* The probability that a t of `degrees` >= 1 degrees of freedom is below t; the error is below 1e-14 up to 200 degrees,
 * and 1e-6 beyond. Faster than the quantiles. */
double student_t_below(double t, int degrees);

/* The f that is exceeded with probability `p`, 0 < p < 1, of an F distribution with degrees of freedom `above` >= 1 of
 * its numerator, and `below` >= 1 of its denominator: more than 0. */
double fisher_f_upper(double p, double above, double below);

#endif
