/* Output files that are either whole or not there.
 *
 * A regular file has no name until all of it is on disk, so that nothing is left of it however the process ends. Where
 * the file system has no such files it is written under a name simrun.partial-... beside it, and that is removed on an
 * error, and when the program is ended by a signal that it can see or by want of memory. A target that is no regular
 * file (a terminal, a pipe) is written directly. A link stays, and what it leads to is replaced.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_OUTPUT_H
#define OS_OUTPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *stream;
    char *file;    /* NULL: standard output */
    char *partial; /* NULL: written directly; else the name that it has before its own, in the same folder */
    bool unnamed;  /* it has no name until it is closed */
};

/* file NULL is standard output. A file that cannot be written, or is a store, is SIM_BAD_INPUT. */
int output_open(struct output *output, const char *file, struct sim_error *error);
/* Make it whole. A write that failed (a full disk) is SIM_UNFINISHED. */
int output_close(struct output *output, struct sim_error *error);
/* The name without links and ".." of what a file is written to, which need not be there; to be freed. */
char *output_target(const char *file);
/* Leave nothing. */
void output_abandon(struct output *output);
/* A store is never replaced by another output: what it holds may have taken days. SIM_BAD_INPUT if the file is one. */
int output_check_no_store(const char *file, struct sim_error *error);

#endif
