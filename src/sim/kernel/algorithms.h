/* The algorithms that collectives of a replay were done by.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_ALGORITHMS_H
#define SIM_KERNEL_ALGORITHMS_H

#include "sim/collective/collective.h"

#include <stdbool.h>
#include <stdint.h>

/* Calls of a family that one algorithm did, and the lengths by which it was chosen. */
struct algorithm_use {
    enum coll_family family;
    const struct coll_spec *spec; /* stands for no other */
    bool is_auto;                 /* the program says `auto` */
    int64_t n_calls, from_bytes, to_bytes;
};

enum { ALGORITHMS_MOST = 64 }; /* more than any family's decisions have, all together */
struct algorithms {
    struct algorithm_use items[ALGORITHMS_MOST];
    int count;
};

/* A call that has been done by an algorithm, which may stand for another. */
void algorithms_count(struct algorithms *algorithms, enum coll_family family, const struct coll_spec *spec,
                      const struct coll_call *call);
/* True if the program says `auto` for some of them. */
bool algorithms_have_auto(const struct algorithms *algorithms);

#endif
