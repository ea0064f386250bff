/* Errors as every module of simrun reports them.
 *
 * A function that can meet bad input takes a `struct sim_error *` as its last argument, returns -1 and fills it in;
 * its output parameter is then unchanged. A broken invariant is an assert, never an error.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

/* The values are the exit statuses of the program. */
enum sim_status {
    SIM_DONE = 0,       /* the run is complete */
    SIM_UNFINISHED = 1, /* the simulation or its output could not be completed: deadlock, limit, full disk */
    SIM_BAD_INPUT = 2,  /* bad usage, or a bad file */
    SIM_GATE = 3,       /* a comparison is complete, and a condition of --fail-if is fulfilled */
};

struct sim_error {
    enum sim_status status;
    /* One line of UTF-8 that a terminal shows and does not obey, without newline. Begins with "file:line: " where there
     * is a place. */
    char message[1024];
};

/* Fill in *error and return -1, so that a caller can `return sim_error_set(...)`.
 * file may be NULL (no place), line may be 0 (the file as a whole). */
int sim_error_set(struct sim_error *error, enum sim_status status, const char *file, long line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Write into `why` what was found and what is allowed, for a caller that knows the place, and return -1. */
int sim_error_why(char *why, size_t why_size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
