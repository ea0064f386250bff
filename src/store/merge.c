/* Joins stores: the runs of all of them, in the order of their numbers, as one process would have stored them.
 *
 * A run of a sweep has the number of its place there, whichever process has simulated it. So the stores of shards have
 * different numbers, and the runs of all shards in the order of their numbers are those of the whole sweep: they are
 * added to a new store in the same order, by the same statements, which SQLite makes the same bytes of.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "store/merge_origins.h"

#include "base/builder.h"
#include "base/memory.h"
#include "base/sort.h"
#include "os/output.h"
#include "os/partial.h"
#include "study/run_transport.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct input {
    struct store *store;
    struct origins origins;
};

struct entry {
    int64_t id;
    int input;
};

struct merge {
    struct store *into;
    struct input *inputs;
    int n_inputs;
    struct entry *entries; /* all runs of all stores, by their numbers */
    size_t n_entries, capacity;
    size_t n_late; /* of them, at the beginning: those whose number another run has */
    int n_added;
    const char **compilers; /* of the runs, each once; texts of the inputs */
    size_t n_compilers, compilers_capacity;
};

static int find_merged(int64_t *merged, const struct input *input, int64_t origin, struct sim_error *error)
{
    for (size_t i = 0; i < input->origins.count; i++)
        if (input->origins.ids[i] == origin) {
            *merged = input->origins.merged[i];
            return 0;
        }
    return store_damaged(input->store, error, "a run has no origin");
}

/* --- runs --- */

static int by_number(const void *a, const void *b, void *unused)
{
    const struct entry *left = a, *right = b;
    (void)unused;
    int order = (left->id > right->id) - (left->id < right->id);
    return order != 0 ? order : left->input - right->input;
}

static int open_input(struct merge *merge, const char *file, struct sim_error *error)
{
    struct input *input = &merge->inputs[merge->n_inputs];
    int64_t *ids;
    int n_ids;
    if (store_open(&input->store, file, STORE_READ, error) != 0)
        return -1;
    merge->n_inputs++;
    if (store_execute(input->store, "PRAGMA cache_size = -256", error) != 0 ||
        origins_list(&input->origins, input->store, error) != 0 ||
        store_select(&ids, &n_ids, input->store, NULL, 0, error) != 0)
        return -1;
    for (int i = 0; i < n_ids; i++) {
        merge->entries = xgrow(merge->entries, merge->n_entries, &merge->capacity, sizeof *merge->entries);
        merge->entries[merge->n_entries++] = (struct entry){ids[i], merge->n_inputs - 1};
    }
    free(ids);
    return 0;
}

static char *run_bytes(size_t *size, const struct study_run *run)
{
    char *bytes;
    struct study_run copy = *run;
    struct transport transport = {.to = open_memstream(&bytes, size)};
    run_transport(&transport, &copy);
    fclose(transport.to);
    return bytes;
}

static bool are_same(const struct study_run *a, const struct study_run *b)
{
    size_t sizes[2];
    char *first = run_bytes(&sizes[0], a), *second = run_bytes(&sizes[1], b);
    bool same = sizes[0] == sizes[1] && memcmp(first, second, sizes[0]) == 0;
    free(first);
    free(second);
    return same;
}

/* Remember whose program has made a run; not of stores of former versions, where it is unknown. */
static void note_compiler(struct merge *merge, const char *compiler)
{
    for (size_t i = 0; i < merge->n_compilers; i++)
        if (strcmp(merge->compilers[i], compiler) == 0)
            return;
    if (compiler[0] == '\0')
        return;
    merge->compilers = xgrow(merge->compilers, merge->n_compilers, &merge->compilers_capacity, sizeof(const char *));
    merge->compilers[merge->n_compilers++] = compiler;
}

/* "gcc 12.2.0, x86_64 and clang 14.0.6, x86_64", to be freed; NULL: there is one at most. */
static char *format_compilers(const struct merge *merge)
{
    struct builder text = {0};
    if (merge->n_compilers < 2)
        return NULL;
    for (size_t i = 0; i < merge->n_compilers; i++)
        builder_add(&text, "%s%.100s", i == 0 ? "" : i + 1 < merge->n_compilers ? "; " : " and ", merge->compilers[i]);
    return builder_take(&text);
}

/* The error of a run that came out differently. Returns -1. */
static int refuse_run(const struct merge *merge, const struct store_run *stored, const struct entry *entry,
                      struct sim_error *error)
{
    char *parameters = store_format_parameters(&stored->run), *compilers = format_compilers(merge);
    sim_error_set(error, SIM_BAD_INPUT, merge->inputs[entry->input].store->file, 0,
                  "run %lld differs from the same run in another store (%.300s)%s%s%s", (long long)entry->id,
                  parameters, compilers != NULL ? "; they were made by programs of " : "",
                  compilers != NULL ? compilers : "", compilers != NULL ? ", which may round differently" : "");
    free(parameters);
    free(compilers);
    return -1;
}

