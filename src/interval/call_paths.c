/* The tree of call paths.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "interval/call_paths.h"

#include "base/memory.h"
#include "interval/intern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1000 }; /* of a path's name; interned texts have room for it */

void call_paths_init(struct call_paths *paths)
{
    *paths = (struct call_paths){0};
    paths->items = xgrow(paths->items, paths->n, &paths->capacity, sizeof *paths->items);
    paths->items[paths->n++] = (struct call_path){0, 0, ""};
}

void call_paths_dispose(struct call_paths *paths)
{
    free(paths->items);
    map_dispose(&paths->numbers);
    *paths = (struct call_paths){0};
}

uint32_t call_paths_within(struct call_paths *paths, uint32_t outer, const char *name)
{
    struct map_key key = {outer, (uint64_t)(uintptr_t)name};
    struct map_entry *entry = map_find(&paths->numbers, key);
    if (entry != NULL)
        return entry->index;
    if (paths->n == MOST_CALL_PATHS || paths->items[outer].depth == DEEPEST_CALL_PATH) {
        paths->n_left_out++;
        return outer;
    }
    map_add(&paths->numbers, key)->index = (uint32_t)paths->n;
    paths->items = xgrow(paths->items, paths->n, &paths->capacity, sizeof *paths->items);
    paths->items[paths->n] = (struct call_path){outer, paths->items[outer].depth + 1, name};
    return (uint32_t)paths->n++;
}

static uint32_t ancestor(const struct call_paths *paths, uint32_t path, uint32_t depth)
{
    while (paths->items[path].depth > depth)
        path = paths->items[path].outer;
    return path;
}

uint32_t call_paths_common(const struct call_paths *paths, uint32_t a, uint32_t b)
{
    if (a == 0 || b == 0)
        return ancestor(paths, a == 0 ? b : a, 1);
    a = ancestor(paths, a, paths->items[b].depth);
    b = ancestor(paths, b, paths->items[a].depth);
    while (a != b) {
        a = paths->items[a].outer;
        b = paths->items[b].outer;
    }
    return a;
}

/* The name is written from its end. */
const char *call_paths_name(const struct call_paths *paths, uint32_t path)
{
    static const char between[] = " > ", left_out[] = "... > ";
    char text[MOST_TEXT + 1];
    size_t begin = MOST_TEXT;
    text[begin] = '\0';
    for (; path != 0; path = paths->items[path].outer) {
        const char *name = paths->items[path].name;
        size_t length = strlen(name), more = begin == MOST_TEXT ? 0 : sizeof between - 1;
        if (length + more + sizeof left_out > begin) {
            begin -= sizeof left_out - 1;
            memcpy(text + begin, left_out, sizeof left_out - 1);
            break;
        }
        begin -= more;
        memcpy(text + begin, between, more);
        begin -= length;
        memcpy(text + begin, name, length);
    }
    return intern_text(text + begin);
}
