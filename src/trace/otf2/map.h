/* A map from 64-bit identifiers, as they stand in a file, to indices. Memory grows with the entries that it holds. */
#ifndef TRACE_OTF2_MAP_H
#define TRACE_OTF2_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct otf_map {
    struct otf_map_entry *entries; /* open addressing; a power of 2, at most three quarters full */
    size_t count, capacity;
};

/* All zero is an empty map. */
void otf_map_dispose(struct otf_map *map);

/* Set or replace. */
void otf_map_put(struct otf_map *map, uint64_t key, uint32_t value);

/* Whether the key is there; then *value is its value. */
bool otf_map_get(const struct otf_map *map, uint64_t key, uint32_t *value);

void otf_map_remove(struct otf_map *map, uint64_t key);

#endif
