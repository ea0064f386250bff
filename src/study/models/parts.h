/* Parts of the time of runs: as measures, the mean of a rank, by function of the message library and by scope.
 *
 * The rows of a group add up to the time of the run, to a picosecond each. So they do not count twice what ranks do at
 * the same time: a rank that waits and one that computes have half of it each.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_PARTS_H
#define STUDY_PARTS_H

#include "study/run.h"

#include <stdbool.h>
#include <stddef.h>

/* Kinds of what ranks do in a part; waiting also has one for each cause, where the trace says it. */
enum part_kind {
    DOING_COMPUTATION,
    DOING_CONTROL, /* work that exists only because the program is parallel */
    DOING_IO,
    DOING_TRANSFER,
    DOING_LIBRARY,
    DOING_WAITING, /* + enum wait_state */
    N_PART_KINDS = DOING_WAITING + N_WAIT_STATES,
    DOING_MIXED = N_PART_KINDS,
};

/* "computation", "transfer", "waiting", "late sender". */
const char *part_kind_name(enum part_kind kind);
/* The kind of that name; DOING_MIXED: there is none. */
enum part_kind part_kind_named(const char *name);

/* A group of measures with a row for each function or scope, and one for each kind in such a row, "MPI_Recv.late
 * sender". Rows of one kind alone have its name. */
struct parts_group {
    const char *rows, *kinds;
    enum measure_id row, kind; /* what they are of */
};
enum { PARTS_FUNCTIONS, PARTS_SCOPES, N_PARTS_GROUPS };
extern const struct parts_group parts_groups[N_PARTS_GROUPS];

#define PARTS_NO_FUNCTION "no function" /* communication and waiting there */

/* True if a list of measures has one of these, or is "", which means all. */
bool parts_are_meant(const char *measures);

/* Add them to the measures of each run. A function or scope that a run of several ranks has no time in is absent from
 * it; of a row that it has, the kinds that any run has are there. Rows that are below a thousandth of the time in all
 * runs, or many, are one. Without scopes of its own a program has none. */
void parts_add(struct study *study);

#endif
