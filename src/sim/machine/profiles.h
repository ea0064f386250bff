/* The profiles of a machine's hosts and links, by the names of these.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_MACHINE_PROFILES_H
#define SIM_MACHINE_PROFILES_H

#include "sim/machine/profile/profile.h"

#include <stddef.h>

/* A profile, and whose it is. */
struct machine_profile {
    char *element;
    long line;
    struct profile profile;
};

struct machine_profiles {
    struct machine_profile *items; /* by element and kind, once all are read */
    size_t count, capacity;
};

struct machine_profiles *machine_profiles_new(void);
void machine_profiles_free(struct machine_profiles *profiles);

/* The order of items: for qsort() and bsearch(). */
int machine_profiles_order(const void *left, const void *right);

#endif
