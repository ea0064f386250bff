/* ring N [TIMES]: a matrix product of order N, so many times over. Every rank has a block of rows of A and C, and the
 * blocks of B go round the ring: in each of p rounds a rank multiplies with the block it has and passes it on, until
 * all are home again. Checks the product.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

#include <eppa.h>

#include <string.h>

static double element_a(int i, int j)
{
    return (double)((i * 7 + j * 3) % 11 - 5);
}

static double element_b(int i, int j)
{
    return (double)((i * 5 + j) % 13 - 6);
}

static void multiply(int n, int rows, const double *a, const double *b, int first, double *c)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < rows; k++)
            for (int j = 0; j < n; j++)
                c[i * n + j] += a[i * n + first + k] * b[k * n + j];
}

static void check(int n, int rows, int first, const double *c)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += element_a(first + i, k) * element_b(k, j);
            CHECK(c[i * n + j] == sum);
        }
}

static void exchange(int length, const double *out, double *in, int right, int left)
{
    MPI_Request requests[2];
    MPI_Irecv(in, length, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, length, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    count_send(MPI_COMM_WORLD, right, length * 8L);
    count_receive(MPI_COMM_WORLD, left, length * 8L);
}

int main(int argc, char **argv)
{
    int rank, p, n = argc > 1 ? atoi(argv[1]) : 64, times = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    CHECK(n > 0 && n % p == 0 && times > 0);
    eppa_parameter_number("p", p);
    eppa_parameter_number("W", 2.0 * n * n * n);
    int rows = n / p, length = rows * n;
    double *a = malloc((size_t)length * 4 * sizeof *a), *b = a + length, *next = b + length, *c = next + length;
    eppa_enter("set up");
    eppa_begin(EPPA_CONTROL);
    for (int i = 0; i < length; i++) {
        a[i] = element_a(rank * rows + i / n, i % n);
        b[i] = element_b(rank * rows + i / n, i % n);
        c[i] = 0;
    }
    eppa_end(0, 0);
    eppa_leave("set up");
    MPI_Barrier(MPI_COMM_WORLD);
    count_collective("BARRIER", MPI_COMM_WORLD, "NONE", 0, 0);
    double start_s = MPI_Wtime();
    eppa_enter("main");
    for (int round = 0; round < p * times; round++) {
        eppa_begin(EPPA_USEFUL);
        if (round % p == 0)
            memset(c, 0, (size_t)length * sizeof *c);
        multiply(n, rows, a, b, (rank - round % p + p) % p * rows, c);
        eppa_end((uint64_t)(2 * length) * (uint64_t)rows, (uint64_t)rows);
        if (p == 1)
            continue;
        exchange(length, b, next, (rank + 1) % p, (rank + p - 1) % p);
        double *swap = b;
        b = next;
        next = swap;
    }
    eppa_leave("main");
    double end_s = MPI_Wtime();
    check(n, rows, rank * rows, c);
    if (rank == 0)
        printf("time_s %.9f\n", end_s - start_s);
    count_write();
    free(a);
    MPI_Finalize();
    return 0;
}
