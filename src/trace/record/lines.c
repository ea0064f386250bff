/* Reads lines of a part of a file through a small buffer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/lines.h"

#include "base/memory.h"
#include "os/temporary.h"
#include "os/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void lines_init(struct lines *lines, const char *file, int descriptor, size_t capacity)
{
    *lines = (struct lines){.file = file, .descriptor = descriptor, .capacity = capacity};
}

void lines_dispose(struct lines *lines)
{
    free(lines->buffer);
}

void lines_begin(struct lines *lines, const struct lines_part *part)
{
    lines->offset = part->offset;
    lines->left = part->length;
    lines->line = part->line - 1;
    lines->at = lines->filled = 0;
}

/* As it is, packed or not. */
static int open_regular(int64_t *size, const char *file, struct sim_error *error)
{
    struct stat status;
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    else if (!S_ISREG(status.st_mode))
        sim_error_set(error, SIM_BAD_INPUT, file, 0,
                      S_ISDIR(status.st_mode) ? "is a folder, not a trace" : "is not a regular file");
    else if (status.st_size == 0)
        sim_error_set(error, SIM_BAD_INPUT, file, 0, "is empty; a trace has at least one line");
    else {
        *size = status.st_size;
        return descriptor;
    }
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

static bool is_packed(int descriptor)
{
    char first[4];
    ssize_t length = pread(descriptor, first, sizeof first, 0);
    return length > 0 && unpack_is_packed(first, (size_t)length);
}

static int fail_temporary(struct sim_error *error)
{
    return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "cannot make a temporary file: %s", strerror(errno));
}

int lines_open_file(int64_t *size, const char *file, struct sim_error *error)
{
    int descriptor = open_regular(size, file, error);
    if (descriptor < 0 || !is_packed(descriptor))
        return descriptor;
    close(descriptor);
    descriptor = temporary_open(NULL);
    *size = descriptor >= 0 ? unpack_to(descriptor, 0, file, error) : fail_temporary(error);
    if (*size > 0)
        return descriptor;
    if (*size == 0)
        sim_error_set(error, SIM_BAD_INPUT, file, 0, "is empty once it is unpacked; a trace has at least one line");
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

int lines_measure_file(int64_t *size, int *spool, int64_t *end, const char *file, struct sim_error *error)
{
    int descriptor = open_regular(size, file, error);
    bool is_plain = descriptor >= 0 && !is_packed(descriptor);
    if (descriptor >= 0)
        close(descriptor);
    if (descriptor < 0 || is_plain)
        return is_plain ? 0 : -1;
    if (*spool < 0 && (*spool = temporary_open(NULL)) < 0)
        return fail_temporary(error);
    *size = unpack_to(*spool, *end, file, error);
    if (*size < 0)
        return -1;
    *end += *size;
    return 1;
}

int lines_read_at(int descriptor, void *bytes, size_t size, int64_t offset, const char *file, struct sim_error *error)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(descriptor, (char *)bytes + done, size - done, offset + (int64_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
        if (got == 0)
            return sim_error_set(error, SIM_BAD_INPUT, file, 0, "has become shorter since it was opened");
        done += (size_t)got;
    }
    return 0;
}

/* Have room behind what is in the buffer, which begins at its beginning. */
static int make_room(struct lines *lines, struct sim_error *error)
{
    if (lines->buffer != NULL && lines->filled < lines->capacity)
        return 0;
    if (lines->filled >= LINES_LONGEST)
        return sim_error_set(error, SIM_BAD_INPUT, lines->file, (long)lines->line + 1,
                             "a line of more than %d bytes; no line of a trace is so long", LINES_LONGEST);
    if (lines->buffer != NULL)
        lines->capacity *= 2;
    lines->buffer = xrealloc(lines->buffer, lines->capacity + LINES_PADDING);
    return 0;
}

static int fill(struct lines *lines, struct sim_error *error)
{
    int descriptor = lines->descriptor;
    int64_t size;
    if (lines->at > 0)
        memmove(lines->buffer, lines->buffer + lines->at, lines->filled - lines->at);
    lines->filled -= lines->at;
    lines->at = 0;
    if (make_room(lines, error) != 0)
        return -1;
    if (descriptor < 0 && (descriptor = open_regular(&size, lines->file, error)) < 0)
        return -1;
    size_t room = lines->capacity - lines->filled, bytes = (int64_t)room < lines->left ? room : (size_t)lines->left;
    int status = lines_read_at(descriptor, lines->buffer + lines->filled, bytes, lines->offset, lines->file, error);
    if (descriptor != lines->descriptor)
        close(descriptor);
    if (status != 0)
        return -1;
    lines->filled += bytes;
    lines->offset += (int64_t)bytes;
    lines->left -= (int64_t)bytes;
    memset(lines->buffer + lines->filled, '\n', LINES_PADDING);
    return 0;
}

int lines_next(struct lines *lines, const char **begin, const char **end, struct sim_error *error)
{
    for (;;) {
        size_t length = lines->filled - lines->at;
        if (length == 0 && lines->left == 0) /* there may be no buffer yet */
            return 0;
        const char *line = length > 0 ? lines->buffer + lines->at : NULL;
        const char *newline = line != NULL ? memchr(line, '\n', length) : NULL;
        if (newline == NULL && lines->left > 0) {
            if (fill(lines, error) != 0)
                return -1;
            continue;
        }
        *begin = line;
        *end = newline != NULL ? newline : line + length;
        lines->at += newline != NULL ? (size_t)(newline - line) + 1 : length;
        lines->line++;
        return 1;
    }
}
