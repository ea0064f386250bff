/* Output files that are either whole or not there.
 *
 * A regular file is written under a name FILE.partial-... and takes its own name only when all of it is on disk. On an
 * error, and when the program is ended by a signal that it can see or by want of memory, the partial file is removed. What is no regular file
 * (/dev/stdout, a pipe) is written directly. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *stream;
    char *file;    /* NULL: standard output */
    char *partial; /* NULL: written directly */
};

/* file NULL is standard output. A file that cannot be written is SIM_BAD_INPUT. */
int output_open(struct output *output, const char *file, struct sim_error *error);
/* Make it whole. A write that failed (a full disk) is SIM_UNFINISHED. */
int output_close(struct output *output, struct sim_error *error);
/* Whether a file to be written is the same as another, under whatever name; either may be NULL. */
bool output_is_file(const char *output, const char *other);
/* Leave nothing. */
void output_abandon(struct output *output);

#endif
