/* The ranking of alternatives, and whether networks rank them alike.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_RANKING_H
#define STUDY_RANKING_H

#include "study/run.h"

#include <stdbool.h>

/* True if alternatives are compared: a parameter varies that is no number and none of the problem. */
bool ranking_is_one(const struct study *study);

/* The order of rankings: 0 for runs that are ranked against each other. Runs of different problems are not, nor
 * those on different networks, unless the network is all there is to choose. */
int ranking_compare(const struct study *study, const struct study_run *a, const struct study_run *b);

/* Add to the runs of a ranking `rank`, 1 for the fastest, equal for equal times, and `factor_to_best`, and what takes
 * most of each (study_run.dominant, largest_overhead). A decision has its own order, and a sweep over numbers none. */
void ranking_add(struct study *study);
/* The same for a run whose place is known already, and the time of the fastest it competes with. */
void ranking_add_run(struct study_run *run, int rank, double best_s);

/* Two alternatives, of which one network has the first faster and another one the second; indices of runs. */
struct ranking_pair {
    int first[2], second[2]; /* each on either network */
};

struct ranking_pairs {
    struct ranking_pair *pairs; /* the largest contradictions first */
    int n_pairs;
    int n_compared; /* pairs of alternatives, on each pair of networks */
};

/* Alternatives with the same numbers on all networks of the sweep. Differences of less than a hundred-thousandth are
 * none. pairs are to be freed. */
void ranking_find_pairs(struct ranking_pairs *found, const struct study *study);

#endif
