/* Archives of the kind ZIP, as far as files in them are needed: read into memory, and written without compression.
 *
 * Format: APPNOTE 6.3 of PKWARE, without ZIP64, encryption and several volumes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_ZIP_H
#define OS_ZIP_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct zip {
    const char *file; /* borrowed */
    unsigned char *bytes;
    size_t size;
};

/* Read an archive of at most 1 GiB. zip_close() of one of zeros is fine. */
int zip_open(struct zip *zip, const char *file, struct sim_error *error);
void zip_close(struct zip *zip);
/* The content of a file in it, with a zero behind it, to be freed: 1; 0: it is not there; -1 with an error, also if it
 * has more than 1 GiB. */
int zip_read(unsigned char **bytes, size_t *size, const struct zip *zip, const char *name, struct sim_error *error);

/* A file to be put into an archive; all is borrowed. */
struct zip_member {
    const char *name;
    const void *bytes;
    size_t size; /* below 2 GiB, all of them together */
};
/* Write an archive to a stream that is at its beginning; its files have no date. */
void zip_write(FILE *stream, const struct zip_member *members, size_t n_members);

#endif
