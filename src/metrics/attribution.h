/* The parts of the run's time along the critical path, as finely as its causes can be removed: by part and scope, and
 * by the rank that the path ran over.
 *
 * The parts add up to T_par exactly. Messages come apart only if the kernel was asked to split them:
 * splits_messages.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_ATTRIBUTION_H
#define METRICS_ATTRIBUTION_H

#include "base/units.h"
#include "metrics/critical_path.h"
#include "metrics/words.h"

#include <stdbool.h>
#include <stdint.h>

struct attribution {
    int n_ranks, n_scopes;
    bool shared;               /* a program that shares memory */
    bool by_rank;              /* a path is told apart by rank, too: not with very many ranks */
    struct critical_path path; /* N_PATH_PARTS for each scope; behind them, with by_rank, what ran over each rank */
    int64_t *computation_ps;   /* useful computation, of each rank in each scope */
    int64_t *useful_ps;        /* all useful work of each rank, I/O too */
};

void attribution_init(struct attribution *attribution, int n_ranks, int n_scopes, bool shared);
void attribution_dispose(struct attribution *attribution);
/* Take the next interval; `self` is the attribution. */
void attribution_take(void *self, const struct interval *interval);

/* The critical path of a run that is over: its parts by scope, [part * n_scopes + scope], which add up to the run's
 * time; after them, with by_rank, the same time by rank. */
const int64_t *attribution_path(const struct attribution *attribution);

/* The largest of all ranks' sums, and the sum over all ranks: of useful work, or of useful computation only. */
int64_t attribution_largest(const struct attribution *attribution, bool computation);
wide_int attribution_sum(const struct attribution *attribution, bool computation);

#endif
