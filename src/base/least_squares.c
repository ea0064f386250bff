#include "base/least_squares.h"

#include "base/memory.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns differ by many orders of magnitude (1 beside m n k), so each is scaled to length 1. */
static double column_length(const double *a, int rows, int columns, int column)
{
    double sum = 0;
    for (int r = 0; r < rows; r++)
        sum += a[r * columns + column] * a[r * columns + column];
    return sqrt(sum);
}

/* Columns that depend on each other up to rounding determine nothing. */
static int check_rank(const double *r, int rows, int columns)
{
    for (int c = 0; c < columns; c++)
        if (!(fabs(r[c * columns + c]) > 10 * rows * DBL_EPSILON))
            return -1;
    return 0;
}

static int solve(double *a, double *b, const double *lengths, int rows, int columns)
{
    for (int c = 0; c < columns; c++) {
        if (!(lengths[c] > 0) || !isfinite(lengths[c]))
            return -1;
        for (int r = 0; r < rows; r++)
            a[r * columns + c] /= lengths[c];
    }
    if (LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', rows, columns, 1, a, columns, b, 1) != 0)
        return -1;
    if (check_rank(a, rows, columns) != 0)
        return -1;
    for (int c = 0; c < columns; c++)
        if (!isfinite(b[c]))
            return -1;
    return 0;
}

/* From the R of A = Q R of the scaled columns: (A^T A)^-1 = R^-1 R^-T. */
static int invert(double *inverse, double *r, const double *lengths, int columns)
{
    if (LAPACKE_dtrtri(LAPACK_ROW_MAJOR, 'U', 'N', columns, r, columns) != 0)
        return -1;
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = i > j ? i : j; k < columns; k++)
                sum += r[i * columns + k] * r[j * columns + k];
            inverse[i * columns + j] = sum / (lengths[i] * lengths[j]);
        }
    return 0;
}

int least_squares_inverse(double *x, double *inverse, const double *a, const double *b, int rows, int columns)
{
    size_t n_rows = (size_t)rows, n_columns = (size_t)columns;
    double *scaled = xmalloc(n_rows * n_columns * sizeof *scaled), *right = xmalloc(n_rows * sizeof *right);
    double *lengths = xmalloc(n_columns * sizeof *lengths);
    memcpy(scaled, a, n_rows * n_columns * sizeof *a);
    memcpy(right, b, n_rows * sizeof *b);
    for (int c = 0; c < columns; c++)
        lengths[c] = column_length(a, rows, columns, c);
    int status = rows < columns ? -1 : solve(scaled, right, lengths, rows, columns);
    if (status == 0 && inverse != NULL)
        status = invert(inverse, scaled, lengths, columns);
    for (int c = 0; c < columns && status == 0; c++)
        x[c] = right[c] / lengths[c];
    free(scaled);
    free(right);
    free(lengths);
    return status;
}

int least_squares(double *x, const double *a, const double *b, int rows, int columns)
{
    return least_squares_inverse(x, NULL, a, b, rows, columns);
}
