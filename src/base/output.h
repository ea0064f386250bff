/* Output files that are either whole or not there.
 *
 * A regular file is written under the name FILE.partial and takes its own name only when all of it is on disk. On an
 * error, and when the program is ended by SIGINT or SIGTERM, the partial file is removed. What is no regular file
 * (/dev/stdout, a pipe) is written directly. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/error.h"

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
/* Leave nothing. */
void output_abandon(struct output *output);

#endif
