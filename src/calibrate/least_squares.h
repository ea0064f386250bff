/* Linear least squares, by LAPACK. */
#ifndef CALIBRATE_LEAST_SQUARES_H
#define CALIBRATE_LEAST_SQUARES_H

/* The x that makes the sum of squares of A x - b smallest. A has `rows` rows of `columns` numbers, one row after
 * another; rows >= columns. -1, and x unchanged, if the columns of A do not determine x. */
int least_squares(double *x, const double *a, const double *b, int rows, int columns);

#endif
