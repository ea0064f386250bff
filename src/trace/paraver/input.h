/* A Paraver trace, once all of its lines have been read.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_PARAVER_INPUT_H
#define TRACE_PARAVER_INPUT_H

#include "base/error.h"
#include "base/map.h"
#include "interval/group.h"
#include "trace/paraver/header.h"
#include "trace/paraver/names.h"
#include "trace/paraver/spool.h"

#include <stdbool.h>

struct prv_input {
    const char *file; /* borrowed */
    struct prv_header header;
    struct prv_names names;
    struct prv_spool *spool;
    struct record_group *groups; /* of all tasks, and of each communicator */
    int n_groups;
    size_t groups_capacity;
    struct map group_map; /* communicator -> group */
    bool *has_calls;      /* of each location: events say when it is in MPI; else its states do */
    int n_locations;      /* thread k of task r, both from 0, is k n_tasks + r */
};

/* Read the trace: 0, or -1 with an error that names the file and the line. The caller disposes of it, in any case. */
int prv_input_read(struct prv_input *input, const char *file, struct sim_error *error);
void prv_input_dispose(struct prv_input *input);

#endif
