/* The parts of the run's time along the critical path, as finely as its causes can be removed: by part and scope, and
 * by the processor that the path ran over.
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
    int n_ranks, n_processors, n_scopes; /* processors of all ranks: k n_ranks + r is processor k of rank r */
    bool shared;                         /* a program that shares memory */
    bool by_processor;                   /* a path is told apart by processor, too: not with very many of them */
    struct critical_path path; /* N_PATH_PARTS for each scope; behind them, with by_processor, what ran over each */
    int64_t *computation_ps;   /* useful computation, of each processor in each scope */
    int64_t *useful_ps;        /* all useful work of each processor, I/O too */
};

/* Each rank has n_each processors. */
void attribution_init(struct attribution *attribution, int n_ranks, int n_each, int n_scopes, bool shared);
void attribution_dispose(struct attribution *attribution);
/* Take the next interval; `self` is the attribution. */
void attribution_take(void *self, const struct interval *interval);

/* The critical path of a run that is over: its parts by scope, [part * n_scopes + scope], which add up to the run's
 * time; after them, with by_processor, the same time by processor. */
const int64_t *attribution_path(const struct attribution *attribution);

/* The useful work of all processors: the largest sum, and the sum over all. */
int64_t attribution_largest(const struct attribution *attribution);
wide_int attribution_sum(const struct attribution *attribution);
/* How much more useful computation than the mean the processor has that has most more, and that mean: over all ranks,
 * of their processors of the same number. */
int64_t attribution_imbalance(const struct attribution *attribution, int64_t *mean_ps);

#endif
