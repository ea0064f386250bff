/* Metrics: families that each watch the intervals of a run and say what they found.
 *
 * One file src/metrics/<name>.c, one line in metrics/list.def. No family sees SimGrid, a machine or a program: what
 * they say holds for simulated and for real runs alike.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef METRICS_METRICS_H
#define METRICS_METRICS_H

#include "interval/interval.h"
#include "metrics/detail.h"
#include "metrics/result.h"

#include <stdint.h>

/* The facts that are known after the last interval. */
struct metrics_totals {
    int64_t end_ps;        /* T_par */
    int64_t sequential_ps; /* T_seq of the same problem; 0 if it is 0 or its run did not end, -1 if it is unknown */
};

/* The runs that a family has something to say of. */
enum metric_runs { OF_ALL_RUNS, OF_TRACES, OF_SHARED_MEMORY };

struct metric_spec {
    const char *name;
    const char *summary;
    const char *source;
    enum metric_runs runs;
    uint32_t details;       /* those, as bits, of which each asks for the family; 0: it is there always, */
    bool always_for_traces; /* and of programs that are traces in any case */
    void *(*open)(const struct interval_setup *setup); /* NULL: nothing is to be said of this run after all */
    void (*take)(void *self, const struct interval *interval);
    void (*take_many)(void *self, const struct interval *intervals, int count); /* NULL: as in struct interval_sink */
    /* Append what was found, once. The family may hand over data that it does not need afterwards. */
    void (*report)(void *self, const struct metrics_totals *totals, struct result *result);
    void (*free)(void *self);
};

/* All families, NULL-terminated. */
extern const struct metric_spec *const metric_specs[];

enum {
#define METRIC(name) METRIC_NUMBER_##name,
#include "metrics/list.def"
    METRICS_MAX
};

struct metrics {
    int count;
    struct interval_sink sinks[METRICS_MAX]; /* to be given to the kernel */
    const struct metric_spec *specs[METRICS_MAX];
    uint32_t details[METRICS_MAX]; /* for which each is there; 0: in any case */
};

#define METRICS_NO_SCOPE "end"

/* The scope's name; METRICS_NO_SCOPE for time in none, which is mostly that of ranks whose program has ended. */
const char *metrics_scope_name(const struct interval_setup *setup, int scope);

/* The families that have something to say of such a run, without those of details that are not asked for. */
void metrics_open(struct metrics *metrics, const struct interval_setup *setup);
/* Append all measures and tables to *result, tables of details marked as such; only after a run that was completed. */
void metrics_report(const struct metrics *metrics, const struct metrics_totals *totals, struct result *result);
void metrics_close(struct metrics *metrics);

/* The same once T_seq is known later: speedup, efficiency, granularity and overheads of a result are made anew of its
 * times. n_processors: those of the run; sequential_ps: above 0. */
void lost_cycles_set_sequential(struct result *result, int n_processors, int64_t sequential_ps);

#endif
