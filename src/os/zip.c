/* Finds files in ZIP archives by the directory at the end, and writes archives.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/zip.h"

#include "base/memory.h"
#include "os/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 1 << 30,
    LOCAL = 30,     /* bytes of the head of a file, */
    DIRECTORY = 46, /* of its entry in the directory, */
    END = 22,       /* and of the end of that, without names and comments */
    COMMENT = 65535,
    VERSION = 20, /* of the format: 2.0 */
    UTF8 = 1 << 11,
    FIRST_DAY = 1 << 5 | 1, /* 1980-01-01 */
};

static unsigned number(const unsigned char *bytes, int n)
{
    unsigned value = 0;
    while (n-- > 0)
        value = value << 8 | bytes[n];
    return value;
}

static int fail(const struct zip *zip, const char *why, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, zip->file, 0, "is a zip archive that cannot be read: %s", why);
}

/* ---- Reading ---- */

int zip_open(struct zip *zip, const char *file, struct sim_error *error)
{
    size_t capacity = 1 << 16, got = 1;
    FILE *stream = fopen(file, "rbe");
    *zip = (struct zip){.file = file};
    if (stream == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot read: %s", strerror(errno));
    zip->bytes = xmalloc(capacity);
    while (got > 0 && zip->size < MOST) {
        if (zip->size == capacity)
            zip->bytes = xrealloc(zip->bytes, capacity *= 2);
        got = fread(zip->bytes + zip->size, 1, capacity - zip->size, stream);
        zip->size += got;
    }
    fclose(stream);
    return zip->size < MOST ? 0 : fail(zip, "it has more than 1 GiB", error);
}

void zip_close(struct zip *zip)
{
    free(zip->bytes);
}

/* The end of the directory, which a comment may follow; NULL: there is none. */
static const unsigned char *find_end(const struct zip *zip)
{
    size_t last = zip->size >= END ? zip->size - END : 0, first = last > COMMENT ? last - COMMENT : 0;
    for (size_t at = last + 1; zip->size >= END && at-- > first;)
        if (memcmp(zip->bytes + at, "PK\005\006", 4) == 0)
            return zip->bytes + at;
    return NULL;
}

/* Unpack what the entry of the directory is about. */
static int read_member(unsigned char **bytes, size_t *size, const struct zip *zip, const unsigned char *entry,
                       struct sim_error *error)
{
    unsigned method = number(entry + 10, 2), place = number(entry + 42, 4);
    size_t packed = number(entry + 20, 4), unpacked = number(entry + 24, 4);
    if ((size_t)place + LOCAL > zip->size || memcmp(zip->bytes + place, "PK\003\004", 4) != 0)
        return fail(zip, "a file is not where the directory has it", error);
    size_t begin = (size_t)place + LOCAL + number(zip->bytes + place + 26, 2) + number(zip->bytes + place + 28, 2);
    if (begin > zip->size || packed > zip->size - begin || unpacked > MOST)
        return fail(zip, "a file is cut off, or has more than 1 GiB", error);
    if (method != 0 && method != 8)
        return fail(zip, "a file is compressed in an unknown way; deflate is known", error);
    if (method == 0 && packed != unpacked)
        return fail(zip, "the directory disagrees with itself", error);
    *bytes = xmalloc(unpacked + 1);
    *size = unpacked;
    (*bytes)[unpacked] = '\0';
    if (method == 0)
        memcpy(*bytes, zip->bytes + begin, unpacked);
    else if (unpack_deflated(*bytes, unpacked, zip->bytes + begin, packed, zip->file, error) != 0) {
        free(*bytes);
        return -1;
    }
    return 1;
}

int zip_read(unsigned char **bytes, size_t *size, const struct zip *zip, const char *name, struct sim_error *error)
{
    const unsigned char *end = find_end(zip);
    if (end == NULL)
        return fail(zip, "it has no directory", error);
    size_t at = number(end + 16, 4), n_entries = number(end + 10, 2);
    for (size_t i = 0; i < n_entries; i++) {
        const unsigned char *entry = zip->bytes + at;
        if (at + DIRECTORY > zip->size || memcmp(entry, "PK\001\002", 4) != 0)
            return fail(zip, "its directory is damaged", error);
        size_t length = number(entry + 28, 2);
        if (at + DIRECTORY + length > zip->size)
            return fail(zip, "its directory is cut off", error);
        if (length == strlen(name) && memcmp(entry + DIRECTORY, name, length) == 0)
            return read_member(bytes, size, zip, entry, error);
        at += DIRECTORY + length + number(entry + 30, 2) + number(entry + 32, 2);
    }
    return 0;
}

/* ---- Writing ---- */

/* The checksum CRC-32, bit by bit. */
static uint32_t checksum(const unsigned char *bytes, size_t size)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~sum;
}

static void put(FILE *stream, size_t value, int n)
{
    for (; n > 0; n--, value >>= 8)
        fputc((int)(value & 0xff), stream);
}

/* The fields that the head of a file and its entry in the directory have in common. */
static void put_common(FILE *stream, const struct zip_member *member)
{
    put(stream, VERSION, 2);
    put(stream, UTF8, 2);
    put(stream, 0, 2); /* not compressed */
    put(stream, 0, 2); /* midnight */
    put(stream, FIRST_DAY, 2);
    put(stream, checksum(member->bytes, member->size), 4);
    put(stream, member->size, 4);
    put(stream, member->size, 4);
    put(stream, strlen(member->name), 2);
    put(stream, 0, 2); /* nothing extra */
}

void zip_write(FILE *stream, const struct zip_member *members, size_t n_members)
{
    size_t place = 0, length = 0;
    for (size_t i = 0; i < n_members; i++) {
        fputs("PK\003\004", stream);
        put_common(stream, &members[i]);
        fputs(members[i].name, stream);
        fwrite(members[i].bytes, 1, members[i].size, stream);
    }
    for (size_t i = 0; i < n_members; i++) {
        fputs("PK\001\002", stream);
        put(stream, VERSION, 2);
        put_common(stream, &members[i]);
        put(stream, 0, 10); /* no comment, first volume, no attributes */
        put(stream, place, 4);
        fputs(members[i].name, stream);
        place += LOCAL + strlen(members[i].name) + members[i].size;
        length += DIRECTORY + strlen(members[i].name);
    }
    fputs("PK\005\006", stream);
    put(stream, 0, 4); /* one volume */
    put(stream, n_members, 2);
    put(stream, n_members, 2);
    put(stream, length, 4);
    put(stream, place, 4);
    put(stream, 0, 2); /* no comment */
}
