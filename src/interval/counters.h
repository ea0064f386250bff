/* Counters of a traced run: of the processor (PAPI), of the operating system, of devices.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTERVAL_COUNTERS_H
#define INTERVAL_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A counter in a function of a rank, without functions that it calls. */
struct counter_row {
    int32_t rank;               /* -1: of none, but of a host or a device */
    const char *function;       /* interned; "": outside of all, or of the whole run */
    const char *counter, *unit; /* interned */
    double value;               /* what was counted; of a level, as a temperature, the mean of its samples */
    double seconds;             /* in that function, of all threads of the rank; 0: of the whole run */
    double least, most;         /* of the samples of a level, or of what only records; else NAN */
    int64_t samples;
    bool is_level;
};

struct counters {
    struct counter_row *rows; /* by rank, function and counter, as they come first */
    size_t n_rows, capacity;
};

#endif
