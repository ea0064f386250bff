/* Heads of 512 bytes, with numbers in octal digits, and blocks of as many.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/cube/tar.h"

#include <inttypes.h>
#include <string.h>

enum { BLOCK = 512 };

/* A field of the head: so many octal digits, and a zero. */
static void put_octal(char *to, int n_digits, uint64_t number)
{
    to[n_digits] = '\0';
    while (n_digits-- > 0) {
        to[n_digits] = (char)('0' + number % 8);
        number /= 8;
    }
}

void tar_put_head(FILE *stream, const char *name, int64_t size)
{
    char head[BLOCK] = {0};
    uint64_t sum = 0;
    snprintf(head, 100, "%s", name);
    put_octal(head + 100, 7, 0644);
    put_octal(head + 108, 7, 0);
    put_octal(head + 116, 7, 0);
    put_octal(head + 124, 11, (uint64_t)size);
    put_octal(head + 136, 11, 0);
    memset(head + 148, ' ', 8);
    head[156] = '0';
    memcpy(head + 257, "ustar\00000", 8);
    for (int i = 0; i < BLOCK; i++)
        sum += (unsigned char)head[i];
    put_octal(head + 148, 6, sum);
    fwrite(head, 1, sizeof head, stream);
}

void tar_put_padding(FILE *stream, int64_t size)
{
    static const char zeros[BLOCK];
    fwrite(zeros, 1, (size_t)((BLOCK - size % BLOCK) % BLOCK), stream);
}

void tar_put_end(FILE *stream)
{
    static const char zeros[2 * BLOCK];
    fwrite(zeros, 1, sizeof zeros, stream);
}
