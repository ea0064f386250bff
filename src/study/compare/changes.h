/* Differences between two versions, as their middle runs have them: what is set, and which measures moved. Both arrays
 * are the caller's: settings by comparison_settings_dispose(), the items of the others by free(). Whatever they point
 * to is the runs'.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_CHANGES_H
#define STUDY_COMPARE_CHANGES_H

#include "study/compare/parts.h"

#include <stdbool.h>
#include <stddef.h>

/* Something that is set, with its text in either run, both to be freed; NULL where it is not there. */
struct comparison_setting {
    char *name, *texts[2];
};

struct comparison_settings {
    struct comparison_setting *items;
    size_t count, capacity;
};

/* A measure that has moved. */
struct comparison_move {
    const struct measure *measure;
    double values[2]; /* NAN where a run does not have it */
    int group;        /* the place of its group among all groups */
    size_t place;     /* its own */
};

struct comparison_moves {
    struct comparison_move *items;
    size_t count, capacity;
};

/* Differences that no table would show are none. */
bool comparison_is_same(double a, double b);

/* Find the settings that differ. For files with the same name, the first line that differs is shown. */
struct comparison_settings comparison_find_settings(const struct compare_version *const sides[2]);
void comparison_settings_dispose(struct comparison_settings *settings);

/* Group by group, the one that has moved most first; of the run's own, whose units differ, in the order of reports. */
struct comparison_moves comparison_find_moves(const struct compare_version *const sides[2]);
/* By how much it has moved; what takes no time need not be there. */
double comparison_change(const struct comparison_move *move);

#endif
