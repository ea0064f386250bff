/* Stands for the algorithm that takes the least time, which the kernel finds out (sim/kernel/autotune.h).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/collective/collective.h"

const struct coll_spec coll_fastest = {
    .name = "fastest",
    .summary = "the fastest by size and ranks, as found by simulating each alone",
    .uses = COLL_USES_ORDER | COLL_USES_SEGMENT | COLL_USES_RADIX,
};
