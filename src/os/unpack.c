/* Unpacks gzip by zlib. A small file may unpack to a thousand times as much, so there is always a limit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/unpack.h"

#include "base/memory.h"
#include "os/write_at.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define ZLIB_CONST /* what is unpacked is not changed */
#include <zlib.h>

enum { CHUNK = 64 * 1024 };

static const int64_t most_written = INT64_C(1) << 30;

bool unpack_is_packed(const void *bytes, size_t size)
{
    return size > 2 && memcmp(bytes, "\037\213\010", 3) == 0;
}

/* NULL and errno on failure. A pipe is not waited for. */
static gzFile open_packed(const char *file)
{
    struct stat status;
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_regular = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    gzFile stream = is_regular ? gzdopen(descriptor, "rb") : NULL;
    errno = descriptor >= 0 && !is_regular ? ESPIPE : errno;
    if (stream == NULL && descriptor >= 0)
        close(descriptor);
    return stream;
}

static int fail_to_read(const char *file, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s",
                         errno == ESPIPE ? "gzip data cannot be read from a pipe; unpack it first (gunzip)"
                                         : strerror(errno));
}

static int fail_large(int64_t most, const char *file, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "unpacks to more than %lld KiB; unpack it yourself (gunzip)",
                         (long long)(most >> 10));
}

/* zlib says it when the file is closed at the latest. */
static int close_packed(gzFile stream, int n_read, const char *file, struct sim_error *error)
{
    int end = gzclose_r(stream);
    if (n_read >= 0 && end == Z_OK)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be unpacked: the gzip data is %s",
                         end == Z_BUF_ERROR ? "cut off" : "damaged");
}

size_t unpack_head(void *head, size_t most, const char *file)
{
    gzFile stream = open_packed(file);
    int n_read = stream != NULL ? gzread(stream, head, (unsigned)most) : 0;
    if (stream != NULL)
        gzclose_r(stream);
    return n_read > 0 ? (size_t)n_read : 0;
}

int unpack_text(char **text, size_t *size, size_t most, const char *file, struct sim_error *error)
{
    gzFile stream = open_packed(file);
    size_t length = 0, capacity = CHUNK;
    int n_read = 1;
    if (stream == NULL)
        return fail_to_read(file, error);
    char *made = xmalloc(capacity + 1);
    while (n_read > 0 && length <= most) {
        if (length == capacity)
            made = xrealloc(made, (capacity *= 2) + 1);
        n_read = gzread(stream, made + length, (unsigned)(capacity - length));
        length += n_read > 0 ? (size_t)n_read : 0;
    }
    int status = length > most ? fail_large((int64_t)most, file, error) : 0;
    if (status == 0)
        status = close_packed(stream, n_read, file, error);
    else
        gzclose_r(stream);
    if (status != 0) {
        free(made);
        return -1;
    }
    made[length] = '\0';
    *text = made;
    *size = length;
    return 0;
}

int64_t unpack_to(int descriptor, int64_t place, const char *file, struct sim_error *error)
{
    gzFile stream = open_packed(file);
    int64_t length = 0;
    int n_read = 1, status = 0;
    if (stream == NULL)
        return fail_to_read(file, error);
    char *chunk = xmalloc(CHUNK);
    while (status == 0 && n_read > 0 && place + length <= most_written) {
        n_read = gzread(stream, chunk, CHUNK);
        if (n_read > 0)
            status = write_at(descriptor, chunk, (size_t)n_read, place + length, "a temporary file", error);
        length += n_read > 0 ? n_read : 0;
    }
    free(chunk);
    if (status == 0 && place + length > most_written)
        status = fail_large(most_written, file, error);
    if (status != 0)
        gzclose_r(stream);
    else
        status = close_packed(stream, n_read, file, error);
    return status == 0 ? length : -1;
}

int unpack_deflated(void *bytes, size_t size, const void *packed, size_t packed_size, const char *file,
                    struct sim_error *error)
{
    z_stream stream = {.next_in = packed, .avail_in = (uInt)packed_size, .next_out = bytes, .avail_out = (uInt)size};
    bool is_whole = inflateInit2(&stream, -MAX_WBITS) == Z_OK && inflate(&stream, Z_FINISH) == Z_STREAM_END &&
                    stream.total_out == size;
    inflateEnd(&stream);
    return is_whole ? 0 : sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be unpacked: a file in it is damaged");
}
