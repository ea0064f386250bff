/* Keeps texts by their hashes; of those that have the same hash, each has a number as well.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/texts.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const char *texts_intern(struct texts *texts, const char *text)
{
    struct map_key key = {.high = hash_bytes(HASH_START, text, strlen(text))};
    for (;; key.low++) {
        struct map_entry *entry = map_add(&texts->map, key);
        if (entry->index == MAP_NOTHING)
            return entry->pointer = xstrdup(text);
        if (strcmp(entry->pointer, text) == 0)
            return entry->pointer;
    }
}

void texts_dispose(struct texts *texts)
{
    for (size_t i = 0; i < texts->map.size; i++)
        if (texts->map.entries[i].index != MAP_NOTHING)
            free(texts->map.entries[i].pointer);
    map_dispose(&texts->map);
}
