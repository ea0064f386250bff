/* Least squares by a QR decomposition, with the inverse of AᵀA and a rank that is checked.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "model/least_squares.h"

#include "base/memory.h"

#include <float.h>
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

/* A becomes R above and on its diagonal, by Householder's reflections: each turns a column, from the diagonal down,
 * into a multiple of the first unit vector, and is applied to the columns that follow, and to b. The sign is the one
 * that does not cancel (Golub and Van Loan, Matrix Computations, 5.1-5.3). */
static void triangulate(double *a, double *b, int rows, int columns)
{
    for (int c = 0; c < columns; c++) {
        double norm = 0, *diagonal = &a[c * columns + c];
        for (int r = c; r < rows; r++)
            norm += a[r * columns + c] * a[r * columns + c];
        norm = sqrt(norm);
        if (!(norm > 0))
            continue;
        double head = *diagonal > 0 ? *diagonal + norm : *diagonal - norm; /* of the vector that is reflected by */
        double scale = 1 / (norm * fabs(head));
        for (int k = c + 1; k <= columns; k++) { /* the last is b */
            double sum = head * (k < columns ? a[c * columns + k] : b[c]);
            for (int r = c + 1; r < rows; r++)
                sum += a[r * columns + c] * (k < columns ? a[r * columns + k] : b[r]);
            sum *= scale;
            *(k < columns ? &a[c * columns + k] : &b[c]) -= sum * head;
            for (int r = c + 1; r < rows; r++)
                *(k < columns ? &a[r * columns + k] : &b[r]) -= sum * a[r * columns + c];
        }
        *diagonal = *diagonal > 0 ? -norm : norm;
    }
}

/* Columns that depend on each other up to rounding determine nothing. */
static int check_rank(const double *r, int rows, int columns)
{
    for (int c = 0; c < columns; c++)
        if (!(fabs(r[c * columns + c]) > 10 * (double)rows * DBL_EPSILON))
            return -1;
    return 0;
}

/* x of the scaled columns; A becomes its R, b is used up. */
static int solve(double *x, double *a, double *b, const double *lengths, int rows, int columns)
{
    for (int c = 0; c < columns; c++) {
        if (!(lengths[c] > 0) || !isfinite(lengths[c]))
            return -1;
        for (int r = 0; r < rows; r++)
            a[r * columns + c] /= lengths[c];
    }
    triangulate(a, b, rows, columns);
    if (check_rank(a, rows, columns) != 0)
        return -1;
    for (int c = columns - 1; c >= 0; c--) {
        x[c] = b[c];
        for (int k = c + 1; k < columns; k++)
            x[c] -= a[c * columns + k] * x[k];
        x[c] /= a[c * columns + c];
        if (!isfinite(x[c]))
            return -1;
    }
    return 0;
}

/* R becomes its inverse, an upper triangle, too: column by column, by substitution from its diagonal upward. */
static void invert_triangle(double *r, int columns)
{
    for (int c = 0; c < columns; c++)
        r[c * columns + c] = 1 / r[c * columns + c];
    for (int c = columns - 1; c > 0; c--)
        for (int i = c - 1; i >= 0; i--) {
            double sum = r[i * columns + c] * r[c * columns + c];
            for (int k = i + 1; k < c; k++)
                sum += r[i * columns + k] * r[k * columns + c];
            r[i * columns + c] = -sum * r[i * columns + i];
        }
}

/* From the R of A = Q R of the scaled columns: (A^T A)^-1 = R^-1 R^-T. */
static void invert(double *inverse, double *r, const double *lengths, int columns)
{
    invert_triangle(r, columns);
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = i > j ? i : j; k < columns; k++)
                sum += r[i * columns + k] * r[j * columns + k];
            inverse[i * columns + j] = sum / (lengths[i] * lengths[j]);
        }
}

int least_squares_inverse(double *x, double *inverse, const double *a, const double *b, int rows, int columns)
{
    if (rows < columns)
        return -1;
    size_t n_rows = (size_t)rows, n_columns = (size_t)columns;
    double *scaled = xmalloc((n_rows * n_columns + n_rows + 2 * n_columns) * sizeof *scaled);
    double *right = scaled + n_rows * n_columns, *solution = right + n_rows, *lengths = solution + n_columns;
    memcpy(scaled, a, n_rows * n_columns * sizeof *a);
    memcpy(right, b, n_rows * sizeof *b);
    for (int c = 0; c < columns; c++)
        lengths[c] = column_length(a, rows, columns, c);
    int status = solve(solution, scaled, right, lengths, rows, columns);
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
