/* The kind of a file, by its first bytes; by its name only where these say nothing. One table has all kinds, those that
 * simrun reads and those of other programs (os/kinds.c).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_FILE_KIND_H
#define OS_FILE_KIND_H

#include "base/error.h"

#include <stdbool.h>

#define FILE_KIND_STORE "SQLite format 3"

enum file_is {
    FILE_UNKNOWN, /* its first bytes say nothing */
    FILE_ABSENT,  /* or cannot be read */
    FILE_FOLDER,
    FILE_DEVICE, /* a pipe, a terminal: of which the first bytes can be read once */
    FILE_EMPTY,
    FILE_XML, /* whose first element is none that is known, or far behind the beginning */
    FILE_SCENARIO,
    FILE_PLATFORM,
    FILE_OTF2,
    FILE_OTF2_PART,
    FILE_TI,
    FILE_GOAL,
    FILE_PARAVER,
    FILE_STORE,
    FILE_CUBE,        /* a profile */
    FILE_DATASET,     /* a table of measured values */
    FILE_RUN_PROFILE, /* by libeppa, as JSON */
    FILE_FOREIGN,     /* of another program */
};

struct file_kind {
    enum file_is is;
    const char *name;   /* "a Paraver trace"; "" of what is not known or not there */
    const char *advice; /* what to do with it; "" if nothing is to be said */
};

/* The kind of a file; if it is compressed by gzip, the kind of what it unpacks to, if simrun unpacks such files. */
const struct file_kind *file_kind_of(const char *path);

/* SIM_BAD_INPUT: the file is not `wanted` ("a platform") but of that kind, and what to do with it. Nothing of what it
 * has is shown. -1. */
int file_kind_refuse(const struct file_kind *kind, const char *file, const char *wanted, struct sim_error *error);

/* SIM_BAD_INPUT if the file is of a kind that is known, and not `is` or XML, of which its reader says what is wrong. */
int file_kind_check(const char *file, enum file_is is, const char *wanted, struct sim_error *error);

/* True if a regular file begins with these characters, of which '?' is any. False for a link, and for what cannot be
 * read. */
bool file_begins(const char *path, const char *begin);

#endif
