/* The parts of the time of several runs, aligned by name: by place on the critical path, function, call site, call
 * path, scope, rank, reason for which a rank has no processor, size of messages, wait state, and rank that is waited
 * for.
 *
 * Amounts are those of the mean processor of a run, so that runs on different numbers of ranks can be held against each
 * other; those of the critical path and of a rank are its own. Where a run knows of a kind of parts, it has no time in
 * those that it does not name; else its amounts are NAN.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_PARTS_H
#define STUDY_COMPARE_PARTS_H

#include "metrics/words.h"
#include "study/run.h"

enum compare_axis {
    BY_PATH,
    BY_FUNCTION,
    BY_SITE,
    BY_CALL_PATH, /* without the paths within it */
    BY_SCOPE,
    BY_RANK,
    BY_RANK_SCOPE,
    BY_OFF, /* of a rank: asleep, no processor, ... */
    BY_SIZE,
    BY_COLLECTIVE_SIZE,
    BY_WAIT,
    BY_AWAITED,
    N_COMPARE_AXES
};
/* As in JSON: path function site ...; as readers see it. */
extern const char *const compare_axis_names[N_COMPARE_AXES];
extern const char *const compare_axis_heads[N_COMPARE_AXES];

/* The facts that a store keeps of a run beside its study. */
struct compare_origin {
    int64_t number;
    const char *scenario, *program, *kind, *input;
    const char *scenario_text, *platform_text; /* contents of the files */
};

/* Several runs of one version of a program; of them the one with the median time, of two such the faster. */
struct compare_version {
    const char *name;
    struct study_run *runs;
    int n_runs;
    const struct study_run *middle;      /* by compare_find_middle() */
    const struct compare_origin *origin; /* of the middle one; NULL: it comes from no store */
};

/* The amount of a run in a part; NAN: it does not know. */
struct part_amount {
    double time_s, count, bytes; /* count: calls, messages, waits */
};

struct compare_part {
    enum compare_axis by;
    const char *name;     /* interned, as all texts */
    const char *function; /* of the message library; "" */
    const char *place;    /* a scope, a call site or why there is no processor; "" */
    enum path_component component;
    int rank;                    /* -1: none */
    struct part_amount *amounts; /* of all runs of all versions, one after the other */
};

struct compare_parts {
    struct compare_part *list; /* by axis and name */
    size_t count, capacity;
    struct part_amount *amounts;
    const struct compare_version *versions;
    int n_versions, n_runs; /* of all versions */
    bool has_places;        /* the critical path is told apart by functions, not only by components */
};

/* The versions are borrowed. */
void parts_find(struct compare_parts *parts, const struct compare_version *versions, int n_versions);
void parts_dispose(struct compare_parts *parts);

/* The amounts of a version's runs, and their median: NAN if any is. */
const struct part_amount *part_of_version(const struct compare_parts *parts, const struct compare_part *part,
                                          int version);
struct part_amount part_median(const struct compare_parts *parts, const struct compare_part *part, int version);
/* By how much longer the second version takes than the first; NAN if that is not known of either. */
double part_change(const struct compare_parts *parts, const struct compare_part *part, int version);
/* True if there are parts of that kind whose times both the first and that version know. */
bool parts_have(const struct compare_parts *parts, enum compare_axis by, int version);
/* The part of that name; NULL: there is none. */
const struct compare_part *parts_named(const struct compare_parts *parts, enum compare_axis by, const char *name);

/* Set the middle run of a version. */
void compare_find_middle(struct compare_version *version);

/* The median of some numbers, of an even number the mean of the two in the middle; NAN if any is or there are none. */
double compare_median(const double *values, int count);

#endif
