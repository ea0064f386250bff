/* What the causes of a run are worth: the rows of its table "what_if_causes". */
#ifndef REPORT_WORTH_H
#define REPORT_WORTH_H

#include "report/report.h"

#include <stdbool.h>
#include <stddef.h>

/* Share and gain below it, of the run's time, are not worth a sentence of their own. */
#define WORTH_SMALL 0.005

/* A cause. */
struct worth {
    const char *cause, *part_of, *status, *partner;
    bool is_attributed, differs;
    int index; /* its row */
    double base_s, attributed_s, time_s, mean_s, path_s, removed_s, returned_s, moved, partner_time_s, joint_time_s;
};

/* The causes of a run, those that were removed first, by what they gain. */
struct worths {
    struct worth *rows;
    size_t count, n_removed;
};

bool worths_are_known(const struct report_run *run);
/* Only where they are known; rows is to be freed. */
struct worths worths_read(const struct report_run *run);

bool worth_is_removed(const struct worth *worth);
/* Of the run's time; of one that takes none, nothing. */
double worth_part(const struct worth *worth, double seconds);
double worth_gain(const struct worth *worth);
double worth_share(const struct worth *worth); /* NAN: not known */
bool worth_is_small(const struct worth *worth);

/* Why share and gain differ, in sentences; to be freed. */
char *worth_describe_reason(const struct report_run *run, const struct worth *worth);

#endif
