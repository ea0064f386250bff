/* Looks for a file in ./KIND, and in simrun's own folder of that kind.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/named.h"

#include "base/memory.h"
#include "os/data.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *named_place(int i, const char *kind)
{
    if (i == 0)
        return xstrdup(kind);
    char *data = data_folder(), *folder = xformat("%s/%s", data, kind);
    free(data);
    return folder;
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

char *named_find(const char *kind, const char *name)
{
    char *found = NULL;
    if (*name == '\0' || strchr(name, '/') != NULL)
        return NULL;
    for (int i = 0; i < 2 * NAMED_PLACES && found == NULL; i++) {
        char *folder = named_place(i / 2, kind), *file = xformat("%s/%s%s", folder, name, i % 2 == 0 ? "" : ".xml");
        if (is_file(file))
            found = file;
        else
            free(file);
        free(folder);
    }
    return found;
}
