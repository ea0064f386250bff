/* Open addressing with linear probing; what is removed is filled up by what follows it. */
#include "trace/record/key_table.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static size_t place_of(const struct key_table *table, struct key key)
{
    uint64_t hash = 0;
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ (uint32_t)key.parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return (size_t)hash & (table->n_entries - 1);
}

static size_t after(const struct key_table *table, size_t place)
{
    return (place + 1) & (table->n_entries - 1);
}

/* The place of the key, or the free one where it would be. */
static size_t find(const struct key_table *table, struct key key)
{
    size_t place = place_of(table, key);
    while (table->entries[place].value != NOTHING && memcmp(&table->entries[place].key, &key, sizeof key) != 0)
        place = after(table, place);
    return place;
}

static void grow(struct key_table *table)
{
    struct key_table old = *table;
    table->n_entries = old.n_entries > 0 ? 2 * old.n_entries : 64;
    table->entries = xmalloc(table->n_entries * sizeof *table->entries);
    for (size_t i = 0; i < table->n_entries; i++)
        table->entries[i].value = NOTHING;
    for (size_t i = 0; i < old.n_entries; i++)
        if (old.entries[i].value != NOTHING)
            table->entries[find(table, old.entries[i].key)] = old.entries[i];
    free(old.entries);
}

void key_table_dispose(struct key_table *table)
{
    free(table->entries);
    *table = (struct key_table){0};
}

uint32_t *key_table_add(struct key_table *table, struct key key)
{
    if (2 * (table->count + 1) > table->n_entries)
        grow(table);
    struct key_entry *entry = &table->entries[find(table, key)];
    if (entry->value == NOTHING) {
        entry->key = key;
        table->count++;
    }
    return &entry->value;
}

uint32_t *key_table_find(const struct key_table *table, struct key key)
{
    if (table->n_entries == 0)
        return NULL;
    struct key_entry *entry = &table->entries[find(table, key)];
    return entry->value == NOTHING ? NULL : &entry->value;
}

/* Whether what is at `place` may be moved to the free place `hole` before it: its own place is not between the two. */
static bool may_move(const struct key_table *table, size_t hole, size_t place)
{
    size_t mask = table->n_entries - 1, home = place_of(table, table->entries[place].key);
    return ((place - home) & mask) >= ((place - hole) & mask);
}

void key_table_remove(struct key_table *table, struct key key)
{
    size_t hole = find(table, key);
    if (table->entries[hole].value == NOTHING)
        return;
    table->count--;
    for (size_t place = after(table, hole); table->entries[place].value != NOTHING; place = after(table, place))
        if (may_move(table, hole, place)) {
            table->entries[hole] = table->entries[place];
            hole = place;
        }
    table->entries[hole].value = NOTHING;
}
