/* The source files of a traced program: found by their names in folders, and read line by line.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIMRUN_SOURCE_FILES_H
#define SIMRUN_SOURCE_FILES_H

#include "base/error.h"

#include <stddef.h>

struct source_file {
    const char *name; /* without a folder; borrowed */
    char *path;       /* of the first that was found, NULL: none was; to be freed */
    int n_found;      /* how many of this name there are */
};

/* Find files, sorted by their names, in folders and what is in them; folders: "DIR,DIR". Links are not followed.
 * Returns -1 if one is no folder. */
int source_files_find(struct source_file *files, size_t n_files, const char *folders, struct sim_error *error);

/* A line of text that can be shown anywhere: of a long one the beginning. */
struct source_line {
    char text[200];
};

/* The lines of a file, at most 100,000 of the first 8 MiB; NULL if it cannot be read. To be freed. */
struct source_line *source_file_read(size_t *n_lines, const char *path);

#endif
