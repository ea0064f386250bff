#include "calibrate/least_squares.h"

#include "base/memory.h"

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
    for (int c = 0; c < columns; c++)
        if (!isfinite(b[c]))
            return -1;
    return 0;
}

int least_squares(double *x, const double *a, const double *b, int rows, int columns)
{
    size_t n_rows = (size_t)rows, n_columns = (size_t)columns;
    double *scaled = xmalloc(n_rows * n_columns * sizeof *scaled), *right = xmalloc(n_rows * sizeof *right);
    double *lengths = xmalloc(n_columns * sizeof *lengths);
    memcpy(scaled, a, n_rows * n_columns * sizeof *a);
    memcpy(right, b, n_rows * sizeof *b);
    for (int c = 0; c < columns; c++)
        lengths[c] = column_length(a, rows, columns, c);
    int status = rows < columns ? -1 : solve(scaled, right, lengths, rows, columns);
    for (int c = 0; c < columns && status == 0; c++)
        x[c] = right[c] / lengths[c];
    free(scaled);
    free(right);
    free(lengths);
    return status;
}
