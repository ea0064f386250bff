/* The first bytes of a file, and the table that says what they mean.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_KIND_HEAD_H
#define OS_KIND_HEAD_H

#include "os/file_kind.h"

#include <stddef.h>

enum { FILE_HEAD_BYTES = 4096 };

struct file_head {
    const char *path;
    size_t length;
    bool is_whole; /* there is no more of the file */
    bool is_packed;
    bool lists;                      /* it may be a list of files, not only one that a list names */
    char bytes[FILE_HEAD_BYTES + 1]; /* with a zero behind them */
};

/* A line of the table, which fits where all that it says does. */
struct file_kind_row {
    struct file_kind kind;
    size_t offset;
    const char *begin; /* the bytes there, `length` of them, or all up to the zero if that is 0 */
    size_t length;
    bool (*fits)(const struct file_head *head);
    const char *extension;
};

/* The first that fits is taken; FILE_UNKNOWN, the last, always does. */
extern const struct file_kind_row file_kind_rows[];

/* Kinds that are known without the table. */
extern const struct file_kind file_kind_absent, file_kind_folder, file_kind_device, file_kind_empty, file_kind_packed;

/* Words behind the rank in lines of TI; NULL-terminated. */
extern const char *const file_kind_ti_actions[];

/* The table's word for it. */
const struct file_kind *file_kind_of_head(const struct file_head *head);

/* Read the first bytes; false, and a kind, where there is nothing to be read. */
bool file_head_read(struct file_head *head, const struct file_kind **kind, const char *path);
/* As many bytes of the same file, from its beginning; how many they are. */
size_t file_head_read_further(char *bytes, size_t most, const struct file_head *head);

#endif
