/* Checks that a program's data fit into the memory of the hosts that they are on.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include "sim/kernel/app.h"
#include "sim/machine/machine.h"
#include "sim/program/placement.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ranks of one host, and the bytes that their data take. */
struct memory_use {
    int first, last, n_ranks;
    int64_t bytes;
};

/* Find the host where the data take most; with shared memory every host may come to have all. -1 where the application
 * does not say what its data take. */
int memory_find_most(struct memory_use *most, const struct program *program, const struct placement *placement);

/* True if the data take more than a host of the machine has, and then why in words. A machine may have no memory
 * given. */
bool memory_exceeds(char *why, size_t why_size, const struct memory_use *use, const struct machine *machine);

#endif