/* Find out if the run is there already; an error if it came out differently. */
static int find_merged_run(bool *found, const struct merge *merge, const struct store_run *stored, int64_t origin,
                           const struct entry *entry, struct sim_error *error)
{
    struct study_run there = {.parameters = stored->run.parameters, .n_parameters = stored->run.n_parameters};
    if (store_find_run(found, merge->into, origin, &there, error) != 0)
        return -1;
    if (!*found)
        return 0;
    int status = are_same(&there, &stored->run) ? 0 : refuse_run(merge, stored, entry, error);
    result_dispose(&there.result);
    return status;
}

/* Add a run under its number, or put it off until all others have theirs: two sweeps may have given the same. */
static int add_entry(struct merge *merge, struct entry entry, int64_t last, bool late, struct sim_error *error)
{
    struct store_run stored;
    struct input *input = &merge->inputs[entry.input];
    int64_t origin = 0;
    bool found = false;
    if (store_load(&stored, input->store, entry.id, error) != 0)
        return -1;
    note_compiler(merge, stored.compiler);
    int status = find_merged(&origin, input, stored.origin, error);
    if (status == 0)
        status = find_merged_run(&found, merge, &stored, origin, &entry, error);
    if (status == 0 && !found && !late && entry.id == last)
        merge->entries[merge->n_late++] = entry;
    else if (status == 0 && !found) {
        status = store_add(NULL, merge->into, origin, late ? 0 : entry.id, stored.compiler, &stored.run, error);
        merge->n_added++;
    }
    result_dispose(&stored.run.result);
    free(stored.run.parameters);
    return status;
}

static int add_all(struct merge *merge, struct sim_error *error)
{
    struct input *first = &merge->inputs[0];
    int status = 0;
    for (size_t i = 0; status == 0 && i < first->origins.count; i++)
        status = store_find_origin(&first->origins.merged[i], merge->into, &first->origins.items[i], error);
    for (int i = 1; status == 0 && i < merge->n_inputs; i++)
        status = origins_match(&merge->inputs[i].origins, &first->origins, error);
    if (merge->n_entries > 0)
        sort_rows(merge->entries, merge->n_entries, sizeof *merge->entries, by_number, NULL);
    int64_t last = 0;
    for (size_t i = 0; status == 0 && i < merge->n_entries; i++) {
        const struct entry entry = merge->entries[i];
        status = add_entry(merge, entry, last, false, error);
        last = entry.id;
    }
    for (size_t i = 0; status == 0 && i < merge->n_late; i++)
        status = add_entry(merge, merge->entries[i], 0, true, error);
    return status;
}

/* --- the new store --- */

enum { N_SIDES = 3 };

static void remove_partial(char *const *names)
{
    for (int i = 0; i <= N_SIDES; i++)
        unlink(names[i]);
}

static int fill(const char *partial, const char *file, struct merge *merge, struct sim_error *error)
{
    if (store_open_as(&merge->into, partial, file, STORE_WRITE, error) != 0)
        return -1;
    int status = add_all(merge, error);
    store_close(merge->into);
    return status;
}

/* Under another name, which becomes its own when it is whole. */
static int write_store(const char *file, struct merge *merge, struct sim_error *error)
{
    char number[24], *names[N_SIDES + 1], *target = output_target(file);
    snprintf(number, sizeof number, "%ld", (long)getpid());
    names[0] = partial_beside(target, number);
    for (int i = 0; i < N_SIDES; i++)
        names[i + 1] = xformat("%s%s", names[0], store_file_suffixes[i]);
    for (int i = 0; i <= N_SIDES; i++)
        partial_remember(names[i]);
    partial_catch_signals();
    int status = fill(names[0], file, merge, error);
    if (status == 0 && rename(names[0], target) != 0)
        status = sim_error_set(error, SIM_UNFINISHED, file, 0, "cannot be written: %s", strerror(errno));
    if (status != 0)
        remove_partial(names);
    for (int i = 0; i <= N_SIDES; i++) {
        partial_forget(names[i]);
        free(names[i]);
    }
    free(target);
    return status;
}

int store_merge(struct store_merged *merged, const char *file, char *const *files, int n_files, struct sim_error *error)
{
    struct merge merge = {.inputs = xcalloc((size_t)n_files, sizeof *merge.inputs)};
    int status = 0;
    if (access(file, F_OK) == 0)
        status = sim_error_set(error, SIM_BAD_INPUT, file, 0, "already exists; a merge makes a new store");
    for (int i = 0; status == 0 && i < n_files; i++)
        status = open_input(&merge, files[i], error);
    if (status == 0)
        status = write_store(file, &merge, error);
    *merged = (struct store_merged){merge.n_added, format_compilers(&merge)};
    for (int i = 0; i < merge.n_inputs; i++) {
        origins_dispose(&merge.inputs[i].origins);
        store_close(merge.inputs[i].store);
    }
    free(merge.inputs);
    free(merge.entries);
    free(merge.compilers);
    return status;
}
