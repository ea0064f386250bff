/* Call paths of a traced program: a tree of names, "main > solve > exchange". Path 0 is none, of which nothing is
 * known.
 *
 * A path is known by its names, whatever the lines and addresses, so that it is the same in two versions of a program.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTERVAL_CALL_PATHS_H
#define INTERVAL_CALL_PATHS_H

#include "base/map.h"

/* More paths than that, or deeper ones, count as the ones around them. */
enum { MOST_CALL_PATHS = 1 << 18, DEEPEST_CALL_PATH = 1000 };

struct call_path {
    uint32_t outer, depth; /* the path around it; depth 1: around it is none */
    const char *name;      /* interned */
};

struct call_paths {
    struct call_path *items; /* each behind the one around it */
    size_t n, capacity;
    struct map numbers;
    size_t n_left_out; /* so often one had no room */
    bool are_recorded; /* not only made from regions that the trace has anyway */
};

void call_paths_init(struct call_paths *paths);
void call_paths_dispose(struct call_paths *paths);
/* The path of that interned name within another one. */
uint32_t call_paths_within(struct call_paths *paths, uint32_t outer, const char *name);
/* The longest path that both begin with. For an unknown one: the outermost one of the other. */
uint32_t call_paths_common(const struct call_paths *paths, uint32_t a, uint32_t b);
/* "main > solve > exchange", interned; of a long one the outer part is "...". */
const char *call_paths_name(const struct call_paths *paths, uint32_t path);

#endif
