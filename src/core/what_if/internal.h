/* Declarations that the files of what_if share: causes.c has the causes, run.c simulates without some of them,
 * what_if.c compares and reports.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_WHAT_IF_INTERNAL_H
#define CORE_WHAT_IF_INTERNAL_H

#include "core/what_if/what_if.h"
#include "metrics/attribution.h"

#include <stdbool.h>

#define BIT(part) (UINT32_C(1) << (part))
#define ANY_PROGRAM (WITH_MESSAGES | WITH_SHARED_MEMORY)

/* A run. */
struct outcome {
    int64_t end_ps, events;
    struct attribution attribution;
    const int64_t *path; /* attribution_path() */
};

/* The run to be explained, and what is known of it. */
struct what_if {
    const struct kernel_run *run; /* as it is */
    bool shared;
    int n_ranks, n_each, n_scopes; /* n_each: processors of a rank */
    struct outcome base;
    struct outcome ideal; /* on the ideal network, until that cause has its turn */
    bool has_ideal;
    int64_t *alone_ps; /* the time without each of the causes; -1: not simulated yet */
    double *factors;   /* that make each processor's computation the mean; of each processor in each scope */
};

/* Simulate without the causes of the set; *outcome is to be disposed of only after success. */
int what_if_simulate(struct outcome *outcome, const struct what_if *self, uint32_t causes, struct sim_error *error);
void what_if_outcome_dispose(struct outcome *outcome);

/* By what each processor's computation is to be multiplied in each scope, on the heap, so that it has the mean over the
 * ranks, of their processors of the same number. Ranks without any in a scope cannot be given some: the others have the
 * mean over all ranks nevertheless, as if these did their part beside them. */
double *what_if_balancing_factors(const struct attribution *loads);

#endif
