/* gauss_jordan N: inverts a matrix of order N, of which every rank has the columns j = rank, rank + p ...; for each k
 * the rank with column k broadcasts it with sends. Checks that the product with the matrix is the identity. A quantum
 * is an element of the matrix; its operations are a multiplication and a subtraction.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

#include <eppa.h>

#include <math.h>

static double element(int i, int j)
{
    return i == j ? 8.0 : 1.0 / (1 + (i > j ? i - j : j - i));
}

/* The pivot column goes round the ring. */
static void pass(double *column, int n, int owner, int rank, int p)
{
    int right = (rank + 1) % p, left = (rank + p - 1) % p;
    if (rank != owner) {
        MPI_Status status;
        MPI_Recv(column, n, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        CHECK(status.MPI_SOURCE == left);
        count_receive(MPI_COMM_WORLD, left, n * 8L);
    }
    if (right != owner) {
        MPI_Ssend(column, n, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);
        count_send(MPI_COMM_WORLD, right, n * 8L);
        eppa_message((uint64_t)n);
    }
}

static void eliminate(double *mine, const double *column, int n, int n_mine, int k, int own)
{
    for (int j = 0; j < n_mine; j++) {
        double *a = mine + (size_t)j * (size_t)n, pivot = j == own ? 1 / column[k] : a[k] / column[k];
        for (int i = 0; i < n; i++)
            a[i] = i == k ? pivot : (j == own ? 0 : a[i]) - column[i] * pivot;
    }
}

int main(int argc, char **argv)
{
    int rank, p, n = argc > 1 ? atoi(argv[1]) : 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    CHECK(n > 0 && n % p == 0);
    int n_mine = n / p;
    eppa_parameter_number("n", n);
    eppa_parameter_number("W", 2.0 * n * n * n);
    double *mine = malloc((size_t)(n_mine * n) * sizeof *mine), *column = malloc((size_t)n * sizeof *column);
    for (int j = 0; j < n_mine; j++)
        for (int i = 0; i < n; i++)
            mine[j * n + i] = element(i, j * p + rank);
    eppa_enter("elimination");
    for (int k = 0; k < n; k++) {
        int owner = k % p;
        eppa_begin(EPPA_CONTROL);
        for (int i = 0; rank == owner && i < n; i++)
            column[i] = mine[k / p * n + i];
        eppa_end(0, 0);
        pass(column, n, owner, rank, p);
        eppa_begin(EPPA_USEFUL);
        eliminate(mine, column, n, n_mine, k, rank == owner ? k / p : -1);
        eppa_end(2 * (uint64_t)(n * n_mine), (uint64_t)(n * n_mine));
    }
    eppa_leave("elimination");
    eppa_enter("check");
    for (int j = 0; j < n_mine; j++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += element(i, k) * mine[j * n + k];
            CHECK(fabs(sum - (i == j * p + rank)) < 1e-9);
        }
    eppa_leave("check");
    count_write();
    free(mine);
    free(column);
    MPI_Finalize();
    return 0;
}
