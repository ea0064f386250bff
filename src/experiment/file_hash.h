/* Identifies the files that a run is made of, so that the same run is known again and another is not taken for it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_FILE_HASH_H
#define EXPERIMENT_FILE_HASH_H

#include "base/error.h"

#include <stddef.h>

/* The bytes of a platform, to be freed, and of the files that it names in attributes called file or ..._file (profiles)
 * or takes costs from. */
int contents_read_platform(char **bytes, size_t *size, const char *file, struct sim_error *error);

/* Which trace it is, in words, of all of its files, by content; to be freed. */
char *contents_describe_trace(const char *file);

#endif
