/* The parts of one run, before they are aligned with those of others.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_COLLECT_H
#define STUDY_COMPARE_COLLECT_H

#include "study/compare/parts.h"

struct part_entry {
    enum compare_axis by;
    const char *name, *function, *place; /* interned */
    enum path_component component;
    int rank, run;
    struct part_amount amount;
};

struct part_entries {
    struct part_entry *list;
    size_t count, capacity;
    bool *knows;  /* [run * N_COMPARE_AXES + axis]: the run has such parts */
    int *n_ranks; /* of each run */
};

/* How finely the critical path is told apart: as finely as it is in all runs. */
enum path_detail { PATH_COMPONENTS, PATH_FUNCTIONS, PATH_FUNCTIONS_AND_SCOPES };
enum path_detail collect_path_detail(const struct study_run *run);

/* Add those of a run. idle_waits: no run says what it waits for, so that idling by scope stands for it. */
void collect_parts(struct part_entries *entries, int run, const struct study_run *from, enum path_detail detail,
                   bool idle_waits);

#endif
