/* The lines of a text file, which is held in memory as a whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASUREMENT_SHEET_H
#define MEASUREMENT_SHEET_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { SHEET_BYTES = 1 << 26 }; /* of a file, at most */

struct sheet {
    const char *file; /* borrowed */
    char *text;
    size_t size;
    char *line;  /* the one that has been read last, without blanks at its end */
    char *next;  /* where the next one begins */
    long number; /* of the line, from 1 on */
};

/* Read a regular file, unpacked if need be. It may not be empty, nor have bytes of zero. */
int sheet_open(struct sheet *sheet, const char *file, struct sim_error *error);
void sheet_close(struct sheet *sheet);

/* The next line; false behind the last. */
bool sheet_next(struct sheet *sheet);
/* Begin again with the first one, cut as the lines already are. */
void sheet_rewind(struct sheet *sheet);

/* SIM_BAD_INPUT at the last line; -1. */
int sheet_fail(const struct sheet *sheet, struct sim_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
