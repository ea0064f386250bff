/* The ranks behind a difference of two versions, for reason.c.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_REASON_RANKS_H
#define STUDY_COMPARE_REASON_RANKS_H

#include "base/builder.h"
#include "study/compare/parts.h"

/* A smaller share of the difference is not worth a word. */
#define LEAST_SHARE 0.15

struct reason {
    const struct compare_parts *parts;
    int version;
    double difference_s;
    double sign; /* 1: the second version takes longer */
};

/* By how much a part changes, in the direction of the difference; NAN: it is not known. */
double reason_change(const struct reason *self, const struct compare_part *part);
/* "1.5 s longer", "1.5 s less". */
void reason_add_change(struct builder *line, double change_s);
/* The part of an axis that differs most in the direction of the difference; of a function, if one is named. Not
 * `but`. */
const struct compare_part *reason_find(const struct reason *self, enum compare_axis by, const char *function,
                                       const struct compare_part *but);

/* The ranks that take longer in something. */
struct ranks {
    double *change_s; /* of each; NAN: of a rank that one version lacks */
    int n_ranks;
    double most_s, sum_s;
    int n_late;    /* that have half of the most at least */
    double late_s; /* the mean of these */
};

/* Those of an axis that has parts of ranks; of BY_RANK without a place, of others of that place. Free change_s. */
struct ranks ranks_find(const struct reason *self, enum compare_axis by, const char *place);
/* True if few of the ranks are late. */
bool ranks_stand_out(const struct ranks *ranks);
/* "rank 3 computes ", "ranks 3, 5 compute ", "ranks compute ". */
void ranks_add_names(struct builder *line, const struct reason *self, const struct ranks *ranks, const char *does,
                     const char *do_);
/* ", for which the others wait 1.5 s longer in MPI_Allreduce", if it is known and not little. */
void ranks_add_waiting(struct builder *line, const struct reason *self, const struct ranks *ranks);

#endif
