/* Stands for the algorithm that takes the least time, which the kernel finds out (sim/kernel/autotune.h). */
#include "sim/collective/collective.h"

const struct coll_spec coll_fastest = {
    .name = "fastest",
    .summary = "whatever is fastest alone, by size and ranks, as simulated before",
    .uses = COLL_USES_ORDER | COLL_USES_SEGMENT | COLL_USES_RADIX,
};
