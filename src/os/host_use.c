/* Reads this computer's clock, the peak of this process's memory, and the processors that it may use.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/host_use.h"

#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

double host_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int host_processors(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) != 0 ? 1 : CPU_COUNT(&allowed);
}

int64_t host_peak_rss_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (int64_t)usage.ru_maxrss * 1024;
}
