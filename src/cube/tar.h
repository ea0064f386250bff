/* Archives of the kind tar, in memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CUBE_TAR_H
#define CUBE_TAR_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct tar {
    const char *file; /* borrowed */
    char *bytes;
    size_t size;
};

/* Read an archive of at most 1 GiB, packed by gzip or not. tar_close() of one of zeros is fine. */
int tar_open(struct tar *tar, const char *file, struct sim_error *error);
void tar_close(struct tar *tar);
/* The content of a file in it, borrowed; false: it is not there, or is cut off. */
bool tar_find(const char **bytes, size_t *size, const struct tar *tar, const char *name);

#endif
