/* scalapack FILE: calls pdgemm and pdtrsm of ScaLAPACK as the lines of FILE say, each in a scope of that name, and
 * checks what they compute. A line names the routine and, as NAME=VALUE, its arguments, in the words of simrun's
 * applications:
 *
 *     pdgemm grid=2x3 m=108 n=100 k=25 block=20
 *     pdtrsm grid=3x2 uplo=lower side=right trans=yes m=130 n=100 block=50
 *
 * pdtrsm has m right-hand sides and a triangle of order n. The grid's processes are the first ranks, row by row.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <eppa.h>

#include <mpi.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void Cblacs_pinfo(int *rank, int *n_ranks);
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridexit(int context);
void Cblacs_exit(int goes_on);
void pdgemm_(const char *trans_a, const char *trans_b, const int *m, const int *n, const int *k, const double *alpha,
             const double *a, const int *row_a, const int *column_a, const int *desc_a, const double *b,
             const int *row_b, const int *column_b, const int *desc_b, const double *beta, double *c, const int *row_c,
             const int *column_c, const int *desc_c);
void pdtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,
             const double *alpha, const double *a, const int *row_a, const int *column_a, const int *desc_a, double *b,
             const int *row_b, const int *column_b, const int *desc_b);

enum { MAX_LINE = 256, DESC_LENGTH = 9 };
enum { MATRIX_A = 1, MATRIX_B, MATRIX_C, MATRIX_X };

static const int one = 1;
static const double alpha = 1, beta = 0;

struct call {
    bool solves; /* pdtrsm */
    int rows, columns;
    int m, n, k, block;
    bool lower, right, transposed;
};

/* --- reading --- */

static bool set_choice(bool *chosen, const char *value, const char *no, const char *yes)
{
    *chosen = strcmp(value, yes) == 0;
    return *chosen || strcmp(value, no) == 0;
}

static bool set_count(int *count, const char *value)
{
    return sscanf(value, "%d", count) == 1 && *count > 0;
}

static bool set_argument(struct call *call, const char *name, const char *value)
{
    const struct {
        const char *name;
        int *count;
    } counts[] = {{"m", &call->m}, {"n", &call->n}, {"k", &call->k}, {"block", &call->block}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (strcmp(name, counts[i].name) == 0)
            return set_count(counts[i].count, value);
    if (strcmp(name, "grid") == 0)
        return sscanf(value, "%dx%d", &call->rows, &call->columns) == 2;
    if (strcmp(name, "uplo") == 0)
        return set_choice(&call->lower, value, "upper", "lower");
    if (strcmp(name, "side") == 0)
        return set_choice(&call->right, value, "left", "right");
    return strcmp(name, "trans") == 0 && set_choice(&call->transposed, value, "no", "yes");
}

static bool read_call(struct call *call, const char *line, int n_ranks)
{
    char copy[MAX_LINE], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", line);
    char *word = strtok_r(copy, " ", &rest);
    *call = (struct call){.rows = 0};
    if (word == NULL || !set_choice(&call->solves, word, "pdgemm", "pdtrsm"))
        return false;
    while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
        char *value = strchr(word, '=');
        if (value == NULL)
            return false;
        *value++ = '\0';
        if (!set_argument(call, word, value))
            return false;
    }
    return call->m > 0 && call->n > 0 && call->block > 0 && (call->solves || call->k > 0) && call->rows > 0 &&
           call->columns > 0 && call->rows * call->columns <= n_ranks;
}

/* --- matrices: any element is known to everybody --- */

/* Between -1/2 and 1/2. */
static double element(int matrix, int i, int j)
{
    uint64_t x = ((uint64_t)matrix << 48) ^ ((uint64_t)i << 24) ^ (uint64_t)j;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0 - 0.5;
}

/* The triangle. What is beyond it is there, too, so that it would be noticed if it were used. */
static double triangle(int order, int i, int j)
{
    return i == j ? 2 + element(MATRIX_A, i, j) : element(MATRIX_A, i, j) * 4 / order;
}

/* The part of a matrix that the process has. */
struct part {
    int rows, columns; /* of the whole */
    int own_rows, own_columns;
    int *row_of, *column_of; /* the indices in the whole */
    int desc[DESC_LENGTH];
    double *values; /* by columns */
};

static int *own_indices(int *count, int n, int block, int process, int processes)
{
    int *indices = malloc((size_t)n * sizeof *indices);
    *count = 0;
    for (int i = 0; i < n; i++)
        if (i / block % processes == process)
            indices[(*count)++] = i;
    return indices;
}

static double *value_at(const struct part *part, int i, int j)
{
    return &part->values[(size_t)j * (size_t)part->own_rows + (size_t)i];
}

static struct part make_part(const struct call *call, int context, int rank, int rows, int columns)
{
    int row = rank / call->columns, column = rank % call->columns;
    struct part part = {.rows = rows, .columns = columns};
    part.row_of = own_indices(&part.own_rows, rows, call->block, row, call->rows);
    part.column_of = own_indices(&part.own_columns, columns, call->block, column, call->columns);
    const int desc[DESC_LENGTH] = {
        1, context, rows, columns, call->block, call->block, 0, 0, part.own_rows > 0 ? part.own_rows : 1};
    memcpy(part.desc, desc, sizeof desc);
    part.values = malloc(((size_t)part.own_rows * (size_t)part.own_columns + 1) * sizeof *part.values);
    return part;
}

