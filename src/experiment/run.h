/* One run of a scenario: from parameter values to measures.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_RUN_H
#define EXPERIMENT_RUN_H

#include "base/error.h"
#include "experiment/machines.h"
#include "experiment/run_cache.h"
#include "sim/machine/machine.h"
#include "sim/scenario/scenario.h"
#include "study/run.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* T_seq of the problems simulated so far, so that a sweep over ranks simulates each sequential run once. */
struct sequential_times;
struct sequential_times *sequential_times_new(void);
void sequential_times_free(struct sequential_times *times);

/* A part of a sweep that is dealt to several calls: each takes every count-th run. */
struct shard {
    int index; /* from 0 */
    int count; /* 0: there is one call, which has all runs */
};

struct run_context {
    const struct scenario *scenario;
    struct machine *machine;   /* the platform; NULL: there are several, and each is loaded in processes of its own */
    struct machines *machines; /* where runs may have machines of their own; NULL: all have `machine` */
    struct sequential_times *sequential;
    int64_t sequential_ps;   /* T_seq of an application that cannot run on one rank; -1: not known */
    struct trace *trace;     /* opened, or NULL */
    struct run_cache *cache; /* where runs are kept, or NULL */
    double messages;         /* about so many all runs send, if that is to be said; 0: it is not */
    uint32_t what_if;        /* the causes whose gains are asked for, as bits of their places among what_if_causes */
    uint32_t details;        /* what is asked for beside the usual, metrics/detail.h */
    int most_drawn;          /* the best runs of the sweep, so many at most, have all details */
    struct shard shard;      /* which of the runs */
};

/* Check that the values go together and fit the machine, without simulating. A candidate of a decision need not,
 * and would be discarded. *messages: about how many the run sends, 0 where that is not known. */
int run_check(const struct run_context *context, const int64_t *values, bool *discarded, double *messages,
              struct sim_error *error);

/* The machine of the run, until the next is asked for. */
int run_find_machine(struct machine **machine, const struct run_context *context, const int64_t *values,
                     struct sim_error *error);

/* Simulate, and fill in all of *run, zero before, but its parameters and its reference. A run of a decision that cannot
 * be done, or whose data do not fit, is not simulated: it has the reason in `discarded` and no measures. The caller
 * disposes of run->result. */
int run_simulate(struct study_run *run, const struct run_context *context, const int64_t *values,
                 struct sim_error *error);

#endif
