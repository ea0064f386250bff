/* The use that this program itself makes of the computer that it runs on.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_HOST_USE_H
#define OS_HOST_USE_H

#include <stdint.h>

/* Seconds of a clock that is not set back, from some moment on. */
double host_clock_s(void);

/* On how many processors of the computer this process may run. */
int host_processors(void);

/* The most memory that the process has had at once. */
int64_t host_peak_rss_bytes(void);

#endif