static void free_part(struct part *part)
{
    free(part->row_of);
    free(part->column_of);
    free(part->values);
}

static void fill(const struct part *part, int matrix)
{
    for (int j = 0; j < part->own_columns; j++)
        for (int i = 0; i < part->own_rows; i++)
            *value_at(part, i, j) = element(matrix, part->row_of[i], part->column_of[j]);
}

/* --- the calls; each gives the largest error among the elements of this process --- */

static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

static double multiply(const struct call *call, const char *name, int context, int rank)
{
    struct part a = make_part(call, context, rank, call->m, call->k);
    struct part b = make_part(call, context, rank, call->k, call->n);
    struct part c = make_part(call, context, rank, call->m, call->n);
    double error = 0;
    fill(&a, MATRIX_A);
    fill(&b, MATRIX_B);
    fill(&c, MATRIX_C);
    eppa_enter(name);
    pdgemm_("N", "N", &call->m, &call->n, &call->k, &alpha, a.values, &one, &one, a.desc, b.values, &one, &one, b.desc,
            &beta, c.values, &one, &one, c.desc);
    eppa_leave(name);
    for (int j = 0; j < c.own_columns; j++)
        for (int i = 0; i < c.own_rows; i++) {
            double sum = 0;
            for (int k = 0; k < call->k; k++)
                sum += element(MATRIX_A, c.row_of[i], k) * element(MATRIX_B, k, c.column_of[j]);
            error = larger(fabs(*value_at(&c, i, j) - sum), error);
        }
    free_part(&a);
    free_part(&b);
    free_part(&c);
    return error;
}

/* The element of op(A) X or X op(A) with these indices, X being known. */
static double right_hand_side(const struct call *call, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < call->n; k++) {
        int row = call->right ? k : i, column = call->right ? j : k;
        int a_row = call->transposed ? column : row, a_column = call->transposed ? row : column;
        if (call->lower ? a_row >= a_column : a_row <= a_column)
            sum +=
                triangle(call->n, a_row, a_column) * (call->right ? element(MATRIX_X, i, k) : element(MATRIX_X, k, j));
    }
    return sum;
}

static double solve(const struct call *call, const char *name, int context, int rank)
{
    int rows = call->right ? call->m : call->n, columns = call->right ? call->n : call->m;
    struct part a = make_part(call, context, rank, call->n, call->n);
    struct part b = make_part(call, context, rank, rows, columns);
    double error = 0;
    for (int j = 0; j < a.own_columns; j++)
        for (int i = 0; i < a.own_rows; i++)
            *value_at(&a, i, j) = triangle(call->n, a.row_of[i], a.column_of[j]);
    for (int j = 0; j < b.own_columns; j++)
        for (int i = 0; i < b.own_rows; i++)
            *value_at(&b, i, j) = right_hand_side(call, b.row_of[i], b.column_of[j]);
    eppa_enter(name);
    pdtrsm_(call->right ? "R" : "L", call->lower ? "L" : "U", call->transposed ? "T" : "N", "N", &rows, &columns,
            &alpha, a.values, &one, &one, a.desc, b.values, &one, &one, b.desc);
    eppa_leave(name);
    for (int j = 0; j < b.own_columns; j++)
        for (int i = 0; i < b.own_rows; i++)
            error = larger(fabs(*value_at(&b, i, j) - element(MATRIX_X, b.row_of[i], b.column_of[j])), error);
    free_part(&a);
    free_part(&b);
    return error;
}

/* All ranks call this together. */
static double run(const struct call *call, const char *name, int rank)
{
    double error = 0;
    int context;
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", call->rows, call->columns);
    if (rank < call->rows * call->columns) {
        error = (call->solves ? solve : multiply)(call, name, context, rank);
        Cblacs_gridexit(context);
    }
    return error;
}

static int run_all(FILE *stream, int rank, int n_ranks)
{
    char line[MAX_LINE];
    int count = 0;
    double error = 0, largest;
    for (; fgets(line, sizeof line, stream) != NULL; count++) {
        struct call call;
        line[strcspn(line, "\n")] = '\0';
        if (!read_call(&call, line, n_ranks)) {
            fprintf(stderr, "scalapack: line %d: '%s' is not a call for %d ranks\n", count + 1, line, n_ranks);
            return 2;
        }
        double own = run(&call, line, rank);
        if (!(own < 1e-11))
            fprintf(stderr, "scalapack: rank %d: %s: an element is wrong by %g\n", rank, line, own);
        error = larger(own, error);
    }
    MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d calls, the largest error of an element is %.3g\n", count, largest);
    return largest < 1e-11 ? 0 : 1;
}

int main(int argc, char **argv)
{
    int rank, n_ranks, status = 2;
    Cblacs_pinfo(&rank, &n_ranks); /* it calls MPI_Init */
    FILE *stream = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (stream == NULL)
        fprintf(stderr, "usage: scalapack FILE\n");
    else
        status = run_all(stream, rank, n_ranks);
    if (stream != NULL)
        fclose(stream);
    Cblacs_exit(1);
    MPI_Finalize();
    return status;
}
