/* The gain of a run without each of its causes: the rows of its table "what_if_causes".
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_WHAT_IF_GAIN_H
#define STUDY_WHAT_IF_GAIN_H

#include "study/run.h"

#include <stdbool.h>
#include <stddef.h>

/* Share and gain below it, of the run's time, need no sentence of their own. */
#define GAIN_SMALL 0.005

/* A cause. */
struct gain {
    enum without cause, part_of, partner;
    enum removal removal;
    bool is_attributed, differs;
    int index; /* its row */
    double base_s, attributed_s, time_s, mean_s, path_s, removed_s, returned_s, moved, partner_time_s, joint_time_s;
};

/* The causes of a run, those that were removed first, by what they gain. */
struct gains {
    struct gain *rows;
    size_t count, n_removed;
};

bool gains_are_known(const struct study_run *run);
/* Only where they are known; rows is to be freed. */
struct gains gains_read(const struct study_run *run);

/* The removed cause that one is a part of, if there is one. */
enum without gains_whole(const struct gains *gains, const struct gain *gain);

bool gain_is_removed(const struct gain *gain);
/* The part of the run's time that a time is; 0 if the run takes none. */
double gain_part(const struct gain *gain, double seconds);
/* By how much the run is shorter, and what is attributed to the cause, NAN where that is not known. */
double gain_ratio(const struct gain *gain);
double gain_share(const struct gain *gain);
bool gain_is_small(const struct gain *gain);

/* Why share and gain differ, in sentences; to be freed. */
char *gain_explain(const struct study_run *run, const struct gain *gain);

#endif
