/* A platform as the input of a fuzz target: the file, one for its costs_from, which is "costs.xml", and one for its
 * profiles, "profile.txt", as the parts of an input.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_PLATFORM_PARTS_H
#define TESTS_FUZZ_PLATFORM_PARTS_H

#include "fuzzing.h"

/* Write them; the name of the platform file, always the same one. */
static inline const char *platform_write(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"platform.xml", "costs.xml", "profile.txt"};
    static const char *file;
    struct fuzz_parts parts;
    if (file == NULL)
        file = fuzz_path(names[0]);
    fuzz_split(&parts, data, size);
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++)
        fuzz_write(names[i], parts.items[i].data, parts.items[i].size);
    return file;
}

#endif
