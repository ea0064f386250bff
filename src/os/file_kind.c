/* Reads the first bytes of a file, unpacked if need be, and goes through the table of kinds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/kind_head.h"

#include "os/unpack.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t read_first(char *bytes, size_t most, int descriptor)
{
    size_t length = 0;
    for (ssize_t n = 1; n > 0 && length < most;) {
        n = read(descriptor, bytes + length, most - length);
        if (n < 0 && errno == EINTR)
            n = 1;
        else if (n > 0)
            length += (size_t)n;
    }
    return length;
}

/* --- kinds --- */

/* A pipe is not opened: who writes into it would take the closing for the end. */
bool file_head_read(struct file_head *head, const struct file_kind **kind, const char *path)
{
    struct stat status;
    *head = (struct file_head){.path = path};
    *kind = &file_kind_absent;
    if (stat(path, &status) != 0)
        return false;
    *kind = S_ISDIR(status.st_mode) ? &file_kind_folder : &file_kind_device;
    if (!S_ISREG(status.st_mode))
        return false;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *kind = descriptor < 0 ? &file_kind_absent : status.st_size == 0 ? &file_kind_empty : NULL;
    if (*kind == NULL)
        head->length = read_first(head->bytes, FILE_HEAD_BYTES, descriptor);
    if (descriptor >= 0)
        close(descriptor);
    head->is_packed = unpack_is_packed(head->bytes, head->length);
    if (head->is_packed)
        head->length = unpack_head(head->bytes, FILE_HEAD_BYTES, path);
    head->is_whole = head->length < FILE_HEAD_BYTES;
    head->bytes[head->length] = '\0';
    return *kind == NULL;
}

size_t file_head_read_further(char *bytes, size_t most, const struct file_head *head)
{
    if (head->is_packed)
        return unpack_head(bytes, most, head->path);
    int descriptor = open(head->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return 0;
    size_t length = read_first(bytes, most, descriptor);
    close(descriptor);
    return length;
}

static bool ends_on(const char *path, const char *extension)
{
    size_t length = strlen(path), tail = strlen(extension);
    return length > tail && strcmp(path + length - tail, extension) == 0;
}

static bool fits(const struct file_kind_row *row, const struct file_head *head)
{
    size_t length = row->begin == NULL ? 0 : row->length > 0 ? row->length : strlen(row->begin);
    return row->offset + length <= head->length &&
           (length == 0 || memcmp(head->bytes + row->offset, row->begin, length) == 0) &&
           (row->fits == NULL || row->fits(head)) && (row->extension == NULL || ends_on(head->path, row->extension));
}

const struct file_kind *file_kind_of_head(const struct file_head *head)
{
    const struct file_kind_row *row = file_kind_rows;
    while (!fits(row, head))
        row++;
    return &row->kind;
}

/* Archives and stores are read by libraries, which do not unpack. */
static bool is_unpacked(enum file_is is)
{
    return is != FILE_UNKNOWN && is != FILE_OTF2 && is != FILE_OTF2_PART && is != FILE_STORE;
}

const struct file_kind *file_kind_of(const char *path)
{
    struct file_head head;
    const struct file_kind *kind;
    if (!file_head_read(&head, &kind, path))
        return kind;
    head.lists = true;
    kind = file_kind_of_head(&head);
    return head.is_packed && !is_unpacked(kind->is) ? &file_kind_packed : kind;
}

int file_kind_refuse(const struct file_kind *kind, const char *file, const char *wanted, struct sim_error *error)
{
    bool is_said = kind->advice[0] != '\0';
    return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is %s, not %s%s%s", kind->name, wanted, is_said ? "; " : "",
                         is_said ? kind->advice : "");
}

int file_kind_check(const char *file, enum file_is is, const char *wanted, struct sim_error *error)
{
    const struct file_kind *kind = file_kind_of(file);
    if (kind->is == is || kind->is == FILE_XML || kind->is == FILE_UNKNOWN || kind->is == FILE_ABSENT ||
        kind->is == FILE_DEVICE)
        return 0;
    return file_kind_refuse(kind, file, wanted, error);
}

/* --- outputs --- */

bool file_begins(const char *path, const char *begin)
{
    char first[32];
    size_t length = strlen(begin);
    struct stat status;
    assert(length <= sizeof first);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (descriptor < 0)
        return false;
    bool begins =
        fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && read_first(first, length, descriptor) == length;
    for (size_t i = 0; begins && i < length; i++)
        begins = begin[i] == '?' || begin[i] == first[i];
    close(descriptor);
    return begins;
}
