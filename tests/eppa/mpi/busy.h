/* Computation of a given length, for programs of which it is known how long they compute: of the processor's time, so
 * that it is known wherever others compute, too.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_BUSY_H
#define TESTS_BUSY_H

#include <time.h>

static inline double processor_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static inline void compute(double ms)
{
    double end = processor_ms() + ms;
    volatile double sum = 0;
    while (processor_ms() < end)
        for (int i = 0; i < 1000; i++)
            sum += i;
}

#endif
