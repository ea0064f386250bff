/* The algorithms that the collective algorithm `fastest` stands for.
 *
 * When the first rank comes to a collective of a family, a number of ranks and a size that have not been met, the
 * collective is simulated alone with each algorithm of the family, from that root, on the same machine, placement and
 * network, by all its ranks at the same time. The one that takes the least time, of equal ones the first of the family,
 * is done from then on wherever family, number of ranks and size class are the same. The size is that of the op, for a
 * scatter or gather that of all blocks. Sizes of one class lie between a power of two and the next, so that there are
 * few of them however many sizes a program has. An algorithm that would cut a message into more than
 * AUTOTUNE_MAX_SEGMENTS is not tried.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_AUTOTUNE_H
#define SIM_KERNEL_AUTOTUNE_H

#include "sim/collective/collective.h"
#include "sim/program/groups.h"

#include <stddef.h>

struct kernel_run;
struct machine;

enum { AUTOTUNE_MAX_SEGMENTS = 4096 };

struct autotune_decision {
    enum coll_family family;
    int n_ranks;
    int64_t from_bytes, to_bytes; /* the class */
    int64_t bytes;                /* of the collective that was simulated */
    const struct coll_spec *spec;
    int64_t time_ps;    /* that it took */
    int64_t slowest_ps; /* and the slowest of the others */
};

/* All that has been decided, in the order in which it came up. Zero is empty. */
struct autotune {
    struct autotune_decision *items;
    size_t count, capacity;
};

/* The number of trials that a machine remembers, of whatever run, as long as it lives (machine.memo). For the same
 * collective, members, placement, network and options the outcome is the same, and is not simulated again. */
size_t autotune_trials_count(const struct machine *machine);
void autotune_dispose(struct autotune *autotune);

/* The algorithm of an op, where `fastest` has been asked for, that a run comes to. Never NULL: where all fail, the
 * first of the family. */
const struct coll_spec *autotune_find(struct autotune *autotune, const struct kernel_run *run,
                                      const struct groups *groups, const struct op *op);

/* The same for a run that is over; `autotune` may be NULL. The first of the family where the op did not occur in it. */
const struct coll_spec *autotune_look_up(const struct autotune *autotune, const struct groups *groups,
                                         const struct op *op);

#endif
