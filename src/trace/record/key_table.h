/* A hash table from four numbers to one. Memory grows with the most entries that it has held. */
#ifndef TRACE_RECORD_KEY_TABLE_H
#define TRACE_RECORD_KEY_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define NOTHING UINT32_MAX

struct key {
    int32_t parts[4];
};

struct key_entry {
    struct key key;
    uint32_t value; /* NOTHING: the place is free */
};

/* All zero is an empty one. */
struct key_table {
    struct key_entry *entries;
    size_t n_entries, count; /* n_entries is a power of two or 0 */
};

void key_table_dispose(struct key_table *table);
/* The value's place, NOTHING being written there if the key is new; it has to be filled in. Good until the next call. */
uint32_t *key_table_add(struct key_table *table, struct key key);
/* NULL if there is none. */
uint32_t *key_table_find(const struct key_table *table, struct key key);
void key_table_remove(struct key_table *table, struct key key);

#endif
