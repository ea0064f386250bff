/* The origins of stores that are joined: scenario, platforms, program.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STORE_MERGE_ORIGINS_H
#define STORE_MERGE_ORIGINS_H

#include "store/internal.h"

/* The origins of a store; the strings are its own. */
struct origins {
    const char *file; /* of the store */
    struct store_origin *items;
    int64_t *ids, *merged; /* their numbers in the store, and in the new one */
    size_t count, capacity;
};

/* Fill in all but `merged`; *origins is zero before. */
int origins_list(struct origins *origins, struct store *store, struct sim_error *error);
/* Find the numbers in the new store, which those of `first` are known of. A store that is made for something else has
 * numbers of its own, which say nothing of an order here: SIM_BAD_INPUT, with what is different. */
int origins_match(const struct origins *origins, const struct origins *first, struct sim_error *error);
void origins_dispose(struct origins *origins);

#endif
