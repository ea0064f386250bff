/* Linear least squares.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MODEL_LEAST_SQUARES_H
#define MODEL_LEAST_SQUARES_H

/* The x that makes the sum of squares of A x - b smallest. A has `rows` rows of `columns` numbers, one row after
 * another; rows >= columns. -1, and x unchanged, if the columns of A do not determine x. */
int least_squares(double *x, const double *a, const double *b, int rows, int columns);

/* The same, and the inverse of A^T A, columns x columns: times the variance of b it is the covariance of x, and
 * a_i^T (A^T A)^-1 a_i is how much the i-th fitted value follows b_i. */
int least_squares_inverse(double *x, double *inverse, const double *a, const double *b, int rows, int columns);

#endif
