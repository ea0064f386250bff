/* Decisions: which candidate is best. Runs that differ in a parameter whose values are candidates are ranked against
 * each other, once for each combination of the values of all other parameters.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_DECISION_H
#define STUDY_DECISION_H

#include "study/run.h"

/* Candidates, the best first and the discarded last. */
struct decision_ranking {
    struct study_run **runs; /* borrowed */
    int n_runs, n_ranked;    /* the latter without the discarded */
};

struct decision {
    struct decision_ranking *rankings; /* in the order of the parameters that are no candidates */
    int n_rankings;
    struct study_run **runs;
};

/* Up to so many rankings are shown one by one. */
enum { DECISION_FEW = 6 };

/* The runs are those of the study. */
void decision_init(struct decision *decision, const struct study *study);
void decision_dispose(struct decision *decision);

/* Add to each run that is not discarded processors_used, the ranks that compute, and place, 1 for the best by the
 * measure study->decision; of equal ones the faster is better, then the earlier. And what ranking_add_run() adds, by
 * the time within the ranking. */
void decision_rank(struct study *study);

/* The best runs of the last ranking that has any that is not discarded, in their order: how many there are, `most` at
 * most. */
int decision_find_last_best(struct study_run *best[], int most, const struct study *study);

/* "data moved" of M_BYTES. */
const char *decision_title(enum measure_id measure);
/* Append the candidate, "grid 4x3"; " for size 4096", the ranking that it is in, or nothing. */
void decision_name_candidate(struct builder *text, const struct study *study, const struct study_run *run);
void decision_name_group(struct builder *text, const struct study *study, const struct study_run *run);

/* "Best by time for size 4096: grid 4x3 in 49.21 s; grid 4x2 takes 14 % longer but moves 26 % less data."; to be
 * freed. */
char *decision_describe(const struct study *study, const struct decision_ranking *ranking);

#endif
