/* Computation of a given length, for programs of which it is known how long they compute. */
#ifndef TESTS_BUSY_H
#define TESTS_BUSY_H

#include <mpi.h>

static inline void compute(double ms)
{
    double end = MPI_Wtime() + ms / 1000;
    volatile double sum = 0;
    while (MPI_Wtime() < end)
        for (int i = 0; i < 1000; i++)
            sum += i;
}

#endif
