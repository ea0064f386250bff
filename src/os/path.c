/* Looks for the last slash and the last dot.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/path.h"

#include "base/memory.h"

#include <string.h>

char *path_beside(const char *file, const char *name, size_t length)
{
    int folder = *name == '/' ? 0 : (int)(path_base(file) - file);
    return xformat("%.*s%.*s", folder, file, (int)length, name);
}

const char *path_base(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash != NULL ? slash + 1 : file;
}

char *path_title(const char *file)
{
    const char *base = path_base(file), *dot = strrchr(base, '.');
    return xformat("%.*s", dot != NULL && dot > base ? (int)(dot - base) : (int)strlen(base), base);
}
