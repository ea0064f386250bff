/* Finds and compares the origins of stores that are joined.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "store/merge_origins.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static char *copy_bytes(size_t *size, sqlite3_stmt *row, int column)
{
    const void *bytes = sqlite3_column_blob(row, column);
    *size = (size_t)sqlite3_column_bytes(row, column);
    char *copy = xmalloc(*size + 1);
    if (*size > 0)
        memcpy(copy, bytes, *size);
    copy[*size] = '\0';
    return copy;
}

static char *copy_text(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);
    return store_clean(text != NULL ? (const char *)text : "", "");
}

static void add_origin(struct origins *origins, sqlite3_stmt *row)
{
    enum { ID, KIND, SCENARIO, SCENARIO_TEXT, PLATFORM, PLATFORM_TEXT, INPUT, PROGRAM };
    size_t capacity = origins->capacity;
    origins->items = xgrow(origins->items, origins->count, &origins->capacity, sizeof *origins->items);
    if (origins->capacity != capacity) {
        origins->ids = xrealloc(origins->ids, origins->capacity * sizeof *origins->ids);
        origins->merged = xrealloc(origins->merged, origins->capacity * sizeof *origins->merged);
    }
    struct store_origin *origin = &origins->items[origins->count];
    *origin = (struct store_origin){.kind = copy_text(row, KIND),
                                    .scenario = copy_text(row, SCENARIO),
                                    .platform = copy_text(row, PLATFORM),
                                    .input = copy_text(row, INPUT),
                                    .program = copy_text(row, PROGRAM)};
    origin->scenario_text = copy_bytes(&origin->scenario_size, row, SCENARIO_TEXT);
    origin->platform_text = copy_bytes(&origin->platform_size, row, PLATFORM_TEXT);
    origins->ids[origins->count++] = sqlite3_column_int64(row, ID);
}

int origins_list(struct origins *origins, struct store *store, struct sim_error *error)
{
    sqlite3_stmt *row = store_statement(store, LIST_ORIGINS, error);
    int found = row != NULL ? 1 : -1;
    origins->file = store->file;
    while (found == 1 && (found = store_step(store, row, error)) == 1)
        add_origin(origins, row);
    if (found == 0 && origins->count == 0)
        return sim_error_set(error, SIM_BAD_INPUT, store->file, 0, "is an empty store: no sweep has used it");
    return found;
}

void origins_dispose(struct origins *origins)
{
    for (size_t i = 0; i < origins->count; i++) {
        const struct store_origin *origin = &origins->items[i];
        const char *const texts[] = {origin->kind,    origin->scenario,      origin->platform,     origin->input,
                                     origin->program, origin->scenario_text, origin->platform_text};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            free((void *)(uintptr_t)texts[k]);
    }
    free(origins->items);
    free(origins->ids);
    free(origins->merged);
}

/* In the order in which a difference explains those behind it. */
static const struct origin_part {
    const char *what;
    size_t text, size; /* offsets; no size: a string */
} origin_parts[] = {
    {"a different version of the program", offsetof(struct store_origin, program), 0},
    {"a different kind of run", offsetof(struct store_origin, kind), 0},
    {"a different scenario", offsetof(struct store_origin, scenario), 0},
    {"different contents of the scenario", offsetof(struct store_origin, scenario_text),
     offsetof(struct store_origin, scenario_size)},
    {"a different platform", offsetof(struct store_origin, platform), 0},
    {"different contents of the platform", offsetof(struct store_origin, platform_text),
     offsetof(struct store_origin, platform_size)},
    {"a different input", offsetof(struct store_origin, input), 0},
};
enum { N_PARTS = sizeof origin_parts / sizeof origin_parts[0] };

static const char *part_text(size_t *size, const struct origin_part *part, const struct store_origin *origin)
{
    const char *text = *(const char *const *)(const void *)((const char *)origin + part->text);
    *size = part->size == 0 ? strlen(text) : *(const size_t *)(const void *)((const char *)origin + part->size);
    return text;
}

