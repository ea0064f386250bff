/* Least squares by GSL's QR decomposition, with the inverse of AᵀA and a rank that is checked. */
#include "model/least_squares.h"

#include "base/memory.h"

#include <float.h>
#include <gsl/gsl_linalg.h>
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
static int check_rank(const gsl_matrix *r)
{
    for (size_t c = 0; c < r->size2; c++)
        if (!(fabs(gsl_matrix_get(r, c, c)) > 10 * (double)r->size1 * DBL_EPSILON))
            return -1;
    return 0;
}

/* x of the scaled columns; A becomes its Q R. */
static int solve(gsl_vector *x, gsl_matrix *a, const gsl_vector *b, const double *lengths)
{
    for (size_t c = 0; c < a->size2; c++) {
        if (!(lengths[c] > 0) || !isfinite(lengths[c]))
            return -1;
        gsl_vector_view column = gsl_matrix_column(a, c);
        gsl_vector_scale(&column.vector, 1 / lengths[c]);
    }
    gsl_vector *tau = gsl_vector_alloc(a->size2), *residual = gsl_vector_alloc(a->size1);
    gsl_linalg_QR_decomp(a, tau);
    int status = check_rank(a);
    if (status == 0)
        gsl_linalg_QR_lssolve(a, tau, b, x, residual);
    gsl_vector_free(tau);
    gsl_vector_free(residual);
    for (size_t c = 0; c < a->size2 && status == 0; c++)
        if (!isfinite(gsl_vector_get(x, c)))
            status = -1;
    return status;
}

/* From the R of A = Q R of the scaled columns: (A^T A)^-1 = R^-1 R^-T. */
static void invert(double *inverse, gsl_matrix *qr, const double *lengths)
{
    size_t columns = qr->size2;
    gsl_matrix_view r = gsl_matrix_submatrix(qr, 0, 0, columns, columns);
    gsl_linalg_tri_invert(CblasUpper, CblasNonUnit, &r.matrix);
    for (size_t i = 0; i < columns; i++)
        for (size_t j = 0; j < columns; j++) {
            double sum = 0;
            for (size_t k = i > j ? i : j; k < columns; k++)
                sum += gsl_matrix_get(qr, i, k) * gsl_matrix_get(qr, j, k);
            inverse[i * columns + j] = sum / (lengths[i] * lengths[j]);
        }
}

int least_squares_inverse(double *x, double *inverse, const double *a, const double *b, int rows, int columns)
{
    if (rows < columns)
        return -1;
    size_t n_rows = (size_t)rows, n_columns = (size_t)columns;
    double *scaled = xmalloc(n_rows * n_columns * sizeof *scaled), *solution = xmalloc(n_columns * sizeof *solution);
    double *lengths = xmalloc(n_columns * sizeof *lengths);
    memcpy(scaled, a, n_rows * n_columns * sizeof *a);
    for (int c = 0; c < columns; c++)
        lengths[c] = column_length(a, rows, columns, c);
    gsl_matrix_view qr = gsl_matrix_view_array(scaled, n_rows, n_columns);
    gsl_vector_view scaled_x = gsl_vector_view_array(solution, n_columns);
    gsl_vector_const_view right = gsl_vector_const_view_array(b, n_rows);
    int status = solve(&scaled_x.vector, &qr.matrix, &right.vector, lengths);
    if (status == 0 && inverse != NULL)
        invert(inverse, &qr.matrix, lengths);
    for (int c = 0; c < columns && status == 0; c++)
        x[c] = solution[c] / lengths[c];
    free(scaled);
    free(solution);
    free(lengths);
    return status;
}

int least_squares(double *x, const double *a, const double *b, int rows, int columns)
{
    return least_squares_inverse(x, NULL, a, b, rows, columns);
}
