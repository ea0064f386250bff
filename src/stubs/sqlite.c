/* Stub of src/store: there is no store. It is never opened, so it is never queried.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "os/libraries.h"
#include "store/store.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

const char *const store_file_suffixes[] = {NULL};

int store_open(struct store **store, const char *file, enum store_mode mode, struct sim_error *error)
{
    return library_refuse(LIBRARY_SQLITE, file, error);
}

void store_close(struct store *store)
{
}

char *store_format_program(const char *program)
{
    return xstrdup(program);
}

#define REFUSE(function, ...)                                                                                          \
    int function(__VA_ARGS__, struct sim_error *error)                                                                 \
    {                                                                                                                  \
        return library_refuse(LIBRARY_SQLITE, "a store", error);                                                       \
    }

REFUSE(store_find_origin, int64_t *id, struct store *store, const struct store_origin *origin)
REFUSE(store_find_run, bool *found, struct store *store, int64_t origin, struct study_run *run)
REFUSE(store_add, bool *added, struct store *store, int64_t origin, int64_t number, const char *compiler,
       const struct study_run *run)
REFUSE(store_merge, struct store_merged *merged, const char *file, char *const *files, int n_files)
REFUSE(store_load, struct store_run *run, struct store *store, int64_t id)
REFUSE(store_find_other_program, const char **program, struct store *store, int64_t origin)
REFUSE(store_load_files, char **scenario, char **platform, struct store *store, int64_t id)
REFUSE(conditions_select, int64_t **ids, int *n_ids, struct store *store, char *const *texts, int n_texts)
