/* The libraries that a build can do without, and whether this one has. Requests that need a missing library are
 * refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_LIBRARIES_H
#define OS_LIBRARIES_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

enum library {
    LIBRARY_NONE, /* which is always there */
#define LIBRARY(id, package, name, debian, lost) LIBRARY_##id,
#include "os/libraries.def"
    N_LIBRARIES
};

bool library_is_there(enum library library);

/* SIM_BAD_INPUT: `what`, such as the name of a file, needs the library; which package and which switch bring that back.
 * -1. */
int library_refuse(enum library library, const char *what, struct sim_error *error);

/* A line for each library: "with OTF2 3.0", "without SQLite (-DSIMRUN_SQLITE=OFF)". */
void libraries_write(FILE *stream);

#endif
