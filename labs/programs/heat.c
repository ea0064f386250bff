/* Heat in a plate, one strip of rows for each rank: a program for lab 8, with a fault to find.
 *
 *     mpicc -O2 -o heat-program heat.c -lm && mpirun -n 4 ./heat-program 720 40
 *
 * The plate has a flame at its middle rows, where steps are finer. Rows are dealt evenly; work is not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef WITH_EPPA
#include <eppa.h>
#else
#define eppa_enter(name) ((void)0)
#define eppa_leave(name) ((void)0)
#endif

enum { FINE = 4 }; /* as many small steps where it is hot */

/* The rows of a rank: from where, and how many. Another way to deal them out is the exercise. */
static void deal(int n, int p, int rank, int *first, int *rows)
{
    *first = (int)((long)n * rank / p);
    *rows = (int)((long)n * (rank + 1) / p) - *first;
}

static int is_hot(int n, int row)
{
    return row >= n / 3 && row < 2 * n / 3;
}

static double step_row(double *to, const double *above, const double *row, const double *below, int n)
{
    double change = 0;
    for (int x = 1; x < n - 1; x++) {
        to[x] = 0.25 * (above[x] + below[x] + row[x - 1] + row[x + 1]);
        change = fmax(change, fabs(to[x] - row[x]));
    }
    return change;
}

int main(int n_arguments, char **arguments)
{
    MPI_Init(&n_arguments, &arguments);
    int n = n_arguments > 1 ? atoi(arguments[1]) : 720, steps = n_arguments > 2 ? atoi(arguments[2]) : 40;
    int rank, p, first, rows;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (n < 3 * p || n > 100000 || steps < 1) {
        if (rank == 0)
            fprintf(stderr, "heat: N from 3 rows a rank to 100000, and STEPS from 1\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    deal(n, p, rank, &first, &rows);
    size_t size = (size_t)(rows + 2) * (size_t)n;
    double *plate = calloc(size, sizeof *plate), *next = calloc(size, sizeof *next), change = 0;
    if (plate == NULL || next == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int r = 1; r <= rows; r++)
        plate[(size_t)r * (size_t)n] = next[(size_t)r * (size_t)n] = is_hot(n, first + r - 1) ? 1 : 0;
    int up = rank > 0 ? rank - 1 : rank, down = rank < p - 1 ? rank + 1 : rank;
    for (int step = 0; step < steps; step++) {
        double *top = plate, *bottom = plate + (size_t)(rows + 1) * (size_t)n, most = 0;
        eppa_enter("borders");
        if (up != rank)
            MPI_Sendrecv(top + n, n, MPI_DOUBLE, up, 0, top, n, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (down != rank)
            MPI_Sendrecv(bottom - n, n, MPI_DOUBLE, down, 0, bottom, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        eppa_leave("borders");
        eppa_enter("rows");
        for (int r = 1; r <= rows; r++) {
            const double *row = plate + (size_t)r * (size_t)n;
            double *to = next + (size_t)r * (size_t)n;
            for (int fine = is_hot(n, first + r - 1) ? FINE : 1; fine > 0; fine--)
                most = fmax(most, step_row(to, row - n, row, row + n, n));
        }
        eppa_leave("rows");
        MPI_Allreduce(&most, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        double *old = plate;
        plate = next;
        next = old;
    }
    if (rank == 0)
        printf("%d rows, %d steps, %d ranks: the last change is %.6f\n", n, steps, p, change);
    free(plate);
    free(next);
    MPI_Finalize();
    return 0;
}
