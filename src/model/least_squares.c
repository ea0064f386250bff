/* Least squares by a QR decomposition, with the inverse of AᵀA and a rank that is checked.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/least_squares.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* The columns differ by many orders of magnitude (1 beside m n k), so each is scaled to length 1. */
static double column_length(const double *a, int rows, int columns, int column)
{
    double sum = 0;
    for (int r = 0; r < rows; r++)
        sum += a[r * columns + column] * a[r * columns + column];
    return sqrt(sum);
}

/* A becomes R above and on its diagonal, by Householder's reflections: each turns a column, from the diagonal down,
 * into a multiple of the first unit vector, and is applied to the columns that follow, the last of which is b. The sign
 * is the one that does not cancel (Golub and Van Loan, Matrix Computations, 5.1-5.3). */
static void triangulate(double *a, int rows, int columns)
{
    int stride = columns + 1;
    for (int c = 0; c < columns; c++) {
        double norm = 0, *diagonal = &a[c * stride + c];
        for (int r = c; r < rows; r++)
            norm += a[r * stride + c] * a[r * stride + c];
        norm = sqrt(norm);
        if (!(norm > 0))
            continue;
        double head = *diagonal > 0 ? *diagonal + norm : *diagonal - norm; /* of the vector that is reflected by */
        double scale = 1 / (norm * fabs(head));
        for (int k = c + 1; k < stride; k++) {
            double sum = head * a[c * stride + k];
            for (int r = c + 1; r < rows; r++)
                sum += a[r * stride + c] * a[r * stride + k];
            sum *= scale;
            a[c * stride + k] -= sum * head;
            for (int r = c + 1; r < rows; r++)
                a[r * stride + k] -= sum * a[r * stride + c];
        }
        *diagonal = *diagonal > 0 ? -norm : norm;
    }
}

/* Columns that depend on each other up to rounding determine nothing. */
static int check_rank(const double *r, int rows, int columns)
{
    for (int c = 0; c < columns; c++)
        if (!(fabs(r[c * (columns + 1) + c]) > 10 * (double)rows * DBL_EPSILON))
            return -1;
    return 0;
}

/* x of the scaled columns; A, with b as its last column, becomes its R. */
static int solve(double *x, double *a, int rows, int columns)
{
    int stride = columns + 1;
    triangulate(a, rows, columns);
    if (check_rank(a, rows, columns) != 0)
        return -1;
    for (int c = columns - 1; c >= 0; c--) {
        x[c] = a[c * stride + columns];
        for (int k = c + 1; k < columns; k++)
            x[c] -= a[c * stride + k] * x[k];
        x[c] /= a[c * stride + c];
        if (!isfinite(x[c]))
            return -1;
    }
    return 0;
}

/* R becomes its inverse, an upper triangle, too: column by column, by substitution from its diagonal upward. */
static void invert_triangle(double *r, int columns)
{
    int stride = columns + 1;
    for (int c = 0; c < columns; c++)
        r[c * stride + c] = 1 / r[c * stride + c];
    for (int c = columns - 1; c > 0; c--)
        for (int i = c - 1; i >= 0; i--) {
            double sum = r[i * stride + c] * r[c * stride + c];
            for (int k = i + 1; k < c; k++)
                sum += r[i * stride + k] * r[k * stride + c];
            r[i * stride + c] = -sum * r[i * stride + i];
        }
}

/* From the R of A = Q R of the scaled columns: (A^T A)^-1 = R^-1 R^-T. */
static void invert(double *inverse, double *r, const double *lengths, int columns)
{
    int stride = columns + 1;
    invert_triangle(r, columns);
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = i > j ? i : j; k < columns; k++)
                sum += r[i * stride + k] * r[j * stride + k];
            inverse[i * columns + j] = sum / (lengths[i] * lengths[j]);
        }
}

/* A with each column over its length, and b behind; -1 if a length is 0 or not finite. */
static int scale_columns(double *scaled, double *lengths, const double *a, const double *b, int rows, int columns)
{
    int stride = columns + 1;
    for (int c = 0; c < columns; c++) {
        lengths[c] = column_length(a, rows, columns, c);
        if (!(lengths[c] > 0) || !isfinite(lengths[c]))
            return -1;
        for (int r = 0; r < rows; r++)
            scaled[r * stride + c] = a[r * columns + c] / lengths[c];
    }
    for (int r = 0; r < rows; r++)
        scaled[r * stride + columns] = b[r];
    return 0;
}

int least_squares_inverse(double *x, double *inverse, const double *a, const double *b, int rows, int columns)
{
    if (rows < columns)
        return -1;
    size_t n_rows = (size_t)rows, n_columns = (size_t)columns;
    double *scaled = xmalloc((n_rows * (n_columns + 1) + 2 * n_columns) * sizeof *scaled);
    double *solution = scaled + n_rows * (n_columns + 1), *lengths = solution + n_columns;
    int status = scale_columns(scaled, lengths, a, b, rows, columns);
    if (status == 0)
        status = solve(solution, scaled, rows, columns);
    if (status == 0 && inverse != NULL)
        invert(inverse, scaled, lengths, columns);
    for (int c = 0; c < columns && status == 0; c++)
        x[c] = solution[c] / lengths[c];
    free(scaled);
    return status;
}

int least_squares(double *x, const double *a, const double *b, int rows, int columns)
{
    return least_squares_inverse(x, NULL, a, b, rows, columns);
}
