/* What the run's time consists of along the critical path, as finely as its causes can be removed: by part and scope,
 * and by the rank that the path ran over.
 *
 * The parts add up to T_par exactly. Messages come apart only if the kernel was asked to split them:
 * splits_messages. */
#ifndef METRICS_ATTRIBUTION_H
#define METRICS_ATTRIBUTION_H

#include "base/units.h"
#include "metrics/critical_path.h"

#include <stdbool.h>
#include <stdint.h>

enum path_part {
    PART_CPU, /* useful computation; in the order of enum work_component */
    PART_FPU,
    PART_EXTERNAL,
    PART_INTERNAL,
    PART_CONTROL_CPU, /* computation with the role control */
    PART_CONTROL_FPU,
    PART_CONTROL_EXTERNAL,
    PART_CONTROL_INTERNAL,
    PART_INPUT,
    PART_OUTPUT,
    PART_LINK_INIT,
    PART_LIBRARY,  /* calls of the library that move no message, in replays */
    PART_STARTUP,  /* its beginning and end */
    PART_OFF,      /* sleep, in replays */
    PART_OVERHEAD, /* what processors do to hand messages over and take them in */
    PART_LATENCY,  /* enum message_part */
    PART_LENGTH,
    PART_CONTENTION,
    PART_PROTOCOL, /* shared memory: what main processors do to keep it coherent */
    PART_ANSWER,   /* and from the departure of what a wait ended with to the wait's end */
    N_PATH_PARTS
};

/* Names for JSON: computation.cpu ... */
extern const char *const path_part_names[N_PATH_PARTS];
/* The part of that name, which there is. */
enum path_part path_part_find(const char *name);

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
/* Take the next event; `self` is the attribution. */
void attribution_take(void *self, const struct event *event);

/* The critical path of a run that is over: its parts by scope, [part * n_scopes + scope], which add up to the run's
 * time; after them, with by_rank, the same time by rank. */
const int64_t *attribution_path(const struct attribution *attribution);

/* The largest of all ranks' sums, and the sum over all ranks: of useful work, or of useful computation only. */
int64_t attribution_largest(const struct attribution *attribution, bool computation);
wide_int attribution_sum(const struct attribution *attribution, bool computation);

#endif
