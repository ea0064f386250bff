/* The first line of a Paraver trace: its unit of time, and which tasks and threads there are.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_PARAVER_HEADER_H
#define TRACE_PARAVER_HEADER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { PRV_MOST_TASKS = 65536, PRV_MOST_LOCATIONS = 1 << 18 };

struct prv_header {
    int64_t unit_ps;        /* of all times */
    int64_t end_ps;         /* of the run */
    int n_tasks, n_threads; /* of the only application; of the task that has most */
};

/* Read the line between begin and end: 0, or -1 with an error that names the file. */
int prv_header_read(struct prv_header *header, const char *begin, const char *end, const char *file,
                    struct sim_error *error);

/* A number at *at, before `end`, of at most 18 digits, after which *at stands; false if there is none. */
bool prv_number(int64_t *number, const char **at, const char *end);
/* The same behind a ':'. */
bool prv_field(int64_t *number, const char **at, const char *end);
/* A number of units as picoseconds; -1: more than PS_MAX. */
int64_t prv_time(const struct prv_header *header, int64_t number);

#endif
