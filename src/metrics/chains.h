/* The longest chain that led to each rank's present, by steps: what which processor did in which scope and category.
 *
 * A chain is a row of critical_path.h, a number for each step. Who waited for a departure takes its chain over. It
 * adds, as waiting of its own, the time from there to the wait's end. So what was waited for stands in a wait's
 * place.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_CHAINS_H
#define METRICS_CHAINS_H

#include "interval/interval.h"

enum { N_STEP_CATEGORIES = 4 }; /* CATEGORY_COMP ... CATEGORY_PRSTE */

struct chains;

struct chains *chains_new(int n_ranks, int n_scopes);
void chains_free(struct chains *chains);

/* The bytes of memory that they take, about: chains, and checkpoints of what is under way, of which a rank has up to
 * two. */
double chains_footprint(int n_ranks, int n_scopes);

/* A step's place among chains_n_steps(), and what it is. */
int chains_n_steps(const struct chains *chains);
int chains_step(const struct chains *chains, int rank, int scope, enum category category);
int chains_rank_of(const struct chains *chains, int step);
int chains_scope_of(const struct chains *chains, int step);
enum category chains_category_of(int step);

/* Take the next interval. If it ends a wait for another rank: the durations of the chain that led to the end, up to
 * where the waiting rank could have gone on, less those of the waiting rank's own chain at the beginning of its wait.
 * Their common part cancels, and the rest adds up to the time waited for the other. Good until the next
 * interval; NULL for all other intervals. */
const int64_t *chains_take(struct chains *chains, const struct interval *interval);

#endif
