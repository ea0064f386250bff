/* Writes archives of the kind tar (ustar), of files that have no date.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_CUBE_TAR_H
#define TRACE_CUBE_TAR_H

#include <stdint.h>
#include <stdio.h>

/* The head of a file of so many bytes, which are written next; then what fills its last block. */
void tar_put_head(FILE *stream, const char *name, int64_t size);
void tar_put_padding(FILE *stream, int64_t size);
/* The end of the archive. */
void tar_put_end(FILE *stream);

#endif
