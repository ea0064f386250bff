/* What differs between two runs: what is set, which measures moved, and what the difference of the times consists of.
 * All arrays are the caller's: settings by compare_settings_dispose(), the items of the others by free(). What they
 * point to is the runs'. */
#ifndef REPORT_COMPARE_FIND_H
#define REPORT_COMPARE_FIND_H

#include "report/compare.h"

#include <stdbool.h>
#include <stddef.h>

/* Something that is set, with its text in either run, both to be freed; NULL where it is not there. */
struct compare_setting {
    char *name, *texts[2];
};

struct compare_settings {
    struct compare_setting *items;
    size_t count, capacity;
};

/* A measure that has moved. */
struct compare_move {
    const struct measure *measure;
    double values[2]; /* NAN where a run does not have it */
    int group;        /* the place of its group among all groups */
    size_t place;     /* its own */
};

struct compare_moves {
    struct compare_move *items;
    size_t count, capacity;
};

/* A component of the critical path, and by how much it differs. */
struct compare_part {
    const char *name;
    double change;
};

struct compare_parts {
    struct compare_part *items;
    size_t count, capacity;
};

/* Differences that no table would show are none. */
bool compare_is_same(double a, double b);

/* What is set differently. The contents of files are told, by the first line that differs, where their names are the
 * same. */
struct compare_settings compare_find_settings(const struct compare_side sides[2]);
void compare_settings_dispose(struct compare_settings *settings);

/* Group by group, the one that has moved most first; of the run's own, whose units differ, in the order of reports. */
struct compare_moves compare_find_moves(const struct compare_side sides[2]);
/* By how much it has moved; what takes no time need not be there. */
double compare_change(const struct compare_move *move);

/* The components of the critical path that have no parts in either run, the one that differs most first. */
struct compare_parts compare_find_parts(const struct compare_side sides[2]);

#endif
