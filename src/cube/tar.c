/* Goes through the heads of a tar archive, each of 512 bytes, which files follow in blocks of as many. Checksums are
 * not looked at: some versions of Cube write wrong ones.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "cube/tar.h"

#include "base/memory.h"
#include "os/unpack.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 30, BLOCK = 512, NAME = 100, SIZE_AT = 124, SIZE_DIGITS = 12 };

static int read_plain(struct tar *tar, struct sim_error *error)
{
    size_t capacity = 1 << 16, got = 1;
    FILE *stream = fopen(tar->file, "rbe");
    if (stream == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, tar->file, 0, "cannot read: %s", strerror(errno));
    tar->bytes = xmalloc(capacity);
    while (got > 0 && tar->size < MOST) {
        if (tar->size == capacity)
            tar->bytes = xrealloc(tar->bytes, capacity *= 2);
        got = fread(tar->bytes + tar->size, 1, capacity - tar->size, stream);
        tar->size += got;
    }
    fclose(stream);
    return tar->size < MOST ? 0 : sim_error_set(error, SIM_BAD_INPUT, tar->file, 0, "has more than 1 GiB");
}

int tar_open(struct tar *tar, const char *file, struct sim_error *error)
{
    *tar = (struct tar){.file = file};
    if (read_plain(tar, error) != 0)
        return -1;
    if (!unpack_is_packed(tar->bytes, tar->size))
        return 0;
    tar_close(tar);
    return unpack_text(&tar->bytes, &tar->size, MOST, file, error);
}

void tar_close(struct tar *tar)
{
    free(tar->bytes);
    tar->bytes = NULL;
    tar->size = 0;
}

/* In octal digits. */
static size_t size_of(const char *head)
{
    size_t size = 0;
    for (int i = 0; i < SIZE_DIGITS; i++)
        if (head[SIZE_AT + i] >= '0' && head[SIZE_AT + i] <= '7')
            size = size * 8 + (size_t)(head[SIZE_AT + i] - '0');
    return size;
}

bool tar_find(const char **bytes, size_t *size, const struct tar *tar, const char *name)
{
    for (size_t at = 0; tar->size - at >= BLOCK && tar->bytes[at] != '\0';) {
        const char *head = tar->bytes + at, *start = strncmp(head, "./", 2) == 0 ? head + 2 : head;
        size_t length = size_of(head), rest = tar->size - at - BLOCK;
        if (length > rest)
            return false;
        if (strncmp(start, name, (size_t)(head + NAME - start)) == 0) {
            *bytes = head + BLOCK;
            *size = length;
            return true;
        }
        size_t blocks = (length + BLOCK - 1) / BLOCK * BLOCK;
        at += BLOCK + (blocks < rest ? blocks : rest);
    }
    return false;
}
