/* What kind of file a file is, by its first bytes. */
#ifndef OS_FILE_KIND_H
#define OS_FILE_KIND_H

#include <stdbool.h>

#define FILE_KIND_STORE "SQLite format 3"

/* Whether a regular file begins with these characters, of which '?' is any. A link, and what cannot be read, does
 * not. */
bool file_begins(const char *path, const char *begin);

#endif
