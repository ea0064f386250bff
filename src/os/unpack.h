/* Unpacks what is compressed by gzip; by zlib, which a build may lack.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_UNPACK_H
#define OS_UNPACK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if bytes are the beginning of such a file. */
bool unpack_is_packed(const void *bytes, size_t size);

/* The first bytes of what a file unpacks to: how many, at most `most`; 0 in a build without zlib. */
size_t unpack_head(void *head, size_t most, const char *file);

/* All that a file unpacks to, and a zero; to be freed. More than `most` bytes are an error. */
int unpack_text(char **text, size_t *size, size_t most, const char *file, struct sim_error *error);

/* Write what a file unpacks to into an open one, at that place: the number of bytes, or -1. It may not become larger
 * than a gibibyte. */
int64_t unpack_to(int descriptor, int64_t place, const char *file, struct sim_error *error);

/* Unpack bytes of deflate without a head, out of `file`, into exactly so many. */
int unpack_deflated(void *bytes, size_t size, const void *packed, size_t packed_size, const char *file,
                    struct sim_error *error);

#endif
