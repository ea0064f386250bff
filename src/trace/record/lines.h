/* Lines of a part of a file, through a small buffer.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_RECORD_LINES_H
#define TRACE_RECORD_LINES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINES_LONGEST                                                                                                  \
    (4 * 1024 * 1024) /* bytes of a line; one of TI with two numbers for each of 65536 ranks has less */

enum { LINES_PADDING = 8 };

/* A part of a file: whole lines, the first of which is number `line`. */
struct lines_part {
    int64_t offset, length;
    int64_t line;
};

struct lines {
    const char *file; /* borrowed: for messages, and to open it where descriptor is -1 */
    int descriptor;   /* of a file that is open, or -1: it is opened whenever the buffer is filled; borrowed */
    int64_t offset;   /* of what is read next */
    int64_t left;     /* of the part, not yet read */
    int64_t line;     /* number of the last line */
    char *buffer;     /* LINES_PADDING of '\n' stand behind what is in it */
    size_t capacity;  /* without them */
    size_t at, filled;
};

void lines_init(struct lines *lines, const char *file, int descriptor, size_t capacity);
void lines_dispose(struct lines *lines);

/* Go on with the lines of that part. */
void lines_begin(struct lines *lines, const struct lines_part *part);

/* The part's next line, of which '\n' is the end even where the file has none: 1, or 0 after the last one, or -1. */
int lines_next(struct lines *lines, const char **begin, const char **end, struct sim_error *error);

/* The same without a search for its end: where the next line begins, or NULL if nothing of it is in the buffer. */
static inline const char *lines_here(const struct lines *lines)
{
    return lines->at < lines->filled ? lines->buffer + lines->at : NULL;
}

/* True if that '\n' ends the line, and not only what is in the buffer. */
static inline bool lines_has(const struct lines *lines, const char *end)
{
    return (size_t)(end - lines->buffer) < lines->filled;
}

/* The line that ends with that '\n' has been read. */
static inline void lines_pass(struct lines *lines, const char *end)
{
    lines->at = (size_t)(end - lines->buffer) + 1;
    lines->line++;
}

/* Open a regular file that is not empty: its descriptor and size, or -1. A file compressed by gzip is unpacked to a
 * temporary file, which is opened in its place. */
int lines_open_file(int64_t *size, const char *file, struct sim_error *error);

/* The size of a file that is opened whenever it is read: 0; or 1 if it was compressed, and is appended to the temporary
 * file *spool at *end, which is then moved on; or -1. Without such a file *spool is -1, and the caller closes. */
int lines_measure_file(int64_t *size, int *spool, int64_t *end, const char *file, struct sim_error *error);

/* Read exactly so many bytes; a file that has become shorter is an error. */
int lines_read_at(int descriptor, void *bytes, size_t size, int64_t offset, const char *file, struct sim_error *error);

#endif