/* The first part in which they differ; NULL: they are the same. */
static const struct origin_part *find_difference(const struct store_origin *a, const struct store_origin *b)
{
    size_t sizes[2];
    for (int i = 0; i < N_PARTS; i++) {
        const char *first = part_text(&sizes[0], &origin_parts[i], a),
                   *second = part_text(&sizes[1], &origin_parts[i], b);
        if (sizes[0] != sizes[1] || memcmp(first, second, sizes[0]) != 0)
            return &origin_parts[i];
    }
    return NULL;
}

/* Programs are known by their sources ("0.1.0 sources 3fa4..."). Those of former versions of the store were known by
 * the file of the program ("0.1.0 build 12345678"), which does not tell its sources. */
static int refuse_program(const char *own, const char *own_file, const char *other, const char *other_file,
                          struct sim_error *error)
{
    static const char sources[] = " sources ";
    const char *own_hash = strstr(own, sources), *other_hash = strstr(other, sources);
    if ((own_hash == NULL) != (other_hash == NULL)) /* what has no hash is short */
        return sim_error_set(error, SIM_BAD_INPUT, own_hash == NULL ? own_file : other_file, 0,
                             "was made when stores did not yet say of which sources the program is ('%.60s'), so that "
                             "its runs may differ from those of %s: simulate them again, or ask it by itself",
                             own_hash == NULL ? own : other, own_hash == NULL ? other_file : own_file);
    if (own_hash != NULL && own_hash - own == other_hash - other && strncmp(own, other, (size_t)(own_hash - own)) == 0)
        return sim_error_set(
            error, SIM_BAD_INPUT, own_file, 0,
            "is of other sources of version %.*s than %s: %.12s..., not %.12s..., so that its runs may "
            "differ: simulate those of one of them again with the program of the other "
            "(simrun --version shows of which sources a program is)",
            (int)(own_hash - own), own, other_file, own_hash + strlen(sources), other_hash + strlen(sources));
    char *own_text = store_format_program(own), *other_text = store_format_program(other);
    sim_error_set(
        error, SIM_BAD_INPUT, own_file, 0,
        "is of another version of the program than %s: '%.60s', not '%.60s'; simulate its runs again with the "
        "program of the other",
        other_file, own_text, other_text);
    free(own_text);
    free(other_text);
    return -1;
}

static int refuse(const struct origins *origins, const struct origins *first, size_t i, struct sim_error *error)
{
    const struct store_origin *own = &origins->items[i];
    const struct store_origin *other = &first->items[i < first->count ? i : 0];
    const struct origin_part *part = find_difference(own, other);
    size_t size;
    if (part == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, origins->file, 0, "has %zu scenarios or platforms, %s has %zu",
                             origins->count, first->file, first->count);
    if (part == &origin_parts[0])
        return refuse_program(own->program, origins->file, other->program, first->file, error);
    if (part->size != 0)
        return sim_error_set(error, SIM_BAD_INPUT, origins->file, 0, "has %s '%s' than %s", part->what,
                             part->size == offsetof(struct store_origin, scenario_size) ? own->scenario : own->platform,
                             first->file);
    return sim_error_set(error, SIM_BAD_INPUT, origins->file, 0, "has %s than %s: '%.100s', not '%.100s'", part->what,
                         first->file, part_text(&size, part, own), part_text(&size, part, other));
}

int origins_match(const struct origins *origins, const struct origins *first, struct sim_error *error)
{
    for (size_t i = 0; i < origins->count; i++) {
        size_t k = 0;
        while (k < first->count && find_difference(&origins->items[i], &first->items[k]) != NULL)
            k++;
        if (k == first->count)
            return refuse(origins, first, i, error);
        origins->merged[i] = first->merged[k];
    }
    return origins->count == first->count ? 0 : refuse(origins, first, 0, error);
}
