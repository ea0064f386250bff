/* Names of files, taken apart and put together.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_PATH_H
#define OS_PATH_H

#include <stddef.h>

/* `name`, of `length` characters, as a file mentions it: in the file's folder, unless it is absolute; to be freed. */
char *path_beside(const char *file, const char *name, size_t length);

/* The name without its folder. */
const char *path_base(const char *file);

/* The same without its extension; to be freed. */
char *path_title(const char *file);

#endif
