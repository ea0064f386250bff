/* Writes an OTF2 archive out of the parts of a fuzz input.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "shared/archive.h"

#include "fuzzing.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *make_folder(void)
{
    char *folder = fuzz_path("trace");
    fuzz_check(mkdir(folder, 0700) == 0);
    free(folder);
    return fuzz_path("trace.otf2");
}

static void name_part(char *name, size_t size, int part)
{
    if (part < 2)
        snprintf(name, size, "trace.%s", part == 0 ? "otf2" : "def");
    else
        snprintf(name, size, "trace/%d.%s", (part - 2) / 2, part % 2 == 0 ? "def" : "evt");
}

const char *archive_write(const uint8_t *data, size_t size)
{
    static const char *anchor;
    static struct fuzz_parts parts;
    int n_before = parts.count;
    if (anchor == NULL)
        anchor = make_folder();
    fuzz_split(&parts, data, size);
    for (int i = 0; i < parts.count || i < n_before; i++) {
        char name[32];
        name_part(name, sizeof name, i);
        fuzz_write(name, parts.items[i].data, parts.items[i].size);
    }
    return anchor;
}
